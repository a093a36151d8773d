/** Transactions that run once for each Idempotency-Key, and store the response in the same transaction (ADR 10). */
import { createHmac, hash } from 'node:crypto';

import { LockTimeout } from '../connection/database-error.ts';
import { retention } from '../keep/retention.ts';
import { createSweep } from '../keep/sweep.ts';
import { statement } from './statement.ts';
import type { Queryable, Transaction, Transactional } from './transaction.ts';

/** A request with an Idempotency-Key. */
interface KeyedRequest {
  /** Whose key it is, and for what: application, account, endpoint. */
  readonly owner: readonly (string | number | null)[];
  readonly key: string;
  readonly method: string;
  readonly parameters: unknown;
}

/** Identifies a request with an Idempotency-Key. */
export interface IdempotencyRecord {
  /** SHA-256 of the owner and the key. */
  readonly scope: Buffer;
  /** HMAC of the method and the parameters. */
  readonly fingerprint: Buffer;
}

/**
 * The database never sees the key. The key also keys the fingerprint, so that nobody can guess parameters
 * such as a password from it.
 */
export function identify({ owner, key, method, parameters }: KeyedRequest): IdempotencyRecord {
  return {
    scope: hash('sha256', JSON.stringify([...owner, key]), 'buffer'),
    fingerprint: createHmac('sha256', key)
      .update(`${method} ${toCanonicalJson(parameters)}`)
      .digest(),
  };
}

/**
 * The same text for the same parameters, regardless of their order. An uploaded file enters by its `toJSON()`, which is
 * its SHA-256.
 */
function toCanonicalJson(parameters: unknown): string {
  return JSON.stringify(parameters, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

export interface Outcome {
  /** JSON text. */
  readonly response: string;
  readonly isReplay: boolean;
}

/**
 * Runs `work` in a transaction that stores the response, or returns the response that an earlier one stored.
 * @throws KeyInProgress, KeyReused
 */
export async function runOnce(
  db: Pick<Transactional, 'transaction'>,
  record: IdempotencyRecord,
  work: (tx: Transaction) => Promise<string>,
): Promise<Outcome> {
  return await db.transaction(async (tx) => {
    const stored = await claimScope(tx, record);
    if (stored !== undefined) return replay(stored, record);
    const response = await work(tx);
    // In the round trip that commits the write.
    tx.beforeCommit(storeStatement, [record.scope, response]);
    return { response, isReplay: false };
  });
}

/** The outcome that is stored already; does not claim the key. @throws KeyReused */
export async function findOutcome(db: Queryable, record: IdempotencyRecord): Promise<Outcome | undefined> {
  const stored = await findResponse(db, record.scope);
  return stored && replay(stored, record);
}

/** The key was used for another request. The message is for the client. */
export class KeyReused extends Error {
  override readonly name = 'KeyReused';
}

/** The first request is running, or whether it may be carried out again is not known. The message is for the client. */
export class KeyInProgress extends Error {
  override readonly name = 'KeyInProgress';
}

function replay(stored: StoredResponse, record: IdempotencyRecord): Outcome {
  if (stored.fingerprint.equals(record.fingerprint)) return { response: stored.response, isReplay: true };
  throw new KeyReused('An earlier request used this Idempotency-Key with other parameters. Use a new one.');
}

function inProgress(cause?: unknown): KeyInProgress {
  const message = 'A request with this Idempotency-Key is still in progress. Retry after the time in `Retry-After`.';
  return new KeyInProgress(message, { cause });
}

interface StoredResponse {
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

/** Claims the scope for this transaction, or returns the response that an earlier one stored. @throws KeyInProgress */
async function claimScope(
  tx: Queryable,
  { scope, fingerprint }: IdempotencyRecord,
): Promise<StoredResponse | undefined> {
  const claimed = await tx.query(claimStatement, [scope, fingerprint]).catch(toInProgress);
  if (claimed.length > 0) return undefined;
  // A statement of its own: it sees what was committed while the claim waited.
  const stored = await findResponse(tx, scope);
  if (stored === undefined) throw inProgress(new Error('The key is claimed, and its response is not stored.'));
  return stored;
}

function toInProgress(error: unknown): never {
  throw error instanceof LockTimeout ? inProgress(error) : error;
}

const findStatement = statement<readonly [scope: Buffer], Row>(
  'idempotency_find',
  `SELECT r.fingerprint, COALESCE(r.answer, a.answer) AS answer
     FROM idempotency_record r
     LEFT JOIN idempotency_answer a ON a.expires_at = r.expires_at AND a.scope_sha256 = r.scope_sha256
    WHERE r.scope_sha256 = $1 AND r.expires_at > now()`,
);

async function findResponse(db: Queryable, scope: Buffer): Promise<StoredResponse | undefined> {
  const [row] = await db.query(findStatement, [scope]);
  return typeof row?.answer === 'string' ? { fingerprint: row.fingerprint, response: row.answer } : undefined;
}

const storeStatement = statement<readonly [scope: Buffer, response: string], never>(
  'idempotency_store',
  `SELECT store_idempotency_answer($1, (now() + ${lifetime})::timestamptz(3), $2)`,
);

/** Deletes expired records. Their responses are dropped with a partition. */
export const sweepExpiredRecords = createSweep('idempotency_record', {
  table: 'idempotency_record',
  where: 'expires_at <= now() ORDER BY expires_at',
});
