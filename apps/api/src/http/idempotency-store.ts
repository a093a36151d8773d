import type { Queryable, Transaction } from '@linnet/db/statement/transaction';
import { retention } from '@linnet/db/keep/retention';
import { statement } from '@linnet/db/statement/statement';
import { createSweep } from '@linnet/db/keep/sweep';

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

// The row is inserted before the write, so that a concurrent duplicate waits here until the first request ends. A row that has not expired
// is locked and stays as it is.
const claimStatement = statement<readonly [scope: Buffer, fingerprint: Buffer], { readonly claimed: number }>(
  'idempotency_claim',
  `INSERT INTO idempotency_record AS r (scope_sha256, fingerprint, expires_at) VALUES ($1, $2, now() + ${lifetime})
   ON CONFLICT (scope_sha256) DO UPDATE SET fingerprint = EXCLUDED.fingerprint, answer = NULL, expires_at = EXCLUDED.expires_at
     WHERE r.expires_at <= now()
   RETURNING 1 AS claimed`,
);

/**
 * Claims the scope for this transaction, or returns the response that an earlier one stored.
 * @throws LockTimeout when another transaction holds the scope for too long. AnswerMissing
 */
export async function claimScope(
  tx: Queryable,
  { scope, fingerprint }: IdempotencyRecord,
): Promise<StoredResponse | undefined> {
  const claimed = await tx.query(claimStatement, [scope, fingerprint]);
  if (claimed.length > 0) return undefined;
  // A statement of its own: it sees what was committed while the claim waited.
  const stored = await findResponse(tx, scope);
  if (stored === undefined) throw new AnswerMissing('The key is claimed, and its response is not stored.');
  return stored;
}

/** Somebody removed the response of a key that has not expired. Whether its request may be carried out again is not known. */
export class AnswerMissing extends Error {
  override readonly name = 'AnswerMissing';
}

const findStatement = statement<readonly [scope: Buffer], Row>(
  'idempotency_find',
  `SELECT r.fingerprint, COALESCE(r.answer, a.answer) AS answer
     FROM idempotency_record r
     LEFT JOIN idempotency_answer a ON a.expires_at = r.expires_at AND a.scope_sha256 = r.scope_sha256
    WHERE r.scope_sha256 = $1 AND r.expires_at > now()`,
);

/** The response stored under the scope; does not claim it. */
export async function findResponse(db: Queryable, scope: Buffer): Promise<StoredResponse | undefined> {
  const [row] = await db.query(findStatement, [scope]);
  return typeof row?.answer === 'string' ? { fingerprint: row.fingerprint, response: row.answer } : undefined;
}

const storeStatement = statement<readonly [scope: Buffer, response: string], never>(
  'idempotency_store',
  `SELECT store_idempotency_answer($1, (now() + ${lifetime})::timestamptz(3), $2)`,
);

/** Stores the response in the round trip that commits the write. */
export function storeResponse(tx: Transaction, scope: Buffer, response: string): void {
  tx.beforeCommit(storeStatement, [scope, response]);
}

/** Deletes expired records. Their responses are dropped with a partition. */
export const sweepExpiredRecords = createSweep('idempotency_record', {
  table: 'idempotency_record',
  where: 'expires_at <= now() ORDER BY expires_at',
});
