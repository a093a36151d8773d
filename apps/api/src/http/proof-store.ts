import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

const markStatement = statement<readonly [idSha256: Buffer, expiresAt: Date], { marked: number }>(
  'dpop_proof_mark',
  // Each that comes takes some away that are too old, so that nothing has to sweep them.
  `WITH old AS (
     DELETE FROM dpop_proof WHERE id_sha256 IN (
       SELECT id_sha256 FROM dpop_proof WHERE expires_at < now() LIMIT 10 FOR UPDATE SKIP LOCKED)
   )
   INSERT INTO dpop_proof (id_sha256, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1 AS marked`,
);

/** Remembers a proof for every API server; false when it was seen before. */
export async function markProof(db: Queryable, idSha256: Buffer, expiresAt: Date): Promise<boolean> {
  return (await db.query(markStatement, [idSha256, expiresAt])).length > 0;
}
