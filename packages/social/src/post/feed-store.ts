import type { Queryable } from '@linnet/db/database';

import { accountJson, accountWith, authorColumns } from '../account/account-row.ts';
import { unlessDeleted } from '../account/judged-together.ts';
import { isAuthorVisible } from '../account/visibility.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import { pageOf } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';
import { listedPosts, postWith, postsOf, repostedWith, repostsOf } from './listed-post-row.ts';
import type { ListedPostRow, NoListedPost } from './listed-post-row.ts';
import { mentionsColumn, postColumns } from './post-row.ts';

const reader = '$4::bigint';
const window = String(listedPosts);
const beyondIds = String(2 ** 53);

/** The latest items of each account in the table `from` (columns id, last, floor): between both, at most `limit`. */
function latestOf(from: string, limit: string, isListed = 'true'): string {
  const items = { account: 'm.id', where: 'i.id < m.last AND i.id > m.floor', order: 'DESC', limit } as const;
  return `SELECT m.id AS account_id, i.* FROM ${from} m, LATERAL (
    ${postsOf(items)} UNION ALL ${repostsOf(items, isListed)} ORDER BY id DESC LIMIT ${limit}
  ) i`;
}

/**
 * Which accounts may have more of the latest `wanted` items than `found` has: those of whom `limit`
 * were read, the last of them newer than the `wanted`th of all that were read.
 */
function unfinished(found: string, limit: string, all: string): string {
  return `SELECT account_id AS id, min(${found}.id) AS last, threshold.id AS floor FROM ${found}, (
    SELECT COALESCE((SELECT id FROM ${all} ORDER BY id DESC OFFSET (SELECT wanted - 1 FROM older) LIMIT 1), 0) AS id
  ) threshold
  GROUP BY account_id, threshold.id HAVING count(*) = ${limit} AND min(${found}.id) > threshold.id`;
}

const isMember = (id: string) => `(${id} IN (SELECT id FROM member)) IS TRUE`;

/** Items whose author the reader may see. All are looked up at one go; a protected account is seen by those who follow it. */
const visibleOf = (items: string) => `SELECT * FROM ${items} i WHERE i.author_id NOT IN (
    SELECT hidden.id FROM account hidden
    WHERE hidden.id = ANY (ARRAY(SELECT author_id FROM ${items})) AND (hidden.protected OR hidden.deleted_at IS NOT NULL)
      AND hidden.id NOT IN (SELECT id FROM member)
  )`;

/** So many of everybody's latest posts tell what part of them is in the feed. */
const sampled = 500;

/**
 * Where the followed accounts write a good part of everything, their latest items are found by looking
 * through everybody's latest. `looked`: so many of each kind should hold what is needed, going by the
 * part of the newest posts that is theirs; none where asking each account costs less.
 */
const amongEverybodys = (needed: string) => `
  sample AS (
    SELECT count(*) + 1 AS posts, count(*) FILTER (WHERE ${isMember('i.author_id')}) + 0.5 AS own
    FROM (SELECT author_id FROM post ORDER BY id DESC LIMIT ${String(sampled)}) i
  ), size AS MATERIALIZED (
    SELECT members, needed, CASE WHEN share <= 25 * members + 8 * needed THEN share ELSE 0 END AS looked
    FROM (
      SELECT e.*, (100 + 1.3 * needed * sample.posts / sample.own)::bigint AS share
      FROM (SELECT count(*) AS members, GREATEST(${needed}, 1) AS needed FROM member) e, sample
    ) s
  ), latest_posts AS MATERIALIZED (
    SELECT i.author_id AS account_id, i.id, i.id AS post_id, i.author_id
    FROM (SELECT id, author_id FROM post ORDER BY id DESC LIMIT (SELECT looked FROM size)) i
    WHERE ${isMember('i.author_id')} ORDER BY i.id DESC LIMIT (SELECT needed FROM size)
  ), edge_of_posts AS MATERIALIZED (
    SELECT CASE WHEN looked = 0 THEN ${beyondIds} ELSE COALESCE(
      (SELECT id - 1 FROM latest_posts ORDER BY id DESC OFFSET (SELECT needed - 1 FROM size) LIMIT 1),
      (SELECT id FROM post ORDER BY id DESC OFFSET (SELECT looked FROM size) LIMIT 1), 0
    ) END AS id FROM size
  ), edge_of_latest AS MATERIALIZED (
    SELECT COALESCE((
      SELECT id FROM repost WHERE id > (SELECT id FROM edge_of_posts)
      ORDER BY id DESC OFFSET (SELECT looked FROM size) LIMIT 1
    ), id) AS id FROM edge_of_posts
  ), latest_reposts AS MATERIALIZED (
    SELECT i.account_id, i.id, i.post_id, i.author_id FROM repost i
    WHERE i.id > (SELECT id FROM edge_of_latest) AND ${isMember('i.account_id')}
  ), latest AS MATERIALIZED (
    SELECT * FROM latest_posts WHERE id > (SELECT id FROM edge_of_latest) UNION ALL (${visibleOf('latest_reposts')})
    ORDER BY id DESC LIMIT (SELECT needed FROM size)
  )`;

/**
 * The rest, without reading all of each account: a few items of every account first, then more of those
 * alone that may still have some among the latest. So about as many index entries are read as items
 * needed, whether everybody posts as much or one of them everything.
 */
const ofEachAccount = `
  missing AS MATERIALIZED (
    SELECT needed - (SELECT count(*) FROM latest) AS wanted, GREATEST(members, 1) AS members FROM size
  ), older AS MATERIALIZED (
    SELECT wanted, few, sqrt(few::float8 * wanted)::bigint + 1 AS many
    FROM (SELECT wanted, wanted / members + 1 AS few FROM missing) m
  ), asked AS MATERIALIZED (
    SELECT member.id, edge.id + 1 AS last, 0 AS floor FROM member, edge_of_latest edge
    WHERE edge.id > 0 AND (SELECT wanted > 0 FROM older)
  ), first AS MATERIALIZED (
    ${latestOf('asked', '(SELECT few FROM older)')}
  ), first_visible AS MATERIALIZED (
    ${visibleOf('first')}
  ), busy AS MATERIALIZED (
    ${unfinished('first', '(SELECT few FROM older)', 'first_visible')}
  ), second AS MATERIALIZED (
    ${latestOf('busy', '(SELECT many FROM older)')}
  ), read AS MATERIALIZED (
    SELECT * FROM first_visible UNION ALL (${visibleOf('second')})
  ), busiest AS MATERIALIZED (
    ${unfinished('second', '(SELECT many FROM older)', 'read')}
  )`;

function itemsOfFeed(needed: string): string {
  return `
  followed AS MATERIALIZED (
    SELECT ${reader} AS id UNION ALL SELECT followed_id FROM follow WHERE follower_id = ${reader}
  ), member AS MATERIALIZED (
    SELECT id FROM followed WHERE id NOT IN (${unlessDeleted.refusing('ARRAY(SELECT id FROM followed)')})
  ), ${amongEverybodys(needed)}, ${ofEachAccount}, item AS MATERIALIZED (
    SELECT * FROM (
      SELECT * FROM latest UNION ALL SELECT * FROM read
      UNION ALL ${latestOf('busiest', '(SELECT wanted FROM older)', isAuthorVisible(reader, 'i.author_id'))}
    ) i ORDER BY i.id DESC LIMIT (SELECT needed FROM size)
  )`;
}

const memberPosts = `FROM member m, ${accountWith('m.id')} a`;

// Counters of posts are exact, so that reposts alone need be counted, and only when the posts are few. Adding up
// ends where the window is full.
const total = `CASE
  WHEN (SELECT needed FROM size) >= ${window} AND (SELECT count(*) FROM item) >= ${window} THEN ${window}
  WHEN EXISTS (
    SELECT 1 FROM (SELECT sum(a.posts_count) OVER (ROWS UNBOUNDED PRECEDING) AS posts ${memberPosts}) added
    WHERE added.posts >= ${window}
  ) THEN ${window}
  ELSE LEAST(${window}, (SELECT COALESCE(sum(a.posts_count), 0) ${memberPosts}) + (
    SELECT count(*) FROM (
      SELECT 1 FROM member m, LATERAL ${repostsOf({ account: 'm.id', where: 'true', order: 'DESC', limit: window }, isAuthorVisible(reader, 'i.author_id'))} r LIMIT ${window}
    ) counted
  )) END`;

const statements = listStatements<readonly [accountId: number], ListedPostRow | NoListedPost>({
  name: 'feed',
  window: listedPosts,
  isCut: true,
  source: ({ where }) => `SELECT * FROM item i WHERE ${where}`,
  text: ({ edge, page, behind, order, needed }) => `
    WITH ${itemsOfFeed(needed)}, ${edge}
    SELECT (${total})::int AS total, ${behind} AS behind,
      i.id AS "itemId", r.created_at AS "repostedAt",
      CASE WHEN i.id <> i.post_id THEN (
        SELECT ${accountJson('reposter')} FROM account reposter WHERE reposter.id = i.account_id
      ) END AS reposter,
      ${postColumns('p')}, ${mentionsColumn('p', reader)}, ${authorColumns('a')}
    FROM (SELECT 1) one LEFT JOIN (${page}) i ON true
    LEFT JOIN ${postWith('i.post_id')} p ON true
    LEFT JOIN ${repostedWith('i.account_id')} r ON true
    LEFT JOIN ${accountWith('p.author_id')} a ON true
    ORDER BY i.id ${order}`,
});

/** A page of the posts and reposts of an account and of those it follows; one statement. */
export async function findFeed(db: Queryable, accountId: number, page: Page): Promise<Paged<ListedPostRow>> {
  const found = await findPage(db, statements, { page, params: [accountId], idColumn: 'itemId' });
  return found === undefined ? { total: 0, items: [] } : pageOf(found, page, (row) => row.itemId);
}
