/** How often, and when last, each secret was used. */
import type { Queryable, Transactional } from '@linnet/db/database';
import { runExclusively } from '@linnet/db/run-exclusively';
import { statement } from '@linnet/db/statement';
import { createSumBuffer } from '@linnet/db/sum-buffer';
import type { SumBuffer } from '@linnet/db/sum-buffer';

export interface SecretUse {
  readonly uses: number;
  /** Milliseconds since 1970. */
  readonly lastUsedAt: number;
}

const addStatement = statement<readonly [uses: string], never>(
  'application_secret_use',
  // In the order of their ids: two processes that lock in turns would wait for each other.
  `WITH used AS (
     SELECT s.id, given.uses, to_timestamp(given."lastUsedAt" / 1000.0) AS at
       FROM jsonb_to_recordset($1::jsonb) AS given (id bigint, uses bigint, "lastUsedAt" bigint)
       JOIN application_secret s USING (id) ORDER BY s.id FOR NO KEY UPDATE OF s
   )
   UPDATE application_secret s SET uses = s.uses + used.uses, last_used_at = GREATEST(s.last_used_at, used.at)
     FROM used WHERE s.id = used.id`,
);

/** Counts uses of secrets by their ids; those of secrets that are gone are left out. */
export function bufferSecretUse(db: Queryable): SumBuffer<SecretUse> {
  return createSumBuffer<SecretUse>({
    join: (one, other) => ({
      uses: one.uses + other.uses,
      lastUsedAt: Math.max(one.lastUsedAt, other.lastUsedAt),
    }),
    store: async (sums) => {
      const given = [...sums].map(([id, use]) => ({ id, ...use }));
      await db.query(addStatement, [JSON.stringify(given)]);
    },
  });
}

const sweepStatement = statement<readonly [], never>(
  'application_secret_sweep',
  `DELETE FROM application_secret WHERE id IN (
     SELECT id FROM application_secret WHERE expires_at < now() - interval '30 days' ORDER BY expires_at LIMIT 1000)`,
);

/** Removes secrets that ended 30 days ago: for so long their owners are told why requests fail. */
export async function sweepEndedSecrets(db: Pick<Transactional, 'transaction'>): Promise<void> {
  await runExclusively(db, 'application-secret', async (tx) => {
    await tx.query(sweepStatement, []);
  });
}
