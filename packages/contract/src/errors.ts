/**
 * Every error the API answers (RFC 9457): a stable code, its one status and its title. The code is
 * also the last segment of the problem's `type`.
 */
export const errorCatalogue = {
  'invalid-parameter': { status: 400, title: 'A parameter is missing or malformed' },
  'malformed-body': { status: 400, title: 'The body cannot be read' },
  'token-required': { status: 401, title: 'An access token is required' },
  invalid_token: { status: 401, title: 'The access token is not valid' },
  insufficient_scope: { status: 403, title: 'The access token lacks a scope' },
  'user-context-required': { status: 403, title: 'The access token acts for no account' },
  'wrong-password': { status: 403, title: 'The password is wrong' },
  'prefetch-refused': { status: 403, title: 'A request that changes something is not prefetched' },
  'media-not-usable': { status: 403, title: 'The media record cannot be used here' },
  'protected-account': { status: 403, title: 'The account is protected' },
  'not-owner': { status: 403, title: 'The record belongs to somebody else' },
  'not-found': { status: 404, title: 'There is no such record' },
  'unknown-endpoint': { status: 404, title: 'There is no such endpoint' },
  'unknown-version': { status: 404, title: 'There is no such version of the API' },
  'method-not-allowed': { status: 405, title: 'The method is not allowed here' },
  'accept-required': { status: 406, title: 'The request must accept application/json' },
  'email-taken': { status: 409, title: 'The e-mail address is taken' },
  'username-taken': { status: 409, title: 'The username is taken' },
  'idempotency-in-progress': { status: 409, title: 'The same call is still being answered' },
  'media-attached': { status: 409, title: 'The media record belongs to a post already' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body is of an unsupported type' },
  'idempotency-key-reused': { status: 422, title: 'The idempotency key belongs to another call' },
  'image-refused': { status: 422, title: 'The file is not a PNG or JPEG that can be taken' },
  'rate-limited': { status: 429, title: 'Too many calls' },
  overloaded: { status: 429, title: 'The service has too much to do for a moment' },
  'internal-error': { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'The service is unavailable for a moment' },
  'storage-full': { status: 507, title: 'The file cannot be stored at the moment' },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** What is wrong with one parameter. */
export interface ParameterProblem {
  readonly parameter: string;
  readonly code: 'missing' | 'invalid' | 'repeated' | 'taken';
  readonly detail: string;
}

/** An RFC 9457 problem as the API sends it (`application/problem+json`). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly errors: readonly ParameterProblem[];
  readonly request_id: string;
}
