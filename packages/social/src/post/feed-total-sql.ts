/** SQL that counts the posts and reposts of a feed. */
import { isListedAuthor } from './feed-reader-sql.ts';
import { selectHidden } from './feed-sql.ts';
import { maxListedPosts } from './listed-post-row.ts';
import { selectReposts } from './listed-post-sql.ts';

const window = String(maxListedPosts);
/** The posts of so many members mostly fill the window. */
const membersCountedFirst = '400';
/** SQL: the sum of the counters of posts of the accounts with these ids. */
const sumPosts = (ids: string) => `(SELECT COALESCE(sum(posts_count), 0) FROM account
      WHERE id = ANY (ARRAY(${ids})) AND deleted_at IS NULL)`;

/** Reposts of the members that are counted together; those of hidden authors are among them. */
const countedTogether = String(2 * maxListedPosts);

/**
 * SQL: the CTEs that `total` reads. The members' counters of posts are exact, so only reposts are counted row by row, and
 * only when the posts do not fill the window. The accounts on the page come first, since those who post most are among
 * them. Nothing is counted if the page is not complete, since it is then read by another statement.
 */
export const countFeed = `
  first_posts AS MATERIALIZED (
    SELECT CASE WHEN NOT (SELECT is_complete FROM found) OR (SELECT count(*) FROM item) >= ${window}
      OR ${sumPosts('SELECT account_id FROM item')} >= ${window}
      THEN ${window} ELSE ${sumPosts(`SELECT id FROM followed LIMIT ${membersCountedFirst}`)} END AS count
  ), posts AS MATERIALIZED (
    SELECT CASE WHEN count >= ${window} THEN count ELSE count + ${sumPosts(`SELECT id FROM followed OFFSET ${membersCountedFirst}`)} END AS count
    FROM first_posts
  ), reposted AS MATERIALIZED (
    SELECT COALESCE(array_agg(i.author_id), '{}') AS authors FROM (
      SELECT i.author_id FROM repost i
      WHERE i.account_id = ANY (ARRAY(SELECT id FROM member WHERE (SELECT count FROM posts) < ${window})) LIMIT ${countedTogether}
    ) i
  ), reposts AS MATERIALIZED (
    SELECT cardinality(authors) = ${countedTogether} AS is_part, cardinality(authors) - (
        SELECT count(*) FROM unnest(authors) author
        WHERE author IN (${selectHidden('(SELECT authors FROM reposted)::bigint[]')})
      ) AS count
    FROM reposted
  )`;

/** SQL: the number of posts and reposts in the feed, at most the window. */
export const total = `LEAST(${window}, (SELECT count FROM posts) + CASE
  WHEN (SELECT is_part AND count < ${window} FROM reposts) THEN (
    SELECT count(*) FROM (
      SELECT 1 FROM member m, LATERAL ${selectReposts({ account: 'm.id', where: 'true', order: 'DESC', limit: window }, isListedAuthor('i.author_id'))} r LIMIT ${window}
    ) counted
  )
  ELSE (SELECT count FROM reposts) END)`;
