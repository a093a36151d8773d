import { setTimeout as delay } from 'node:timers/promises';

import type { Queryable } from '@linnet/db/statement/transaction';

import { createPoll } from './changes-reader.ts';
import { createKnownRevocations } from './known-revocations.ts';
import { createPolls, maxWaitMs, withTimeout } from './polls.ts';
import type { RevocableToken } from './revocable-token.ts';
import { sweepRevocations } from './revocation-store.ts';
import type { Change } from './revocation-store.ts';

/**
 * The revocations that one process knows. It applies a committed change within a second: it polls every 300 ms, and
 * answers only from a poll that started at most 900 ms ago. After five seconds without a request it rests: it polls every five
 * seconds, and the next request waits for a poll.
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
  /**
   * Call it before whatever depends on what the feed knows, such as a request (`rousedBefore`). Undefined unless the feed rests;
   * otherwise it fulfills when the process knows what it would know without the rest, or after a second. Never rejects.
   */
  rouse(): Promise<void> | undefined;
  /** Calls `listener` with each change, with some of them more than once. `rouse` also waits for what it returns. */
  onChange(listener: ChangeListener): void;
  /** What the process knows at this moment. */
  status(): FeedStatus;
  /** Resolves when every process with a working feed knows the changes committed before the call. */
  waitForPropagation(): Promise<void>;
}

/** May return a promise. */
type ChangeListener = (change: Change) => unknown;

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
  /** Milliseconds without a request after which the feed rests; 5000 if absent. */
  readonly restAfterMs?: number;
}

const defaultIntervalMs = 300;
const defaultRestAfterMs = 5000;
/** Milliseconds between the starts of two polls while the feed rests, so that the next request has few changes to read. */
const restIntervalMs = 5000;
/** Time from the start of a poll until its changes are known. */
const pollDurationMs = 100;
const sweepMs = 60_000;

/** Milliseconds of a monotonic clock. */
const now = () => performance.now();

/** Starts polling at once, until disposal. */
export function createRevocationFeed(options: FeedOptions): RevocationFeed {
  const { db, intervalMs = defaultIntervalMs, restAfterMs = defaultRestAfterMs } = options;
  const known = createKnownRevocations(now);
  const listeners = new Listeners();
  const apply = (change: Change) => {
    known.add(change);
    listeners.call(change);
  };
  const { pollOnce, catchUp, pollNow, isFresh, lagSeconds } = createPolls(createPoll(db, apply));
  const stopping = new AbortController();
  const sweep = async () => {
    void known.sweep();
    return await sweepRevocations(db);
  };
  const rest = new Rest(restAfterMs);
  const pause = async (startedAt: number) => {
    const isResting = rest.begin();
    await rest.pause(startedAt + (isResting ? restIntervalMs : intervalMs) - now(), stopping.signal);
  };
  const polling = keepPolling({ ...options, poll: pollOnce, sweep, pause, signal: stopping.signal });
  const learn = async () =>
    await withTimeout(
      maxWaitMs,
      pollOnce().then(async () => await listeners.done()),
    ).catch(() => undefined);

  return {
    isRevoked: (token) => (isFresh() ? known.isRevoked(token) : catchUp().then(() => known.isRevoked(token))),
    ready: async () => {
      if (!isFresh()) await catchUp();
    },
    pollNow,
    rouse: () => rest.end(learn),
    onChange: (listener) => listeners.add(listener),
    status: () => ({ lagSeconds: lagSeconds(), known: known.size() }),
    waitForPropagation: async () => await delay(intervalMs + pollDurationMs),
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await polling;
    },
  };
}

class Listeners {
  readonly #listeners: ChangeListener[] = [];
  readonly #working = new Set<unknown>();

  add(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  call(change: Change): void {
    for (const listener of this.#listeners) {
      const work = listener(change);
      if (work instanceof Promise) {
        this.#working.add(work);
        const forget = () => this.#working.delete(work);
        work.then(forget, forget);
      }
    }
  }

  /** Fulfills when the work of all listeners has ended. */
  async done(): Promise<void> {
    await Promise.allSettled(this.#working);
  }
}

/** Handles requests as `handle` does, each after `rouse`. */
export function rousedBefore<Request, Response>(
  feed: Pick<RevocationFeed, 'rouse'>,
  handle: (request: Request, response: Response) => void,
): (request: Request, response: Response) => void {
  return (request, response) => {
    const rousing = feed.rouse();
    if (rousing === undefined) handle(request, response);
    else void rousing.then(() => handle(request, response));
  };
}

interface PollingOptions {
  readonly poll: () => Promise<void>;
  /** Returns whether there is more to sweep. */
  readonly sweep: () => Promise<boolean>;
  /** Waits until the next poll, given when the last one started. */
  readonly pause: (startedAt: number) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
}

async function keepPolling({ poll, sweep, pause, onError, signal }: PollingOptions): Promise<void> {
  let isFailing = false;
  let sweepAt = now() + sweepMs;
  while (!signal.aborted) {
    const startedAt = now();
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
    await pause(startedAt);
  }
}

/** Whether the feed rests, and what wakes it. */
class Rest {
  readonly #afterMs: number;
  #usedAt = now();
  #isResting = false;
  #wake: (() => void) | undefined;
  #learning: Promise<void> | undefined;

  constructor(afterMs: number) {
    this.#afterMs = afterMs;
  }

  /** Begins to rest if nothing used the feed for a while. Returns whether it rests. */
  begin(): boolean {
    this.#isResting = now() - this.#usedAt >= this.#afterMs;
    return this.#isResting;
  }

  /** Waits; not longer than the rest, if the feed rests. */
  async pause(ms: number, signal: AbortSignal): Promise<void> {
    const waiting = delay(Math.max(0, ms), undefined, { signal, ref: false }).catch(() => undefined);
    const { promise: woken, resolve } = Promise.withResolvers<void>();
    this.#wake = this.#isResting ? resolve : undefined;
    await Promise.race([waiting, woken]);
  }

  /** Ends the rest, with a call of `learn`. Returns that call while it takes. */
  end(learn: () => Promise<void>): Promise<void> | undefined {
    this.#usedAt = now();
    if (this.#isResting) {
      this.#isResting = false;
      this.#learning = learn().finally(() => (this.#learning = undefined));
      this.#wake?.();
    }
    return this.#learning;
  }
}
