/** Applications that listen to their events without an endpoint. Each process asks once a second for all of them, and never without one. */
import type { Queryable } from '@linnet/db/statement/transaction';
import type { RevocationFeed } from '@linnet/revocations/feed';
import { findKeptEvents } from '@linnet/social/event/event-store';
import type { KeptEvents } from '@linnet/social/event/event-store';

import { findHeardEvents } from './dispatch-store.ts';
import type { HeardEvent } from './dispatch-store.ts';

interface Heard {
  readonly events: readonly HeardEvent[];
  /** To continue from. */
  readonly position: number;
  /** Whether events before the position may be missing. */
  readonly isIncomplete: boolean;
}

interface Listening {
  readonly clientId: string;
  /** Undefined: from now on. */
  readonly after: number | undefined;
  readonly wants: (event: HeardEvent) => boolean;
  /** The client is gone. */
  readonly gone: AbortSignal;
}

export interface Listeners {
  /**
   * What happened after a position, as soon as there is something, but at most after 25 s, or when the application changes: the caller
   * must check its access again.
   * @throws DatabaseUnavailable
   */
  listen(listening: Listening): Promise<Heard | 'too-many' | 'stopping'>;
  /** Answers all, and refuses others: they continue at another process. */
  startDrain(): void;
}

interface Waiter extends Listening {
  after: number;
  readonly answer: (heard: Heard) => void;
  readonly fail: (error: unknown) => void;
}

const checkMs = 1000;
const longestMs = 25_000;
/** Requests that wait in a process. */
export const listenerLimits = { application: 5, process: 200 } as const;
/** Who is further behind continues with the present. */
const maxBehind = 2000;

interface ListenersOptions {
  readonly db: Queryable;
  readonly feed: Pick<RevocationFeed, 'rouse' | 'onChange'>;
}

export function createListeners({ db, feed }: ListenersOptions): Listeners {
  const waiting = new Set<Waiter>();
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;

  const endEarly = (waiter: Waiter) => waiter.answer({ events: [], position: waiter.after, isIncomplete: false });
  const checkLater = () => {
    if (waiting.size > 0) timer ??= setTimeout(() => void check(), checkMs);
  };

  async function check(): Promise<void> {
    // Otherwise the feed would rest, and nobody would learn of a revocation.
    void feed.rouse();
    const checked = [...waiting];
    await answerAll(db, checked).catch((error: unknown) => {
      for (const { fail } of checked) fail(error);
    });
    timer = undefined;
    checkLater();
  }

  async function wait(listening: Listening, after: number): Promise<Heard> {
    const { promise, resolve: answer, reject: fail } = Promise.withResolvers<Heard>();
    const waiter = { ...listening, after, answer, fail };
    const longest = setTimeout(() => endEarly(waiter), longestMs);
    listening.gone.addEventListener('abort', () => endEarly(waiter));
    waiting.add(waiter);
    if (listening.gone.aborted) endEarly(waiter);
    checkLater();
    return await promise.finally(() => {
      clearTimeout(longest);
      waiting.delete(waiter);
    });
  }

  feed.onChange(({ kind, id }) => {
    for (const waiter of waiting) if (kind === 'client' && waiter.clientId === id) endEarly(waiter);
  });
  return {
    listen: async (listening) => {
      const { clientId, after } = listening;
      if (isStopping) return 'stopping';
      const others = [...waiting].filter((one) => one.clientId === clientId);
      if (others.length >= listenerLimits.application || waiting.size >= listenerLimits.process) return 'too-many';
      if (after !== undefined) return await wait(listening, after);
      return { events: [], position: (await findKeptEvents(db)).latest, isIncomplete: false };
    },
    startDrain: () => {
      isStopping = true;
      for (const waiter of waiting) endEarly(waiter);
    },
  };
}

/** Answers those for whom something happened. @throws DatabaseUnavailable */
async function answerAll(db: Queryable, waiters: readonly Waiter[]): Promise<void> {
  const kept = await findKeptEvents(db);
  const { latest } = kept;
  const [lost, known] = [waiters.filter((one) => isLost(one, kept)), waiters.filter((one) => !isLost(one, kept))];
  for (const { answer } of lost) answer({ events: [], position: latest, isIncomplete: true });
  const behind = known.filter(({ after }) => after < latest);
  if (behind.length === 0) return;
  const range = { after: Math.min(...behind.map(({ after }) => after)), upTo: latest };
  const clientIds = [...new Set(behind.map(({ clientId }) => clientId))];
  const found = await findHeardEvents(db, { ...range, clientIds });
  for (const waiter of behind) {
    const { clientId, after, wants, answer } = waiter;
    const events = found.filter((one) => one.clientId === clientId && one.position > after && wants(one));
    waiter.after = latest;
    if (events.length > 0) answer({ events, position: latest, isIncomplete: false });
  }
}

/** Events were deleted, there are too many, or a restored backup has fewer. */
function isLost({ after }: Waiter, { start, latest }: KeptEvents): boolean {
  return after < start || after > latest || latest - after > maxBehind;
}
