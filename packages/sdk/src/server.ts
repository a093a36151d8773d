import { ConnectionError, LinnetError } from './errors.ts';
import type { Limits } from './retry.ts';

/** Where the service is, and how patient its clients are. */
export interface ServerOptions {
  /** The public origin of the service, such as `https://linnet.example`. */
  readonly issuer: string;
  /** How long a call may take with all its retries; 60 s when left out. */
  readonly timeLimitMs?: number | undefined;
  /** How often a call is tried; 5 times when left out, 1 for never again. */
  readonly tries?: number | undefined;
  /** What sends requests; the global `fetch` when left out. */
  readonly fetch?: typeof fetch | undefined;
}

const tryLimitMs = 20_000;

export function limitsOf({ timeLimitMs = 60_000, tries = 5 }: ServerOptions, signal?: AbortSignal): Limits {
  return { timeLimitMs, tries, tryLimitMs: Math.min(tryLimitMs, timeLimitMs), signal };
}

/** Sends a request. @throws ConnectionError when no answer comes */
export async function send({ fetch: given }: ServerOptions, url: string | URL, init: RequestInit): Promise<Response> {
  // Taken from the global object at each call, and called on it: browsers insist on that.
  const call = given ?? globalThis.fetch.bind(globalThis);
  return await answered(call(url, init));
}

/**
 * Says of what breaks a request, or the reading of its answer, what it is. What `isKnown` knows is not
 * about the connection.
 */
export async function answered<Result>(
  result: Promise<Result>,
  isKnown: (error: unknown) => boolean = (error) => error instanceof LinnetError,
): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    if (isKnown(error) || isNamed(error, 'AbortError')) throw error;
    if (isNamed(error, 'TimeoutError')) throw new ConnectionError('timed-out', 'no answer in time', { cause: error });
    throw new ConnectionError('no-answer', 'the service cannot be reached', { cause: error });
  }
}

/** The same result, or `timed-out` when a time limit ended the wait for it. */
export async function inTime<Result>(result: Promise<Result>): Promise<Result> {
  return await answered(result, (error) => !isNamed(error, 'TimeoutError'));
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}

/** `Retry-After`: seconds, or a date (RFC 9110 §10.2.3). */
export function retryAfterOf({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}
