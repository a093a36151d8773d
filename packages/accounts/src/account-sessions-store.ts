/** The sessions of an account, by their uid, which does not change when the id in the cookie does. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

export interface AccountSession {
  readonly uid: string;
  /** Empty if the browser sent none. */
  readonly userAgent: string;
  readonly address: string;
  readonly signedInAt: Date;
  readonly lastSeenAt: Date;
}

interface Row {
  readonly uid: string;
  readonly user_agent: string;
  readonly address: string;
  readonly signed_in_at: Date;
  readonly last_seen_at: Date;
}

const activeSessions = `FROM session s JOIN account a ON a.id = s.account_id
    WHERE s.account_id = $1 AND s.revoked_at IS NULL AND s.expires_at > now() AND s.login_epoch = a.epoch`;

const findStatement = statement<readonly [accountId: number, limit: number, offset: number], Row>(
  'session_of_account',
  `SELECT s.uid, s.user_agent, s.address, s.last_seen_at,
          COALESCE(to_timestamp((s.payload ->> 'loginTs')::bigint), s.created_at) AS signed_in_at
     ${activeSessions}
    ORDER BY s.last_seen_at DESC, s.uid LIMIT $2 OFFSET $3`,
);

/** Active sessions, last used first. */
export async function findAccountSessions(
  db: Queryable,
  accountId: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<readonly AccountSession[]> {
  const rows = await db.query(findStatement, [accountId, limit, offset]);
  return rows.map((row) => ({
    uid: row.uid,
    userAgent: row.user_agent,
    address: row.address,
    signedInAt: row.signed_in_at,
    lastSeenAt: row.last_seen_at,
  }));
}

const countStatement = statement<readonly [accountId: number], { readonly number: number }>(
  'session_count_of_account',
  `SELECT count(*) AS number ${activeSessions}`,
);

/** The number of active sessions. */
export async function countAccountSessions(db: Queryable, accountId: number): Promise<number> {
  const [row] = await db.query(countStatement, [accountId]);
  return row?.number ?? 0;
}

const endStatement = statement<readonly [uid: string, accountId: number], { ended: number }>(
  'session_end',
  `UPDATE session SET revoked_at = now(), id_sha256 = NULL WHERE uid = $1 AND account_id = $2 AND revoked_at IS NULL
   RETURNING 1 AS ended`,
);

/** Returns false if the account has no such active session. */
export async function endAccountSession(db: Queryable, accountId: number, uid: string): Promise<boolean> {
  return (await db.query(endStatement, [uid, accountId])).length > 0;
}
