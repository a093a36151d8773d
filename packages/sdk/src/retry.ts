import { ConnectionError, LinnetError } from './errors.ts';

/** How long, and how often. */
export interface Limits {
  readonly signal?: AbortSignal | undefined;
  /** For all tries together. */
  readonly timeLimitMs: number;
  /** For one of them. */
  readonly tryLimitMs: number;
  readonly tries: number;
}

const firstWaitMs = 200;
const longestWaitMs = 8000;
const passingStatuses: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504]);

/**
 * Does `work` until it succeeds, or fails for good. What may pass (no answer, too many calls, an outage) is tried
 * again, when the service asks to wait not before that, otherwise after waits that double, with a random share so
 * that clients do not come back all at once. A wait that would not end within the limit is not begun.
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

/** Undefined: trying again would not help. */
function waitBefore(error: unknown, tried: number): number | undefined {
  if (!(error instanceof LinnetError) || !mayPass(error)) return undefined;
  const longest = Math.min(longestWaitMs, firstWaitMs * 2 ** tried);
  const random = longest / 2 + (Math.random() * longest) / 2;
  // When asked to wait, a little more than that, so that not all come at the same moment.
  return error.retryAfterSeconds === undefined ? random : error.retryAfterSeconds * 1000 + Math.random() * firstWaitMs;
}

function mayPass(error: LinnetError): boolean {
  if (error instanceof ConnectionError) return true;
  return passingStatuses.has(error.status) || error.code === 'idempotency-in-progress';
}

async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await abortable(new Promise<void>((resolve) => void setTimeout(resolve, milliseconds)), signal);
}

/** Gives up waiting for `promise`, which goes on, when the signal says so. */
export async function abortable<Result>(promise: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return await promise;
  const given = signal;
  return await new Promise<Result>((resolve, reject) => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the reason is the caller's own
    const giveUp = () => reject(given.reason);
    if (given.aborted) return giveUp();
    given.addEventListener('abort', giveUp, { once: true });
    promise.then(resolve, reject).finally(() => given.removeEventListener('abort', giveUp));
  });
}
