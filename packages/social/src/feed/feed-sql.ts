/** SQL that collects the posts and reposts of a feed: those of the reader and of the accounts the reader follows. */

import { notHiddenFilter } from '../account/account-filter.ts';
import { isAuthorMet, isRestricted, selectBlocked, selectMuted } from '../account/visibility.ts';
import { afterAllIds, isAnyId, selectPosts, selectReposts } from '../list-of-posts/listed-post-sql.ts';

/** The statement parameter with the reading account. */
export const feedReader = '$4::bigint';

/** SQL: the CTE `muted`, the accounts that the reader has muted; and `followed`, the reader and whom else it follows. */
const selectFollowed = `
  muted AS MATERIALIZED (SELECT muted_id AS id FROM (${selectMuted(feedReader)}) mute), followed AS MATERIALIZED (
    SELECT ${feedReader} AS id UNION ALL
    SELECT followed_id FROM follow WHERE follower_id = ${feedReader} AND followed_id NOT IN (SELECT id FROM muted)
  )`;

/** SQL query: the accounts in the array `ids` that the reader has muted, or that are hidden by a block. */
export function selectSilenced(ids: string): string {
  return `SELECT id FROM muted WHERE id = ANY (${ids}) UNION ALL ${selectBlocked(feedReader, ids)}`;
}

/** SQL condition: may the feed show a repost of a post by the account with this id? */
export function isListedAuthor(id: string): string {
  return `${isAuthorMet(feedReader, id)} AND ${id} NOT IN (SELECT id FROM muted)`;
}

/** SQL for a page of a feed whose items are among the latest of the whole service. */

/** So many of the latest posts of the whole service are looked at, and at most as many reposts. */
const sampleSize = 500;
const sample = String(sampleSize);
/** Items that may turn out to be invisible, beyond those that are needed. */
const spare = 10;

/** SQL: the CTE `sample`. It does not depend on the reader, so a statement for several readers reads it once. */
const selectSample = `
  sample AS MATERIALIZED (SELECT id, author_id FROM post ORDER BY id DESC LIMIT ${sample})`;

/**
 * SQL: the CTE `recent`, the latest posts and reposts of the whole service, newest first. None that is newer than its last
 * one is missing. Like `sample`, it is read once.
 */
const selectRecent = `
  ${selectSample}, sampled_reposts AS MATERIALIZED (
    SELECT account_id, id, post_id, author_id FROM repost WHERE id > (SELECT min(id) FROM sample) AND ${isAnyId('id')}
    ORDER BY id DESC LIMIT ${sample}
  ), recent AS MATERIALIZED (
    SELECT author_id AS account_id, id, id AS post_id, author_id FROM sample
    WHERE id >= (SELECT CASE WHEN count(*) < ${sample} THEN 0 ELSE min(id) END FROM sampled_reposts)
    UNION ALL SELECT * FROM sampled_reposts ORDER BY id DESC
  )`;

const isFollowed = (id: string) => `(${id} IN (SELECT id FROM followed)) IS TRUE`;

const withSpare = (needed: string) => `${needed} + ${String(spare)}`;

/**
 * SQL: CTEs up to `item`, which holds the `needed` latest items of the feed, and `found`, which says whether `recent` has
 * them. If not, `item` is empty. They read the CTEs `muted` and `followed`.
 */
export const selectRecentItems = (needed: string): string => `
  ${selectRecent}, own_recent AS MATERIALIZED (
    SELECT * FROM recent i WHERE ${isFollowed('i.account_id')} ORDER BY id DESC LIMIT ${withSpare(needed)}
  ), hidden AS MATERIALIZED (
    SELECT id FROM account
    WHERE id = ANY (ARRAY(SELECT author_id FROM own_recent UNION ALL SELECT account_id FROM own_recent))
      AND ${isRestricted('account')} AND (hidden_at IS NOT NULL OR NOT ${isFollowed('id')})
    UNION ALL ${selectSilenced('ARRAY(SELECT author_id FROM own_recent)')}
  ), visible AS MATERIALIZED (
    SELECT * FROM own_recent
    WHERE author_id NOT IN (SELECT id FROM hidden) AND account_id NOT IN (SELECT id FROM hidden)
    ORDER BY id DESC LIMIT ${needed}
  ), found AS MATERIALIZED (
    SELECT is_complete, is_complete AS "isRecent" FROM (
      SELECT (SELECT count(*) FROM visible) >= ${needed} OR (SELECT count(*) FROM own_recent) < ${withSpare(needed)}
        AND (SELECT count(*) FROM sample) < ${sample} AND (SELECT count(*) FROM sampled_reposts) < ${sample} AS is_complete
    ) found
  ), item AS MATERIALIZED (
    SELECT * FROM visible WHERE (SELECT is_complete FROM found)
  )`;

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

/**
 * SQL query: the accounts in the array `ids` whose posts the reader may not see or has muted; members include followed protected
 * accounts.
 */
export const selectHidden = (ids: string): string => `SELECT hidden.id FROM account hidden
    WHERE hidden.id = ANY (${ids}) AND ${isRestricted('hidden')}
      AND hidden.id NOT IN (SELECT id FROM member)
    UNION ALL ${selectSilenced(ids)}`;

/** SQL: the items whose author the reader may see. Looks up all authors together. */
const selectVisible = (items: string) =>
  `SELECT * FROM ${items} i WHERE i.author_id NOT IN (${selectHidden(`ARRAY(SELECT author_id FROM ${items})`)})`;

/**
 * SQL for a reader who follows a large share of the active accounts: scan the latest posts and reposts of the whole
 * service and keep those of members. `scanned` is how many of each kind should contain the `needed` items: the sample,
 * if it does, or as many as the members' share of it suggests; 0 when it is cheaper to read each account's items.
 */
const scanLatest = (needed: string) => `
  ${selectSample}, own_sample AS MATERIALIZED (
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

/**
 * SQL: the CTEs `muted`; `followed`, the reader and the accounts that the reader follows and has not muted; and `member`, those
 * not deleted.
 */
export const selectMembers = `
  ${selectFollowed}, member AS MATERIALIZED (
    SELECT id FROM followed WHERE id NOT IN (${notHiddenFilter.selectExcluded('ARRAY(SELECT id FROM followed)')})
  )`;

/** SQL: CTEs up to `item`, which holds the `needed` latest posts and reposts of the members, and `found`. */
export function selectItemsOfMembers(needed: string): string {
  return `
  ${scanLatest(needed)}, ${readEachAccount}, item AS MATERIALIZED (
    SELECT * FROM (
      SELECT * FROM latest UNION ALL SELECT * FROM read
      UNION ALL ${selectLatest('busiest', isListedAuthor('i.author_id'))}
    ) i ORDER BY i.id DESC LIMIT (SELECT needed FROM size)
  ), found AS MATERIALIZED (
    SELECT true AS is_complete, COALESCE((SELECT min(id) FROM item) >= (SELECT min(id) FROM sample), false) AS "isRecent"
  )`;
}

/** So many of the latest posts with a hashtag are looked at, and so many of those with any followed one, so that hashtags cost little. */
const latestWithHashtag = '100';
const latestWithAny = '500';

/**
 * SQL: the CTE `tagged`, the posts with a hashtag that the reader follows, as items. Those of members are left out, because the feed has
 * them already; so are those of all others whom only followers come across. Reads the CTE `muted`.
 */
const selectTagged = `
  tagged_by_any AS MATERIALIZED (
    SELECT DISTINCT i.id, i.author_id FROM hashtag_follow f CROSS JOIN LATERAL (
      SELECT post_id AS id, author_id FROM post_hashtag h WHERE h.hashtag = f.hashtag ORDER BY post_id DESC LIMIT ${latestWithHashtag}
    ) i WHERE f.account_id = ${feedReader} ORDER BY i.id DESC LIMIT ${latestWithAny}
  ), not_tagged_by AS MATERIALIZED (
    SELECT ${feedReader} AS id
    UNION ALL SELECT followed_id FROM follow
    WHERE follower_id = ${feedReader} AND followed_id = ANY (ARRAY(SELECT DISTINCT author_id FROM tagged_by_any))
    UNION ALL SELECT id FROM account a WHERE id = ANY (ARRAY(SELECT author_id FROM tagged_by_any)) AND ${isRestricted('a')}
    UNION ALL ${selectSilenced('ARRAY(SELECT author_id FROM tagged_by_any)')}
  ), tagged AS MATERIALIZED (
    SELECT author_id AS account_id, id, id AS post_id, author_id FROM tagged_by_any WHERE author_id NOT IN (SELECT id FROM not_tagged_by)
  )`;

/**
 * SQL: the CTE `listed_item`, the `needed` latest of the items in `item`, which has these `columns`, and those with a followed hashtag. They
 * are read with each page: nothing is written for them. If not `isFound`, it is empty.
 */
export const addTagged = (
  needed: string,
  { columns, isFound }: { readonly columns: string; readonly isFound: string },
): string => `
  ${selectTagged}, listed_item AS MATERIALIZED (
    SELECT ${columns} FROM item UNION ALL SELECT ${columns} FROM tagged WHERE ${isFound} ORDER BY id DESC LIMIT ${needed}
  )`;

/** SQL: the number of items that only `tagged` has. */
export const taggedCount = '(SELECT count(*) FROM tagged)';
