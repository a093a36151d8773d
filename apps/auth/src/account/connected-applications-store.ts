/** What an account allows applications: consents, and applications of its own that act as it. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

/** An application with living grants of an account, taken together. */
export interface ConnectedGrants {
  readonly clientId: string;
  readonly name: string;
  readonly ownerUsername: string;
  readonly scopes: readonly string[];
  /** Since the first of the grants. */
  readonly connectedAt: Date;
  readonly actsAsOwner: boolean;
}

interface Row {
  readonly client_id: string;
  readonly name: string;
  readonly owner: string;
  readonly scopes: readonly (readonly string[])[];
  readonly connected_at: Date;
  readonly acts_as_owner: boolean;
}

const findStatement = statement<readonly [accountId: number], Row>(
  'grant_connected',
  // An application that acts as its owner may do whatever it registered.
  `SELECT a.client_id, a.name, o.username AS owner,
          json_agg(CASE g.kind WHEN 'act_as_owner' THEN COALESCE(a.scopes, '{}') ELSE COALESCE(g.scopes, '{}') END
                   ORDER BY g.created_at) AS scopes,
          min(g.created_at) AS connected_at,
          bool_or(g.kind = 'act_as_owner') AS acts_as_owner
     FROM "grant" g JOIN application a ON a.client_id = g.client_id JOIN account o ON o.id = a.owner_id
    WHERE g.account_id = $1 AND g.revoked_at IS NULL
    GROUP BY a.client_id, o.id
    ORDER BY min(g.created_at) DESC, a.client_id`,
);

/** The latest connected first. */
export async function findConnectedApplications(db: Queryable, accountId: number): Promise<readonly ConnectedGrants[]> {
  const rows = await db.query(findStatement, [accountId]);
  return rows.map((row) => ({
    clientId: row.client_id,
    name: row.name,
    ownerUsername: row.owner,
    scopes: [...new Set(row.scopes.flat())],
    connectedAt: row.connected_at,
    actsAsOwner: row.acts_as_owner,
  }));
}

const disconnectStatement = statement<readonly [accountId: number, clientId: string], { ended: number }>(
  'grant_disconnect',
  `UPDATE "grant" SET revoked_at = now() WHERE account_id = $1 AND client_id = $2 AND revoked_at IS NULL
   RETURNING 1 AS ended`,
);

/** Ends every grant of the account to the application, and with them its codes and refresh tokens; tells whether there was one. */
export async function disconnectApplication(db: Queryable, accountId: number, clientId: string): Promise<boolean> {
  return (await db.query(disconnectStatement, [accountId, clientId])).length > 0;
}

const revokeConsentsStatement = statement<readonly [accountId: number], never>(
  'grant_revoke_consents',
  `UPDATE "grant" SET revoked_at = now() WHERE account_id = $1 AND kind = 'consent' AND revoked_at IS NULL`,
);

/** Ends what the account allowed applications of others: they have to ask again (checklist RT8). */
export async function revokeConsents(tx: Queryable, accountId: number): Promise<void> {
  await tx.query(revokeConsentsStatement, [accountId]);
}
