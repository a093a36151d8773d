/**
 * The ids of events on streams: the position and the time of the event. After a restore, positions are used again for other events
 * (docs/adr/0017-ordered-events.md), which have another time.
 */
import type { Place } from '@linnet/social/event/stream-store';

const pattern = /^([0-9a-z]{1,11})-([0-9a-z]{1,9})$/;
const radix = 36;

export function toEventId({ position, at }: Place): string {
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
