/** Applications connected to an account: by consent, or because they act as their owner. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { findApis } from '../apis/api-store.ts';
import type { RegisteredApi } from '../apis/api-store.ts';
import { findIdentifiers } from '../apis/api-scopes.ts';
import { describeScopes } from './requested-scope.ts';
import type { RequestedScope } from './requested-scope.ts';
import { isActiveGrant } from './active-grant.ts';

/** An application with all its active grants of one account. */
export interface ConnectedApplication {
  readonly clientId: string;
  readonly name: string;
  /** Undefined: it registered itself. */
  readonly ownerUsername: string | undefined;
  readonly scopes: readonly RequestedScope[];
  /** The part of `scopes` that was granted by consent. Optional ones can be revoked separately. */
  readonly consented: readonly RequestedScope[];
  /** When the first of the grants was created. */
  readonly connectedAt: Date;
  /** When it last received tokens through a consent. */
  readonly lastUsedAt: Date | undefined;
  /** Its sign-ins that can get tokens: one for each browser or device. */
  readonly signIns: number;
  /** Expiry of the consent that lasts longest; undefined: does not expire. */
  readonly expiresAt: Date | undefined;
  readonly actsAsOwner: boolean;
  /** Whether one of the grants is a consent. */
  readonly hasConsent: boolean;
}

interface Row {
  readonly client_id: string;
  readonly name: string;
  readonly owner: string | null;
  readonly registered: readonly string[];
  readonly optional_scopes: readonly string[];
  readonly scope_reasons: Readonly<Record<string, string>>;
  readonly consented: readonly (readonly string[])[];
  readonly connected_at: Date;
  readonly last_used_at: Date | null;
  readonly sign_ins: number;
  readonly ends_at: Date | null;
  readonly acts_as_owner: boolean;
  readonly has_consent: boolean;
}

type FindParams = readonly [accountId: number, clientId: string | null, limit: number, offset: number];

const findStatement = statement<FindParams, Row>(
  'grant_connected',
  `SELECT a.client_id, a.name, o.username AS owner,
          COALESCE(a.scopes, '{}') AS registered, a.optional_scopes, a.scope_reasons,
          COALESCE(json_agg(g.scopes ORDER BY g.created_at) FILTER (WHERE g.kind = 'consent'), '[]') AS consented,
          min(g.created_at) AS connected_at, max(used.at) AS last_used_at, COALESCE(sum(used.sign_ins), 0)::integer AS sign_ins,
          CASE WHEN bool_or(g.kind = 'consent' AND g.ends_at IS NULL) THEN NULL ELSE max(g.ends_at) END AS ends_at,
          bool_or(g.kind = 'act_as_owner') AS acts_as_owner, bool_or(g.kind = 'consent') AS has_consent
     FROM "grant" g JOIN application a ON a.client_id = g.client_id LEFT JOIN account o ON o.id = a.owner_id
     LEFT JOIN LATERAL (SELECT max(t.created_at) AS at, count(DISTINCT t.chain_id) FILTER (
                                 WHERE t.consumed_at IS NULL AND t.expires_at > now() AND e.id IS NULL) AS sign_ins
                          FROM oauth_artifact t LEFT JOIN ended_chain e ON e.id = t.chain_id
                         WHERE t.grant_id = g.id AND t.kind = 'RefreshToken') AS used ON true
    WHERE g.account_id = $1 AND ($2::varchar IS NULL OR g.client_id = $2::varchar) AND ${isActiveGrant('g')}
    GROUP BY a.client_id, o.id
    ORDER BY min(g.created_at) DESC, a.client_id LIMIT $3 OFFSET $4`,
);

/** Most recently connected first. */
export async function findConnectedApplications(
  db: Queryable,
  accountId: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<readonly ConnectedApplication[]> {
  return await describeRows(db, await db.query(findStatement, [accountId, null, limit, offset]));
}

const countStatement = statement<readonly [accountId: number], { readonly number: number }>(
  'grant_connected_count',
  `SELECT count(DISTINCT g.client_id) AS number FROM "grant" g WHERE g.account_id = $1 AND ${isActiveGrant('g')}`,
);

/** The number of connected applications. */
export async function countConnectedApplications(db: Queryable, accountId: number): Promise<number> {
  const [row] = await db.query(countStatement, [accountId]);
  return row?.number ?? 0;
}

/** Undefined if it is not connected. */
export async function findConnectedApplication(
  db: Queryable,
  accountId: number,
  clientId: string,
): Promise<ConnectedApplication | undefined> {
  const [connected] = await describeRows(db, await db.query(findStatement, [accountId, clientId, 1, 0]));
  return connected;
}

/** Looks registered APIs up only for applications that have scopes of one. */
async function describeRows(db: Queryable, rows: readonly Row[]): Promise<readonly ConnectedApplication[]> {
  const apis = await findApis(db, findIdentifiers(rows.flatMap(({ consented }) => consented.flat())));
  return rows.map((row) => toConnected(row, apis));
}

function toConnected(row: Row, apis: readonly RegisteredApi[]): ConnectedApplication {
  const { registered, optional_scopes: optionalScopes, scope_reasons: scopeReasons } = row;
  // An application that acts as its owner may use every registered scope.
  const asOwner = row.acts_as_owner ? registered : [];
  const registration = { scopes: registered, optionalScopes, scopeReasons };
  const describe = (names: readonly string[]) => describeScopes([...new Set(names)], registration, apis);
  const consented = row.consented.flat();
  return {
    clientId: row.client_id,
    name: row.name,
    ownerUsername: row.owner ?? undefined,
    scopes: describe([...asOwner, ...consented]),
    consented: describe(consented),
    connectedAt: row.connected_at,
    lastUsedAt: row.last_used_at ?? undefined,
    signIns: row.sign_ins,
    expiresAt: row.ends_at ?? undefined,
    actsAsOwner: row.acts_as_owner,
    hasConsent: row.has_consent,
  };
}

const disconnectStatement = statement<readonly [accountId: number, clientId: string], { revoked: number }>(
  'grant_disconnect',
  `UPDATE "grant" SET revoked_at = now() WHERE account_id = $1 AND client_id = $2 AND revoked_at IS NULL
   RETURNING 1 AS revoked`,
);

/** Revokes every grant of the account to the application, with its codes and tokens. False if there was none. */
export async function disconnectApplication(db: Queryable, accountId: number, clientId: string): Promise<boolean> {
  return (await db.query(disconnectStatement, [accountId, clientId])).length > 0;
}

const revokeAllStatement = statement<readonly [accountId: number], never>(
  'grant_revoke_all',
  'UPDATE "grant" SET revoked_at = now() WHERE account_id = $1 AND revoked_at IS NULL',
);

/**
 * Revokes every grant of an account: consents, and those of its own applications that act as it. Every remedy against
 * a takeover calls this in its transaction (docs/evidence/guarantees.md#remedies, checklist RT8).
 */
export async function revokeAllGrants(tx: Queryable, accountId: number): Promise<void> {
  await tx.query(revokeAllStatement, [accountId]);
}
