import type { Queryable } from '../database.ts';
import { statement } from '../statement.ts';

/** A counter that differs from its rows, or a pair of accounts with two of a follow, a follow request and a block. */
interface CounterMismatch {
  readonly counter: string;
  /** Id of the account or post. */
  readonly id: number;
  readonly stored: number;
  readonly rows: number;
}

function compare(table: string, counter: string, rows: string): string {
  return `SELECT '${table}.${counter}' AS counter, t.id, t.${counter} AS stored, (${rows})::int AS rows
    FROM "${table}" t WHERE t.${counter} <> (${rows})`;
}

const mismatches = statement<readonly [], CounterMismatch>(
  'test_counter_mismatches',
  [
    compare('account', 'posts_count', 'SELECT count(*) FROM post WHERE author_id = t.id'),
    compare('account', 'followers_count', 'SELECT count(*) FROM follow WHERE followed_id = t.id'),
    compare('account', 'following_count', 'SELECT count(*) FROM follow WHERE follower_id = t.id'),
    compare('post', 'likes_count', 'SELECT count(*) FROM post_like WHERE post_id = t.id'),
    compare('post', 'comments_count', 'SELECT count(*) FROM comment WHERE post_id = t.id'),
    compare('post', 'bookmarks_count', 'SELECT count(*) FROM bookmark WHERE post_id = t.id'),
    compare('post', 'reposts_count', 'SELECT count(*) FROM repost WHERE post_id = t.id'),
    `SELECT 'follow and follow_request', f.follower_id, 1, 2
     FROM follow f JOIN follow_request r USING (follower_id, followed_id)`,
    `SELECT 'block and follow', r.follower_id, 1, 2
     FROM (SELECT follower_id, followed_id FROM follow UNION ALL SELECT follower_id, followed_id FROM follow_request) r
     JOIN block b ON (b.blocker_id, b.blocked_id) IN ((r.follower_id, r.followed_id), (r.followed_id, r.follower_id))`,
  ].join(' UNION ALL '),
);

/** Returns every counter that differs from the rows it counts (decisions D8). */
export async function findCounterMismatches(db: Queryable): Promise<readonly CounterMismatch[]> {
  return await db.query(mismatches, []);
}
