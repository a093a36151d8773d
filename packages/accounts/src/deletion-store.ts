import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

/** How long a deleted account can be restored (decisions D21). */
const graceDays = 14;

/** SQL: is the account in `alias` deleted and beyond restoring? */
const isOver = (alias: string) => `${alias}.deleted_at <= now() - interval '${String(graceDays)} days'`;

interface Attempt {
  readonly hash: string;
  readonly epoch: number;
  /** In this window, this one included. */
  readonly attempts: number;
  readonly retryAfterSeconds: number;
}

/** The counter of attempts at deleting an account, in the counters that all processes share. */
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

/** Counts an attempt at deleting an account, and gives what it is checked against. `undefined`: it is gone. */
export async function countAttempt(db: Queryable, accountId: number): Promise<Attempt | undefined> {
  const [row] = await db.query(attemptStatement, [accountId]);
  return row;
}

export interface Deletion {
  readonly accountId: number;
  /** The epoch that the password was checked at. */
  readonly epoch: number;
}

const markStatement = statement<readonly [accountId: number, epoch: number], { deleted: number }>(
  'account_delete',
  `WITH a AS (
     UPDATE account SET deleted_at = now(), epoch = epoch + 1
     WHERE id = $1 AND epoch = $2 AND deleted_at IS NULL RETURNING id
   ), stopped AS (
     UPDATE application SET epoch = epoch + 1 WHERE owner_id IN (SELECT id FROM a)
   ), forgotten AS (
     DELETE FROM rate_limit WHERE key IN (SELECT ${counterKey} FROM a)
   )
   SELECT 1 AS deleted FROM a`,
);

/**
 * Marks an account as deleted, which ends its sessions and tokens, and those of its applications; tells whether
 * it did.
 */
export async function markDeleted(db: Queryable, { accountId, epoch }: Deletion): Promise<boolean> {
  return (await db.query(markStatement, [accountId, epoch])).length > 0;
}

const undeleteStatement = statement<readonly [usernameCi: string], { undeleted: number }>(
  'account_undelete',
  `WITH a AS (
     UPDATE account a SET deleted_at = NULL
     WHERE a.username_ci = $1 AND a.deleted_at IS NOT NULL AND NOT ${isOver('a')} AND a.erased_at IS NULL
     RETURNING a.id
   ), started AS (
     UPDATE application SET epoch = epoch + 1 WHERE owner_id IN (SELECT id FROM a)
   )
   SELECT 1 AS undeleted FROM a`,
);

/** Brings a deleted account back; false when there is none of this name, or its 14 days are over. */
export async function undeleteAccount(db: Queryable, username: string): Promise<boolean> {
  return (await db.query(undeleteStatement, [username.toLowerCase()])).length > 0;
}

const overdueStatement = statement<readonly [], { id: number }>(
  'account_overdue',
  `SELECT a.id FROM account a
   WHERE a.deleted_at IS NOT NULL AND a.erased_at IS NULL AND ${isOver('a')} ORDER BY a.deleted_at LIMIT 10`,
);

/** Some deleted accounts whose 14 days are over, the longest first. */
export async function findOverdue(db: Queryable): Promise<readonly number[]> {
  return (await db.query(overdueStatement, [])).map(({ id }) => id);
}

// What others still refer to is the id alone; the name and the address are free for anybody.
const eraseStatement = statement<readonly [accountId: number, name: string], never>(
  'account_erase',
  `WITH a AS (
     UPDATE account a SET erased_at = now(), username = $2::text, username_ci = $2::text,
       email = $2::text || '@invalid', email_ci = $2::text || '@invalid',
       password_hash = '-', first_name = '-', last_name = '-', display_name = '-', description = '', country = '',
       language = 'en', posts_count = 0, followers_count = 0, following_count = 0, verified = false,
       avatar = NULL
     WHERE a.id = $1 AND a.erased_at IS NULL AND a.deleted_at IS NOT NULL AND ${isOver('a')} RETURNING a.id
   )
   DELETE FROM old_username WHERE account_id IN (SELECT id FROM a)`,
);

/** Erases what is left of an account; `name` is one that nobody has. */
export async function eraseAccount(db: Queryable, accountId: number, name: string): Promise<void> {
  await db.query(eraseStatement, [accountId, name]);
}
