import { setTimeout as delay } from 'node:timers/promises';

import type { Queryable } from '@linnet/db/statement/transaction';
import type { RevocationFeed } from '@linnet/revocations/feed';
import { findLatestPlace, readPlaces } from '@linnet/social/event/stream-store';
import type { Place } from '@linnet/social/event/stream-store';

import { deliver } from './delivery.ts';
import { toResetText } from './event-text.ts';
import type { StreamList } from './open-stream.ts';

/** Events are kept a little longer. */
export const dayMs = 86_400_000;

/** A place that clients can continue from: the event of an old one may be deleted by then, and nothing happened since. */
export function toResumable(place: Place): Place {
  return Date.now() - place.at > dayMs ? { position: 0, at: Date.now() } : place;
}

/** The place after which everything is new. @throws DatabaseUnavailable */
export async function findPresent(db: Queryable): Promise<Place> {
  return (await findLatestPlace(db)) ?? { position: 0, at: Date.now() };
}

/** Whether the event at a place is another one now. One that is a day old may have been deleted. */
function isReplaced(place: Place, found: Place | undefined): boolean {
  if (place.position === 0) return false;
  if (found?.position === place.position) return found.at !== place.at;
  return Date.now() - place.at < dayMs;
}

/** Reads the events for all streams of a process, from the first stream on. */
interface EventReader extends AsyncDisposable {
  /** Resolves when it reads. Call it again when there is a stream: without any it reads rarely. @throws DatabaseUnavailable */
  start(): Promise<void>;
  /** The place up to which everything was sent; undefined before the start. */
  place(): Place | undefined;
  /** Everything after this position will be sent to streams that are live now. */
  position(): number;
  /** Seconds since all events were known; undefined before the start. */
  lag(): number | undefined;
}

interface ReaderParts {
  readonly db: Queryable;
  readonly feed: Pick<RevocationFeed, 'ready'>;
  readonly streams: StreamList;
  readonly onError: (error: unknown) => void;
}

const pollMs = 200;
/** Without streams, so that the next one has little to catch up with. */
const restingPollMs = 5000;
/** Events of one step. */
const maxBatch = 500;
export function createReader(parts: ReaderParts): EventReader {
  const { db } = parts;
  const stopping = new AbortController();
  const state: ReaderState = {
    place: { position: 0, at: 0 },
    claimed: 0,
    readAt: 0,
    batch: maxBatch,
    endRest: () => undefined,
  };
  let running: Promise<void> | undefined;
  let starting: Promise<void> | undefined;

  async function startOnce(): Promise<void> {
    state.place = await findPresent(db).finally(() => (starting = undefined));
    state.claimed = state.place.position;
    state.readAt = performance.now();
    running = keepReading(parts, state, stopping.signal);
  }

  return {
    start: async () => {
      state.endRest();
      if (running === undefined) await (starting ??= startOnce());
    },
    place: () => (running === undefined ? undefined : state.place),
    position: () => state.claimed,
    lag: () => (running === undefined ? undefined : (performance.now() - state.readAt) / 1000),
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await running;
    },
  };
}

interface ReaderState {
  /** Everything up to here was sent. */
  place: Place;
  /** The position of the last event of the step in progress, or of the last step. */
  claimed: number;
  /** When the last step that succeeded began. */
  readAt: number;
  /** Events of the next step. */
  batch: number;
  endRest: () => void;
}

async function keepReading(parts: ReaderParts, state: ReaderState, signal: AbortSignal): Promise<void> {
  let isFailing = false;
  while (!signal.aborted) {
    let hasMore = false;
    try {
      hasMore = await readNext(parts, state);
      isFailing = false;
    } catch (error) {
      if (!isFailing) parts.onError(error);
      isFailing = true;
      // So many events may take too long for one statement.
      state.batch = Math.max(1, Math.floor(state.batch / 2));
    }
    if (!hasMore) await pause(parts, state, signal);
  }
}

/** Waits for the next poll; without streams at most until `start`. */
async function pause({ streams }: ReaderParts, state: ReaderState, signal: AbortSignal): Promise<void> {
  const isResting = streams.size === 0;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  state.endRest = resolve;
  const waited = delay(isResting ? restingPollMs : pollMs, undefined, { signal, ref: false }).catch(() => undefined);
  await (isResting ? Promise.race([waited, ended]) : waited);
}

/** Sends the next events. Returns whether there are more. */
async function readNext(parts: ReaderParts, state: ReaderState): Promise<boolean> {
  const { db, streams } = parts;
  const { place, batch } = state;
  const startedAt = performance.now();
  const found = await readPlaces(db, place.position, batch + 1);
  if (isReplaced(place, found[0])) {
    state.place = await findPresent(db);
    state.claimed = state.place.position;
    resetAll(streams, state.place);
    return false;
  }
  const last = found.at(-1);
  if (last !== undefined && last.position > place.position) {
    state.claimed = last.position;
    const of = (accountId: number) => streams.of(accountId).filter(({ isLive }) => isLive);
    await deliver(parts, { after: place.position, upTo: last.position }, { accounts: streams.accounts(), of });
    state.place = last;
  }
  state.readAt = startedAt;
  state.batch = Math.min(maxBatch, batch * 2);
  return found.length > batch;
}

/** Another database has replaced the one that was read, such as a restored backup. */
function resetAll(streams: StreamList, place: Place): void {
  for (const stream of streams) {
    stream.position = place.position;
    stream.write(toResetText(stream.options, place));
  }
}
