/**
 * Every error the API returns (RFC 9457): a stable code, its status, its title, and a default detail. The code is
 * also the last segment of the problem's `type`.
 */
export const errorCatalogue = {
  'invalid-parameter': {
    status: 400,
    title: 'A parameter is missing or invalid',
    detail: 'Correct the parameters listed in `errors`.',
  },
  'malformed-body': {
    status: 400,
    title: 'The request body is malformed',
    detail: 'Send a body that is well-formed for its Content-Type.',
  },
  'token-required': {
    status: 401,
    title: 'An access token is required',
    detail: 'Send the header `Authorization: Bearer <access token>`.',
  },
  invalid_token: {
    status: 401,
    title: 'The access token is invalid',
    detail: 'The access token is malformed, expired, revoked or issued for another service. Request a new one.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The access token lacks a required scope',
    detail: 'Request an access token with the scope named in `scope`.',
  },
  'user-context-required': {
    status: 403,
    title: 'The access token does not act for an account',
    detail: 'Use an access token that acts for an account.',
  },
  'operator-required': {
    status: 403,
    title: 'The account is not an operator',
    detail: 'Use a token that acts for an operator whose second factor counts.',
  },
  'wrong-password': {
    status: 403,
    title: 'The password is incorrect',
    detail: 'Send the current password of the account.',
  },
  'registration-closed': {
    status: 403,
    title: 'Nobody can register at the moment',
    detail: 'Registration is closed, or needs an invitation. Ask the operator of the service.',
  },
  'registration-refused': {
    status: 403,
    title: 'This registration is not accepted',
    detail: 'The service does not accept the e-mail provider, the network or a name. Ask its operator.',
  },
  'prefetch-refused': {
    status: 403,
    title: 'A prefetch cannot change anything',
    detail: 'Send the request without the prefetch header (`Sec-Purpose`, `Purpose` or `X-Moz`).',
  },
  'media-not-usable': {
    status: 403,
    title: 'The media record cannot be used here',
    detail: 'Use a media record that the acting account uploaded.',
  },
  'protected-account': {
    status: 403,
    title: 'The account is protected',
    detail: 'Only approved followers can see this list. Follow the account and wait for its approval.',
  },
  'not-owner': {
    status: 403,
    title: 'The record belongs to another account',
    detail: 'Only the account that created the record can change or delete it; a comment also the author of the post.',
  },
  'test-people-apart': {
    status: 403,
    title: 'Test people act among themselves',
    detail:
      'A test person can act only upon test people of the same developer, nobody else upon them, and none can report.',
  },
  'comments-restricted': {
    status: 403,
    title: 'Commenting on the post is restricted',
    detail:
      'Only the author, and those whom `commenters` of the post names, can comment on it and reply to its comments.',
  },
  'quotes-restricted': {
    status: 403,
    title: 'The post cannot be quoted',
    detail: 'Its author lets nobody else quote it, or only followers. Posts of protected accounts cannot be quoted.',
  },
  'not-found': {
    status: 404,
    title: 'The record does not exist',
    detail: 'Check the id. The record may have been deleted.',
  },
  'unknown-endpoint': {
    status: 404,
    title: 'The endpoint does not exist',
    detail: 'Check the path. All endpoints are listed at /api/v2.0/docs.',
  },
  'unknown-version': {
    status: 404,
    title: 'The API version does not exist',
    detail: 'Use one of the versions listed in `versions`.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not allowed for this endpoint',
    detail: 'Use one of the methods listed in the `Allow` header.',
  },
  'accept-required': {
    status: 406,
    title: 'The request must accept the type of the response',
    detail: 'Send the header `Accept: application/json`.',
  },
  'act-not-possible': {
    status: 409,
    title: 'The act is not possible',
    detail: 'Its subject has changed, or only the command may change it. Read it again.',
  },
  'email-taken': {
    status: 409,
    title: 'The e-mail address is already in use',
    detail: 'Use another e-mail address.',
  },
  'username-taken': {
    status: 409,
    title: 'The username is already taken',
    detail: 'Choose another username.',
  },
  'idempotency-in-progress': {
    status: 409,
    title: 'The same request is still in progress',
    detail: 'Wait, then retry the request with the same Idempotency-Key.',
  },
  'media-attached': {
    status: 409,
    title: 'The media record is already attached to a post',
    detail: 'Upload the image again to use it in another post.',
  },
  'too-many-edits': {
    status: 409,
    title: 'The post was edited too often',
    detail: 'A post can be edited 100 times. Write a new one.',
  },
  'draft-changed': {
    status: 409,
    title: 'The draft has changed',
    detail: 'It has a newer version, or it was published or rejected. Read it again.',
  },
  'too-many-drafts': {
    status: 409,
    title: 'The account has too many drafts',
    detail: 'An account has at most 100. Publish or delete some.',
  },
  'body-too-large': {
    status: 413,
    title: 'The request body is too large',
    detail: 'Send a smaller body.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The type of the request body is not supported',
    detail: 'Send JSON, a form or a multipart body in UTF-8.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The idempotency key belongs to another request',
    detail: 'Use a new Idempotency-Key for each request.',
  },
  'image-refused': {
    status: 422,
    title: 'The file is not an acceptable PNG or JPEG',
    detail: 'Send an undamaged PNG or JPEG of at most 40 megapixels.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    detail: 'Wait as many seconds as `Retry-After` says, then retry.',
  },
  overloaded: {
    status: 429,
    title: 'The service is overloaded',
    detail: 'Wait as many seconds as `Retry-After` says, then retry.',
  },
  'internal-error': {
    status: 500,
    title: 'Something went wrong on our side',
    detail: 'Retry later. If the error persists, send the `request_id` to the operator.',
  },
  unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable',
    detail: 'Wait as many seconds as `Retry-After` says, then retry.',
  },
  'storage-full': {
    status: 507,
    title: 'The file cannot be stored at the moment',
    detail: 'Retry the upload later.',
  },
} as const satisfies Record<string, { readonly status: number; readonly title: string; readonly detail: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** What is wrong with one parameter; `detail` continues a sentence that starts with its name. */
export interface ParameterProblem {
  readonly parameter: string;
  readonly code: 'missing' | 'invalid' | 'repeated' | 'taken' | 'not-allowed';
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
