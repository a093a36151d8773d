/** Consents: inserted once, afterwards changed only while they live, so that none rises from the dead. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import type { GrantEpochs } from './issue-epochs.ts';

export interface SavedGrant {
  readonly id: string;
  readonly accountId: number;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** The provider's record without `jti`. */
  readonly payload: object;
}

const saveStatement = statement<
  readonly [id: string, accountId: number, clientId: string, scopes: readonly string[], payload: string],
  { saved: number }
>(
  'grant_save',
  // Waits for whoever is ending the account's grants and sessions: the grant is among those, or its session is over.
  `INSERT INTO "grant" (id, account_id, client_id, kind, scopes, payload)
   SELECT $1::varchar, living.id, $3::varchar, 'consent', $4::text[], $5::jsonb
     FROM (SELECT id FROM account WHERE id = $2 AND suspended_at IS NULL AND deleted_at IS NULL FOR SHARE) AS living
   ON CONFLICT (id) DO UPDATE SET scopes = EXCLUDED.scopes, payload = EXCLUDED.payload
     WHERE "grant".revoked_at IS NULL
       AND "grant".account_id = EXCLUDED.account_id AND "grant".client_id = EXCLUDED.client_id
   RETURNING 1 AS saved`,
);

/** Tells whether it was saved; a revoked grant is not, nor one of a suspended account. */
export async function saveGrant(
  db: Queryable,
  { id, accountId, clientId, scopes, payload }: SavedGrant,
): Promise<boolean> {
  const rows = await db.query(saveStatement, [id, accountId, clientId, scopes, JSON.stringify(payload)]);
  return rows.length > 0;
}

type Payload = Readonly<Record<string, unknown>>;

/** A consent that lives, and the epochs that tokens are issued with for it. */
export interface FoundGrant {
  readonly payload: Payload;
  readonly epochs: GrantEpochs;
}

const findStatement = statement<
  readonly [id: string],
  { payload: Payload; grant_epoch: number; account_epoch: number }
>(
  'grant_find',
  `SELECT g.payload, g.epoch AS grant_epoch, a.epoch AS account_epoch
     FROM "grant" g JOIN account a ON a.id = g.account_id
    WHERE g.id = $1 AND g.kind = 'consent' AND g.revoked_at IS NULL`,
);

export async function findGrant(db: Queryable, id: string): Promise<FoundGrant | undefined> {
  const [row] = await db.query(findStatement, [id]);
  if (row === undefined) return undefined;
  return { payload: row.payload, epochs: { grant: row.grant_epoch, account: row.account_epoch } };
}

const findOfStatement = statement<readonly [accountId: number, clientId: string], { id: string }>(
  'grant_find_of',
  `SELECT id FROM "grant"
    WHERE account_id = $1 AND client_id = $2 AND kind = 'consent' AND revoked_at IS NULL
    ORDER BY created_at DESC LIMIT 1`,
);

/** The consent an account gave an application before. */
export async function findGrantIdOf(db: Queryable, accountId: number, clientId: string): Promise<string | undefined> {
  const [row] = await db.query(findOfStatement, [accountId, clientId]);
  return row?.id;
}

const revokeStatement = statement<readonly [id: string], never>(
  'grant_revoke',
  'UPDATE "grant" SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL',
);

/** Ends a grant and with it whatever hangs on it, access tokens included. */
export async function revokeGrant(db: Queryable, id: string): Promise<void> {
  await db.query(revokeStatement, [id]);
}

const revokeOfArtifactStatement = statement<readonly [kind: string, idSha256: Buffer], never>(
  'grant_revoke_of_artifact',
  `UPDATE "grant" g SET revoked_at = now() FROM oauth_artifact a
    WHERE a.kind = $1 AND a.id_sha256 = $2 AND g.id = a.grant_id AND g.revoked_at IS NULL`,
);

/** The same for the grant that a code or a refresh token hangs on. */
export async function revokeGrantOfArtifact(db: Queryable, kind: string, idSha256: Buffer): Promise<void> {
  await db.query(revokeOfArtifactStatement, [kind, idSha256]);
}
