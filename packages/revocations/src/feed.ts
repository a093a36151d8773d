import { setTimeout as delay } from 'node:timers/promises';

import type { Queryable } from '@linnet/db/database';
import { DatabaseBusy, DatabaseUnavailable } from '@linnet/db/database-error';

import { createKnownRevocations } from './known-revocations.ts';
import type { RevocableToken } from './revocable-token.ts';
import { blocksAtOnce, isReplaced, readBlocks, readChanges, startLoad, sweepRevocations } from './revocation-store.ts';
import type { Change, LoadStart, Position } from './revocation-store.ts';

/**
 * The revocations that one process knows. It applies a committed change within a second: it polls every 300 ms, and
 * answers only from a poll that started at most 900 ms ago.
 */
export interface RevocationFeed extends AsyncDisposable {
  /**
   * Returns whether the token is revoked: at once while the last poll is recent, otherwise after polling the database.
   * @throws DatabaseUnavailable if the database does not respond within a second.
   */
  isRevoked(token: RevocableToken): boolean | Promise<boolean>;
  /** Resolves when the process may answer `isRevoked`. @throws DatabaseUnavailable */
  ready(): Promise<void>;
  /** Polls the database now: resolves when every change committed before the call is known. @throws DatabaseUnavailable */
  pollNow(): Promise<void>;
  /** Calls `listener` with each change, with some of them more than once. */
  onChange(listener: (change: Change) => void): void;
  /** What the process knows at this moment. */
  status(): FeedStatus;
  /** Resolves when every process with a working feed knows the changes committed before the call. */
  waitForPropagation(): Promise<void>;
}

interface FeedStatus {
  /** Seconds since the last successful poll started; undefined before the first one. */
  readonly lagSeconds: number | undefined;
  /** The number of revocations in memory. */
  readonly known: number;
}

interface FeedOptions {
  /** A database with a connection that only the feed uses, so that it never waits behind requests. */
  readonly db: Queryable;
  /** Receives the error of a failed poll; called once per outage. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds between the starts of two polls; 300 if absent. */
  readonly intervalMs?: number;
}

const defaultIntervalMs = 300;
/** The result of a poll counts for this time after its start. */
const freshMs = 900;
/** A request waits at most this long for a poll. */
const maxWaitMs = 1000;
/** Time from the start of a poll until its changes are known. */
const pollDurationMs = 100;
const sweepMs = 60_000;

/** Milliseconds of a monotonic clock. */
const now = () => performance.now();

/** Starts polling at once, until disposal. */
export function createRevocationFeed(options: FeedOptions): RevocationFeed {
  const { db, intervalMs = defaultIntervalMs } = options;
  const known = createKnownRevocations(now);
  const listeners: ((change: Change) => void)[] = [];
  const poll = createPoll(db, (change) => {
    known.add(change);
    for (const listener of listeners) listener(change);
  });
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

  const stopping = new AbortController();
  const sweep = async () => {
    void known.sweep();
    return await sweepRevocations(db);
  };
  const polling = keepPolling({ ...options, intervalMs, poll: pollOnce, sweep, signal: stopping.signal });

  return {
    isRevoked: (token) => (now() <= freshUntil ? known.isRevoked(token) : catchUp().then(() => known.isRevoked(token))),
    ready: async () => {
      if (now() > freshUntil) await catchUp();
    },
    pollNow: createPollNow(() => running, pollOnce),
    onChange: (listener) => void listeners.push(listener),
    status: () => ({
      lagSeconds: Number.isFinite(freshUntil) ? (now() - (freshUntil - freshMs)) / 1000 : undefined,
      known: known.size(),
    }),
    waitForPropagation: async () => await delay(intervalMs + pollDurationMs),
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await polling;
    },
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

/** Returns a function that reads the changes since its last call, or everything, and passes each to `apply`. */
function createPoll(db: Queryable, apply: (change: Change) => void): () => Promise<void> {
  let position: Position | undefined;
  const load = createLoad(db, apply);
  return async () => {
    position ??= await load();
    const { changes, next } = await readChanges(db, position).catch((error: unknown) => {
      // After a long outage there may be too many changes for one statement.
      if (error instanceof DatabaseBusy) position = undefined;
      throw error;
    });
    if (isReplaced(position, next)) {
      position = undefined;
      position = await load();
      return;
    }
    for (const change of changes) apply(change);
    position = next;
  };
}

/**
 * Returns a function that reads the whole table block by block, and returns a position from which changes follow. After
 * an error, the next call continues where it failed.
 */
function createLoad(db: Queryable, apply: (change: Change) => void): () => Promise<Position> {
  let start: LoadStart | undefined;
  let block = 0;
  return async () => {
    for (;;) {
      if (start === undefined) {
        start = await startLoad(db);
        block = 0;
      }
      if (block >= start.blocks) break;
      const changes = await readBlocks(db, start, block);
      if (changes === undefined) {
        start = undefined;
        continue;
      }
      for (const change of changes) apply(change);
      block += blocksAtOnce;
    }
    const { position } = start;
    start = undefined;
    return position;
  };
}

interface PollingOptions {
  readonly poll: () => Promise<void>;
  /** Returns whether there is more to sweep. */
  readonly sweep: () => Promise<boolean>;
  readonly intervalMs: number;
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
}

async function keepPolling({ poll, sweep, intervalMs, onError, signal }: PollingOptions): Promise<void> {
  let isFailing = false;
  let sweepAt = now() + sweepMs;
  while (!signal.aborted) {
    const next = now() + intervalMs;
    try {
      await poll();
      isFailing = false;
      if (now() > sweepAt) {
        sweepAt = (await sweep()) ? now() : now() + sweepMs;
      }
    } catch (error) {
      if (!isFailing) onError(error);
      isFailing = true;
    }
    await delay(Math.max(0, next - now()), undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Resolves when `work` or the time is over. @throws DatabaseUnavailable if `work` fails. */
async function withTimeout(ms: number, work: Promise<void>): Promise<void> {
  const timeout = new AbortController();
  try {
    await Promise.race([work, delay(Math.max(0, ms), undefined, { signal: timeout.signal, ref: false })]);
  } catch (error) {
    throw new DatabaseUnavailable('The revocations cannot be read.', { cause: error });
  } finally {
    timeout.abort();
  }
}
