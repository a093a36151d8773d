import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';
import { createSweep } from '@linnet/db/keep/sweep';

const rememberStatement = statement<readonly [idSha256: Buffer, expiresAt: Date], { inserted: number }>(
  'dpop_proof_remember',
  // Each insert deletes some expired rows, so that the job seldom has to delete many.
  `WITH old AS (
     DELETE FROM dpop_proof WHERE id_sha256 IN (
       SELECT id_sha256 FROM dpop_proof WHERE expires_at < now() LIMIT 10 FOR UPDATE SKIP LOCKED)
   )
   INSERT INTO dpop_proof (id_sha256, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1 AS inserted`,
);

/** Remembers a proof for all API servers; false when the proof was used before. */
export async function rememberProof(db: Queryable, idSha256: Buffer, expiresAt: Date): Promise<boolean> {
  return (await db.query(rememberStatement, [idSha256, expiresAt])).length > 0;
}

/** Deletes expired proofs. */
export const sweepProofs = createSweep('dpop_proof', {
  table: 'dpop_proof',
  where: 'expires_at < now() ORDER BY expires_at',
});
