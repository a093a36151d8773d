import type { Queryable } from '@linnet/db/database';

import { accountJson, accountWith, authorColumns } from '../account/account-row.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import { pageOf } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';
import { listedPosts, postWith, postsOf, repostsOf } from './listed-post-row.ts';
import type { ListedPostRow, NoListedPost } from './listed-post-row.ts';
import { mentionsColumn, postColumns } from './post-row.ts';

const reader = '$4::bigint';
const window = String(listedPosts);

/** The latest items of each account in the table `from` (columns id, last, floor): between both, at most `limit`. */
function latestOf(from: string, limit: string): string {
  const items = { account: 'm.id', where: 'i.id < m.last AND i.id > m.floor', order: 'DESC' } as const;
  return `SELECT m.id AS account_id, i.* FROM ${from} m, LATERAL (
    (${postsOf(items)} LIMIT ${limit}) UNION ALL (${repostsOf(items, reader)} LIMIT ${limit})
    ORDER BY id DESC LIMIT ${limit}
  ) i`;
}

/**
 * Which accounts may have more of the latest `needed` items than `found` has: those of whom `limit`
 * were read, the last of them newer than the `needed`th of all that were read.
 */
function unfinished(found: string, limit: string, all: string): string {
  return `SELECT account_id AS id, min(${found}.id) AS last, threshold.id AS floor FROM ${found}, (
    SELECT COALESCE((SELECT id FROM ${all} ORDER BY id DESC OFFSET (SELECT needed - 1 FROM size) LIMIT 1), 0) AS id
  ) threshold
  GROUP BY account_id, threshold.id HAVING count(*) = ${limit} AND min(${found}.id) > threshold.id`;
}

/**
 * The latest items of many accounts, without reading all of each: a few of every account first, then
 * more of those alone that may still have some among the latest. So about as many index entries are
 * read as items needed, whether everybody posts as much or one of them everything.
 */
function itemsOfFeed(needed: string): string {
  return `
  member AS MATERIALIZED (
    SELECT a.id, a.posts_count, ${String(2 ** 53)} AS last, 0 AS floor
    FROM (SELECT ${reader} AS id UNION ALL SELECT followed_id FROM follow WHERE follower_id = ${reader}) f
    JOIN ${accountWith('f.id')} a ON a.deleted_at IS NULL
  ), enough AS MATERIALIZED (
    SELECT count(*) AS members, COALESCE(sum(posts_count), 0) AS posts,
      GREATEST(${needed}, 1) AS needed FROM member
  ), size AS MATERIALIZED (
    SELECT *, sqrt(few::float8 * needed)::bigint + 1 AS many
    FROM (SELECT *, needed / GREATEST(members, 1) + 1 AS few FROM enough) e
  ), first AS MATERIALIZED (
    ${latestOf('member', '(SELECT few FROM size)')}
  ), busy AS MATERIALIZED (
    ${unfinished('first', '(SELECT few FROM size)', 'first')}
  ), second AS MATERIALIZED (
    ${latestOf('busy', '(SELECT many FROM size)')}
  ), read AS (
    SELECT * FROM first UNION ALL SELECT * FROM second
  ), busiest AS MATERIALIZED (
    ${unfinished('second', '(SELECT many FROM size)', 'read')}
  ), item AS MATERIALIZED (
    SELECT * FROM (SELECT * FROM read UNION ALL ${latestOf('busiest', '(SELECT needed FROM size)')}) i
    ORDER BY i.id DESC LIMIT (SELECT needed FROM size)
  )`;
}

// Counters of posts are exact, so that reposts alone need be counted, and only when the posts are few.
const total = `LEAST(${window}, size.posts + CASE WHEN size.posts >= ${window} THEN 0 ELSE (
  SELECT count(*) FROM (
    SELECT 1 FROM member m, LATERAL (${repostsOf({ account: 'm.id', where: 'true', order: 'DESC' }, reader)} LIMIT ${window}) r LIMIT ${window}
  ) counted
) END)`;

const statements = listStatements<readonly [accountId: number], ListedPostRow | NoListedPost>({
  name: 'feed',
  window: listedPosts,
  source: ({ where }) => `SELECT * FROM item i WHERE ${where}`,
  text: ({ page, behind, order, needed }) => `
    WITH ${itemsOfFeed(needed)}
    SELECT (SELECT ${total} FROM size)::int AS total, ${behind} AS behind,
      i.id AS "itemId", i.reposted_at AS "repostedAt",
      CASE WHEN i.reposted_at IS NOT NULL THEN (
        SELECT ${accountJson('r')} FROM account r WHERE r.id = i.account_id
      ) END AS reposter,
      ${postColumns('p')}, ${mentionsColumn('p', reader)}, ${authorColumns('a')}
    FROM (SELECT 1) one LEFT JOIN (${page}) i ON true
    LEFT JOIN ${postWith('i.post_id')} p ON true
    LEFT JOIN ${accountWith('p.author_id')} a ON true
    ORDER BY i.id ${order}`,
});

/** A page of the posts and reposts of an account and of those it follows; one statement. */
export async function findFeed(db: Queryable, accountId: number, page: Page): Promise<Paged<ListedPostRow>> {
  const found = await findPage(db, statements, { page, params: [accountId], idColumn: 'itemId' });
  return found === undefined ? { total: 0, items: [] } : pageOf(found, page, (row) => row.itemId);
}
