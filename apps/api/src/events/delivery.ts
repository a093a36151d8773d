import type { Queryable } from '@linnet/db/statement/transaction';
import type { RevocationFeed } from '@linnet/revocations/feed';
import { findPlaceAhead, matchEvents } from '@linnet/social/event/stream-store';
import type { MatchedEvent, Place } from '@linnet/social/event/stream-store';

import { toBeatText, toEventText } from './event-text.ts';
import type { EventText } from './event-text.ts';
import type { OpenStream } from './open-stream.ts';

interface DeliveryParts {
  readonly db: Queryable;
  readonly feed: Pick<RevocationFeed, 'ready'>;
}

interface Range {
  /** All events up to here were sent. */
  readonly after: number;
  readonly upTo: number;
}

/** Whom events are sent to. */
interface Listeners {
  readonly accounts: readonly number[];
  readonly of: (accountId: number) => readonly OpenStream[];
}

/**
 * Sends the events of a range to those who hear of them. Nothing is sent while the process cannot know what was revoked.
 * @throws DatabaseUnavailable; nothing was sent then.
 */
export async function deliver({ db, feed }: DeliveryParts, range: Range, { accounts, of }: Listeners): Promise<void> {
  if (accounts.length === 0) return;
  const events = await matchEvents(db, { ...range, accounts });
  // What was revoked ends its streams before anything is sent.
  await feed.ready();
  for (const [stream, text] of collect(events, of)) stream.write(text);
}

/** What to send, by stream. */
function collect(events: readonly MatchedEvent[], of: Listeners['of']): ReadonlyMap<OpenStream, string> {
  const texts = new Map<OpenStream, string>();
  for (const event of events) {
    const { textFor, ...about } = toEventText(event);
    for (const [index, accountId] of event.receivers.entries()) {
      for (const stream of of(accountId)) {
        const wanted = event.position > stream.position && mayRead(stream, about) ? stream.options.streams : 0;
        const text = textFor(accountId, wanted & (event.streams[index] ?? 0));
        texts.set(stream, (texts.get(stream) ?? '') + text);
      }
    }
  }
  return texts;
}

/** Whether the token of a stream may read what the event is about. */
function mayRead(
  { options: { hasFollows, readsDrafts, clientId } }: OpenStream,
  { isAboutFollows, isAboutDrafts, proposedBy }: Omit<EventText, 'textFor'>,
): boolean {
  if (!isAboutDrafts) return hasFollows || !isAboutFollows;
  return readsDrafts === 'all' || (readsDrafts === 'own' && proposedBy === clientId);
}

/** Some 60 KB. */
const maxMissedAtOnce = 250;

interface CatchUpParts extends DeliveryParts {
  /** Waits for its turn: streams that read at the same time are few. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
  /** Events after this position are sent to streams that are live. */
  readonly livePosition: () => number;
}

/**
 * Sends a stream what it missed, step by step, until it has caught up: at most 10,000 events are looked at in one statement, and the
 * next ones when the client has read.
 * @throws DatabaseUnavailable
 */
export async function catchUp(parts: CatchUpParts, stream: OpenStream): Promise<void> {
  const { inTurn, livePosition } = parts;
  while (stream.isOpen && stream.position < livePosition()) {
    await inTurn(async () => await sendNextMissed(parts, stream));
    await stream.drained();
  }
}

async function sendNextMissed({ db, feed }: DeliveryParts, stream: OpenStream): Promise<void> {
  const { accountId } = stream.options;
  const ahead = await findPlaceAhead(db, stream.position);
  if (ahead === undefined) throw new Error('the events were replaced');
  const range = { after: stream.position, upTo: ahead.position };
  const events = await matchEvents(db, { ...range, accounts: [accountId] });
  await feed.ready();
  const now = events.slice(0, maxMissedAtOnce);
  const text = collect(now, () => [stream]).get(stream) ?? '';
  const place = now.length < events.length ? placeOf(now, ahead) : ahead;
  stream.position = place.position;
  stream.write(text + toBeatText(place));
}

function placeOf(events: readonly MatchedEvent[], otherwise: Place): Place {
  const last = events.at(-1);
  return last === undefined ? otherwise : { position: last.position, at: last.createdAt.getTime() };
}
