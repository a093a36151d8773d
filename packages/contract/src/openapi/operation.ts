import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';

import type { Method, Route } from '../route.ts';
import { responsesOf } from './responses.ts';
import { subjectOf } from './subjects.ts';

const bodyTypes = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];

/** The operation for one method of a row. `isTwin`: the GET form of an operation that writes by POST. */
export function operationOf(route: Route, method: Method): ZodOpenApiOperationObject {
  const isTwin = method === 'GET' && route.writes && route.methods.includes('POST');
  return {
    operationId: operationId(route, method),
    summary: route.summary,
    description: describe(route, isTwin),
    tags: [subjectOf(route)],
    // Tools take the first one; a token that they requested themselves comes second.
    security: [{ bearer: [] }, { oauth: route.scope === null ? [] : [route.scope] }],
    ...(route.writes ? { parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }] } : {}),
    ...inputOf(route, method),
    responses: responsesOf(route, method),
  };
}

/** `postCreate` for the first method of the row, `postCreateByGet` for the other one. */
function operationId({ id, methods }: Route, method: Method): string {
  const name = id.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
  return method === methods[0] ? name : `${name}By${method === 'GET' ? 'Get' : 'Post'}`;
}

function describe(
  { description, scope, requiresAccount, isProposable, specification }: Route,
  isTwin: boolean,
): string {
  return [
    ...(isTwin ? ['This form is part of the specification. Prefer `POST` on the same path, which does the same.'] : []),
    ...(description === undefined ? [] : [description]),
    scope === null ? 'Requires any valid access token.' : `Requires the scope \`${scope}\`.`,
    ...(isProposable === true ? ['With the scope `posts:propose` instead, it is proposed to the person.'] : []),
    ...(requiresAccount ? ['Requires an access token that acts for an account.'] : []),
    `Specification: ${specification}.`,
  ].join('\n\n');
}

function inputOf({ input, id }: Route, method: Method): Partial<ZodOpenApiOperationObject> {
  if (!(input instanceof z.ZodObject)) throw new TypeError(`${id}: the input schema must be an object`);
  const names = Object.keys(input.shape);
  if (names.length === 0) return {};
  if (method === 'GET') return { requestParams: { query: input } };
  const required = names.some((name) => !z.safeParse(input.shape[name], undefined).success);
  return {
    requestBody: { required, content: Object.fromEntries(bodyTypes.map((type) => [type, { schema: input }])) },
  };
}
