/**
 * Builds the OpenAPI 3.1 document of the API from the rows of the contract alone. `responses.ts` describes the
 * responses of an operation, `expected-errors.ts` its problems.
 */
import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import type { oas31, ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';

import { idempotencyKey } from '../parameters.ts';
import type { Method, Route } from '../route.ts';
import { routesByName, streamsByName } from '../routes.ts';
import { canonicalize } from './canonical-schemas.ts';
import { correctSchema, describeParameters, nameBodies } from './document-corrections.ts';
import { addExamples, dropOptionalExamples } from './examples.ts';
import { addLinks } from './links.ts';
import { addOAuth } from './oauth/add-oauth.ts';
import { problemSchema } from './problem-schema.ts';
import { problemResponses, responseHeaders, responsesOf } from './responses.ts';
import { securitySchemes } from './security-schemes.ts';
import { inReadingOrder, subjectOf, tagsOf } from './subjects.ts';

export type OpenApiDocument = oas31.OpenAPIObject;

export interface DocumentOptions {
  readonly baseUrl: string;
  /** The service name as people read it. */
  readonly shownName: string;
  /** Rows to document; all rows of the contract by default. */
  readonly routes?: readonly Route[];
}

const apiPath = '/api/v2.0';

export function createOpenApiDocument(options: DocumentOptions): OpenApiDocument {
  const { baseUrl, shownName } = options;
  const routes = inReadingOrder(options.routes ?? Object.values({ ...routesByName, ...streamsByName }));
  const calls = routes.flatMap((route) => route.methods.map((method) => [route, method] as const));
  const created = createDocument(
    {
      openapi: '3.1.1',
      info: introduce(shownName, baseUrl),
      servers: [{ url: baseUrl + apiPath }],
      tags: tagsOf(routes),
      paths: pathsOf(calls),
      components: {
        schemas: { Problem: problemSchema },
        responses: problemResponses(calls),
        headers: responseHeaders(routes),
        parameters: { IdempotencyKey: idempotencyKey },
        securitySchemes: securitySchemes(baseUrl),
      },
    },
    // A file part is an instance of our own class; its metadata describe its wire format.
    { allowEmptySchema: { custom: true }, override: correctSchema },
  ) as OpenApiDocument; // a 3.1 document, because `openapi` is 3.1.1
  const document = canonicalize(created);
  describeParameters(document);
  nameBodies(document);
  dropOptionalExamples(document);
  if (options.routes === undefined) addLinks(document);
  addExamples(document, baseUrl);
  if (options.routes === undefined) addOAuth(document, baseUrl);
  return document;
}

function pathsOf(calls: readonly (readonly [Route, Method])[]): ZodOpenApiPathsObject {
  const paths: Record<string, ZodOpenApiPathsObject[`/${string}`]> = {};
  for (const [route, method] of calls) {
    paths[route.path] = { ...paths[route.path], [method.toLowerCase()]: operationOf(route, method) };
  }
  return paths;
}

/** The part of the document that applies to every operation. */
function introduce(shownName: string, baseUrl: string): oas31.InfoObject {
  return {
    title: `${shownName} API`,
    version: '2.0',
    description: `A microblog: accounts, posts, comments, likes, follows and media. Every request needs two headers:

- \`Authorization: Bearer <access token>\`. Get a token from \`${baseUrl}/oauth/token\` with client credentials, or
  with a person's consent through \`${baseUrl}/oauth/authorize\`. Register your application at
  [${baseUrl}/developer](${baseUrl}/developer).
- \`Accept: application/json\`. If it excludes JSON, the response is 406.

\`GET\` takes its parameters from the query. \`POST\` takes them from a JSON, form or multipart body of at most 64 KB,
not counting files. A request that repeats a parameter is rejected. An empty optional parameter counts as absent. Ids are
integers up to 2^53−1; you may send them as strings of digits.

A successful response is 200 with JSON. Every other response is a problem (RFC 9457): \`code\` is stable, \`title\` is in
the language that \`Accept-Language\` prefers (English, German, French or Spanish). Within version 2.0, objects may gain
members.`,
    license: { name: 'MIT', identifier: 'MIT' },
  };
}

/** The text of docs/api/openapi.json: the document of a service at an example address (RFC 2606). */
export function createPublishedDocument(): string {
  const document = createOpenApiDocument({ baseUrl: 'https://linnet.example', shownName: 'Linnet' });
  return `${JSON.stringify(document, null, 2)}\n`;
}

const bodyTypes = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];

/** The operation for one method of a row. `isTwin`: the GET form of an operation that writes by POST. */
function operationOf(route: Route, method: Method): ZodOpenApiOperationObject {
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
