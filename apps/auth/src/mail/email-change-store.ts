/** A pending change of an account's e-mail address, at most one; the link in the new mailbox confirms it. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

/** Lifetime of a confirmation link. A change lasts as long as its last link. */
export const changeSeconds = 24 * 3600;

export interface EmailChange {
  readonly id: number;
  readonly email: string;
  readonly expiresAt: Date;
  /** The last message to the address was given up. */
  readonly isRefused: boolean;
}

const askStatement = statement<readonly [accountId: number, email: string, seconds: number], never>(
  'email_change_ask',
  // A new id invalidates the links to the previous address (their foreign key becomes null).
  `WITH person AS (SELECT id, email FROM account WHERE id = $1 AND deleted_at IS NULL),
        asked AS (
          INSERT INTO email_change (account_id, email, expires_at)
          SELECT id, $2::varchar, clock_timestamp() + make_interval(secs => $3) FROM person
          ON CONFLICT (account_id) DO UPDATE
            SET id = EXCLUDED.id, email = EXCLUDED.email, expires_at = EXCLUDED.expires_at, refused_at = NULL
          RETURNING id)
   INSERT INTO mail (kind, account_id, recipient, detail)
   SELECT 'change_email'::mail_kind, person.id, $2::varchar, jsonb_build_object('change', asked.id) FROM person, asked
   UNION ALL SELECT 'email_change_asked', id, email, jsonb_build_object('email', $2::varchar) FROM person`,
);

/** Queues a link to the new address and a notice to the old one. Replaces a pending change. */
export async function requestEmailChange(db: Queryable, accountId: number, email: string): Promise<void> {
  await db.query(askStatement, [accountId, email, changeSeconds]);
}

const findStatement = statement<readonly [accountId: number], EmailChange>(
  'email_change_find',
  `SELECT id, email, expires_at AS "expiresAt", refused_at IS NOT NULL AS "isRefused" FROM email_change
    WHERE account_id = $1 AND expires_at > clock_timestamp()`,
);

/** The pending change of the account. */
export async function findEmailChange(db: Queryable, accountId: number): Promise<EmailChange | undefined> {
  const [found] = await db.query(findStatement, [accountId]);
  return found;
}

const againStatement = statement<
  readonly [accountId: number, changeId: number, seconds: number],
  { readonly asked: number }
>(
  'email_change_again',
  `WITH asked AS (
     UPDATE email_change SET expires_at = clock_timestamp() + make_interval(secs => $3), refused_at = NULL
      WHERE account_id = $1 AND id = $2 AND expires_at > clock_timestamp() RETURNING id, account_id, email)
   INSERT INTO mail (kind, account_id, recipient, detail)
   SELECT 'change_email', account_id, email, jsonb_build_object('change', id) FROM asked RETURNING 1 AS asked`,
);

/** Queues another link; earlier ones stay valid until they expire. Returns false if there is no such change. */
export async function sendChangeAgain(db: Queryable, accountId: number, changeId: number): Promise<boolean> {
  return (await db.query(againStatement, [accountId, changeId, changeSeconds])).length > 0;
}

const cancelStatement = statement<readonly [accountId: number, changeId: number], { readonly id: number }>(
  'email_change_cancel',
  'DELETE FROM email_change WHERE account_id = $1 AND id = $2 RETURNING id',
);

/** Cancels the change and its links. Returns false if there is no such change, or a link just confirmed it. */
export async function cancelEmailChange(db: Queryable, accountId: number, changeId: number): Promise<boolean> {
  return (await db.query(cancelStatement, [accountId, changeId])).length > 0;
}

const renewStatement = statement<
  readonly [changeId: number, accountId: number, seconds: number],
  { readonly email: string }
>(
  'email_change_renew',
  `UPDATE email_change SET expires_at = clock_timestamp() + make_interval(secs => $3)
    WHERE id = $1 AND account_id = $2 RETURNING email`,
);

/** Restarts the lifetime when a link is sent. Returns the new address, or undefined if there is no such change. */
export async function renewEmailChange(db: Queryable, changeId: number, accountId: number) {
  const [renewed] = await db.query(renewStatement, [changeId, accountId, changeSeconds]);
  return renewed?.email;
}

const refuseStatement = statement<readonly [changeId: number], never>(
  'email_change_refuse',
  'UPDATE email_change SET refused_at = clock_timestamp() WHERE id = $1',
);

/** Call when a message to the new address is given up, also one to the account that has the address. */
export async function refuseEmailChange(db: Queryable, changeId: number): Promise<void> {
  await db.query(refuseStatement, [changeId]);
}
