/** Creating, changing and deleting registered APIs. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import type { ApiScope, ApiTokenAlgorithm } from './api-scopes.ts';

const lockOwnerStatement = statement<readonly [ownerId: number], never>(
  'api_lock_owner',
  'SELECT 1 FROM account WHERE id = $1 FOR NO KEY UPDATE',
);

const countStatement = statement<readonly [ownerId: number], { count: number }>(
  'api_count',
  'SELECT count(*) AS count FROM resource_server WHERE owner_id = $1',
);

/** Counts the APIs of an account. Locks the account, so that no other transaction can add one. */
export async function countApis(tx: Queryable, ownerId: number): Promise<number> {
  await tx.query(lockOwnerStatement, [ownerId]);
  const [row] = await tx.query(countStatement, [ownerId]);
  return row?.count ?? 0;
}

const findClientStatement = statement<
  readonly [clientId: string, ownerId: number],
  { readonly isConfidential: boolean }
>(
  'api_find_client',
  `SELECT type = 'confidential' AS "isConfidential" FROM application WHERE client_id = $1 AND owner_id = $2 FOR KEY SHARE`,
);

/** Whether an application of the account is confidential; undefined if it owns none with this id. */
export async function isConfidentialClient(
  tx: Queryable,
  clientId: string,
  ownerId: number,
): Promise<boolean | undefined> {
  const [row] = await tx.query(findClientStatement, [clientId, ownerId]);
  return row?.isConfidential;
}

/** What its owner decides. */
export interface ApiSettings {
  readonly name: string;
  readonly scopes: readonly ApiScope[];
  readonly clientId: string | undefined;
  /** Signs the access tokens for the API. */
  readonly accessTokenAlg: ApiTokenAlgorithm;
}

export interface NewApi extends ApiSettings {
  readonly ownerId: number;
  readonly identifier: string;
}

type SettingColumns = readonly [
  name: string,
  scopes: readonly string[],
  descriptions: string,
  clientId: string | null,
  accessTokenAlg: string,
];

function toColumns({ name, scopes, clientId, accessTokenAlg }: ApiSettings): SettingColumns {
  const descriptions = Object.fromEntries(scopes.map(({ scope, description }) => [scope, description]));
  return [name, scopes.map(({ scope }) => scope), JSON.stringify(descriptions), clientId ?? null, accessTokenAlg];
}

const insertStatement = statement<readonly [...SettingColumns, identifier: string, ownerId: number], { id: number }>(
  'api_insert',
  `INSERT INTO resource_server (name, scopes, scope_descriptions, client_id, access_token_alg, identifier, owner_id)
   VALUES ($1, $2, $3::jsonb, $4, $5, $6, $7) ON CONFLICT (identifier) DO NOTHING RETURNING id`,
);

/** The id; undefined, and inserts nothing, if the identifier is taken. */
export async function insertApi(tx: Queryable, api: NewApi): Promise<number | undefined> {
  const [row] = await tx.query(insertStatement, [...toColumns(api), api.identifier, api.ownerId]);
  return row?.id;
}

const updateStatement = statement<readonly [...SettingColumns, id: number, ownerId: number], { updated: number }>(
  'api_update',
  `UPDATE resource_server SET name = $1, scopes = $2, scope_descriptions = $3::jsonb, client_id = $4, access_token_alg = $5
    WHERE id = $6 AND owner_id = $7 RETURNING 1 AS updated`,
);

/** A trigger takes removed scopes out of every grant and revokes earlier tokens. False if the account does not own it. */
export async function updateApi(
  tx: Queryable,
  { id, ownerId, ...settings }: ApiSettings & { readonly id: number; readonly ownerId: number },
): Promise<boolean> {
  return (await tx.query(updateStatement, [...toColumns(settings), id, ownerId])).length > 0;
}

const proveStatement = statement<readonly [id: number, ownerId: number, isProven: boolean], never>(
  'api_prove',
  'UPDATE resource_server SET is_proven = $3 WHERE id = $1 AND owner_id = $2 AND is_proven <> $3',
);

export async function setProven(
  db: Queryable,
  { id, ownerId }: { readonly id: number; readonly ownerId: number },
  isProven: boolean,
): Promise<void> {
  await db.query(proveStatement, [id, ownerId, isProven]);
}

const deleteStatement = statement<readonly [id: number, ownerId: number], { deleted: number }>(
  'api_delete',
  'DELETE FROM resource_server WHERE id = $1 AND owner_id = $2 RETURNING 1 AS deleted',
);

/** A trigger takes its scopes out of every grant. False if the account does not own it. */
export async function deleteApi(db: Queryable, ownerId: number, id: number): Promise<boolean> {
  return (await db.query(deleteStatement, [id, ownerId])).length > 0;
}

const deleteAllStatement = statement<readonly [ownerId: number], never>(
  'api_delete_all',
  'DELETE FROM resource_server WHERE owner_id = $1',
);

/** Deletes every API of an account. */
export async function deleteAllApis(tx: Queryable, ownerId: number): Promise<void> {
  await tx.query(deleteAllStatement, [ownerId]);
}
