import { ConnectionError, LinnetError } from './errors.ts';

/** Time limits and number of tries. */
export interface Limits {
  readonly signal?: AbortSignal | undefined;
  /** For all tries and waits together. */
  readonly timeLimitMs: number;
  /** For a single try. */
  readonly tryLimitMs: number;
  readonly tries: number;
}

const firstWaitMs = 200;
const longestWaitMs = 8000;
const temporaryStatuses: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504]);

/**
 * Runs `work`, and again after temporary failures: no response, too many requests, an outage. Waits as long as the
 * service asks, otherwise with exponential backoff and jitter. Gives up if the wait would exceed the time limit.
 */
export async function withRetries<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { signal, timeLimitMs, tryLimitMs, tries }: Limits,
): Promise<Result> {
  const deadline = Date.now() + timeLimitMs;
  for (let tried = 1; ; tried += 1) {
    signal?.throwIfAborted();
    try {
      return await work(limit(signal, Math.min(tryLimitMs, deadline - Date.now())));
    } catch (error) {
      signal?.throwIfAborted();
      const waitMs = tried < tries ? waitBefore(error, tried) : undefined;
      if (waitMs === undefined || Date.now() + waitMs >= deadline) throw error;
      await wait(waitMs, signal);
    }
  }
}

function limit(signal: AbortSignal | undefined, milliseconds: number): AbortSignal {
  const timeout = AbortSignal.timeout(Math.max(0, milliseconds));
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}

/** How long to wait before the next try; `undefined` when a retry cannot help. */
function waitBefore(error: unknown, tried: number): number | undefined {
  if (!(error instanceof LinnetError) || !isTemporary(error)) return undefined;
  const longest = Math.min(longestWaitMs, firstWaitMs * 2 ** tried);
  const random = longest / 2 + (Math.random() * longest) / 2;
  // Waits slightly longer than requested, so that clients do not return all at the same moment.
  return error.retryAfterSeconds === undefined ? random : error.retryAfterSeconds * 1000 + Math.random() * firstWaitMs;
}

/** Whether the same request may succeed later. */
export function isTemporary(error: LinnetError): boolean {
  if (error instanceof ConnectionError) return true;
  return temporaryStatuses.has(error.status) || error.code === 'idempotency-in-progress';
}

async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await abortable(new Promise<void>((resolve) => void setTimeout(resolve, milliseconds)), signal);
}

/** Stops waiting for `promise`, which continues, when the signal is aborted. */
export async function abortable<Result>(promise: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return await promise;
  const abortSignal = signal;
  return await new Promise<Result>((resolve, reject) => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the caller chose the reason
    const stop = () => reject(abortSignal.reason);
    if (abortSignal.aborted) return stop();
    abortSignal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => abortSignal.removeEventListener('abort', stop));
  });
}
