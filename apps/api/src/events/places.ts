import type { Queryable } from '@linnet/db/database';
import { findLatestPlace } from '@linnet/social/event/stream-store';
import type { Place } from '@linnet/social/event/stream-store';

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
export function isReplaced(place: Place, found: Place | undefined): boolean {
  if (place.position === 0) return false;
  if (found?.position === place.position) return found.at !== place.at;
  return Date.now() - place.at < dayMs;
}
