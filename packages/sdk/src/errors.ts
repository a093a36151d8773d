import type { ErrorCode } from './generated/calls.ts';

/** A code that this version of the SDK does not know yet. */
type Unknown = string & Record<never, never>;

interface ErrorOptions {
  readonly status?: number | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** Base class of all errors of the SDK. `code` is stable; `message` is for people. */
export class LinnetError extends Error {
  override readonly name: string = 'LinnetError';
  readonly code: string;
  /** HTTP status; `undefined` when there was no response. */
  readonly status: number | undefined;
  /** How long the service asks you to wait. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, message: string, { status, retryAfterSeconds, cause }: ErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** What is wrong with one parameter. */
export interface ParameterProblem {
  readonly parameter: string;
  readonly code: 'missing' | 'invalid' | 'repeated' | 'taken' | Unknown;
  readonly detail: string;
}

/** The problem in an error response of the API (RFC 9457). */
interface ProblemMembers {
  readonly code?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly ParameterProblem[];
  readonly request_id?: string;
  readonly scope?: string;
}

/** The API rejected a call. `code` says why. */
export class ApiError extends LinnetError {
  override readonly name = 'ApiError';
  declare readonly code: ErrorCode | Unknown;
  /** The kind of problem, in the language of the request. */
  readonly title: string;
  readonly detail: string;
  /** Every missing or invalid parameter; empty for other problems. */
  readonly errors: readonly ParameterProblem[];
  /** Send it to the operator of the service if you need help. */
  readonly requestId: string | undefined;
  /** The scope that the token lacks (`insufficient_scope`). */
  readonly scope: string | undefined;

  constructor(problem: ProblemMembers, options: ErrorOptions) {
    const { code = 'unexpected-answer', title = `Status ${String(options.status)}` } = problem;
    const { detail = title, errors = [] } = problem;
    super(code, `${code}: ${detail}`, options);
    this.title = title;
    this.detail = detail;
    this.errors = errors;
    this.requestId = problem.request_id;
    this.scope = problem.scope;
  }
}

/** The authorization server or the person declined, or the response is not valid (`invalid_answer`). */
export class AuthorizationError extends LinnetError {
  override readonly name: string = 'AuthorizationError';
  /** An OAuth error code, such as `access_denied` or `invalid_client`. */
  declare readonly code: string;
}

/** The person must sign in: there are no tokens (`login_required`) or they are no longer valid (`invalid_grant`). */
export class SignInRequired extends AuthorizationError {
  override readonly name = 'SignInRequired';

  constructor(code: 'login_required' | 'invalid_grant', message: string, cause?: unknown) {
    super(code, message, { cause });
  }
}

/** There was no response: `no-answer` or `timed-out`. The service may or may not have processed the request. */
export class ConnectionError extends LinnetError {
  override readonly name = 'ConnectionError';
  declare readonly code: 'no-answer' | 'timed-out';
}

/** True for an `ApiError`, with this code if you give one. */
export function isApiError(error: unknown, code?: ErrorCode): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}
