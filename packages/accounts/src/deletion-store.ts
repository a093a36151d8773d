import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { retention } from '@linnet/db/keep/retention';
import { isErasable } from './deletion-period.ts';

interface Attempt {
  readonly hash: string;
  readonly epoch: number;
  /** Attempts in the current window, including this one. */
  readonly attempts: number;
  readonly retryAfterSeconds: number;
}

/** SQL: the key of the account's deletion attempts in the shared table `rate_limit`. */
const counterKey = `'delete-account:' || a.id`;

const attemptStatement = statement<readonly [accountId: number], Attempt>(
  'account_delete_attempt',
  `WITH a AS (
     SELECT id, password_hash, epoch FROM account WHERE id = $1 AND deleted_at IS NULL
   ), counted AS (
     INSERT INTO rate_limit AS c (key, points, expire) SELECT ${counterKey}, 1, now() + interval '15 minutes' FROM a
     ON CONFLICT (key) DO UPDATE SET
       points = CASE WHEN c.expire > now() THEN c.points + 1 ELSE 1 END,
       expire = CASE WHEN c.expire > now() THEN c.expire ELSE EXCLUDED.expire END
     RETURNING points, expire
   )
   SELECT a.password_hash AS hash, a.epoch, counted.points AS attempts,
     ceil(EXTRACT(EPOCH FROM counted.expire - now()))::int AS "retryAfterSeconds"
   FROM a CROSS JOIN counted`,
);

/** Counts an attempt to delete an account and returns its password hash. Returns `undefined` if it does not exist. */
export async function countAttempt(db: Queryable, accountId: number): Promise<Attempt | undefined> {
  const [row] = await db.query(attemptStatement, [accountId]);
  return row;
}

export interface Deletion {
  readonly accountId: number;
  /** The account's epoch when the password was checked. */
  readonly epoch: number;
}

const deleteStatement = statement<readonly [accountId: number, epoch: number], { deleted: number }>(
  'account_delete',
  `WITH a AS (
     UPDATE account SET deleted_at = now(), epoch = epoch + 1
     WHERE id = $1 AND epoch = $2 AND deleted_at IS NULL RETURNING id
   ), attempts AS (
     DELETE FROM rate_limit WHERE key IN (SELECT ${counterKey} FROM a)
   )
   SELECT 1 AS deleted FROM a`,
);

/**
 * Marks an account as deleted and revokes its sessions and tokens; a trigger revokes those of its applications. Returns
 * false if its epoch has changed or it is deleted already.
 */
export async function softDeleteAccount(db: Queryable, { accountId, epoch }: Deletion): Promise<boolean> {
  return (await db.query(deleteStatement, [accountId, epoch])).length > 0;
}

const operatorStatement = statement<readonly [usernameCi: string, isFinal: boolean], { id: number }>(
  'account_delete_by_operator',
  `UPDATE account SET epoch = epoch + 1,
     deleted_at = CASE WHEN $2 THEN now() - interval '${retention.account.deleted}' ELSE now() END
   WHERE username_ci = $1 AND erased_at IS NULL AND ($2 OR deleted_at IS NULL) RETURNING id`,
);

/**
 * Deletes an account for an operator. `isFinal`: nobody can restore it, and it can be erased at once, even if it is deleted already.
 * Returns its id; undefined if no such account has the username. Ignores case.
 */
export async function deleteByOperator(
  db: Queryable,
  username: string,
  { isFinal }: { readonly isFinal: boolean },
): Promise<number | undefined> {
  return (await db.query(operatorStatement, [username.toLowerCase(), isFinal]))[0]?.id;
}

const restoreStatement = statement<readonly [usernameCi: string], { restored: number }>(
  'account_restore',
  `WITH a AS (
     UPDATE account a SET deleted_at = NULL
     WHERE a.username_ci = $1 AND a.deleted_at IS NOT NULL AND NOT ${isErasable('a')} AND a.erased_at IS NULL
     RETURNING a.id
   )
   SELECT 1 AS restored FROM a`,
);

/** Restores a deleted account, for operators. Returns false if no deleted account has the name, or if its grace period is over. */
export async function restoreDeletedAccount(db: Queryable, username: string): Promise<boolean> {
  return (await db.query(restoreStatement, [username.toLowerCase()])).length > 0;
}

const undoStatement = statement<readonly [accountId: number, epoch: number], { restored: number }>(
  'account_undo_deletion',
  `UPDATE account a SET deleted_at = NULL
   WHERE a.id = $1 AND a.epoch = $2 AND a.suspended_at IS NULL AND a.deleted_at IS NOT NULL AND a.erased_at IS NULL
     AND NOT ${isErasable('a')}
   RETURNING 1 AS restored`,
);

/**
 * Restores a deleted account for its owner, who signed in when it had this epoch. Returns false if it is suspended, is
 * not deleted, has another epoch, or if its grace period is over.
 */
export async function undoDeletion(db: Queryable, { accountId, epoch }: Deletion): Promise<boolean> {
  return (await db.query(undoStatement, [accountId, epoch])).length > 0;
}

const erasableStatement = statement<readonly [], { id: number }>(
  'account_erasable',
  `SELECT a.id FROM account a
   WHERE a.deleted_at IS NOT NULL AND a.erased_at IS NULL AND ${isErasable('a')} ORDER BY a.deleted_at LIMIT 10`,
);

/** Ids of up to 10 deleted accounts whose grace period is over, oldest first. */
export async function findErasable(db: Queryable): Promise<readonly number[]> {
  return (await db.query(erasableStatement, [])).map(({ id }) => id);
}

// The row stays, because other rows refer to its id.
const eraseStatement = statement<readonly [accountId: number, name: string], never>(
  'account_erase',
  `WITH a AS (
     UPDATE account a SET erased_at = now(), username = $2::text, username_ci = $2::text,
       email = $2::text || '@invalid', email_ci = $2::text || '@invalid',
       password_hash = '-', first_name = '-', last_name = '-', display_name = '-', description = '', country = '',
       language = 'en', posts_count = 0, followers_count = 0, following_count = 0, verified = false,
       avatar = NULL, mark = NULL, invited_by = NULL, test_owner_id = NULL, limited_at = NULL, limit_reason = NULL, limited_by = NULL, suspended_by = NULL, suspension_reason = NULL, appeal = NULL, appealed_at = NULL
     WHERE a.id = $1 AND a.erased_at IS NULL AND a.deleted_at IS NOT NULL AND ${isErasable('a')} RETURNING a.id
   )
   DELETE FROM old_username WHERE account_id IN (SELECT id FROM a)`,
);

/** Erases everything but the id of a deleted account. `name` replaces its username and must be unique. */
export async function eraseAccount(db: Queryable, accountId: number, name: string): Promise<void> {
  await db.query(eraseStatement, [accountId, name]);
}
