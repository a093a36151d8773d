/** Counts the uses of each secret and records the last one. */
import type { Queryable } from '@linnet/db/database';
import { retention } from '@linnet/db/keep/retention';
import { statement } from '@linnet/db/statement/statement';
import { createSweep } from '@linnet/db/keep/sweep';
import { createSumBuffer } from '@linnet/db/statement/sum-buffer';
import type { SumBuffer } from '@linnet/db/statement/sum-buffer';

export interface SecretUse {
  readonly uses: number;
  /** Milliseconds since 1970. */
  readonly lastUsedAt: number;
}

const addStatement = statement<readonly [uses: string], never>(
  'application_secret_use',
  // Locks in the order of the ids to avoid deadlocks.
  `WITH used AS (
     SELECT s.id, given.uses, to_timestamp(given."lastUsedAt" / 1000.0) AS at
       FROM jsonb_to_recordset($1::jsonb) AS given (id bigint, uses bigint, "lastUsedAt" bigint)
       JOIN application_secret s USING (id) ORDER BY s.id FOR NO KEY UPDATE OF s
   )
   UPDATE application_secret s SET uses = s.uses + used.uses, last_used_at = GREATEST(s.last_used_at, used.at)
     FROM used WHERE s.id = used.id`,
);

/** Buffers uses by secret id. Uses of deleted secrets are dropped. */
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

/** Deletes secrets that expired more than 30 days ago. Until then, the owner can see why requests fail. */
export const sweepExpiredSecrets = createSweep('application_secret', {
  table: 'application_secret',
  where: `expires_at < now() - interval '${retention.application_secret.expired}' ORDER BY expires_at`,
});
