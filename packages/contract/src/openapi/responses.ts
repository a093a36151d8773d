import { z } from 'zod';
import type { ZodOpenApiHeadersObject, ZodOpenApiResponseObject, ZodOpenApiResponsesObject, oas31 } from 'zod-openapi';

import { responseOf } from '../draft.ts';
import { errorCatalogue } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { languages } from '../languages.ts';
import type { Method, Route } from '../route.ts';
import { expectedErrors } from './expected-errors.ts';

/** Maps a response header to the name of its component. */
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

/** The responses of an operation: success, and each error status with the codes it may have. */
export function responsesOf(route: Route, method: Method): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = { '200': successOf(route, method) };
  if (hasVersion(route, method)) {
    responses['304'] = {
      description: 'The version in `If-None-Match` is current.',
      headers: headersOf({ ETag: 'ETag' }),
    };
  }
  for (const [status, codes] of expectedErrors(route, method)) {
    Object.assign(responses, { [status]: { $ref: `#/components/responses/${problemName(codes)}` } });
  }
  return responses;
}

function isList({ output, methods }: Route): boolean {
  return methods.includes('GET') && output instanceof z.ZodObject && 'next' in output.shape;
}

function hasVersion(route: Route, method: Method): boolean {
  return route.hasVersion === true && method === 'GET';
}

function successOf(route: Route, method: Method): ZodOpenApiResponseObject {
  return {
    description: 'Success.',
    headers: headersOf({
      ...everywhere,
      ...(route.writes ? { 'Idempotency-Replayed': 'IdempotencyReplayed' } : {}),
      ...(isList(route) ? { Link: 'Link' } : {}),
      ...(hasVersion(route, method) ? { ETag: 'ETag' } : {}),
    }),
    content: { [route.streams === true ? 'text/event-stream' : 'application/json']: { schema: responseOf(route) } },
  };
}

/** `TokenRequiredOrInvalidToken`: operations with the same possible codes share one response component. */
function problemName(codes: readonly ErrorCode[]): string {
  return codes.map(pascalCase).join('Or');
}

function pascalCase(code: string): string {
  return code.replace(/(?:^|[-_])(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

/** The response component of every combination of codes that the operations refer to. */
export function problemResponses(
  calls: readonly (readonly [Route, Method])[],
): Readonly<Record<string, ZodOpenApiResponseObject>> {
  const responses = new Map<string, ZodOpenApiResponseObject>();
  for (const [route, method] of calls) {
    for (const [status, codes] of expectedErrors(route, method)) {
      responses.set(problemName(codes), problemResponse(status, codes));
    }
  }
  return Object.fromEntries([...responses].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function problemResponse(status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
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

/** The header components that the responses refer to. */
export function responseHeaders(routes: readonly Route[]): Record<string, oas31.HeaderObject> {
  const { Link: link, ETag: version, ...others } = headers;
  const used = { ...others, ...(routes.some(isList) ? { Link: link } : {}) };
  return routes.some((route) => route.hasVersion === true) ? { ...used, ETag: version } : used;
}

export const idempotencyReplayed = {
  description: '`true` if this is the stored response to an earlier request with the same Idempotency-Key.',
  schema: { type: 'string' as const },
};

const headers = {
  RequestId: {
    description: 'Id of the request. Problems also contain it as `request_id`.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description:
      'Remaining requests of each rate limit and seconds until it resets (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description: 'Quota and window of each rate limit (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Number of seconds to wait before the next request.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  Challenge: {
    description: 'Challenges for access tokens (RFC 6750, RFC 9449, RFC 9728).',
    schema: { type: 'string' },
  },
  IdempotencyReplayed: idempotencyReplayed,
  Link: { description: 'URLs of the next and the previous page of the list (RFC 8288).', schema: { type: 'string' } },
  ETag: {
    description: 'Version of the object. Send it as `If-None-Match` to get 304 while it is current.',
    schema: { type: 'string' },
  },
  ContentLanguage: { description: 'Language of `title`.', schema: { type: 'string', enum: [...languages] } },
} satisfies Record<string, oas31.HeaderObject>;
