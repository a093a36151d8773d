import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

const noticeStatement = statement<readonly [login: string], never>(
  'attempts_notice',
  `WITH person AS (
     SELECT id, email FROM account
      WHERE (username_ci = $1 OR email_ci = $1) AND deleted_at IS NULL AND suspended_at IS NULL
   ), due AS (
     INSERT INTO rate_limit AS r (key, points, expire)
     SELECT 'sign-in-notice:' || id, 1, now() + interval '24 hours' FROM person
     ON CONFLICT (key) DO UPDATE SET expire = EXCLUDED.expire WHERE r.expire <= now()
     RETURNING key
   )
   INSERT INTO mail (kind, account_id, recipient)
   SELECT 'sign_in_attempts', id, email FROM person WHERE EXISTS (SELECT 1 FROM due)`,
);

/** Mails the owner of the account with this username or e-mail address, if there is one, at most once in 24 hours. */
export async function noticeAttempts(db: Queryable, login: string): Promise<void> {
  await db.query(noticeStatement, [login.trim().toLowerCase()]);
}
