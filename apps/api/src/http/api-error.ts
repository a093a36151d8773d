import { nameProblems } from '@linnet/accounts/names/name-rules';
import type { NameRefused } from '@linnet/accounts/names/name-rules';
import type { ErrorCode, ParameterProblem } from '@linnet/contract/errors';

interface ApiErrorDetails {
  /** What is wrong and what to do, for the developer who reads the response; default: the detail of the code. */
  readonly detail?: string;
  readonly errors?: readonly ParameterProblem[];
  /** Extra response headers, such as `Allow` or `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Extra members of the problem. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** The rate limit that was exceeded; recorded for the owner of the application. */
  readonly limit?: string;
  /** Logged, never sent. */
  readonly cause?: unknown;
}

/** An error to send to the caller as a problem. The contract's catalogue has its status and title. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly details: ApiErrorDetails;

  constructor(code: ErrorCode, details: ApiErrorDetails = {}) {
    super(details.detail ?? code, { cause: details.cause });
    this.code = code;
    this.details = details;
  }
}

/** 400 that lists every missing or invalid parameter. */
export function invalidParameters(errors: readonly ParameterProblem[], cause?: unknown): ApiError {
  const sentences = new Set(
    errors.map(({ parameter, detail }) => `\`${parameter}\` ${detail}${detail.endsWith('?') ? '' : '.'}`),
  );
  return new ApiError('invalid-parameter', { detail: [...sentences].join(' '), errors, cause });
}

/** @throws ApiError 400 if `id` is that of the acting account; `rule` says why it must be another. */
export function requireAnother(id: number, accountId: number, rule: string): void {
  if (id !== accountId) return;
  const detail = `must be the id of another account: ${rule}`;
  throw invalidParameters([{ parameter: 'id', code: 'invalid', detail }]);
}

/** 400 for parameters that together make a name which is not allowed. */
export function nameNotAllowed({ problem }: NameRefused, parameters: readonly string[]): ApiError {
  return invalidParameters(
    parameters.map((parameter) => ({ parameter, code: 'not-allowed', detail: nameProblems[problem] })),
  );
}

/** 404 for a record that does not exist or that the caller may not see. */
export function notFound(record: string): ApiError {
  return new ApiError('not-found', { detail: `The ${record} does not exist or is not visible to you.` });
}

/** 403 for a record of another account. `allowed`: who can delete or change it. */
export function notOwner(record: string, allowed = 'that account', act: 'change' | 'delete' = 'delete'): ApiError {
  return new ApiError('not-owner', {
    detail: `The ${record} belongs to another account; only ${allowed} can ${act} it.`,
  });
}

/** 403 for a token whose account was deleted just now. */
export function accountGone(): ApiError {
  return new ApiError('user-context-required', { detail: 'The account of the access token was deleted.' });
}
