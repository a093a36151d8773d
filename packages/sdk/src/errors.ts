import type { ErrorCode } from './generated/calls.ts';

/** A word of the service that this version of the SDK may not know yet. */
type Unknown = string & Record<never, never>;

interface Circumstances {
  readonly status?: number | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** Whatever goes wrong between your program and the service. `code` is stable, `message` is for people. */
export class LinnetError extends Error {
  override readonly name: string = 'LinnetError';
  readonly code: string;
  /** Status of the answer; not there when there was none. */
  readonly status: number | undefined;
  /** When the service asks to wait for so long. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, message: string, { status, retryAfterSeconds, cause }: Circumstances = {}) {
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

/** A problem as the API describes it (RFC 9457). */
interface ProblemMembers {
  readonly code?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly ParameterProblem[];
  readonly request_id?: string;
  readonly scope?: string;
}

/** The API refused a call: `switch (error.code)` tells why. */
export class ApiError extends LinnetError {
  override readonly name = 'ApiError';
  declare readonly code: ErrorCode | Unknown;
  /** The kind of problem, in the language of the reader. */
  readonly title: string;
  readonly detail: string;
  /** Each parameter that is missing or malformed; empty for other problems. */
  readonly errors: readonly ParameterProblem[];
  /** For questions to the operator of the service. */
  readonly requestId: string | undefined;
  /** The scope that the token lacks (`insufficient_scope`). */
  readonly scope: string | undefined;

  constructor(problem: ProblemMembers, circumstances: Circumstances) {
    const { code = 'unexpected-answer', title = `Status ${String(circumstances.status)}` } = problem;
    const { detail = title, errors = [] } = problem;
    super(code, `${code}: ${detail}`, circumstances);
    this.title = title;
    this.detail = detail;
    this.errors = errors;
    this.requestId = problem.request_id;
    this.scope = problem.scope;
  }
}

/** The authorization server, or the person, refused; or its answer was not for us (`invalid_answer`). */
export class AuthorizationError extends LinnetError {
  override readonly name: string = 'AuthorizationError';
  /** A word of OAuth, such as `access_denied` or `invalid_client`. */
  declare readonly code: string;
}

/** The person has to sign in: there are no tokens (`login_required`), or they have ended (`invalid_grant`). */
export class SignInRequired extends AuthorizationError {
  override readonly name = 'SignInRequired';

  constructor(code: 'login_required' | 'invalid_grant', message: string, cause?: unknown) {
    super(code, message, { cause });
  }
}

/** No answer came: `no-answer`, or `timed-out`. What was sent may or may not have been done. */
export class ConnectionError extends LinnetError {
  override readonly name = 'ConnectionError';
  declare readonly code: 'no-answer' | 'timed-out';
}

/** True for a refusal of the API, of this code when one is given. */
export function isApiError(error: unknown, code?: ErrorCode): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}
