import type { Queryable } from '@linnet/db/database';
import { countShared } from '@linnet/db/shared-count';
import { statement } from '@linnet/db/statement';

export interface AttemptLimit {
  /** Prefix of the counters' keys. */
  readonly name: string;
  readonly attempts: number;
  /** Starts at the first attempt. */
  readonly windowSeconds: number;
}

/** Counts attempts in the database, shared by all processes. */
export interface AttemptCounter {
  /** Counts an attempt. Returns the seconds to wait if the limit is exceeded, otherwise undefined. */
  count(key: string): Promise<number | undefined>;
  /** Subtracts one attempt. */
  subtract(key: string): Promise<void>;
  /** Resets the counter. */
  reset(key: string): Promise<void>;
}

const subtractStatement = statement<readonly [key: string], never>(
  'attempt_subtract',
  'UPDATE rate_limit SET points = points - 1 WHERE key = $1 AND expire > now()',
);

const resetStatement = statement<readonly [key: string], never>(
  'attempt_reset',
  'DELETE FROM rate_limit WHERE key = $1',
);

/** @throws DatabaseUnavailable while the database cannot be reached. */
export function createAttemptCounter(db: Queryable, limit: AttemptLimit): AttemptCounter {
  const toKey = (key: string) => `${limit.name}:${key}`;
  return {
    count: async (key) => {
      const { requests, seconds } = await countShared(db, toKey(key), limit);
      return requests > limit.attempts ? Math.max(1, seconds) : undefined;
    },
    subtract: async (key) => {
      await db.query(subtractStatement, [toKey(key)]);
    },
    reset: async (key) => {
      await db.query(resetStatement, [toKey(key)]);
    },
  };
}
