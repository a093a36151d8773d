/**
 * Builds the OpenAPI 3.1 document of the API from the rows of the contract alone. `operation.ts` describes one
 * operation, `responses.ts` its responses, `expected-errors.ts` its problems.
 */
import { createDocument } from 'zod-openapi';
import type { ZodOpenApiPathsObject, oas31 } from 'zod-openapi';

import { routesByName } from '../routes.ts';
import type { Method, Route } from '../route.ts';

import { correctSchema, describeParameters, nameBodies } from './document-corrections.ts';
import { introduce } from './introduction.ts';
import { operationOf, tagOf } from './operation.ts';
import { problemSchema } from './problem-schema.ts';
import { problemResponses, responseHeaders } from './responses.ts';
import { securitySchemes } from './security-schemes.ts';

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
  const routes = inReadingOrder(options.routes ?? Object.values(routesByName));
  const calls = routes.flatMap((route) => route.methods.map((method) => [route, method] as const));
  const document = createDocument(
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
  describeParameters(document);
  nameBodies(document);
  return document;
}

/** Headings of the specification in their order; others come last. */
const chapters = ['Posts', 'Comments', 'Likes', 'Media', 'Accounts and users', 'Registration'];

function chapterOf({ specification }: Route): number {
  return chapters.includes(specification) ? chapters.indexOf(specification) : chapters.length;
}

function inReadingOrder(routes: readonly Route[]): readonly Route[] {
  return routes.toSorted((a, b) => chapterOf(a) - chapterOf(b) || (a.path < b.path ? -1 : 1));
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  description:
    'Makes the request safe to retry: for a day, a request with the same key and the same parameters returns the stored response of the first one. 1 to 255 printable ASCII characters, unique per application and account.',
  schema: { type: 'string' as const, minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
  example: '0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11',
};

function pathsOf(calls: readonly (readonly [Route, Method])[]): ZodOpenApiPathsObject {
  const paths: Record<string, ZodOpenApiPathsObject[`/${string}`]> = {};
  for (const [route, method] of calls) {
    paths[route.path] = { ...paths[route.path], [method.toLowerCase()]: operationOf(route, method) };
  }
  return paths;
}

/** One tag for each first path segment; its description names the headings of the specification. */
function tagsOf(routes: readonly Route[]): { name: string; description: string }[] {
  return [...Map.groupBy(routes, tagOf)].map(([name, tagged]) => {
    const headings = [...new Set(tagged.map(({ specification }) => specification))];
    return { name, description: `Specification: ${headings.join('; ')}.` };
  });
}
