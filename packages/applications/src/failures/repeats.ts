/** Failed requests on their way to the database: equal ones are counted, so that a flood stays small. */
import { createHash } from 'node:crypto';

import type { NewFailure } from './failure.ts';

/** Different failures per application, process and minute, of authenticated requests and others each. */
export const maxPerMinute = 100;
/** Of the latest repeats, each of which a person may report. */
export const maxRequestIds = 20;

const minuteMs = 60_000;
/** Of all applications. Beyond it, further ones are not recorded until the minute ends. */
const maxFailures = 10_000;
const msBetweenRepeats = 1000;

/**
 * Calls `write` with the first failure of a minute at once, and with its repeats once a second. Requests that authenticate have a share
 * of their own: strangers, who can send others in the name of an application, displace none of them.
 */
export function countRepeats<Item extends NewFailure>(
  write: (failure: Item) => void,
  now: () => number = Date.now,
): (failure: Item) => void {
  const shares = { own: createFailureLimit(now), others: createFailureLimit(now) };
  const repeats = new Map<string, Item>();
  const writeRepeats = () => {
    for (const repeat of repeats.values()) write(repeat);
    repeats.clear();
  };
  return (failure) => {
    const same = JSON.stringify({ ...failure, at: undefined, requestId: undefined });
    const key = createHash('sha256').update(same).digest('base64');
    const outcome = (failure.authenticated === true ? shares.own : shares.others)(failure.clientId, key);
    if (outcome === 'first') write(failure);
    if (outcome !== 'repeat') return;
    if (repeats.size === 0) setTimeout(writeRepeats, msBetweenRepeats).unref();
    const known = repeats.get(key);
    repeats.set(key, known === undefined ? failure : joinRepeats(known, failure));
  };
}

/** Two equal failures as one. */
export function joinRepeats<Item extends NewFailure>(one: Item, other: Item): Item {
  const [earlier, later] = one.at > other.at ? [other, one] : [one, other];
  const ids = [later, earlier].flatMap(({ requestId, earlierRequestIds = [] }) => [requestId, ...earlierRequestIds]);
  const [requestId, ...earlierRequestIds] = ids.filter((id) => id !== undefined).slice(0, maxRequestIds);
  const firstAt = earlier.firstAt ?? earlier.at;
  return { ...later, requestId, earlierRequestIds, firstAt, times: (one.times ?? 1) + (other.times ?? 1) };
}

type Outcome = 'first' | 'repeat' | 'too-many';

/** Counts the different failures of each application in a minute. Bounds what a flood costs, in memory and statements. */
export function createFailureLimit(now: () => number = Date.now): (clientId: string, key: string) => Outcome {
  let minute = 0;
  const keys = new Set<string>();
  const counts = new Map<string, number>();
  return (clientId, key) => {
    const current = Math.floor(now() / minuteMs);
    if (current !== minute) {
      minute = current;
      keys.clear();
      counts.clear();
    }
    if (keys.has(key)) return 'repeat';
    const count = counts.get(clientId) ?? 0;
    if (count >= maxPerMinute || keys.size >= maxFailures) return 'too-many';
    keys.add(key);
    counts.set(clientId, count + 1);
    return 'first';
  };
}
