import { z } from 'zod';
import type { ZodOpenApiHeadersObject, ZodOpenApiResponseObject, ZodOpenApiResponsesObject, oas31 } from 'zod-openapi';

import { titleLanguages } from '../error-titles.ts';
import { errorCatalogue } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import type { Method, Route } from '../route.ts';
import { expectedErrors } from './expected-errors.ts';

/** Component names of response headers, by the header they stand for. */
const everywhere = { 'X-Request-Id': 'RequestId', RateLimit: 'RateLimit', 'RateLimit-Policy': 'RateLimitPolicy' };
const byStatus: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'Challenge' },
  403: { 'WWW-Authenticate': 'Challenge' },
  429: { 'Retry-After': 'RetryAfter' },
  503: { 'Retry-After': 'RetryAfter' },
};

function headersOf(components: Readonly<Record<string, string>>): ZodOpenApiHeadersObject {
  return Object.fromEntries(
    Object.entries(components).map(([header, name]) => [header, { $ref: `#/components/headers/${name}` }]),
  );
}

/** What a call answers: success, and each status with the codes it may carry. */
export function answersOf(route: Route, method: Method): ZodOpenApiResponsesObject {
  const answers: ZodOpenApiResponsesObject = { '200': successOf(route) };
  for (const [status, codes] of expectedErrors(route, method)) {
    Object.assign(answers, { [status]: { $ref: `#/components/responses/${problemName(codes)}` } });
  }
  return answers;
}

function isList({ output, methods }: Route): boolean {
  return methods.includes('GET') && output instanceof z.ZodObject && 'next' in output.shape;
}

function successOf(route: Route): ZodOpenApiResponseObject {
  return {
    description: 'Done.',
    headers: headersOf({
      ...everywhere,
      ...(route.writes ? { 'Idempotency-Replayed': 'IdempotencyReplayed' } : {}),
      ...(isList(route) ? { Link: 'Link' } : {}),
    }),
    content: { 'application/json': { schema: route.output } },
  };
}

/** `TokenRequiredOrInvalidToken`: calls that may answer the same codes share the answer. */
function problemName(codes: readonly ErrorCode[]): string {
  return codes.map(pascalCase).join('Or');
}

function pascalCase(code: string): string {
  return code.replace(/(?:^|[-_])(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

/** Every problem answer that the calls refer to, by its name. */
export function problemAnswers(
  calls: readonly (readonly [Route, Method])[],
): Readonly<Record<string, ZodOpenApiResponseObject>> {
  const answers = new Map<string, ZodOpenApiResponseObject>();
  for (const [route, method] of calls) {
    for (const [status, codes] of expectedErrors(route, method)) {
      answers.set(problemName(codes), problemAnswer(status, codes));
    }
  }
  return Object.fromEntries([...answers].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function problemAnswer(status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].title}.`).join('\n\n'),
    headers: headersOf({ ...everywhere, ...byStatus[status], 'Content-Language': 'ContentLanguage' }),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            { type: 'object', properties: { status: { const: status }, code: { enum: [...codes] } } },
          ],
        },
      },
    },
  };
}

/** The headers that the answers of the rows refer to. */
export function answerHeaders(routes: readonly Route[]): Record<string, oas31.HeaderObject> {
  const { Link: link, ...others } = headers;
  return routes.some(isList) ? { ...others, Link: link } : others;
}

const headers = {
  RequestId: {
    description: 'Id of the request; in problems as `request_id` too.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'What is left of the limits, and for how many seconds (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
  },
  RateLimitPolicy: { description: 'The limits that apply, with their windows.', schema: { type: 'string' } },
  RetryAfter: { description: 'After how many seconds to call again.', schema: { type: 'string', pattern: '^\\d+$' } },
  Challenge: { description: 'The challenge for a bearer token (RFC 6750, RFC 9728).', schema: { type: 'string' } },
  IdempotencyReplayed: {
    description: '`true` when this is the answer to an earlier call with the same Idempotency-Key.',
    schema: { type: 'string' },
  },
  Link: { description: 'The next and the previous part of the list (RFC 8288).', schema: { type: 'string' } },
  ContentLanguage: { description: 'The language of `title`.', schema: { type: 'string', enum: [...titleLanguages] } },
} satisfies Record<string, oas31.HeaderObject>;
