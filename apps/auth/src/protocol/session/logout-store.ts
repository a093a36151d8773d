/** What sign-out needs to know about an application. */

import type { ApplicationType } from '@linnet/applications/application/application-type';
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

export interface LogoutClient {
  readonly clientId: string;
  readonly type: ApplicationType;
  readonly name: string;
  readonly postLogoutRedirectUris: readonly string[];
}

const findStatement = statement<readonly [clientId: string], LogoutClient>(
  'logout_client',
  `SELECT a.client_id AS "clientId", a.type::text AS type, a.name,
          a.post_logout_redirect_uris AS "postLogoutRedirectUris"
     FROM application a LEFT JOIN account o ON o.id = a.owner_id
    WHERE a.client_id = $1 AND a.suspended_at IS NULL AND a.paused_at IS NULL
      AND o.hidden_at IS NULL`,
);

/** Undefined if it does not exist, is suspended or paused, or its owner is suspended or deleted. */
export async function findLogoutClient(db: Queryable, clientId: string): Promise<LogoutClient | undefined> {
  const [found] = await db.query(findStatement, [clientId]);
  return found;
}

/** The table `backchannel_logout`: logout tokens to send. A trigger of `session` writes the rows. */

/** A notification that this process may send until the lease ends. */
export interface ClaimedLogout {
  readonly id: number;
  readonly clientId: string;
  readonly accountId: number;
  readonly sid: string;
  /** Including this one. */
  readonly attempts: number;
  readonly createdAt: Date;
  /** The `backchannel_logout_uri`; null if the application has none, or is suspended or paused. */
  readonly address: string | null;
  /** The algorithm of the application's ID tokens, which is also that of its logout tokens. */
  readonly algorithm: string;
}

/** SQL: whether `claimLogouts` finds some. */
export const isLogoutDue = 'EXISTS (SELECT 1 FROM backchannel_logout WHERE due_at <= now())';

const claimStatement = statement<readonly [limit: number, leaseSeconds: number], ClaimedLogout>(
  'backchannel_logout_claim',
  `UPDATE backchannel_logout b SET attempts = attempts + 1, due_at = clock_timestamp() + make_interval(secs => $2)
     FROM application a
    WHERE a.client_id = b.client_id AND b.id IN (
      SELECT id FROM backchannel_logout WHERE due_at <= clock_timestamp()::timestamptz(3) ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING b.id, b.client_id AS "clientId", b.account_id AS "accountId", b.sid, b.attempts,
             b.created_at AS "createdAt", a.id_token_signed_response_alg AS algorithm,
             CASE WHEN a.suspended_at IS NULL AND a.paused_at IS NULL THEN a.backchannel_logout_uri END AS address`,
);

/** Claims due notifications for the lease. After a crash, another process can claim them when the lease ends. */
export async function claimLogouts(
  db: Queryable,
  limit: number,
  leaseSeconds: number,
): Promise<readonly ClaimedLogout[]> {
  return await db.query(claimStatement, [limit, leaseSeconds]);
}

const removeStatement = statement<readonly [id: number], never>(
  'backchannel_logout_remove',
  'DELETE FROM backchannel_logout WHERE id = $1',
);

/** Call when it was delivered or is no longer needed. */
export async function removeLogout(db: Queryable, id: number): Promise<void> {
  await db.query(removeStatement, [id]);
}

const postponeStatement = statement<readonly [id: number, clientId: string, seconds: number], never>(
  'backchannel_logout_postpone',
  `UPDATE backchannel_logout SET due_at = clock_timestamp() + make_interval(secs => $3)
    WHERE id = $1 OR (client_id = $2 AND due_at <= clock_timestamp())`,
);

/** Also postpones what else is due for the application, so that one that does not respond delays nobody else. */
export async function postponeLogouts(
  db: Queryable,
  { id, clientId }: Pick<ClaimedLogout, 'id' | 'clientId'>,
  seconds: number,
): Promise<void> {
  await db.query(postponeStatement, [id, clientId, seconds]);
}
