import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';

import type { Method, Route } from '../route.ts';
import { answersOf } from './answers.ts';

const bodyTypes = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];

/** The first segment of the path: what calls are grouped by. */
export function tagOf({ path }: Route): string {
  return path.split('/')[1] ?? '';
}

/** How a row is called by one of its methods. */
export function operationOf(route: Route, method: Method): ZodOpenApiOperationObject {
  const isTwin = method === 'GET' && route.writes && route.methods.includes('POST');
  return {
    operationId: operationId(route, method),
    summary: route.summary,
    description: describe(route, isTwin),
    tags: [tagOf(route)],
    ...(isTwin ? { deprecated: true } : {}),
    security: ['oauth', 'bearer'].map((scheme) => ({ [scheme]: route.scope === null ? [] : [route.scope] })),
    ...(route.writes ? { parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }] } : {}),
    ...inputOf(route, method),
    responses: answersOf(route, method),
  };
}

/** `postCreate`; `postCreateByGet` for a method that is not the row's first. */
function operationId({ id, methods }: Route, method: Method): string {
  const name = id.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
  return method === methods[0] ? name : `${name}By${method === 'GET' ? 'Get' : 'Post'}`;
}

function describe({ scope, requiresAccount, specification }: Route, isTwin: boolean): string {
  return [
    ...(isTwin
      ? ['The specified form of the call. `POST` on the same path does the same and is the advised one.']
      : []),
    scope === null ? 'Any valid token will do.' : `Needs the scope \`${scope}\`.`,
    ...(requiresAccount ? ['Acts as the account of the token.'] : []),
    `Specification: ${specification}.`,
  ].join('\n\n');
}

function inputOf({ input, id }: Route, method: Method): Partial<ZodOpenApiOperationObject> {
  if (!(input instanceof z.ZodObject)) throw new TypeError(`${id}: parameters are an object's members`);
  const names = Object.keys(input.shape);
  if (names.length === 0) return {};
  if (method === 'GET') return { requestParams: { query: input } };
  const required = names.some((name) => !z.safeParse(input.shape[name], undefined).success);
  return {
    requestBody: { required, content: Object.fromEntries(bodyTypes.map((type) => [type, { schema: input }])) },
  };
}
