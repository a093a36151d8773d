/** SQL that collects the posts and reposts of a feed: those of the reader and of the accounts the reader follows. */
import { notDeletedFilter } from '../account/account-filter.ts';
import { isAuthorVisible } from '../account/visibility.ts';
import { maxListedPosts } from './listed-post-row.ts';
import { selectPosts, selectReposts } from './listed-post-sql.ts';

/** The statement parameter with the reading account. */
export const reader = '$4::bigint';
const afterAllIds = String(2 ** 53);
/**
 * SQL condition that holds for every id. The planner takes a range with one end for a third of the table, and one with two
 * ends for little. So it uses the index even when no page of the table counts as visible to all.
 */
const isAnyId = (id: string) => `${id} < ${afterAllIds}`;

/**
 * SQL: the latest items of each account in the table `from`: at most `wanted`, with ids between `floor` and `last`. These
 * are columns of the table.
 */
function selectLatest(from: string, isListed = 'true'): string {
  const items = {
    account: 'm.id',
    where: 'i.id < m.last AND i.id > m.floor',
    order: 'DESC',
    limit: 'm.wanted',
  } as const;
  return `SELECT m.id AS account_id, i.* FROM ${from} m, LATERAL (
    ${selectPosts(items)} UNION ALL ${selectReposts(items, isListed)} ORDER BY id DESC LIMIT m.wanted
  ) i`;
}

/**
 * SQL: the accounts that may have more of the latest `wanted` items than `found` contains. These are the accounts that
 * reached `limit` and whose oldest item in `found` is newer than the `wanted`th item of `all`.
 */
function selectUnfinished({ found, limit, all, next }: Unfinished): string {
  return `SELECT account_id AS id, min(${found}.id) AS last, older.floor, older.${next} AS wanted FROM ${found}, (
    SELECT *, COALESCE((SELECT id FROM ${all} ORDER BY id DESC OFFSET (SELECT wanted - 1 FROM older) LIMIT 1), 0) AS floor FROM older
  ) older
  GROUP BY account_id, older.floor, older.${next}, older.${limit} HAVING count(*) = older.${limit} AND min(${found}.id) > older.floor`;
}

interface Unfinished {
  readonly found: string;
  /** The column of `older` with the number of items that were read of each account. */
  readonly limit: 'few' | 'many';
  readonly all: string;
  /** The column of `older` with the number of items to read next. */
  readonly next: 'many' | 'wanted';
}

const isMember = (id: string) => `(${id} IN (SELECT id FROM member)) IS TRUE`;

/** SQL: the items whose author the reader may see. Looks up all authors together; members include followed protected accounts. */
const selectVisible = (items: string) => `SELECT * FROM ${items} i WHERE i.author_id NOT IN (
    SELECT hidden.id FROM account hidden
    WHERE hidden.id = ANY (ARRAY(SELECT author_id FROM ${items})) AND (hidden.protected OR hidden.deleted_at IS NOT NULL)
      AND hidden.id NOT IN (SELECT id FROM member)
  )`;

/** So many of the latest posts of the whole service are always looked at, which shows the followed accounts' share of them. */
const sampleSize = 500;

/**
 * SQL for a reader who follows a large share of the active accounts: scan the latest posts and reposts of the whole
 * service and keep those of members. `scanned` is how many of each kind should contain the `needed` items: the sample,
 * if it does, or as many as the members' share of it suggests; 0 when it is cheaper to read each account's items.
 * `sample` does not depend on the reader, so a statement for several readers reads it once.
 */
const scanLatest = (needed: string) => `
  sample AS MATERIALIZED (
    SELECT id, author_id FROM post ORDER BY id DESC LIMIT ${String(sampleSize)}
  ), own_sample AS MATERIALIZED (
    SELECT * FROM sample i WHERE ${isMember('i.author_id')}
  ), size AS MATERIALIZED (
    SELECT members, needed, CASE WHEN own >= needed THEN ${String(sampleSize)}
      WHEN estimate <= 25 * members + 8 * needed THEN GREATEST(estimate, ${String(sampleSize)}) ELSE 0 END AS scanned
    FROM (
      SELECT s.*, (100 + 1.3 * needed * (posts + 1) / (own + 0.5))::bigint AS estimate
      FROM (
        SELECT (SELECT count(*) FROM member) AS members, GREATEST(${needed}, 1) AS needed,
          (SELECT count(*) FROM sample) AS posts, (SELECT count(*) FROM own_sample) AS own
      ) s
    ) s
  ), latest_posts AS MATERIALIZED (
    SELECT author_id AS account_id, id, id AS post_id, author_id FROM (
      SELECT * FROM own_sample WHERE (SELECT scanned > 0 FROM size)
      UNION ALL (
        SELECT i.* FROM (
          SELECT id, author_id FROM post WHERE id < (SELECT min(id) FROM sample) AND id > 0
          ORDER BY id DESC LIMIT (SELECT GREATEST(scanned - ${String(sampleSize)}, 0) FROM size)
        ) i WHERE ${isMember('i.author_id')}
      )
    ) i ORDER BY id DESC LIMIT (SELECT needed FROM size)
  ), edge_of_posts AS MATERIALIZED (
    SELECT CASE WHEN scanned = 0 THEN ${afterAllIds} WHEN (SELECT count(*) FROM latest_posts) >= needed
      THEN (SELECT min(id) - 1 FROM latest_posts)
      ELSE COALESCE((SELECT id FROM post ORDER BY id DESC OFFSET (SELECT scanned FROM size) LIMIT 1), 0)
    END AS id FROM size
  ), newer_reposts AS MATERIALIZED (
    SELECT id, account_id, post_id, author_id FROM repost WHERE id > (SELECT id FROM edge_of_posts) AND ${isAnyId('id')}
    ORDER BY id DESC LIMIT (SELECT scanned + 1 FROM size)
  ), edge_of_latest AS MATERIALIZED (
    SELECT CASE WHEN (SELECT count(*) FROM newer_reposts) > (SELECT scanned FROM size)
      THEN (SELECT min(id) FROM newer_reposts) ELSE id END AS id FROM edge_of_posts
  ), latest_reposts AS MATERIALIZED (
    SELECT i.account_id, i.id, i.post_id, i.author_id FROM newer_reposts i
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
    SELECT member.id, edge.id + 1 AS last, 0 AS floor, older.few AS wanted FROM member, edge_of_latest edge, older
    WHERE edge.id > 0 AND older.wanted > 0
  ), first AS MATERIALIZED (
    ${selectLatest('candidate')}
  ), first_visible AS MATERIALIZED (
    ${selectVisible('first')}
  ), busy AS MATERIALIZED (
    ${selectUnfinished({ found: 'first', limit: 'few', all: 'first_visible', next: 'many' })}
  ), second AS MATERIALIZED (
    ${selectLatest('busy')}
  ), read AS MATERIALIZED (
    SELECT * FROM first_visible UNION ALL (${selectVisible('second')})
  ), busiest AS MATERIALIZED (
    ${selectUnfinished({ found: 'second', limit: 'many', all: 'read', next: 'wanted' })}
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
      UNION ALL ${selectLatest('busiest', isAuthorVisible(reader, 'i.author_id'))}
    ) i ORDER BY i.id DESC LIMIT (SELECT needed FROM size)
  )`;
}

const window = String(maxListedPosts);
/** The posts of so many members mostly fill the window. */
const membersCountedFirst = '400';
/** SQL: the sum of the members' counters of posts; `part` limits the members. */
const sumPosts = (part: string) => `(SELECT COALESCE(sum(posts_count), 0) FROM account
      WHERE id = ANY (ARRAY(SELECT id FROM member ${part})))`;

/** Reposts of the members that are counted together; those of hidden authors are among them. */
const countedTogether = String(2 * maxListedPosts);

/**
 * SQL: the CTEs that `total` reads. The members' counters of posts are exact, so only reposts are counted row by row, and
 * only when the posts do not fill the window.
 */
export const countFeed = `
  first_posts AS MATERIALIZED (
    SELECT CASE WHEN (SELECT needed FROM size) >= ${window} AND (SELECT count(*) FROM item) >= ${window} THEN ${window}
      ELSE ${sumPosts(`LIMIT ${membersCountedFirst}`)} END AS count
  ), posts AS MATERIALIZED (
    SELECT CASE WHEN count >= ${window} THEN count ELSE count + ${sumPosts(`OFFSET ${membersCountedFirst}`)} END AS count
    FROM first_posts
  ), reposted AS MATERIALIZED (
    SELECT i.author_id FROM repost i
    WHERE i.account_id = ANY (ARRAY(SELECT id FROM member WHERE (SELECT count FROM posts) < ${window})) LIMIT ${countedTogether}
  ), reposts AS MATERIALIZED (
    SELECT count(*) AS count, (SELECT count(*) FROM reposted) = ${countedTogether} AS is_part
    FROM (${selectVisible('reposted')}) i
  )`;

/** SQL: the number of posts and reposts in the feed, at most the window. */
export const total = `LEAST(${window}, (SELECT count FROM posts) + CASE
  WHEN (SELECT is_part AND count < ${window} FROM reposts) THEN (
    SELECT count(*) FROM (
      SELECT 1 FROM member m, LATERAL ${selectReposts({ account: 'm.id', where: 'true', order: 'DESC', limit: window }, isAuthorVisible(reader, 'i.author_id'))} r LIMIT ${window}
    ) counted
  )
  ELSE (SELECT count FROM reposts) END)`;
