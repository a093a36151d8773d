/**
 * Builds the OpenAPI 3.1 document of the API from the rows of the contract alone. `operation.ts` describes one
 * operation, `responses.ts` its responses, `expected-errors.ts` its problems.
 */
import { createDocument } from 'zod-openapi';
import type { ZodOpenApiPathsObject, oas31 } from 'zod-openapi';

import { routesByName, streamsByName } from '../routes.ts';
import type { Method, Route } from '../route.ts';

import { canonicalize } from './canonical-schemas.ts';
import { correctSchema, describeParameters, nameBodies } from './document-corrections.ts';
import { addExamples, dropOptionalExamples } from './examples.ts';
import { introduce } from './introduction.ts';
import { addLinks } from './links.ts';
import { addOAuth } from './oauth/add-oauth.ts';
import { operationOf } from './operation.ts';
import { problemSchema } from './problem-schema.ts';
import { problemResponses, responseHeaders } from './responses.ts';
import { securitySchemes } from './security-schemes.ts';
import { inReadingOrder, tagsOf } from './subjects.ts';

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

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  description:
    'Makes the request safe to retry: for a day, a request with the same key and the same parameters returns the stored response of the first one. 1 to 255 printable ASCII characters, unique per application and account.',
  schema: { type: 'string' as const, minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
};

function pathsOf(calls: readonly (readonly [Route, Method])[]): ZodOpenApiPathsObject {
  const paths: Record<string, ZodOpenApiPathsObject[`/${string}`]> = {};
  for (const [route, method] of calls) {
    paths[route.path] = { ...paths[route.path], [method.toLowerCase()]: operationOf(route, method) };
  }
  return paths;
}
