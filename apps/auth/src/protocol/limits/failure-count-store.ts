import { oauthLimits } from '@linnet/contract/limits';
import type { Queryable } from '@linnet/db/statement/transaction';
import { countShared } from '@linnet/db/statement/sum-buffer';
import type { Usage } from '@linnet/service/limits/rate-limit';
import { LRUCache } from 'lru-cache';

const maxBlocked = 10_000;

/**
 * Counts failures over all processes. Above the limit a process remembers the end of the window, so that a flood costs
 * no further statements.
 */
export function createFailureCounter(db: Queryable, now: () => number = () => performance.now()) {
  const name = 'oauth-failures';
  const limit = oauthLimits[name];
  const blocked = new LRUCache<string, number>({ max: maxBlocked });
  return async (key: string): Promise<Usage> => {
    const left = Math.ceil(((blocked.get(key) ?? 0) - now()) / 1000);
    if (left > 0) return { name, ...limit, count: { requests: limit.quota + 1, seconds: left } };
    const count = await countShared(db, `${name}:${key}`, limit);
    if (count.requests > limit.quota) blocked.set(key, now() + count.seconds * 1000);
    return { name, ...limit, count };
  };
}
