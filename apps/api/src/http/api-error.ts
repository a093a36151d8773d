import type { ErrorCode, ParameterProblem } from '@linnet/contract/errors';

interface ApiErrorDetails {
  /** Text for the caller; the code's title when absent. */
  readonly detail?: string;
  readonly errors?: readonly ParameterProblem[];
  /** Extra response headers, such as `Allow` or `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Extra members of the problem. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Internal cause: logged, never sent. */
  readonly cause?: unknown;
}

/** A refusal the caller is told of; its status and title stand in the contract's catalogue. */
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

/** 400 that names each parameter that is missing or malformed. */
export function invalidParameters(errors: readonly ParameterProblem[], cause?: unknown): ApiError {
  const names = [...new Set(errors.map(({ parameter }) => parameter))].join(', ');
  return new ApiError('invalid-parameter', { detail: `Check: ${names}.`, errors, cause });
}

/** 403 for a token whose account was deleted a moment ago. */
export function accountGone(): ApiError {
  return new ApiError('user-context-required', { detail: 'The account is gone.' });
}
