import type { Queryable, Transaction, Transactional } from '@linnet/db/database';
import { runAlone } from '@linnet/db/run-alone';
import { statement } from '@linnet/db/statement';

/** What a call with an Idempotency-Key is known by. */
export interface IdempotencyRecord {
  /** SHA-256 of whose key it is, the route and the key. */
  readonly scope: Buffer;
  /** What was asked for. */
  readonly fingerprint: Buffer;
}

interface StoredAnswer {
  readonly fingerprint: Buffer;
  readonly answer: string;
}

interface Stored {
  readonly fingerprint: Buffer;
  readonly answer: string | null;
}

const lifetime = "interval '24 hours'";

// The row is inserted before the write: the same call in parallel waits here for the end of the first.
// An update that changes nothing reads the row as it is then; a snapshot would be older.
const claimStatement = statement<readonly [scope: Buffer, fingerprint: Buffer], Stored>(
  'idempotency_claim',
  `INSERT INTO idempotency_record AS r (scope_sha256, fingerprint, expires_at) VALUES ($1, $2, now() + ${lifetime})
   ON CONFLICT (scope_sha256) DO UPDATE SET
     fingerprint = CASE WHEN r.expires_at > now() THEN r.fingerprint ELSE EXCLUDED.fingerprint END,
     answer = CASE WHEN r.expires_at > now() THEN r.answer END,
     expires_at = CASE WHEN r.expires_at > now() THEN r.expires_at ELSE EXCLUDED.expires_at END
   RETURNING fingerprint, answer`,
);

/**
 * Takes the scope for this transaction, or gives the answer that another one has stored under it.
 * @throws LockTimeout when another transaction holds it and does not come to an end.
 */
export async function claimScope(
  tx: Queryable,
  { scope, fingerprint }: IdempotencyRecord,
): Promise<StoredAnswer | undefined> {
  const [row] = await tx.query(claimStatement, [scope, fingerprint]);
  return toStoredAnswer(row);
}

const findStatement = statement<readonly [scope: Buffer], Stored>(
  'idempotency_find',
  'SELECT fingerprint, answer FROM idempotency_record WHERE scope_sha256 = $1 AND expires_at > now()',
);

/** The answer stored under the scope, without taking it. */
export async function findAnswer(db: Queryable, scope: Buffer): Promise<StoredAnswer | undefined> {
  const [row] = await db.query(findStatement, [scope]);
  return toStoredAnswer(row);
}

function toStoredAnswer(row: Stored | undefined): StoredAnswer | undefined {
  return typeof row?.answer === 'string' ? { fingerprint: row.fingerprint, answer: row.answer } : undefined;
}

const storeStatement = statement<readonly [scope: Buffer, answer: string], never>(
  'idempotency_store',
  'UPDATE idempotency_record SET answer = $2 WHERE scope_sha256 = $1',
);

/** Stores the answer with the COMMIT of the write. */
export function storeAnswer(tx: Transaction, scope: Buffer, answer: string): void {
  tx.beforeCommit(storeStatement, [scope, answer]);
}

const sweepStatement = statement<readonly [limit: number], { readonly count: number }>(
  'idempotency_sweep',
  `WITH expired AS (
     SELECT scope_sha256 FROM idempotency_record WHERE expires_at <= now() ORDER BY expires_at LIMIT $1
   ), deleted AS (
     DELETE FROM idempotency_record WHERE scope_sha256 IN (SELECT scope_sha256 FROM expired) AND expires_at <= now()
     RETURNING 1
   )
   SELECT count(*) AS count FROM deleted`,
);

const sweepBatch = 1000;

/** Deletes the records whose time is over, in batches, unless another process is at it. */
export async function sweepExpiredRecords(db: Transactional, stopping: AbortSignal): Promise<void> {
  let deleted = sweepBatch;
  while (deleted === sweepBatch && !stopping.aborted) {
    deleted = 0;
    await runAlone(db, 'idempotency-sweep', async (tx) => {
      const [row] = await tx.query(sweepStatement, [sweepBatch]);
      deleted = row?.count ?? 0;
    });
  }
}
