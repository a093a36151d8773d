import type { RateLimit } from '@linnet/contract/limits';
import type { Queryable } from '@linnet/db/statement/transaction';
import { countShared, readShared } from '@linnet/db/statement/sum-buffer';
import type { Count } from '@linnet/db/statement/sum-buffer';
import { statement } from '@linnet/db/statement/statement';
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

interface Registering {
  /** Null for applications without an owner. */
  readonly ownerId: number | null;
  /** Set by an operator. */
  readonly perHour: number | null;
}

const registeringStatement = statement<readonly [clientId: string], Registering>(
  'application_registering',
  'SELECT owner_id AS "ownerId", registrations_per_hour AS "perHour" FROM application WHERE client_id = $1',
);

/** Whose registrations are counted together with those of the application, and its own quota. */
export async function findRegistering(db: Queryable, clientId: string): Promise<Registering> {
  const [found] = await db.query(registeringStatement, [clientId]);
  return found ?? { ownerId: null, perHour: null };
}
