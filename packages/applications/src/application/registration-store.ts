/** Writes applications. Callers combine steps in transactions. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import type { ApplicationType } from './application-type.ts';
import type { ParsedAuthentication } from '../secrets/authentication-change.ts';
import { generateGrantId } from './application.ts';
import {
  givenColumns,
  givenSettings,
  isAnyNarrower,
  setGivenColumns,
  settingColumns,
  toColumns,
} from '../settings/protocol-settings.ts';
import type { ParsedSettings } from '../settings/settings.ts';

export interface NewApplication extends ParsedSettings {
  readonly clientId: string;
  /** Null: it registers itself, or has a metadata document. */
  readonly ownerId: number | null;
  readonly type: ApplicationType;
  /** Hex SHA-256; undefined for an application without secrets. */
  readonly secretSha256: string | undefined;
  /** Hex SHA-256 of the token that manages the registration; only of an application without an owner. */
  readonly registrationTokenSha256?: string | undefined;
}

const insertStatement = statement<
  readonly [
    clientId: string,
    ownerId: number | null,
    name: string,
    type: ApplicationType,
    scopes: readonly string[],
    protocol: string,
    redirectUris: readonly string[],
    secretSha256: Buffer | null,
    actingGrantId: string | null,
    jwksUri: string | null,
    jwks: string | null,
    optionalScopes: readonly string[],
    scopeReasons: string,
    registrationTokenSha256: Buffer | null,
  ],
  never
>(
  'application_insert',
  `WITH application AS (
     INSERT INTO application (client_id, owner_id, name, type, scopes, jwks_uri, jwks, optional_scopes, scope_reasons,
       registration_token_sha256, ${settingColumns})
     SELECT $1, $2, $3, $4::application_type, $5::text[], $10, $11::jsonb, $12::text[], $13::jsonb, $14::bytea, ${givenColumns}
       FROM ${givenSettings('$6')}
   ), redirect_uri AS (
     INSERT INTO redirect_uri (client_id, position, uri)
     SELECT $1, given.position - 1, given.uri FROM unnest($7::text[]) WITH ORDINALITY AS given (uri, position)
   ), application_secret AS (
     INSERT INTO application_secret (client_id, sha256) SELECT $1, $8::bytea WHERE $8 IS NOT NULL
   )
   INSERT INTO "grant" (id, account_id, client_id, kind, scopes)
   SELECT $9::varchar, $2, $1, 'act_as_owner', '{}' WHERE $9 IS NOT NULL`,
);

/** Inserts the application with its redirect URIs, secret and grant, in one statement. */
export async function insertApplication(db: Queryable, application: NewApplication): Promise<void> {
  const { clientId, ownerId, name, type, scopes, redirectUris, secretSha256 } = application;
  const secret = secretSha256 === undefined ? null : Buffer.from(secretSha256, 'hex');
  const grantId = application.actAsOwner ? generateGrantId() : null;
  await db.query(insertStatement, [
    clientId,
    ownerId,
    name,
    type,
    scopes,
    toColumns(application.protocol),
    redirectUris,
    secret,
    grantId,
    application.jwksUri ?? null,
    application.jwks === undefined ? null : JSON.stringify(application.jwks),
    application.optionalScopes,
    JSON.stringify(application.scopeReasons),
    application.registrationTokenSha256 === undefined ? null : Buffer.from(application.registrationTokenSha256, 'hex'),
  ]);
}

const lockOwnerStatement = statement<readonly [ownerId: number], never>(
  'application_lock_owner',
  'SELECT 1 FROM account WHERE id = $1 FOR NO KEY UPDATE',
);

const countStatement = statement<readonly [ownerId: number], { count: number }>(
  'application_count',
  'SELECT count(*) AS count FROM application WHERE owner_id = $1',
);

/** Counts the applications of an account. Locks the account, so that no other transaction can add one. */
export async function countApplications(tx: Queryable, ownerId: number): Promise<number> {
  await tx.query(lockOwnerStatement, [ownerId]);
  const [row] = await tx.query(countStatement, [ownerId]);
  if (row === undefined) throw new Error('the statement application_count returned no row');
  return row.count;
}

const updateStatement = statement<
  readonly [
    clientId: string,
    ownerId: number | null,
    name: string,
    scopes: readonly string[],
    protocol: string,
    jwksUri: string | null,
    optionalScopes: readonly string[],
    scopeReasons: string,
    replacesKeys: boolean,
    jwks: string | null,
  ],
  { updated: number }
>(
  'application_update',
  // A change that allows less raises the epoch, which revokes earlier tokens.
  `UPDATE application SET name = $3, scopes = $4, jwks_uri = CASE WHEN $9 THEN $6 ELSE COALESCE($6, application.jwks_uri) END,
          jwks = CASE WHEN $9 THEN $10::jsonb ELSE application.jwks END,
          optional_scopes = $7, scope_reasons = $8::jsonb, ${setGivenColumns},
          epoch = application.epoch + CASE
            WHEN NOT COALESCE(application.scopes, '{}') <@ $4::text[] OR ${isAnyNarrower} THEN 1 ELSE 0 END
     FROM ${givenSettings('$5')}
    WHERE application.client_id = $1 AND application.owner_id IS NOT DISTINCT FROM $2
   RETURNING 1 AS updated`,
);

const clearRedirectUrisStatement = statement<readonly [clientId: string], never>(
  'redirect_uri_clear',
  'DELETE FROM redirect_uri WHERE client_id = $1',
);

const addRedirectUrisStatement = statement<readonly [clientId: string, uris: readonly string[]], never>(
  'redirect_uri_add',
  `INSERT INTO redirect_uri (client_id, position, uri)
   SELECT $1, given.position - 1, given.uri FROM unnest($2::text[]) WITH ORDINALITY AS given (uri, position)`,
);

/** The caller provides the transaction. */
export async function replaceRedirectUris(tx: Queryable, clientId: string, uris: readonly string[]): Promise<void> {
  await tx.query(clearRedirectUrisStatement, [clientId]);
  await tx.query(addRedirectUrisStatement, [clientId, uris]);
}

const actAsOwnerStatement = statement<readonly [clientId: string, ownerId: number, grantId: string], never>(
  'grant_act_as_owner',
  `INSERT INTO "grant" (id, account_id, client_id, kind, scopes)
   SELECT $3, $2, client_id, 'act_as_owner', '{}' FROM application WHERE client_id = $1 AND type = 'confidential'
   ON CONFLICT (client_id) WHERE kind = 'act_as_owner' AND revoked_at IS NULL DO NOTHING`,
);

const revokeActAsOwnerStatement = statement<readonly [clientId: string], never>(
  'grant_revoke_act_as_owner',
  `UPDATE "grant" SET revoked_at = now() WHERE client_id = $1 AND kind = 'act_as_owner' AND revoked_at IS NULL`,
);

interface ApplicationUpdate extends ParsedSettings {
  readonly clientId: string;
  readonly ownerId: number | null;
  /** Replaces the keys; by default they stay, apart from the JWKS URI. */
  readonly authentication?: ParsedAuthentication | undefined;
}

/**
 * Replaces the settings; the caller provides the transaction. `ownerId` is null for an application that registered itself.
 * False if the account does not own the application.
 */
export async function updateApplication(
  tx: Queryable,
  { clientId, ownerId, authentication, ...settings }: ApplicationUpdate,
): Promise<boolean> {
  const { name, scopes, redirectUris, actAsOwner } = settings;
  const { jwksUri, jwks } = authentication?.keys ?? { jwksUri: settings.jwksUri, jwks: undefined };
  const updated = await tx.query(updateStatement, [
    clientId,
    ownerId,
    name,
    scopes,
    toColumns(settings.protocol),
    jwksUri ?? null,
    settings.optionalScopes,
    JSON.stringify(settings.scopeReasons),
    authentication !== undefined,
    jwks === undefined ? null : JSON.stringify(jwks),
  ]);
  if (updated.length === 0) return false;
  await replaceRedirectUris(tx, clientId, redirectUris);
  // An active grant is kept, so that tokens issued under it remain valid.
  if (actAsOwner && ownerId !== null) await tx.query(actAsOwnerStatement, [clientId, ownerId, generateGrantId()]);
  else await tx.query(revokeActAsOwnerStatement, [clientId]);
  return true;
}

const deleteStatement = statement<readonly [clientId: string, ownerId: number], { deleted: number }>(
  'application_delete',
  'DELETE FROM application WHERE client_id = $1 AND owner_id = $2 RETURNING 1 AS deleted',
);

/** Deletes an application with everything that references it. False if the account does not own it. */
export async function deleteApplication(db: Queryable, ownerId: number, clientId: string): Promise<boolean> {
  return (await db.query(deleteStatement, [clientId, ownerId])).length > 0;
}

const deleteAnyStatement = statement<readonly [clientId: string], { deleted: number }>(
  'application_delete_any',
  'DELETE FROM application WHERE client_id = $1 RETURNING 1 AS deleted',
);

/** Deletes an application of any owner, for operators. */
export async function deleteAnyApplication(db: Queryable, clientId: string): Promise<boolean> {
  return (await db.query(deleteAnyStatement, [clientId])).length > 0;
}
