import { setTimeout as delay } from 'node:timers/promises';

import type { Queryable } from '@linnet/db/database';
import { DatabaseUnavailable } from '@linnet/db/database-error';

import { createKnownRevocations } from './known-revocations.ts';
import type { RevocableToken } from './revocable-token.ts';
import { fromTheBeginning, readChanges, sweepRevocations } from './revocation-store.ts';
import type { Change } from './revocation-store.ts';

/**
 * What ends access tokens before their time, as one process knows it. A change that is committed is
 * obeyed within a second: the feed looks every 300 ms, and does not answer from a look that began more
 * than 900 ms ago.
 */
export interface RevocationFeed extends AsyncDisposable {
  /**
   * Whether the token was revoked; at once while the feed is fresh, after a look at the database otherwise.
   * @throws DatabaseUnavailable when nobody can tell.
   */
  isRevoked(token: RevocableToken): boolean | Promise<boolean>;
  /** Resolves once all that was revoked before is known. @throws DatabaseUnavailable */
  ready(): Promise<void>;
  /** Calls `listener` with each change, some of them more than once. */
  onChange(listener: (change: Change) => void): void;
  /** Resolves when every process that keeps up has seen what was committed before the call. */
  spread(): Promise<void>;
}

interface FeedOptions {
  /** Connections of its own, so that it does not wait behind requests: one is enough. */
  readonly db: Queryable;
  /** Hears why the database could not be asked; once until it answers again. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds between two looks. */
  readonly intervalMs?: number;
}

const usualIntervalMs = 300;
const freshMs = 900;
/** A request waits this long for a look at the database. */
const patienceMs = 1000;
/** From the beginning of a look until what it found is known. */
const lookMs = 100;
const sweepMs = 60_000;

/** Milliseconds of a clock that only runs forward. */
const now = () => performance.now();

/** Looks at once, and then until it is disposed of. */
export function createRevocationFeed(options: FeedOptions): RevocationFeed {
  const { db, intervalMs = usualIntervalMs } = options;
  const known = createKnownRevocations(now);
  const listeners: ((change: Change) => void)[] = [];
  const look = createLook(db, (change) => {
    known.learn(change);
    for (const listener of listeners) listener(change);
  });
  let freshUntil = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;

  /** One look at a time; whoever wants one meanwhile shares it. */
  function lookOnce(): Promise<void> {
    const began = now();
    underWay ??= look()
      .then(() => void (freshUntil = began + freshMs))
      .finally(() => (underWay = undefined));
    return underWay;
  }

  /** A look that is under way may have begun too long ago, or on a connection that breaks. */
  async function catchUp(): Promise<void> {
    const deadline = now() + patienceMs;
    const isShared = underWay !== undefined;
    await within(deadline - now(), isShared ? lookOnce().catch(() => undefined) : lookOnce());
    if (now() > freshUntil) await within(deadline - now(), lookOnce());
    if (now() > freshUntil) throw new DatabaseUnavailable('the database takes too long to tell what was revoked');
  }

  const stopped = new AbortController();
  const tidy = async () => {
    known.tidy();
    await sweepRevocations(db);
  };
  const looking = keepLooking({ ...options, intervalMs, look: lookOnce, tidy, signal: stopped.signal });

  return {
    isRevoked: (token) => (now() <= freshUntil ? known.isRevoked(token) : catchUp().then(() => known.isRevoked(token))),
    ready: async () => {
      if (now() > freshUntil) await catchUp();
    },
    onChange: (listener) => void listeners.push(listener),
    spread: async () => await delay(intervalMs + lookMs),
    [Symbol.asyncDispose]: async () => {
      stopped.abort();
      await looking;
    },
  };
}

/** Asks for what is new since it was last called, and tells each change. */
function createLook(db: Queryable, tell: (change: Change) => void): () => Promise<void> {
  let since = fromTheBeginning;
  return async () => {
    const seen = await readChanges(db, since);
    // Transaction ids that fall belong to another database, restored in place of the one before.
    const isAnother = BigInt(seen.next) < BigInt(since);
    const { changes, next } = isAnother ? await readChanges(db, fromTheBeginning) : seen;
    for (const change of changes) tell(change);
    since = next;
  };
}

interface Looking {
  readonly look: () => Promise<void>;
  readonly tidy: () => Promise<void>;
  readonly intervalMs: number;
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
}

async function keepLooking({ look, tidy, intervalMs, onError, signal }: Looking): Promise<void> {
  let isFailing = false;
  let tidyAt = now() + sweepMs;
  while (!signal.aborted) {
    const next = now() + intervalMs;
    try {
      await look();
      isFailing = false;
      if (now() > tidyAt) {
        tidyAt = now() + sweepMs;
        await tidy();
      }
    } catch (error) {
      if (!isFailing) onError(error);
      isFailing = true;
    }
    await delay(Math.max(0, next - now()), undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** @throws DatabaseUnavailable when `work` fails or takes longer. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const timeout = new AbortController();
  try {
    await Promise.race([work, delay(Math.max(0, ms), undefined, { signal: timeout.signal, ref: false })]);
  } catch (error) {
    throw new DatabaseUnavailable('the database cannot tell what was revoked', { cause: error });
  } finally {
    timeout.abort();
  }
}
