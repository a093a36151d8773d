import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import type { SessionDb } from '../visit/session-db-store.ts';

/** The authenticator app of an account. */
export interface Totp {
  readonly secretJwe: string;
  readonly createdAt: Date;
  /** Unused recovery codes. */
  readonly codesLeft: number;
}

const findStatement = statement<readonly [accountId: number], Totp>(
  'totp_find',
  `SELECT t.secret_jwe AS "secretJwe", t.created_at AS "createdAt",
     (SELECT count(*)::int FROM recovery_code r WHERE r.account_id = t.account_id AND r.used_at IS NULL) AS "codesLeft"
   FROM totp t WHERE t.account_id = $1`,
);

export async function findTotp(db: Queryable, accountId: number): Promise<Totp | undefined> {
  const [row] = await db.query(findStatement, [accountId]);
  return row;
}

export interface NewTotp {
  readonly accountId: number;
  readonly secretJwe: string;
  /** Time step of the code that confirmed it; that code cannot be used again. */
  readonly step: number;
  readonly codes: readonly Buffer[];
}

const insertStatement = statement<
  readonly [accountId: number, secretJwe: string, step: number],
  { readonly added: number }
>(
  'totp_insert',
  `INSERT INTO totp (account_id, secret_jwe, last_step) VALUES ($1, $2, $3)
   ON CONFLICT (account_id) DO NOTHING RETURNING 1 AS added`,
);

const insertCodesStatement = statement<readonly [accountId: number, codes: readonly Buffer[]], never>(
  'recovery_code_insert',
  'INSERT INTO recovery_code (account_id, sha256) SELECT $1::bigint, unnest($2::bytea[])',
);

/** Returns false if the account has an authenticator app already. */
export async function insertTotp(db: SessionDb, { accountId, secretJwe, step, codes }: NewTotp): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const isAdded = (await tx.query(insertStatement, [accountId, secretJwe, step])).length > 0;
    if (isAdded) await tx.query(insertCodesStatement, [accountId, codes]);
    return isAdded;
  });
}

const lockStatement = statement<readonly [accountId: number], { readonly found: number }>(
  'totp_lock',
  'SELECT 1 AS found FROM totp WHERE account_id = $1 FOR NO KEY UPDATE',
);

const deleteCodesStatement = statement<readonly [accountId: number], never>(
  'recovery_code_delete',
  'DELETE FROM recovery_code WHERE account_id = $1',
);

/** Replaces all recovery codes. Returns false if the account has no authenticator app. */
export async function replaceCodes(db: SessionDb, accountId: number, codes: readonly Buffer[]): Promise<boolean> {
  return await db.transaction(async (tx) => {
    if ((await tx.query(lockStatement, [accountId])).length === 0) return false;
    await tx.query(deleteCodesStatement, [accountId]);
    await tx.query(insertCodesStatement, [accountId, codes]);
    return true;
  });
}

const stepStatement = statement<readonly [accountId: number, step: number], { readonly taken: number }>(
  'totp_step',
  'UPDATE totp SET last_step = $2 WHERE account_id = $1 AND last_step < $2 RETURNING 1 AS taken',
);

/** Returns false if the code of this time step, or of a later one, was used before (RFC 6238 §5.2). */
export async function acceptStep(db: Queryable, accountId: number, step: number): Promise<boolean> {
  return (await db.query(stepStatement, [accountId, step])).length > 0;
}

const useStatement = statement<readonly [accountId: number, sha256: Buffer], { readonly used: number }>(
  'recovery_code_use',
  `UPDATE recovery_code SET used_at = now() WHERE account_id = $1 AND sha256 = $2 AND used_at IS NULL
   RETURNING 1 AS used`,
);

/** Returns false if there is no such code, or it was used before. */
export async function useRecoveryCode(db: Queryable, accountId: number, sha256: Buffer): Promise<boolean> {
  return (await db.query(useStatement, [accountId, sha256])).length > 0;
}

const deleteStatement = statement<readonly [accountId: number], { readonly deleted: number }>(
  'totp_delete',
  'DELETE FROM totp WHERE account_id = $1 RETURNING 1 AS deleted',
);

/** Deletes the recovery codes too (by a foreign key). Returns false if the account has no authenticator app. */
export async function deleteTotp(db: Queryable, accountId: number): Promise<boolean> {
  return (await db.query(deleteStatement, [accountId])).length > 0;
}

const sealedStatement = statement<readonly [after: number], { readonly accountId: number; readonly secretJwe: string }>(
  'totp_sealed',
  `SELECT account_id AS "accountId", secret_jwe AS "secretJwe" FROM totp
    WHERE account_id > $1 ORDER BY account_id LIMIT 500`,
);

/** One page of sealed secrets, in the order of account ids, after `after`. */
export async function findSealedSecrets(db: Queryable, after: number) {
  return await db.query(sealedStatement, [after]);
}

const resealStatement = statement<readonly [accountId: number, from: string, to: string], never>(
  'totp_reseal',
  'UPDATE totp SET secret_jwe = $3 WHERE account_id = $1 AND secret_jwe = $2',
);

/** Does nothing if the secret is no longer `from`. */
export async function replaceSealedSecret(
  db: Queryable,
  { accountId, from, to }: { readonly accountId: number; readonly from: string; readonly to: string },
): Promise<void> {
  await db.query(resealStatement, [accountId, from, to]);
}
