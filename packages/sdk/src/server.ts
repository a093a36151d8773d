import { noteClock } from './dpop.ts';
import { ConnectionError, LinnetError } from './errors.ts';
import type { Limits } from './retry.ts';

/** The address of the service, and limits for requests to it. */
export interface ServerOptions {
  /** The public origin of the service, such as `https://linnet.example`. */
  readonly issuer: string;
  /** Time limit for a call and all its retries; default 60 s. */
  readonly timeLimitMs?: number | undefined;
  /** Maximum number of tries of a call; default 5. 1 turns retries off. */
  readonly tries?: number | undefined;
  /** Sends the requests; default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

const tryLimitMs = 20_000;

export function limitsOf({ timeLimitMs = 60_000, tries = 5 }: ServerOptions, signal?: AbortSignal): Limits {
  return { timeLimitMs, tries, tryLimitMs: Math.min(tryLimitMs, timeLimitMs), signal };
}

/** Sends a request. @throws ConnectionError when there is no response */
export async function send(
  { fetch: customFetch }: ServerOptions,
  url: string | URL,
  init: RequestInit,
): Promise<Response> {
  // Browsers require that fetch is called as a method of the global object.
  const call = customFetch ?? globalThis.fetch.bind(globalThis);
  const response = await mapConnectionErrors(call(url, init));
  noteClock(response);
  return response;
}

/**
 * Turns failures of a request, or of reading its response, into a ConnectionError. Errors for which `isKnown` is
 * true have another cause and stay unchanged.
 */
export async function mapConnectionErrors<Result>(
  result: Promise<Result>,
  isKnown: (error: unknown) => boolean = (error) => error instanceof LinnetError,
): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    if (isKnown(error) || isNamed(error, 'AbortError')) throw error;
    if (isNamed(error, 'TimeoutError')) throw new ConnectionError('timed-out', 'no response in time', { cause: error });
    throw new ConnectionError('no-answer', 'the service is unreachable', { cause: error });
  }
}

/** Turns a TimeoutError into a ConnectionError `timed-out`. */
export async function mapTimeout<Result>(result: Promise<Result>): Promise<Result> {
  return await mapConnectionErrors(result, (error) => !isNamed(error, 'TimeoutError'));
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
