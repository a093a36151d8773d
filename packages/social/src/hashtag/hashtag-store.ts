/** Finds hashtags, and keeps who follows which. */
import { maxFollowedHashtags } from '@linnet/contract/hashtag';
import type { Hashtag } from '@linnet/contract/hashtag';
import type { Queryable } from '@linnet/db/statement/transaction';
import { requireRow, statement } from '@linnet/db/statement/statement';

import { isAuthorMet } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import type { Slice } from '../list/page-sql.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import { toPaged } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';

/** A hashtag with its use in the last two days. */
export interface HashtagRow {
  readonly text: string;
  /** 0: fewer than two accounts have used it. */
  readonly accounts: number;
  readonly posts: number;
  /** Whether the viewer follows it; null without a viewer. */
  readonly following: boolean | null;
}

/** SQL: the columns of a `HashtagRow` besides its text, where `trend` is the row of the hashtag in `hashtag_trend`, if it has one. */
export function hashtagColumns(viewer: string, hashtag: string): string {
  return `COALESCE(trend.accounts, 0) AS accounts, COALESCE(trend.posts, 0) AS posts, CASE WHEN ${viewer} IS NOT NULL THEN (
    SELECT true FROM hashtag_follow mine WHERE mine.account_id = ${viewer} AND mine.hashtag = ${hashtag}
  ) IS TRUE END AS following`;
}

/** Builds the object of a hashtag. */
export function toHashtag({ text, accounts, posts, following }: HashtagRow): Hashtag {
  return { text, accounts, posts, ...(following === null ? {} : { viewer: { following: following ? 1 : 0 } }) };
}

/** A search looks at this many hashtags besides trending ones, in alphabetical order. */
const maxCandidates = '200';
/** A hashtag is found if one of its latest posts, of this many, is visible to the viewer. */
const maxPosts = '100';

const searcher = '$2::bigint';
/** Letters come before it. */
const hasPrefix = `hashtag >= $1::text AND hashtag < $1::text || chr(1114111)`;

/** `candidate` skips from hashtag to hashtag in the index instead of reading all posts of each. */
const searchStatement = statement<readonly [prefix: string, viewer: Viewer, limit: number], HashtagRow>(
  'hashtag_search',
  `WITH RECURSIVE candidate AS (
     (SELECT hashtag, 1 AS number FROM post_hashtag WHERE ${hasPrefix} ORDER BY hashtag LIMIT 1)
     UNION ALL
     SELECT (SELECT hashtag FROM post_hashtag WHERE hashtag > candidate.hashtag AND ${hasPrefix} ORDER BY hashtag LIMIT 1), number + 1
     FROM candidate WHERE hashtag IS NOT NULL AND number < ${maxCandidates}
   ), visible AS (
     SELECT hashtag FROM candidate WHERE EXISTS (
       SELECT FROM (
         SELECT author_id FROM post_hashtag latest WHERE latest.hashtag = candidate.hashtag ORDER BY post_id DESC LIMIT ${maxPosts}
       ) latest WHERE ${isAuthorMet(searcher, 'latest.author_id')}
     )
   ), trend AS (
     SELECT * FROM hashtag_trend WHERE ${hasPrefix}
   )
   SELECT hashtag AS text, ${hashtagColumns(searcher, 'found.hashtag')}
   FROM (SELECT hashtag FROM visible UNION SELECT hashtag FROM trend) found LEFT JOIN trend USING (hashtag)
   ORDER BY score DESC NULLS LAST, hashtag LIMIT $3`,
);

/**
 * Returns at most `limit` hashtags that start with the folded `prefix`: trending ones first, then the first ones in alphabetical
 * order, as far as the viewer may see a post with them.
 */
export async function searchHashtags(
  db: Queryable,
  { prefix, viewer, limit }: { readonly prefix: string; readonly viewer: Viewer; readonly limit: number },
): Promise<readonly HashtagRow[]> {
  return await db.query(searchStatement, [prefix, viewer, limit]);
}

/** The hashtag is a key of `toHashtagKey`. */
type Params = readonly [accountId: number, hashtag: string];

const addStatement = statement<Params, { readonly follows: boolean }>(
  'hashtag_follow_add',
  `SELECT follow_hashtag($1, $2, ${String(maxFollowedHashtags)}) AS follows`,
);

/** Returns whether the account follows the hashtag then, or else as many others as it may. */
export async function followHashtag(db: Queryable, ...params: Params): Promise<boolean> {
  return requireRow(await db.query(addStatement, params), addStatement).follows;
}

const removeStatement = statement<Params, never>(
  'hashtag_follow_remove',
  'DELETE FROM hashtag_follow WHERE account_id = $1 AND hashtag = $2',
);

export async function unfollowHashtag(db: Queryable, ...params: Params): Promise<void> {
  await db.query(removeStatement, params);
}

const showStatement = statement<readonly [hashtag: string, viewer: Viewer], HashtagRow>(
  'hashtag_show',
  `SELECT one.text, ${hashtagColumns('$2::bigint', 'one.text')}
   FROM (SELECT $1::text AS text) one LEFT JOIN hashtag_trend trend ON trend.hashtag = one.text`,
);

/** Returns a folded hashtag, whether or not anybody has used it. */
export async function findHashtag(db: Queryable, hashtag: string, viewer: Viewer): Promise<HashtagRow> {
  return requireRow(await db.query(showStatement, [hashtag, viewer]), showStatement);
}

type FollowedHashtag = HashtagRow & { readonly followId: number };
type ListRow = FollowedHashtag | { readonly [Key in keyof FollowedHashtag]: null };

const source = ({ where }: Pick<Slice, 'where'>) =>
  `SELECT i.id, i.hashtag FROM hashtag_follow i WHERE i.account_id = $4 AND ${where}`;

const followed = listStatements<readonly [accountId: number], ListRow>({
  name: 'hashtag_follow_list',
  source,
  text: ({ edge, page, hasPreceding, order }) => `
    WITH ${edge}
    SELECT (SELECT count(*) FROM (${source({ where: 'true' })}) counted) AS total, ${hasPreceding} AS "hasPreceding",
      i.id AS "followId", i.hashtag AS text, ${hashtagColumns('$4::bigint', 'i.hashtag')}
    FROM account me LEFT JOIN LATERAL (${page}) i ON true LEFT JOIN hashtag_trend trend ON trend.hashtag = i.hashtag
    WHERE me.id = $4 AND me.hidden_at IS NULL ORDER BY i.id ${order}`,
});

/** Returns a page of the hashtags that an account follows, the one followed last first. `undefined`: the account does not exist. */
export async function findFollowedHashtags(
  db: Queryable,
  accountId: number,
  page: Page,
): Promise<Paged<HashtagRow> | undefined> {
  const found = await findPage(db, followed, { page, params: [accountId], idColumn: 'followId' });
  return found && toPaged(found, page, (row) => row.followId);
}
