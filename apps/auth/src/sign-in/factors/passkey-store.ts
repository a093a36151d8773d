import { isKept } from '@linnet/accounts/deletion-period';
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import type { SessionDb } from '../visit/session-db-store.ts';

/** A passkey as the security page lists it. */
export interface Passkey {
  readonly id: number;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** What the verification of a passkey needs. */
export interface Credential {
  readonly id: number;
  readonly accountId: number;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly transports: readonly string[];
}

/** Per account. */
const maxPasskeys = 20;

const listStatement = statement<readonly [accountId: number], Passkey>(
  'passkey_list',
  `SELECT id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt"
     FROM passkey WHERE account_id = $1 ORDER BY created_at, id`,
);

/** Oldest first. */
export async function findPasskeys(db: Queryable, accountId: number): Promise<readonly Passkey[]> {
  return await db.query(listStatement, [accountId]);
}

const columns = `p.id, p.account_id AS "accountId", p.credential_id AS "credentialId", p.public_key AS "publicKey",
  p.sign_count AS "signCount", p.transports`;

const credentialsStatement = statement<readonly [accountId: number], Credential>(
  'passkey_credentials',
  `SELECT ${columns} FROM passkey p WHERE p.account_id = $1 ORDER BY p.created_at, p.id`,
);

export async function findCredentials(db: Queryable, accountId: number): Promise<readonly Credential[]> {
  return await db.query(credentialsStatement, [accountId]);
}

/** With whether its account is suspended or deleted. */
type FoundCredential = Credential & { readonly isHidden: boolean };

const findStatement = statement<readonly [credentialId: Buffer], FoundCredential>(
  'passkey_find',
  `SELECT ${columns}, a.hidden_at IS NOT NULL AS "isHidden" FROM passkey p JOIN account a ON a.id = p.account_id
    WHERE p.credential_id = $1 AND ${isKept('a')}`,
);

/** Returns undefined if the account was deleted more than 14 days ago. */
export async function findCredential(db: Queryable, credentialId: Buffer): Promise<FoundCredential | undefined> {
  const [row] = await db.query(findStatement, [credentialId]);
  return row;
}

export type NewPasskey = Omit<Credential, 'id'> & Pick<Passkey, 'name'>;

const insertStatement = statement<
  readonly [
    accountId: number,
    credentialId: Buffer,
    publicKey: Buffer,
    signCount: number,
    transports: readonly string[],
    name: string,
  ],
  { readonly id: number }
>(
  'passkey_insert',
  // The lock serializes concurrent inserts, which could otherwise exceed the limit together.
  `WITH a AS (SELECT id FROM account WHERE id = $1 FOR NO KEY UPDATE)
   INSERT INTO passkey (account_id, credential_id, public_key, sign_count, transports, name)
   SELECT a.id, $2::bytea, $3::bytea, $4::bigint, $5::text[], $6::text FROM a
    WHERE (SELECT count(*) FROM passkey WHERE account_id = $1) < ${String(maxPasskeys)}
   ON CONFLICT (credential_id) DO NOTHING
   RETURNING id`,
);

/** Returns false if the passkey is registered already, or the account has the maximum number. */
export async function insertPasskey(db: SessionDb, passkey: NewPasskey): Promise<boolean> {
  const { accountId, credentialId, publicKey, signCount, transports, name } = passkey;
  const rows = await db.query(insertStatement, [accountId, credentialId, publicKey, signCount, transports, name]);
  return rows.length > 0;
}

const usedStatement = statement<readonly [id: number, signCount: number], { readonly id: number }>(
  'passkey_used',
  // A signature count that does not increase indicates a cloned authenticator (WebAuthn §7.2). Synced passkeys always send 0.
  `UPDATE passkey SET sign_count = $2, last_used_at = now()
    WHERE id = $1 AND (sign_count < $2 OR (sign_count = 0 AND $2 = 0)) RETURNING id`,
);

/** Returns false if the passkey was removed, or `signCount` has not increased. */
export async function recordPasskeyUse(db: Queryable, id: number, signCount: number): Promise<boolean> {
  return (await db.query(usedStatement, [id, signCount])).length > 0;
}

const deleteStatement = statement<readonly [accountId: number, id: number], { readonly id: number }>(
  'passkey_delete',
  'DELETE FROM passkey WHERE account_id = $1 AND id = $2 RETURNING id',
);

/** Returns false if the account has no such passkey. */
export async function deletePasskey(db: Queryable, accountId: number, id: number): Promise<boolean> {
  return (await db.query(deleteStatement, [accountId, id])).length > 0;
}
