import type { RateLimit } from '@linnet/contract/limits';
import type { Queryable } from '@linnet/db/statement/transaction';
import { countShared, readShared } from '@linnet/db/statement/sum-buffer';
import type { Count } from '@linnet/db/statement/sum-buffer';
import { createSweep } from '@linnet/db/keep/sweep';

/** Counts a request over all processes, in one statement. */
export async function countLimited(db: Queryable, key: string, limit: RateLimit): Promise<Count> {
  return await countShared(db, key, limit);
}

/** Reads a counter without counting a request. */
export async function readLimited(db: Queryable, key: string, limit: RateLimit): Promise<Count> {
  return await readShared(db, key, limit);
}

/** Deletes expired counters. */
export const sweepCounters = createSweep('rate_limit', { table: 'rate_limit', where: 'expire < now()' });
