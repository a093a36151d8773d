/** Browser sessions. A row keeps its `uid` while the id in the cookie changes. A revoked session stays revoked. */

import type { Queryable } from '@linnet/db/statement/transaction';
import { retention } from '@linnet/db/keep/retention';
import { createSweep } from '@linnet/db/keep/sweep';
import { lookup, statement } from '@linnet/db/statement/statement';

interface SavedSession {
  readonly uid: string;
  readonly idSha256: Buffer;
  readonly accountId: number | null;
  /** Without `jti`. */
  readonly payload: object;
  readonly userAgent: string;
  readonly address: string;
  readonly expiresAt: Date;
}

const saveStatement = statement<
  readonly [
    uid: string,
    idSha256: Buffer,
    accountId: number | null,
    payload: string,
    userAgent: string,
    address: string,
    expiresAt: Date,
  ],
  { saved: number }
>(
  'session_save',
  // While the account stays the same, the session keeps the epoch of its sign-in: a higher epoch ends it.
  // ON CONFLICT (uid) DO UPDATE would fail now and then: while another request updates the row, PostgreSQL may miss
  // it in the index of `uid` and then report the duplicate in the index of `id_sha256`.
  `WITH given AS (
     SELECT $1::varchar AS uid, $2::bytea AS id_sha256, $3::bigint AS account_id,
       (SELECT epoch FROM account WHERE id = $3::bigint) AS login_epoch,
       $4::jsonb AS payload, $5::varchar AS user_agent, $6::varchar AS address, $7::timestamptz AS expires_at
   ), updated AS (
     UPDATE session s SET
       id_sha256 = given.id_sha256,
       account_id = given.account_id,
       login_epoch = CASE WHEN s.account_id = given.account_id THEN s.login_epoch ELSE given.login_epoch END,
       -- Two tabs may authorize two applications at once: merge their authorizations.
       payload = CASE WHEN s.account_id = given.account_id
         THEN given.payload || jsonb_build_object('authorizations',
                COALESCE(s.payload->'authorizations', '{}') || COALESCE(given.payload->'authorizations', '{}'))
         ELSE given.payload END,
       user_agent = given.user_agent,
       address = given.address,
       last_seen_at = now(),
       expires_at = given.expires_at
     FROM given
     WHERE s.uid = given.uid AND s.revoked_at IS NULL
       AND (s.account_id IS DISTINCT FROM given.account_id OR s.login_epoch IS NOT DISTINCT FROM given.login_epoch)
     RETURNING 1 AS saved
   ), inserted AS (
     INSERT INTO session (uid, id_sha256, account_id, login_epoch, payload, user_agent, address, expires_at)
     SELECT uid, id_sha256, account_id, login_epoch, payload, user_agent, address, expires_at FROM given
      WHERE NOT EXISTS (SELECT FROM updated)
     ON CONFLICT DO NOTHING
     RETURNING 1 AS saved
   )
   SELECT saved FROM updated UNION ALL SELECT saved FROM inserted`,
);

/** Returns false, and saves nothing, if the session was revoked or the account's epoch is higher. */
export async function saveSession(db: Queryable, session: SavedSession): Promise<boolean> {
  const { uid, idSha256, accountId, payload, userAgent, address, expiresAt } = session;
  const record = JSON.stringify(payload);
  const rows = await db.query(saveStatement, [uid, idSha256, accountId, record, userAgent, address, expiresAt]);
  return rows.length > 0;
}

type Payload = Readonly<Record<string, unknown>>;

const isActive = `s.revoked_at IS NULL AND s.expires_at > now()
  AND (s.account_id IS NULL OR s.login_epoch = (SELECT epoch FROM account WHERE id = s.account_id))`;

const findStatement = lookup<readonly [idSha256: Buffer], { payload: Payload }>(
  'session_find',
  ['bytea'],
  `SELECT s.payload FROM session s WHERE s.id_sha256 = $1 AND ${isActive}`,
);

export async function findSession(db: Queryable, idSha256: Buffer): Promise<Payload | undefined> {
  const [row] = await db.query(findStatement, [idSha256]);
  return row?.payload;
}

const findByUidStatement = lookup<readonly [uid: string], { payload: Payload }>(
  'session_find_uid',
  ['text'],
  `SELECT s.payload FROM session s WHERE s.uid = $1 AND ${isActive}`,
);

export async function findSessionByUid(db: Queryable, uid: string): Promise<Payload | undefined> {
  const [row] = await db.query(findByUidStatement, [uid]);
  return row?.payload;
}

const extendStatement = statement<readonly [uid: string, idSha256: Buffer, exp: number], { extended: number }>(
  'session_extend',
  // Changes nothing but the expiry: the provider may be saving the session in another request.
  `UPDATE session s SET last_seen_at = now(), expires_at = to_timestamp($3::bigint),
          payload = jsonb_set(s.payload, '{exp}', to_jsonb($3::bigint))
    WHERE s.uid = $1 AND s.id_sha256 = $2 AND ${isActive}
   RETURNING 1 AS extended`,
);

/** Extends a session to `exp` (seconds since 1970). Returns false if it is not active under this id. */
export async function extendSession(
  db: Queryable,
  session: { uid: string; idSha256: Buffer; exp: number },
): Promise<boolean> {
  const rows = await db.query(extendStatement, [session.uid, session.idSha256, session.exp]);
  return rows.length > 0;
}

const detachStatement = statement<readonly [idSha256: Buffer], never>(
  'session_detach',
  'UPDATE session SET id_sha256 = NULL WHERE id_sha256 = $1',
);

/** Invalidates the id in the cookie; the session may continue under another id. */
export async function detachSession(db: Queryable, idSha256: Buffer): Promise<void> {
  await db.query(detachStatement, [idSha256]);
}

const revokeStatement = statement<readonly [uid: string], never>(
  'session_revoke',
  'UPDATE session SET revoked_at = now(), id_sha256 = NULL WHERE uid = $1 AND revoked_at IS NULL',
);

/** Revokes a session permanently. */
export async function revokeSession(db: Queryable, uid: string): Promise<void> {
  await db.query(revokeStatement, [uid]);
}

/** Shortens the addresses of sessions, 7 days after their sign-in: to 24 bits of IPv4, and 48 of IPv6. */
export const shortenSessionAddresses = createSweep('session_address', {
  table: 'session',
  where: `created_at < now() - interval '${retention.session.address}' AND address <> '' AND position('/' IN address) = 0
    ORDER BY created_at`,
  set: `address = COALESCE(abbrev(shorten_address(parse_address(address))), '')`,
});
