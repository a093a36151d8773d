import type { Queryable } from '@linnet/db/database';
import { countShared } from '@linnet/db/statement/sum-buffer';

import { createStoredCounter } from './counter-store.ts';
import type { StoredCounter } from './counter-store.ts';

export interface AttemptLimit {
  /** Prefix of the counters' keys. */
  readonly name: string;
  readonly attempts: number;
  /** Starts at the first attempt. */
  readonly windowSeconds: number;
}

/** Counts attempts in the database, shared by all processes. */
export interface AttemptCounter extends StoredCounter {
  /** Counts an attempt. Returns the seconds to wait if the limit is exceeded, otherwise undefined. */
  count(key: string): Promise<number | undefined>;
}

/** @throws DatabaseUnavailable while the database cannot be reached. */
export function createAttemptCounter(db: Queryable, limit: AttemptLimit): AttemptCounter {
  const toKey = (key: string) => `${limit.name}:${key}`;
  return {
    count: async (key) => {
      const { requests, seconds } = await countShared(db, toKey(key), limit);
      return requests > limit.attempts ? Math.max(1, seconds) : undefined;
    },
    ...createStoredCounter(db, toKey),
  };
}
