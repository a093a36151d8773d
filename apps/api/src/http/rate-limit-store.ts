import type { RateLimit } from '@linnet/contract/limits';
import type { Queryable } from '@linnet/db/database';
import { countShared, readShared } from '@linnet/db/shared-count';
import type { Count } from '@linnet/db/shared-count';
import { statement } from '@linnet/db/statement';

/** Counts a request over all processes, in one statement. */
export async function countLimited(db: Queryable, key: string, limit: RateLimit): Promise<Count> {
  return await countShared(db, key, limit);
}

/** Reads a counter without counting a request. */
export async function readLimited(db: Queryable, key: string, limit: RateLimit): Promise<Count> {
  return await readShared(db, key, limit);
}

const sweepStatement = statement<readonly [], never>(
  'rate_limit_sweep',
  `DELETE FROM rate_limit WHERE key IN (SELECT key FROM rate_limit WHERE expire < now() LIMIT 1000) AND expire < now()`,
);

/** Deletes expired counters, at most a thousand per run. */
export async function sweepCounters(db: Queryable): Promise<void> {
  await db.query(sweepStatement, []);
}
