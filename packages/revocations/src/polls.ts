import { setTimeout as delay } from 'node:timers/promises';

import { DatabaseUnavailable } from '@linnet/db/connection/database-error';

/** The result of a poll counts for this time after its start. */
const freshMs = 900;
/** A request waits at most this long for a poll. */
export const maxWaitMs = 1000;

/** Milliseconds of a monotonic clock. */
const now = () => performance.now();

/** Shares polls among callers, and remembers when the last one that succeeded started. */
export function createPolls(poll: () => Promise<void>) {
  let freshUntil = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;

  /** Runs one poll at a time; callers share the running one. */
  function pollOnce(): Promise<void> {
    const startedAt = now();
    running ??= poll()
      .then(() => void (freshUntil = startedAt + freshMs))
      .finally(() => (running = undefined));
    return running;
  }

  /** Polls again if the running poll started too long ago or its connection broke. */
  async function catchUp(): Promise<void> {
    const deadline = now() + maxWaitMs;
    const isShared = running !== undefined;
    await withTimeout(deadline - now(), isShared ? pollOnce().catch(() => undefined) : pollOnce());
    if (now() > freshUntil) await withTimeout(deadline - now(), pollOnce());
    if (now() > freshUntil) throw new DatabaseUnavailable('Reading the revocations took too long.');
  }

  return {
    pollOnce,
    catchUp,
    pollNow: createPollNow(() => running, pollOnce),
    isFresh: () => now() <= freshUntil,
    lagSeconds: () => (Number.isFinite(freshUntil) ? (now() - (freshUntil - freshMs)) / 1000 : undefined),
  };
}

/**
 * Polls once more after the running poll, which may have started before a change was committed. Calls share that poll until
 * it starts.
 */
function createPollNow(running: () => Promise<void> | undefined, poll: () => Promise<void>): () => Promise<void> {
  let next: Promise<void> | undefined;
  const pollNext = async () => {
    let isDone = false;
    const pollAfterRunning = async () => {
      await running()?.catch(() => undefined);
      next = undefined;
      await poll();
      isDone = true;
    };
    await withTimeout(maxWaitMs, pollAfterRunning()).finally(() => (next = undefined));
    if (!isDone) throw new DatabaseUnavailable('Reading the revocations took too long.');
  };
  return () => (next ??= pollNext());
}

/** Resolves when `work` or the time is over. @throws DatabaseUnavailable if `work` fails. */
export async function withTimeout(ms: number, work: Promise<void>): Promise<void> {
  const timeout = new AbortController();
  try {
    await Promise.race([work, delay(Math.max(0, ms), undefined, { signal: timeout.signal, ref: false })]);
  } catch (error) {
    throw new DatabaseUnavailable('The revocations cannot be read.', { cause: error });
  } finally {
    timeout.abort();
  }
}
