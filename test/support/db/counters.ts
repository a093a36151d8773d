import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

/**
 * A counter that differs from its rows, a pair of accounts with two of a follow, a follow request and a block, or a mention by a post or a
 * notification that exists without its cause, or is missing.
 */
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

/** A reply of which the comment above was deleted may have told its author, too. */
const isCertain = `(c.parent_id IS NULL OR EXISTS (SELECT 1 FROM comment above WHERE above.id = c.parent_id))`;

/** SQL: the first text of the post since when all texts mention the account. Null: the post was never edited. */
const sinceVersion = `(
    SELECT min(v.id) FROM (
      SELECT id, mention_ids FROM post_version WHERE post_id = p.id UNION ALL SELECT p.version_id, p.mention_ids WHERE p.version_id IS NOT NULL
    ) v WHERE v.id > COALESCE((
      SELECT max(without.id) FROM post_version without WHERE without.post_id = p.id AND mentioned <> ALL (COALESCE(without.mention_ids, '{}'))
    ), 0)
  )`;

/** The notifications that the rows of other tables cause. */
const causedNotifications = `
  SELECT mentioned AS account_id, 'mention' AS kind, COALESCE(${sinceVersion}, p.id) AS id, p.author_id AS actor_id, p.author_id AS owner_id,
    p.id AS post_id, NULL AS comment_id
  FROM post p CROSS JOIN unnest(p.mention_ids) mentioned
  UNION SELECT r.account_id, CASE WHEN bool_or(replied) THEN 'reply' ELSE 'mention' END, c.id, c.author_id, p.author_id, p.id, c.id
  FROM comment c JOIN post p ON p.id = c.post_id CROSS JOIN LATERAL (
    SELECT p.author_id, true UNION SELECT above.author_id, true FROM comment above WHERE above.id = c.parent_id
    UNION SELECT unnest(c.mention_ids), false
  ) r(account_id, replied) WHERE ${isCertain} GROUP BY r.account_id, c.id, p.id
  UNION SELECT author_id, 'like', id, account_id, author_id, post_id, NULL FROM post_like
  UNION SELECT author_id, 'repost', id, account_id, author_id, post_id, NULL FROM repost
  UNION SELECT followed_id, 'follow', id, follower_id, followed_id, NULL, NULL FROM follow WHERE approved IS NOT TRUE
  UNION SELECT follower_id, 'approved', id, followed_id, follower_id, NULL, NULL FROM follow WHERE approved
  UNION SELECT followed_id, 'follow_request', id, follower_id, followed_id, NULL, NULL FROM follow_request
  UNION SELECT account_id, 'proposal', id, account_id, account_id, NULL, NULL FROM draft WHERE status = 'proposed'`;

/** The mentions of posts. */
const causedMentions = `SELECT account_id, id, post_id FROM (${causedNotifications}) c WHERE kind = 'mention' AND comment_id IS NULL AND actor_id <> account_id`;

const storedMentions = 'SELECT account_id, id, post_id FROM mention WHERE comment_id IS NULL';

const storedNotifications = `SELECT account_id, kind::text, id, actor_id, owner_id, post_id, comment_id FROM notification n
  WHERE kind <> 'draft_failed' AND (comment_id IS NULL OR EXISTS (SELECT 1 FROM comment c WHERE c.id = comment_id AND ${isCertain}))`;

const caused = `SELECT * FROM (${causedNotifications}) caused WHERE actor_id <> account_id OR kind = 'proposal'`;

const comparisons = [
  compare('account', 'posts_count', 'SELECT count(*) FROM post WHERE author_id = t.id'),
  compare('account', 'followers_count', 'SELECT count(*) FROM follow WHERE followed_id = t.id'),
  compare('account', 'following_count', 'SELECT count(*) FROM follow WHERE follower_id = t.id'),
  compare('post', 'likes_count', 'SELECT count(*) FROM post_like WHERE post_id = t.id'),
  compare('post', 'comments_count', 'SELECT count(*) FROM comment WHERE post_id = t.id'),
  compare('post', 'bookmarks_count', 'SELECT count(*) FROM bookmark WHERE post_id = t.id'),
  compare('post', 'reposts_count', 'SELECT count(*) FROM repost WHERE post_id = t.id'),
  `SELECT 'follow and follow_request' AS counter, f.follower_id AS id, 1 AS stored, 2 AS rows
   FROM follow f JOIN follow_request r USING (follower_id, followed_id)`,
  `SELECT 'block and follow' AS counter, r.follower_id AS id, 1 AS stored, 2 AS rows
   FROM (SELECT follower_id, followed_id FROM follow UNION ALL SELECT follower_id, followed_id FROM follow_request) r
   JOIN block b ON (b.blocker_id, b.blocked_id) IN ((r.follower_id, r.followed_id), (r.followed_id, r.follower_id))`,
  `SELECT 'mention' AS counter, id, 1 AS stored, 0 AS rows FROM (${storedMentions} EXCEPT ${causedMentions}) unfounded`,
  `SELECT 'mention' AS counter, id, 0 AS stored, 1 AS rows FROM (${causedMentions} EXCEPT ${storedMentions}) missing`,
  `SELECT 'notification.' || kind AS counter, id, 1 AS stored, 0 AS rows FROM (${storedNotifications} EXCEPT ${caused}) unfounded`,
  `SELECT 'notification.' || kind AS counter, id, 0 AS stored, 1 AS rows FROM (${caused} EXCEPT (${storedNotifications})) missing`,
].map((text, index) => statement<readonly [], CounterMismatch>(`test_counter_mismatches_${String(index)}`, text));

/** Returns every counter that differs from the rows it counts (decisions D8). A statement for each, because rows can be many. */
export async function findCounterMismatches(db: Queryable): Promise<readonly CounterMismatch[]> {
  const found: CounterMismatch[] = [];
  for (const one of comparisons) found.push(...(await db.query(one, [])));
  return found;
}
