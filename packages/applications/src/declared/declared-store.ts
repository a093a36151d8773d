/** What `linnet apply` and `linnet export` need of applications and APIs besides their settings. */
import { statement } from '@linnet/db/statement/statement';
import type { Queryable } from '@linnet/db/statement/transaction';

import type { PublicKeySet } from '../secrets/client-keys.ts';

export interface DeclaredFacts {
  readonly clientId: string;
  readonly isDeclared: boolean;
  readonly jwks: PublicKeySet | null;
  /** Hex SHA-256 of the secrets that do not expire, sorted. */
  readonly secrets: readonly string[];
}

const factsStatement = statement<readonly [], DeclaredFacts>(
  'declared_applications',
  `SELECT a.client_id AS "clientId", a.declared AS "isDeclared", a.jwks,
          ARRAY(SELECT encode(s.sha256, 'hex') FROM application_secret s
                 WHERE s.client_id = a.client_id AND s.expires_at IS NULL ORDER BY 1) AS secrets
     FROM application a WHERE a.owner_id IS NOT NULL`,
);

/** Of every application with an owner. */
export async function findDeclaredFacts(db: Queryable): Promise<readonly DeclaredFacts[]> {
  return await db.query(factsStatement, []);
}

const apisStatement = statement<readonly [], { readonly identifier: string }>(
  'declared_apis',
  'SELECT identifier FROM resource_server WHERE declared',
);

/** The identifiers of the APIs that a file has declared. */
export async function findDeclaredApis(db: Queryable): Promise<readonly string[]> {
  return (await db.query(apisStatement, [])).map(({ identifier }) => identifier);
}

const markStatement = statement<readonly [clientIds: readonly string[], identifiers: readonly string[]], never>(
  'declared_mark',
  `WITH api AS (UPDATE resource_server SET declared = true WHERE identifier = ANY($2::text[]) AND NOT declared)
   UPDATE application SET declared = true WHERE client_id = ANY($1::text[]) AND NOT declared`,
);

/** Notes that a file has declared them. */
export async function markDeclared(
  db: Queryable,
  clientIds: readonly string[],
  identifiers: readonly string[],
): Promise<void> {
  await db.query(markStatement, [clientIds, identifiers]);
}

const removeStatement = statement<readonly [clientId: string, kept: readonly Buffer[]], never>(
  'declared_secrets_remove',
  `WITH gone AS (
     DELETE FROM application_secret WHERE client_id = $1 AND expires_at IS NULL AND sha256 <> ALL ($2::bytea[]) RETURNING 1
   )
   UPDATE application SET epoch = epoch + 1 WHERE client_id = $1 AND EXISTS (SELECT 1 FROM gone)`,
);

const keepStatement = statement<readonly [clientId: string, kept: readonly Buffer[]], never>(
  'declared_secrets_keep',
  `WITH kept AS (
     UPDATE application_secret SET expires_at = NULL WHERE client_id = $1 AND expires_at IS NOT NULL AND sha256 = ANY ($2::bytea[])
   )
   INSERT INTO application_secret (client_id, sha256)
   SELECT $1, given FROM unnest($2::bytea[]) AS given
    WHERE NOT EXISTS (SELECT 1 FROM application_secret s WHERE s.client_id = $1 AND s.sha256 = given)`,
);

/**
 * Makes these the only secrets that do not expire. Access tokens are revoked if one is removed. The caller must have locked
 * the application.
 */
export async function replaceLastingSecrets(tx: Queryable, clientId: string, sha256: readonly string[]): Promise<void> {
  const kept = sha256.map((one) => Buffer.from(one, 'hex'));
  await tx.query(removeStatement, [clientId, kept]);
  await tx.query(keepStatement, [clientId, kept]);
}
