/** The streams of a process: one reader of the events for all of them (docs/decisions/0019-event-streams.md). */

import { randomInt } from 'node:crypto';
import type { Writable } from 'node:stream';

import type { Queryable } from '@linnet/db/statement/transaction';
import type { RevocationFeed } from '@linnet/revocations/feed';
import { isKept } from '@linnet/social/event/stream-store';
import type { Place } from '@linnet/social/event/stream-store';

import { catchUp } from './delivery.ts';
import { createReader, dayMs, findPresent, toResumable } from './event-reader.ts';
import { beatWithoutId, parseEventId, toBeatText, toResetText, toRetryText } from './event-text.ts';
import { OpenStream, createStreamList } from './open-stream.ts';
import type { Refusal, StreamList, StreamOptions } from './open-stream.ts';

/** Disposal ends all streams. */
export interface EventStreams extends AsyncDisposable {
  /** Why another stream may not be opened now. */
  findRefusal(options: Pick<StreamOptions, 'accountId' | 'clientId'>): Refusal | undefined;
  /**
   * Finds out where a stream starts. Returns a function that opens it where the body of the response is written.
   * @throws DatabaseUnavailable
   */
  prepare(options: StreamOptions, lastEventId: string | undefined): Promise<(body: Writable) => void>;
  /** Ends all streams, and those that are opened afterwards. Their clients connect again, to another process. */
  drain(): void;
  /** The number of open streams. */
  count(): number;
  /** Seconds since the reader last knew all events; undefined without streams. */
  lag(): number | undefined;
}

interface EventStreamsOptions {
  readonly db: Queryable;
  readonly feed: Pick<RevocationFeed, 'ready' | 'isRevoked' | 'onChange' | 'rouse'>;
  /** Called once per outage. */
  readonly onError: (error: unknown) => void;
}

const beatMs = 15_000;
const checkMs = 1000;
/** Streams for which missed events are read at the same time. */
const maxCatchingUp = 4;
/** Clients connect again after a random time between these. */
const retryMs = { min: 1000, max: 5000 };

/** Milliseconds of a monotonic clock. */
const now = () => performance.now();

export function createEventStreams(options: EventStreamsOptions): EventStreams {
  const { db, feed, onError } = options;
  const streams = createStreamList();
  const reader = createReader({ db, feed, streams, onError });
  const inTurn = createQueue(maxCatchingUp);
  let isDraining = false;

  function open(stream: OpenStream, body: Writable, firstText: string): void {
    if (isDraining) return stream.end(toRetryText(chooseRetry()));
    streams.add(stream);
    void reader.start();
    checking.start();
    body.on('close', () => streams.remove(stream));
    stream.nextBeatAt = now() + randomInt(beatMs);
    stream.write(toRetryText(chooseRetry()) + firstText);
    // The access may have been revoked since the request was admitted.
    endIfRevoked(stream, feed);
    void catchUp({ db, feed, inTurn, livePosition: () => reader.position() }, stream).then(
      () => (stream.isLive = true),
      // The client continues with the last id that it got.
      () => stream.end(),
    );
  }

  const checking = createChecks(() => {
    check(streams, reader.place());
    // Otherwise the feed would rest, and streams end too late.
    void feed.rouse();
    return streams.size > 0;
  });
  endRevoked(streams, feed);

  return {
    findRefusal: (wanted) => streams.findRefusal(wanted),
    prepare: async (wanted, lastEventId) => {
      await reader.start();
      const latest = await findPresent(db);
      const place = lastEventId === undefined ? latest : await findResumption(db, lastEventId);
      const firstText = place === undefined ? toResetText(wanted, latest) : toBeatText(toResumable(place));
      const { position } = place ?? latest;
      return (body) => open(new OpenStream(wanted, body, position), body, firstText);
    },
    drain: () => {
      isDraining = true;
      for (const stream of streams) stream.end(toRetryText(chooseRetry()));
    },
    count: () => streams.size,
    lag: () => (streams.size === 0 ? undefined : reader.lag()),
    [Symbol.asyncDispose]: async () => {
      checking.stop();
      for (const stream of streams) stream.end();
      await reader[Symbol.asyncDispose]();
    },
  };
}

/** The place that an id names; undefined if what happened since is not known for sure. @throws DatabaseUnavailable */
async function findResumption(db: Queryable, lastEventId: string): Promise<Place | undefined> {
  const place = parseEventId(lastEventId);
  if (place === undefined) return undefined;
  // There were no events when it was sent. Those of a day are kept.
  const isKnown = place.position === 0 ? Math.abs(Date.now() - place.at) < dayMs : await isKept(db, place);
  return isKnown ? place : undefined;
}

function chooseRetry(): number {
  return randomInt(retryMs.min, retryMs.max);
}

/** Ends streams whose token has expired, and sends the others a sign of life. */
function check(streams: StreamList, place: Place | undefined): void {
  const [moment, seconds] = [now(), Date.now() / 1000];
  const text = place === undefined ? beatWithoutId : toBeatText(toResumable(place));
  for (const stream of streams) {
    if (stream.options.expiresAt <= seconds) stream.end();
    else if (stream.nextBeatAt <= moment) {
      stream.nextBeatAt = moment + beatMs;
      stream.write(stream.isLive ? text : beatWithoutId);
    }
  }
}

/** Calls `checkAll` every second from `start` on, as long as it returns true. */
function createChecks(checkAll: () => boolean) {
  let timer: NodeJS.Timeout | undefined;
  const start = () => (timer ??= setTimeout(repeat, checkMs).unref());
  const repeat = () => {
    timer = undefined;
    if (checkAll()) start();
  };
  return { start, stop: () => clearTimeout(timer) };
}

/** At most so many at a time. */
function createQueue(max: number): (work: () => Promise<void>) => Promise<void> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= max) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      await promise;
    } else running += 1;
    try {
      await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

type Feed = Pick<RevocationFeed, 'isRevoked' | 'onChange'>;

/** Ends streams whose access was revoked, as soon as the process knows of it. */
function endRevoked(streams: Iterable<OpenStream>, feed: Feed): void {
  let changed = new Set<string>();

  function endChanged(): void {
    const keys = changed;
    changed = new Set();
    for (const stream of streams) {
      if (listKeys(stream).some((key) => keys.has(key))) endIfRevoked(stream, feed);
    }
  }

  feed.onChange(({ kind, id }) => {
    // Once for all changes that are read together.
    if (changed.size === 0) setImmediate(endChanged);
    changed.add(`${kind} ${id}`);
  });
}

/** What the access depends on, as the feed names it. */
function listKeys({ options: { token } }: OpenStream): readonly string[] {
  const { client_id: clientId, gid, ch, acct, jti, kid } = token;
  return [
    `client ${clientId}`,
    `grant ${String(gid)}`,
    `chain ${String(ch)}`,
    `account ${String(acct)}`,
    `token ${jti}`,
    `key ${kid}`,
  ];
}

/** Ends a stream whose access is revoked. */
function endIfRevoked(stream: OpenStream, feed: Feed): void {
  const revoked = feed.isRevoked(stream.options.token);
  if (revoked === true) stream.end();
  if (!(revoked instanceof Promise)) return;
  // Nothing is sent while the revocations cannot be read.
  void revoked.then(
    (isRevoked) => isRevoked && stream.end(),
    () => stream.end(),
  );
}
