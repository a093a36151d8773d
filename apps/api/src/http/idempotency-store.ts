import type { Queryable, Transaction } from '@linnet/db/database';
import { retention } from '@linnet/db/retention';
import { statement } from '@linnet/db/statement';
import { createSweep } from '@linnet/db/sweep';

/** Identifies a request with an Idempotency-Key. */
export interface IdempotencyRecord {
  /** SHA-256 of the application, the account, the route and the key. */
  readonly scope: Buffer;
  /** HMAC of the method and the parameters. */
  readonly fingerprint: Buffer;
}

export interface StoredResponse {
  readonly fingerprint: Buffer;
  readonly response: string;
}

interface Row {
  readonly fingerprint: Buffer;
  readonly answer: string | null;
}

const lifetime = `interval '${retention.idempotency_record.row}'`;

// The row is inserted before the write, so that a concurrent duplicate waits here until the first request ends.
// It then reads the row through an UPDATE, because a SELECT would see the older snapshot.
const claimStatement = statement<readonly [scope: Buffer, fingerprint: Buffer], Row>(
  'idempotency_claim',
  `INSERT INTO idempotency_record AS r (scope_sha256, fingerprint, expires_at) VALUES ($1, $2, now() + ${lifetime})
   ON CONFLICT (scope_sha256) DO UPDATE SET
     fingerprint = CASE WHEN r.expires_at > now() THEN r.fingerprint ELSE EXCLUDED.fingerprint END,
     answer = CASE WHEN r.expires_at > now() THEN r.answer END,
     expires_at = CASE WHEN r.expires_at > now() THEN r.expires_at ELSE EXCLUDED.expires_at END
   RETURNING fingerprint, answer`,
);

/**
 * Claims the scope for this transaction, or returns the response that an earlier one stored.
 * @throws LockTimeout when another transaction holds the scope for too long.
 */
export async function claimScope(
  tx: Queryable,
  { scope, fingerprint }: IdempotencyRecord,
): Promise<StoredResponse | undefined> {
  const [row] = await tx.query(claimStatement, [scope, fingerprint]);
  return toStoredResponse(row);
}

const findStatement = statement<readonly [scope: Buffer], Row>(
  'idempotency_find',
  'SELECT fingerprint, answer FROM idempotency_record WHERE scope_sha256 = $1 AND expires_at > now()',
);

/** The response stored under the scope; does not claim it. */
export async function findResponse(db: Queryable, scope: Buffer): Promise<StoredResponse | undefined> {
  const [row] = await db.query(findStatement, [scope]);
  return toStoredResponse(row);
}

function toStoredResponse(row: Row | undefined): StoredResponse | undefined {
  return typeof row?.answer === 'string' ? { fingerprint: row.fingerprint, response: row.answer } : undefined;
}

const storeStatement = statement<readonly [scope: Buffer, response: string], never>(
  'idempotency_store',
  'UPDATE idempotency_record SET answer = $2 WHERE scope_sha256 = $1',
);

/** Stores the response in the round trip that commits the write. */
export function storeResponse(tx: Transaction, scope: Buffer, response: string): void {
  tx.beforeCommit(storeStatement, [scope, response]);
}

/** Deletes expired records. */
export const sweepExpiredRecords = createSweep('idempotency_record', {
  table: 'idempotency_record',
  where: 'expires_at <= now() ORDER BY expires_at',
});
