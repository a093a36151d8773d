/** Whom the providers of SIGN_IN_PROVIDERS sign in, what their rules say about operators, and the end of all ways in but the password. */
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { isKept } from './deletion-period.ts';
import { hasFactor } from './operators/role-store.ts';

/** A person as a provider knows them. An issuer never gives a subject to another person (OpenID Connect Core §2). */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** A provider that is linked to an account. */
export interface LinkedIdentity {
  readonly id: number;
  readonly issuer: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

interface Owner {
  readonly accountId: number;
  /** It is suspended or deleted. */
  readonly isHidden: boolean;
  /** It is a registration that waits for an operator. */
  readonly isWaiting: boolean;
}

const ownerStatement = statement<readonly [issuer: string, subject: string], Owner>(
  'identity_owner',
  `UPDATE upstream_identity u SET last_used_at = now() WHERE issuer = $1 AND subject = $2
     AND (EXISTS (SELECT FROM account a WHERE a.id = u.account_id AND ${isKept('a')})
       OR EXISTS (SELECT FROM registration_request r WHERE r.id = u.account_id))
   RETURNING account_id AS "accountId", EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.hidden_at IS NOT NULL) AS "isHidden",
     NOT EXISTS (SELECT FROM account a WHERE a.id = account_id) AS "isWaiting"`,
);

/** The account that the person signs in to; undefined if there is none. Records the use. */
export async function useIdentity(db: Queryable, { issuer, subject }: Identity): Promise<Owner | undefined> {
  return (await db.query(ownerStatement, [issuer, subject]))[0];
}

const listStatement = statement<readonly [accountId: number], LinkedIdentity>(
  'identity_list',
  `SELECT id, issuer, name, created_at AS "createdAt", last_used_at AS "lastUsedAt"
     FROM upstream_identity WHERE account_id = $1 ORDER BY created_at, id`,
);

/** Oldest first. */
export async function findIdentities(db: Queryable, accountId: number): Promise<readonly LinkedIdentity[]> {
  return await db.query(listStatement, [accountId]);
}

const insertStatement = statement<
  readonly [accountId: number, issuer: string, subject: string, name: string],
  { readonly id: number }
>(
  'identity_insert',
  `INSERT INTO upstream_identity (account_id, issuer, subject, name, last_used_at)
   VALUES ($1, $2, $3, $4, now()) ON CONFLICT DO NOTHING RETURNING id`,
);

/** Returns false if the person is linked to an account, or the account to another person of the provider. */
export async function linkIdentity(
  db: Pick<Queryable, 'query'>,
  accountId: number,
  { issuer, subject, name }: Identity & { readonly name: string },
): Promise<boolean> {
  return (await db.query(insertStatement, [accountId, issuer, subject, name])).length > 0;
}

/** SQL condition: somebody other than the account `a` can act as an operator. */
const hasOtherOperator = `EXISTS (SELECT FROM account o WHERE o.id <> a.id AND o.operator_since IS NOT NULL AND o.hidden_at IS NULL)`;

const deleteStatement = statement<readonly [accountId: number, id: number], { readonly issuer: string }>(
  'identity_delete',
  // Without another way in, the account would be lost. A password is always one.
  `WITH a AS (SELECT id FROM account WHERE id = $1 FOR NO KEY UPDATE), gone AS (
     DELETE FROM upstream_identity u USING a WHERE u.account_id = a.id AND u.id = $2
        AND (EXISTS (SELECT FROM passkey WHERE account_id = $1)
          OR EXISTS (SELECT FROM account WHERE id = $1 AND password_hash <> '-'))
     RETURNING u.issuer, u.gave_role
   ), ended AS (
     UPDATE account a SET operator_since = NULL WHERE id = $1 AND operator_since IS NOT NULL
        AND EXISTS (SELECT FROM gone WHERE gave_role) AND ${hasOtherOperator}
   )
   SELECT issuer FROM gone`,
);

const othersStatement = statement<readonly [accountId: number, issuer: string, ownUid: string], never>(
  'identity_other_sessions_end',
  `UPDATE session SET revoked_at = now(), id_sha256 = NULL
    WHERE account_id = $1 AND issuer = $2 AND uid <> $3 AND revoked_at IS NULL`,
);

/**
 * Ends the role that its rule gave, too, and the sessions that began with it, except that of the person. Returns false if it does not
 * exist, or is the only way in.
 */
export async function unlinkIdentity(
  db: Pick<Transactional, 'transaction'>,
  { accountId, uid }: { readonly accountId: number; readonly uid: string },
  id: number,
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const [gone] = await tx.query(deleteStatement, [accountId, id]);
    // A statement of its own sees the sessions for which the first one had to wait (bindSession).
    if (gone !== undefined) await tx.query(othersStatement, [accountId, gone.issuer, uid]);
    return gone !== undefined;
  });
}

const waysStatement = statement<
  readonly [accountId: number],
  { readonly hasPassword: boolean; readonly hasPasskey: boolean }
>(
  'identity_other_ways',
  `SELECT password_hash <> '-' AS "hasPassword", EXISTS (SELECT FROM passkey p WHERE p.account_id = a.id) AS "hasPasskey"
     FROM account a WHERE id = $1`,
);

/** The ways in besides linked providers. */
export async function findOtherWaysIn(db: Queryable, accountId: number) {
  const [ways] = await db.query(waysStatement, [accountId]);
  return ways ?? { hasPassword: false, hasPasskey: false };
}

const addressStatement = statement<
  readonly [emailCi: string],
  { readonly accountId: number; readonly username: string; readonly isProven: boolean }
>(
  'identity_address_owner',
  `SELECT id AS "accountId", username, email_verified_at IS NOT NULL AS "isProven" FROM account a
    WHERE email_ci = $1 AND ${isKept('a')}`,
);

/** The account that has the address. */
export async function findAddressOwner(db: Queryable, email: string) {
  return (await db.query(addressStatement, [email.toLowerCase()]))[0];
}

const giveStatement = statement<readonly [issuer: string, subject: string], never>(
  'identity_give_role',
  // An account without a factor cannot act as an operator, and a factor that is newer than the role ends it (decisions D122).
  `WITH given AS (
     UPDATE account a SET operator_since = now() FROM upstream_identity u
      WHERE u.issuer = $1 AND u.subject = $2 AND a.id = u.account_id
        AND a.operator_since IS NULL AND a.hidden_at IS NULL AND ${hasFactor} RETURNING a.id
   )
   UPDATE upstream_identity SET gave_role = true WHERE issuer = $1 AND subject = $2 AND account_id IN (SELECT id FROM given)`,
);

const takeStatement = statement<readonly [issuer: string, subject: string], never>(
  'identity_take_role',
  // The lock serializes two that end at once: the second stays.
  `WITH others AS (SELECT id FROM account WHERE operator_since IS NOT NULL ORDER BY id FOR NO KEY UPDATE), taken AS (
     UPDATE account a SET operator_since = NULL FROM upstream_identity u
      WHERE u.issuer = $1 AND u.subject = $2 AND a.id = u.account_id AND u.gave_role AND a.operator_since IS NOT NULL
        AND EXISTS (SELECT FROM others WHERE others.id <> a.id) AND ${hasOtherOperator} RETURNING a.id
   )
   UPDATE upstream_identity SET gave_role = false WHERE issuer = $1 AND subject = $2 AND account_id IN (SELECT id FROM taken)`,
);

/** Gives the operator's role by the rule of the provider, or ends one that it gave, unless it is the last. */
export async function applyRoleRule(db: Queryable, { issuer, subject }: Identity, isOperator: boolean): Promise<void> {
  await db.query(isOperator ? giveStatement : takeStatement, [issuer, subject]);
}

const sessionStatement = statement<readonly [uid: string, issuer: string, sid: string | null], never>(
  'identity_session',
  // The link cannot be removed before this has ended. If it was removed since the sign-in, the session is over.
  `WITH linked AS (
     SELECT FROM upstream_identity WHERE issuer = $2 AND account_id = (SELECT account_id FROM session WHERE uid = $1) FOR KEY SHARE
   ), bound AS (SELECT EXISTS (SELECT FROM linked) AS "isLinked")
   UPDATE session SET issuer = $2, issuer_sid = $3, revoked_at = CASE WHEN "isLinked" THEN revoked_at ELSE COALESCE(revoked_at, now()) END,
      id_sha256 = CASE WHEN "isLinked" THEN id_sha256 END
     FROM bound WHERE uid = $1`,
);

/** Remembers with which session of which provider a session began, which ends with it, or with the link. */
export async function bindSession(
  db: Queryable,
  uid: string,
  { issuer, sid }: { readonly issuer: string; readonly sid?: string | undefined },
): Promise<void> {
  await db.query(sessionStatement, [uid, issuer, sid ?? null]);
}

const endStatement = statement<
  readonly [issuer: string, sid: string | null, subject: string | null],
  { ended: number }
>(
  'identity_sessions_end',
  `UPDATE session s SET revoked_at = now(), id_sha256 = NULL
    WHERE s.issuer = $1 AND s.revoked_at IS NULL AND ($2::text IS NULL OR s.issuer_sid = $2)
      AND ($3::text IS NULL OR s.account_id = (SELECT account_id FROM upstream_identity WHERE issuer = $1 AND subject = $3))
   RETURNING 1 AS ended`,
);

/** Ends the sessions that began with a session of the provider, or with any session of the person there. */
export async function endSessionsOf(
  db: Queryable,
  {
    issuer,
    sid,
    subject,
  }: { readonly issuer: string; readonly sid: string | undefined; readonly subject: string | undefined },
): Promise<void> {
  if (sid === undefined && subject === undefined) return;
  await db.query(endStatement, [issuer, sid ?? null, subject ?? null]);
}

const resetStatement = statement<readonly [accountId: number], never>(
  'factors_delete',
  `WITH a AS (UPDATE account SET epoch = epoch + 1 WHERE id = $1 RETURNING id),
        p AS (DELETE FROM passkey WHERE account_id IN (SELECT id FROM a)),
        u AS (DELETE FROM upstream_identity WHERE account_id IN (SELECT id FROM a))
   DELETE FROM totp WHERE account_id IN (SELECT id FROM a)`,
);

/** Deletes every passkey, the authenticator app and the linked providers of an account and ends its sessions. */
export async function deleteFactors(tx: Queryable, accountId: number): Promise<void> {
  await tx.query(resetStatement, [accountId]);
}

const resetFindStatement = statement<readonly [usernameCi: string], { readonly id: number }>(
  'factors_account',
  'SELECT id FROM account WHERE username_ci = $1 FOR NO KEY UPDATE',
);

/** Like `deleteFactors`, by username in any case. Returns the account's id, or undefined if it does not exist. */
export async function deleteFactorsByUsername(tx: Queryable, username: string): Promise<number | undefined> {
  const [row] = await tx.query(resetFindStatement, [username.toLowerCase()]);
  if (row !== undefined) await deleteFactors(tx, row.id);
  return row?.id;
}
