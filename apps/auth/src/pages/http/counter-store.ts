import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

/** What every counter of the table `rate_limit` can do. */
export interface StoredCounter {
  /** Subtracts one. */
  subtract(key: string): Promise<void>;
  /** Resets the counter. */
  reset(key: string): Promise<void>;
}

const subtractStatement = statement<readonly [key: string], never>(
  'counter_subtract',
  'UPDATE rate_limit SET points = points - 1 WHERE key = $1 AND points > 0',
);

const resetStatement = statement<readonly [key: string], never>(
  'counter_reset',
  'DELETE FROM rate_limit WHERE key = $1',
);

/** `toKey`: the key of the row. */
export function createStoredCounter(db: Queryable, toKey: (key: string) => string): StoredCounter {
  return {
    subtract: async (key) => {
      await db.query(subtractStatement, [toKey(key)]);
    },
    reset: async (key) => {
      await db.query(resetStatement, [toKey(key)]);
    },
  };
}
