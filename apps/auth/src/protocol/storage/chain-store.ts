/**
 * Each authorization is a chain below its grant: a code or device code, and all tokens that follow from it. Reuse ends the chain
 * (RFC 6749 §4.1.2, RFC 9700 §4.14); what the person granted stays, and so do their other sign-ins with the application. The
 * provider hands one grant id from the code to every token, so there it is `<grant>.<chain>`.
 */
import { randomBytes } from 'node:crypto';

import { isActiveGrant } from '@linnet/applications/grants/active-grant';
import { statement } from '@linnet/db/statement/statement';
import type { Queryable } from '@linnet/db/statement/transaction';

export interface Chain {
  readonly grantId: string;
  /** Undefined for what belongs to the grant itself. */
  readonly chainId: string | undefined;
}

/** The id that the provider gets for a new authorization. */
export function startChain(grantId: string): string {
  return `${grantId}.${randomBytes(16).toString('base64url')}`;
}

/** Reads the grant id of a code or token. */
export function parseChain(id: string): Chain {
  const [grantId = '', chainId] = id.split('.');
  return { grantId, chainId };
}

/** SQL condition: the chain with this id continues. NULL is no chain. */
export function isActiveChain(id: string): string {
  return `(SELECT true FROM ended_chain WHERE ended_chain.id = ${id}) IS NULL`;
}

const endStatement = statement<readonly [chainId: string, grantId: string], never>(
  'chain_end',
  `INSERT INTO ended_chain (id, grant_id) SELECT $1, id FROM "grant" WHERE id = $2 AND revoked_at IS NULL ON CONFLICT DO NOTHING`,
);

/** Ends a chain: its code and refresh tokens at once, its access tokens in every process within a second. */
export async function endChain(db: Queryable, chainId: string, grantId: string): Promise<void> {
  await db.query(endStatement, [chainId, grantId]);
}

const revokeUnusedStatement = statement<readonly [grantId: string], never>(
  'grant_revoke_unused',
  `UPDATE "grant" g SET revoked_at = now() WHERE g.id = $1 AND ${isActiveGrant('g')} AND NOT EXISTS (
     SELECT 1 FROM oauth_artifact a WHERE a.grant_id = g.id AND a.expires_at > now() AND ${isActiveChain('a.chain_id')}
       AND (a.consumed_at IS NULL OR (a.successor_sha256 IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM oauth_artifact s WHERE s.kind = 'RefreshToken' AND s.id_sha256 = a.successor_sha256))))`,
);

/** Revokes a grant below which nothing is left that gives tokens, such as a refresh to repeat whose successor was never stored. */
export async function revokeUnusedGrant(db: Queryable, grantId: string): Promise<void> {
  await db.query(revokeUnusedStatement, [grantId]);
}
