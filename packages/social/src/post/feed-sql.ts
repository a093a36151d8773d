/** SQL that collects the posts and reposts of a feed: those of the reader and of the accounts the reader follows. */
import { notDeletedFilter } from '../account/account-filter.ts';
import { isAuthorVisible } from '../account/visibility.ts';
import { selectPosts, selectReposts } from './listed-post-sql.ts';

/** The statement parameter with the reading account. */
export const reader = '$4::bigint';
const afterAllIds = String(2 ** 53);

/** SQL: the latest items of each account in the table `from` (columns id, last, floor), with ids between floor and last. */
function selectLatest(from: string, limit: string, isListed = 'true'): string {
  const items = { account: 'm.id', where: 'i.id < m.last AND i.id > m.floor', order: 'DESC', limit } as const;
  return `SELECT m.id AS account_id, i.* FROM ${from} m, LATERAL (
    ${selectPosts(items)} UNION ALL ${selectReposts(items, isListed)} ORDER BY id DESC LIMIT ${limit}
  ) i`;
}

/**
 * SQL: the accounts that may have more of the latest `wanted` items than `found` contains. These are the accounts that
 * reached `limit` and whose oldest item in `found` is newer than the `wanted`th item of `all`.
 */
function selectUnfinished(found: string, limit: string, all: string): string {
  return `SELECT account_id AS id, min(${found}.id) AS last, threshold.id AS floor FROM ${found}, (
    SELECT COALESCE((SELECT id FROM ${all} ORDER BY id DESC OFFSET (SELECT wanted - 1 FROM older) LIMIT 1), 0) AS id
  ) threshold
  GROUP BY account_id, threshold.id HAVING count(*) = ${limit} AND min(${found}.id) > threshold.id`;
}

const isMember = (id: string) => `(${id} IN (SELECT id FROM member)) IS TRUE`;

/** SQL: the items whose author the reader may see. Looks up all authors together; members include followed protected accounts. */
const selectVisible = (items: string) => `SELECT * FROM ${items} i WHERE i.author_id NOT IN (
    SELECT hidden.id FROM account hidden
    WHERE hidden.id = ANY (ARRAY(SELECT author_id FROM ${items})) AND (hidden.protected OR hidden.deleted_at IS NOT NULL)
      AND hidden.id NOT IN (SELECT id FROM member)
  )`;

/** The number of latest posts on the whole service from which the followed accounts' share is estimated. */
const sampleSize = 500;

/**
 * SQL for a reader who follows a large share of the active accounts: scan the latest posts and reposts of the whole
 * service and keep those of members. `scanned` is how many of each kind should contain the `needed` items, estimated
 * from the members' share of the sample; 0 when it is cheaper to read each account's items.
 */
const scanLatest = (needed: string) => `
  sample AS (
    SELECT count(*) + 1 AS posts, count(*) FILTER (WHERE ${isMember('i.author_id')}) + 0.5 AS own
    FROM (SELECT author_id FROM post ORDER BY id DESC LIMIT ${String(sampleSize)}) i
  ), size AS MATERIALIZED (
    SELECT members, needed, CASE WHEN estimate <= 25 * members + 8 * needed THEN estimate ELSE 0 END AS scanned
    FROM (
      SELECT e.*, (100 + 1.3 * needed * sample.posts / sample.own)::bigint AS estimate
      FROM (SELECT count(*) AS members, GREATEST(${needed}, 1) AS needed FROM member) e, sample
    ) s
  ), latest_posts AS MATERIALIZED (
    SELECT i.author_id AS account_id, i.id, i.id AS post_id, i.author_id
    FROM (SELECT id, author_id FROM post ORDER BY id DESC LIMIT (SELECT scanned FROM size)) i
    WHERE ${isMember('i.author_id')} ORDER BY i.id DESC LIMIT (SELECT needed FROM size)
  ), edge_of_posts AS MATERIALIZED (
    SELECT CASE WHEN scanned = 0 THEN ${afterAllIds} ELSE COALESCE(
      (SELECT id - 1 FROM latest_posts ORDER BY id DESC OFFSET (SELECT needed - 1 FROM size) LIMIT 1),
      (SELECT id FROM post ORDER BY id DESC OFFSET (SELECT scanned FROM size) LIMIT 1), 0
    ) END AS id FROM size
  ), edge_of_latest AS MATERIALIZED (
    SELECT COALESCE((
      SELECT id FROM repost WHERE id > (SELECT id FROM edge_of_posts)
      ORDER BY id DESC OFFSET (SELECT scanned FROM size) LIMIT 1
    ), id) AS id FROM edge_of_posts
  ), latest_reposts AS MATERIALIZED (
    SELECT i.account_id, i.id, i.post_id, i.author_id FROM repost i
    WHERE i.id > (SELECT id FROM edge_of_latest) AND ${isMember('i.account_id')}
  ), latest AS MATERIALIZED (
    SELECT * FROM latest_posts WHERE id > (SELECT id FROM edge_of_latest) UNION ALL (${selectVisible('latest_reposts')})
    ORDER BY id DESC LIMIT (SELECT needed FROM size)
  )`;

/**
 * SQL for the items that `scanLatest` did not find. It reads a few items of every account, then more of the accounts
 * that may have further ones among the latest, then the rest of those that still may. So it reads about as many index
 * entries as items are needed, whether all accounts post equally or one of them posts everything.
 */
const readEachAccount = `
  missing AS MATERIALIZED (
    SELECT needed - (SELECT count(*) FROM latest) AS wanted, GREATEST(members, 1) AS members FROM size
  ), older AS MATERIALIZED (
    SELECT wanted, few, sqrt(few::float8 * wanted)::bigint + 1 AS many
    FROM (SELECT wanted, wanted / members + 1 AS few FROM missing) m
  ), candidate AS MATERIALIZED (
    SELECT member.id, edge.id + 1 AS last, 0 AS floor FROM member, edge_of_latest edge
    WHERE edge.id > 0 AND (SELECT wanted > 0 FROM older)
  ), first AS MATERIALIZED (
    ${selectLatest('candidate', '(SELECT few FROM older)')}
  ), first_visible AS MATERIALIZED (
    ${selectVisible('first')}
  ), busy AS MATERIALIZED (
    ${selectUnfinished('first', '(SELECT few FROM older)', 'first_visible')}
  ), second AS MATERIALIZED (
    ${selectLatest('busy', '(SELECT many FROM older)')}
  ), read AS MATERIALIZED (
    SELECT * FROM first_visible UNION ALL (${selectVisible('second')})
  ), busiest AS MATERIALIZED (
    ${selectUnfinished('second', '(SELECT many FROM older)', 'read')}
  )`;

/** SQL: CTEs up to `item`, which holds the `needed` latest posts and reposts of the reader and the followed accounts. */
export function selectFeedItems(needed: string): string {
  return `
  followed AS MATERIALIZED (
    SELECT ${reader} AS id UNION ALL SELECT followed_id FROM follow WHERE follower_id = ${reader}
  ), member AS MATERIALIZED (
    SELECT id FROM followed WHERE id NOT IN (${notDeletedFilter.selectExcluded('ARRAY(SELECT id FROM followed)')})
  ), ${scanLatest(needed)}, ${readEachAccount}, item AS MATERIALIZED (
    SELECT * FROM (
      SELECT * FROM latest UNION ALL SELECT * FROM read
      UNION ALL ${selectLatest('busiest', '(SELECT wanted FROM older)', isAuthorVisible(reader, 'i.author_id'))}
    ) i ORDER BY i.id DESC LIMIT (SELECT needed FROM size)
  )`;
}
