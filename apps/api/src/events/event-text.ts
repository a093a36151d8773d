/** The text of server-sent events (HTML standard, §9.2). What they say has the form of a webhook's message. */

import type { StreamName } from '@linnet/contract/events';
import { streamBits } from '@linnet/social/event/stream-store';
import type { MatchedEvent, Place } from '@linnet/social/event/stream-store';

import type { StreamOptions } from './open-stream.ts';

/**
 * The ids of events on streams: the position and the time of the event. After a restore, positions are used again for other events
 * (docs/decisions/0017-ordered-events.md), which have another time.
 */
const pattern = /^([0-9a-z]{1,11})-([0-9a-z]{1,9})$/;
const radix = 36;

function toEventId({ position, at }: Place): string {
  return `${position.toString(radix)}-${at.toString(radix)}`;
}

/** Undefined: not an id of this service. */
export function parseEventId(id: string): Place | undefined {
  const [, position = '', at = ''] = pattern.exec(id) ?? [];
  const place = { position: Number.parseInt(position, radix), at: Number.parseInt(at, radix) };
  return isPlausible(place) ? place : undefined;
}

/** PostgreSQL and `Date` accept both. */
function isPlausible({ position, at }: Place): boolean {
  return Number.isSafeInteger(position) && Number.isSafeInteger(at) && at < latestTime;
}

const latestTime = Date.UTC(3000, 0);

const names = Object.keys(streamBits) as StreamName[]; // the keys of a constant object

export function toBits(streams: readonly StreamName[]): number {
  return streams.reduce((bits, name) => bits | streamBits[name], 0);
}

/** The part of an event that is the same for all who hear of it. */
export interface EventText {
  readonly isAboutFollows: boolean;
  readonly isAboutDrafts: boolean;
  /** Of a proposal: the application that made it. */
  readonly proposedBy: string | null;
  /** For one account, and those of its streams that the event belongs to; nothing if it belongs to none. */
  readonly textFor: (accountId: number, streams: number) => string;
}

/** Ids only: objects are read with the token, so that a stream shows nothing that the API would hide. */
export function toEventText(event: MatchedEvent): EventText {
  const { kind, actorId, accountId, postId, commentId, draftId, createdAt, position } = event;
  const isAboutFollows = kind.startsWith('follow');
  const ids = {
    actor_id: actorId,
    ...(postId === null ? {} : { post_id: postId }),
    ...(commentId === null ? {} : { comment_id: commentId }),
    ...(draftId === null ? {} : { draft_id: draftId }),
    ...(isAboutFollows && accountId !== null ? { followed_id: accountId } : {}),
  };
  const rest = JSON.stringify(ids).slice(1);
  const start = `id: ${toEventId({ position, at: createdAt.getTime() })}\nevent: ${kind}\ndata: {"type":"${kind}","timestamp":"${createdAt.toISOString()}"`;
  return {
    isAboutFollows,
    isAboutDrafts: draftId !== null,
    proposedBy: event.clientId,
    textFor: (receiver, streams) =>
      streams === 0 ? '' : `${start},"streams":${namesOf(streams)},"data":{"user_id":${String(receiver)},${rest}}\n\n`,
  };
}

function namesOf(streams: number): string {
  return JSON.stringify(names.filter((name) => (streams & streamBits[name]) !== 0));
}

/** Tells a client that it may have missed something before `place`, where its stream continues. */
export function toResetText(
  { accountId, streams }: Pick<StreamOptions, 'accountId' | 'streams'>,
  place: Place,
): string {
  const timestamp = new Date().toISOString();
  return `id: ${toEventId(place)}\nevent: reset\ndata: {"type":"reset","timestamp":"${timestamp}","streams":${namesOf(streams)},"data":{"user_id":${String(accountId)}}}\n\n`;
}

/** A comment. */
export const beatWithoutId = ':\n\n';

/** A comment, so that nothing between takes the connection for dead, and an event without data, which only sets the id. */
export function toBeatText(place: Place): string {
  return `:\nid: ${toEventId(place)}\n\n`;
}

/** How long the client waits before it connects again. */
export function toRetryText(milliseconds: number): string {
  return `retry: ${String(milliseconds)}\n\n`;
}
