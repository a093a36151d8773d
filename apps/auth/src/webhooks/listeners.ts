/**
 * Requests that wait: applications that listen to their events without an endpoint, and polls of security event streams. Each process asks
 * once a second for all of them, and never without one.
 */
import type { Queryable } from '@linnet/db/statement/transaction';
import type { RevocationFeed } from '@linnet/revocations/feed';
import { findKeptEvents } from '@linnet/social/event/event-store';
import type { KeptEvents } from '@linnet/social/event/event-store';

import { findHeardEvents } from './dispatch-store.ts';
import type { HeardEvent } from './dispatch-store.ts';
import { findStreamStates } from './signal-store.ts';

interface Heard {
  readonly events: readonly HeardEvent[];
  /** To continue from. */
  readonly position: number;
  /** Whether events before the position may be missing. */
  readonly isIncomplete: boolean;
}

/** Who waits. */
interface Caller {
  readonly clientId: string;
  /** The id of the access token. */
  readonly jti: string;
  /** The client is gone. */
  readonly gone: AbortSignal;
}

interface Listening extends Caller {
  /** Undefined: from now on. */
  readonly after: number | undefined;
  readonly wants: (event: HeardEvent) => boolean;
}

interface Polling extends Caller {
  readonly streamId: number;
  /** Whether its events could be fetched before. */
  readonly isOpen: boolean;
}

type NotNow = 'too-many' | 'stopping';

export interface Listeners {
  /**
   * What happened after a position, as soon as there is something, but at most after 25 s, or when the application changes: the caller
   * must check its access again.
   * @throws DatabaseUnavailable
   */
  listen(listening: Listening): Promise<Heard | NotNow>;
  /**
   * Until the stream has events, it changes or is deleted, as long as `listen` at most. The caller must read both again.
   * @throws DatabaseUnavailable
   */
  waitForSignals(polling: Polling): Promise<'done' | NotNow>;
  /** Answers all, and refuses others: they continue at another process. */
  startDrain(): void;
}

interface Held extends Caller {
  /** Answers that nothing has happened. */
  readonly endEarly: () => void;
  readonly fail: (error: unknown) => void;
}

interface Listener extends Listening, Held {
  after: number;
  readonly answer: (heard: Heard) => void;
}

type Poll = Polling & Held;
type Waiter = Listener | Poll;

const isPoll = (waiter: Waiter): waiter is Poll => 'streamId' in waiter;

const checkMs = 1000;
const longestMs = 25_000;
/** Requests that wait in a process. */
export const listenerLimits = { application: 5, stream: 5, process: 200 } as const;
/** Who is further behind continues with the present. */
const maxBehind = 2000;

interface ListenersOptions {
  readonly db: Queryable;
  readonly feed: Pick<RevocationFeed, 'rouse' | 'onChange'>;
}

export function createListeners(options: ListenersOptions): Listeners {
  const { db, feed } = options;
  const { waiting, hold } = createWaiting(options);
  let isStopping = false;

  const findRefusal = (others: number, max: number): NotNow | undefined => {
    if (isStopping) return 'stopping';
    return others >= max || waiting.size >= listenerLimits.process ? 'too-many' : undefined;
  };
  feed.onChange(({ kind, id }) => {
    for (const { clientId, jti, endEarly } of waiting) {
      if ((kind === 'client' && clientId === id) || (kind === 'token' && jti === id)) endEarly();
    }
  });
  return {
    listen: async (listening) => {
      const { clientId, after } = listening;
      const others = [...waiting].filter((one) => !isPoll(one) && one.clientId === clientId);
      const refusal = findRefusal(others.length, listenerLimits.application);
      if (refusal !== undefined) return refusal;
      if (after === undefined) return { events: [], position: (await findKeptEvents(db)).latest, isIncomplete: false };
      return await hold<Heard>(({ answer, fail }) => {
        const endEarly = () => answer({ events: [], position: listener.after, isIncomplete: false });
        const listener: Listener = { ...listening, after, answer, endEarly, fail };
        return listener;
      });
    },
    waitForSignals: async (polling) => {
      const others = [...waiting].filter((one) => isPoll(one) && one.streamId === polling.streamId);
      const refusal = findRefusal(others.length, listenerLimits.stream);
      if (refusal !== undefined) return refusal;
      return await hold<'done'>(({ answer, fail }) => ({ ...polling, endEarly: () => answer('done'), fail }));
    },
    startDrain: () => {
      isStopping = true;
      for (const { endEarly } of waiting) endEarly();
    },
  };
}

interface Answering<Answer> {
  readonly answer: (answer: Answer) => void;
  readonly fail: (error: unknown) => void;
}

function createWaiting({ db, feed }: ListenersOptions) {
  const waiting = new Set<Waiter>();
  let timer: NodeJS.Timeout | undefined;

  const checkLater = () => {
    if (waiting.size > 0) timer ??= setTimeout(() => void check(), checkMs);
  };

  async function check(): Promise<void> {
    // Otherwise the feed would rest, and nobody would learn of a revocation.
    void feed.rouse();
    const checked = [...waiting];
    const listeners = checked.filter((one): one is Listener => !isPoll(one));
    await Promise.all([answerAll(db, listeners), endPolls(db, checked.filter(isPoll))]).catch((error: unknown) => {
      for (const { fail } of checked) fail(error);
    });
    timer = undefined;
    checkLater();
  }

  async function hold<Answer>(create: (answering: Answering<Answer>) => Waiter): Promise<Answer> {
    const { promise, resolve: answer, reject: fail } = Promise.withResolvers<Answer>();
    const waiter = create({ answer, fail });
    const { endEarly, gone } = waiter;
    const longest = setTimeout(endEarly, longestMs);
    gone.addEventListener('abort', endEarly);
    waiting.add(waiter);
    if (gone.aborted) endEarly();
    checkLater();
    return await promise.finally(() => {
      clearTimeout(longest);
      waiting.delete(waiter);
    });
  }

  return { waiting, hold };
}

/** Answers those for whom something happened. @throws DatabaseUnavailable */
async function answerAll(db: Queryable, waiters: readonly Listener[]): Promise<void> {
  if (waiters.length === 0) return;
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
function isLost({ after }: Listener, { start, latest }: KeptEvents): boolean {
  return after < start || after > latest || latest - after > maxBehind;
}

/** Ends those whose stream has events, or has changed. @throws DatabaseUnavailable */
async function endPolls(db: Queryable, polls: readonly Poll[]): Promise<void> {
  if (polls.length === 0) return;
  const states = await findStreamStates(db, [...new Set(polls.map(({ streamId }) => streamId))]);
  for (const { streamId, isOpen, endEarly } of polls) {
    const state = states.find(({ id }) => id === streamId);
    if (state?.isOpen !== isOpen || (isOpen && state.hasEvents)) endEarly();
  }
}
