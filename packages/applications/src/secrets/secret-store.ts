/** Secrets of confidential applications, active and recently expired. */

import type { Queryable } from '@linnet/db/statement/transaction';
import { retention } from '@linnet/db/keep/retention';
import { createSweep } from '@linnet/db/keep/sweep';
import { statement } from '@linnet/db/statement/statement';
import { createSumBuffer } from '@linnet/db/statement/sum-buffer';
import type { SumBuffer } from '@linnet/db/statement/sum-buffer';

import type { NewSecret } from './new-secret.ts';
import { shortLivedDays } from './secret-advice.ts';

const lockStatement = statement<readonly [clientId: string, ownerId: number], { locked: number }>(
  'application_lock',
  `SELECT 1 AS locked FROM application WHERE client_id = $1 AND owner_id = $2 AND type = 'confidential'
      AND jwks_uri IS NULL AND jwks IS NULL FOR NO KEY UPDATE`,
);

/** Locks an application with secrets until the transaction ends. False if the account owns no such application. */
export async function lockWithSecrets(tx: Queryable, ownerId: number, clientId: string): Promise<boolean> {
  return (await tx.query(lockStatement, [clientId, ownerId])).length > 0;
}

type InsertParams = readonly [
  clientId: string,
  sha256: Buffer,
  maxActive: number,
  name: string | null,
  expiresAt: Date | null,
];

const insertStatement = statement<InsertParams, { inserted: number }>(
  'application_secret_insert',
  `INSERT INTO application_secret (client_id, sha256, name, expires_at)
   SELECT $1::varchar, $2::bytea, $4::varchar, $5::timestamptz
    WHERE (SELECT count(*) FROM application_secret
            WHERE client_id = $1 AND (expires_at IS NULL OR expires_at > now())) < $3
   RETURNING 1 AS inserted`,
);

/** Adds a secret. False if `maxActive` are active already. The caller must have locked the application. */
export async function insertSecret(tx: Queryable, secret: SecretToInsert): Promise<boolean> {
  const { clientId, sha256, maxActive, name, expiresAt } = secret;
  const params = [clientId, Buffer.from(sha256, 'hex'), maxActive, name, expiresAt] as const;
  return (await tx.query(insertStatement, params)).length > 0;
}

interface SecretToInsert extends NewSecret {
  readonly clientId: string;
  readonly sha256: string;
  readonly maxActive: number;
}

const renameStatement = statement<
  readonly [id: string, clientId: string, ownerId: number, name: string | null],
  { readonly renamed: number }
>(
  'application_secret_rename',
  `UPDATE application_secret s SET name = $4 FROM application a
    WHERE s.id = $1 AND s.client_id = $2 AND a.client_id = s.client_id AND a.owner_id = $3
      AND (s.expires_at IS NULL OR s.expires_at > now()) RETURNING 1 AS renamed`,
);

interface OneSecret {
  readonly id: string;
  readonly clientId: string;
  readonly ownerId: number;
}

/** Renames an active secret; null: shown by its creation date. False if it has expired or the account does not own it. */
export async function renameSecret(db: Queryable, secret: OneSecret, name: string | null): Promise<boolean> {
  const { id, clientId, ownerId } = secret;
  return isSecretId(id) && (await db.query(renameStatement, [id, clientId, ownerId, name])).length > 0;
}

function isSecretId(id: string): boolean {
  return /^\d{1,16}$/.test(id);
}

/** SQL: the secret is active, and was not created for hours only, as those of the playground are. */
const lasts = (alias: string) => `(${alias}.expires_at IS NULL
     OR (${alias}.expires_at > now() AND ${alias}.expires_at > ${alias}.created_at + interval '${String(shortLivedDays)} days'))`;

const deleteStatement = statement<
  readonly [id: string, clientId: string, evenIfLast: boolean],
  { readonly existed: boolean; readonly isDeleted: boolean }
>(
  'application_secret_delete',
  `WITH gone AS (
     DELETE FROM application_secret s WHERE s.id = $1 AND s.client_id = $2
        AND ($3 OR NOT ${lasts('s')} OR EXISTS (
              SELECT 1 FROM application_secret other WHERE other.client_id = $2 AND other.id <> $1 AND ${lasts('other')}))
     RETURNING s.client_id
   ), raised AS (
     UPDATE application a SET epoch = epoch + 1 FROM gone WHERE a.client_id = gone.client_id RETURNING 1
   )
   SELECT EXISTS (SELECT 1 FROM raised) AS "isDeleted",
          EXISTS (SELECT 1 FROM application_secret s WHERE s.id = $1 AND s.client_id = $2) AS existed`,
);

/**
 * Deletes a secret, if it exists, and revokes the access tokens of the application. False if it is the last one with
 * which the application can get tokens, unless `evenIfLast`. The caller must have locked the application.
 */
export async function deleteSecret(
  tx: Queryable,
  { id, clientId, evenIfLast }: Omit<OneSecret, 'ownerId'> & { readonly evenIfLast: boolean },
): Promise<boolean> {
  if (!isSecretId(id)) return true;
  const [row] = await tx.query(deleteStatement, [id, clientId, evenIfLast]);
  return row === undefined || row.isDeleted || !row.existed;
}

const lockAnyStatement = statement<readonly [clientId: string], { type: string; keys: boolean }>(
  'application_lock_for_rotation',
  `SELECT type::text AS type, jwks_uri IS NOT NULL OR jwks IS NOT NULL AS keys FROM application
    WHERE client_id = $1 FOR NO KEY UPDATE`,
);

/** Locks an application of any owner. Undefined if it does not exist. */
export async function lockForRotation(tx: Queryable, clientId: string): Promise<'secrets' | 'no-secrets' | undefined> {
  const [row] = await tx.query(lockAnyStatement, [clientId]);
  if (row === undefined) return undefined;
  return row.type === 'confidential' && !row.keys ? 'secrets' : 'no-secrets';
}

const expireStatement = statement<readonly [clientId: string, seconds: number, kept: Buffer], never>(
  'application_secret_expire',
  `UPDATE application_secret SET expires_at = now() + make_interval(secs => $2)
    WHERE client_id = $1 AND sha256 <> $3 AND (expires_at IS NULL OR expires_at > now() + make_interval(secs => $2))`,
);

const deleteAllStatement = statement<readonly [clientId: string], never>(
  'application_secret_delete_all',
  `WITH gone AS (DELETE FROM application_secret WHERE client_id = $1)
   UPDATE application SET epoch = epoch + 1 WHERE client_id = $1`,
);

/** Deletes every secret and revokes the access tokens of the application. */
export async function deleteSecrets(tx: Queryable, clientId: string): Promise<void> {
  await tx.query(deleteAllStatement, [clientId]);
}

/** Makes every secret except `sha256` expire within so many seconds. */
export async function expireOtherSecrets(
  tx: Queryable,
  { clientId, sha256 }: Pick<SecretToInsert, 'clientId' | 'sha256'>,
  seconds: number,
): Promise<void> {
  await tx.query(expireStatement, [clientId, seconds, Buffer.from(sha256, 'hex')]);
}

/** Counts the uses of each secret and records the last one. */
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
