/**
 * The OpenAPI 3.1 document of the API, made from the rows of the contract and nothing else: a new row is in
 * it. `operation.ts` has one call, `answers.ts` what it answers, `expected-errors.ts` which problems.
 */
import { createDocument } from 'zod-openapi';
import type { ZodOpenApiPathsObject, oas31 } from 'zod-openapi';

import { routesByName } from '../routes.ts';
import type { Method, Route } from '../route.ts';
import { answerHeaders, problemAnswers } from './answers.ts';
import { correctSchema, describeParameters, nameBodies } from './document-corrections.ts';
import { introduce } from './introduction.ts';
import { operationOf, tagOf } from './operation.ts';
import { problemSchema } from './problem-schema.ts';
import { securitySchemes } from './security-schemes.ts';

export type OpenApiDocument = oas31.OpenAPIObject;

export interface DocumentOptions {
  readonly baseUrl: string;
  /** The service's name as people read it. */
  readonly shownName: string;
  /** Rows to document; those of the contract when left out. */
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
        responses: problemAnswers(calls),
        headers: answerHeaders(routes),
        parameters: { IdempotencyKey: idempotencyKey },
        securitySchemes: securitySchemes(baseUrl),
      },
    },
    // A file part is a class of ours; its metadata say what it is on the wire.
    { allowEmptySchema: { custom: true }, override: correctSchema },
  ) as OpenApiDocument; // what `openapi` says, and the types do not
  describeParameters(document);
  nameBodies(document);
  return document;
}

/** Headings of the specification in its own order; others come last. */
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
    'Makes the call safe to repeat: the same key with the same parameters gets the first answer again, for a day. 1 to 255 printable ASCII characters, kept apart by application and account.',
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

/** One tag for each first segment, with the headings of the specification that its calls are under. */
function tagsOf(routes: readonly Route[]): { name: string; description: string }[] {
  return [...Map.groupBy(routes, tagOf)].map(([name, tagged]) => {
    const headings = [...new Set(tagged.map(({ specification }) => specification))];
    return { name, description: `Specification: ${headings.join('; ')}.` };
  });
}
