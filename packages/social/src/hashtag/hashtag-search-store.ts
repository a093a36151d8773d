import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { isAuthorMet } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';

/** A hashtag with its use in the last two days. */
export interface HashtagRow {
  readonly text: string;
  /** 0: fewer than two accounts have used it. */
  readonly accounts: number;
  readonly posts: number;
}

/** A search looks at this many hashtags besides trending ones, in alphabetical order. */
const maxCandidates = '200';
/** A hashtag is found if one of its latest posts, of this many, is visible to the viewer. */
const maxPosts = '100';

const viewer = '$2::bigint';
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
       ) latest WHERE ${isAuthorMet(viewer, 'latest.author_id')}
     )
   ), trend AS (
     SELECT * FROM hashtag_trend WHERE ${hasPrefix}
   )
   SELECT hashtag AS text, COALESCE(accounts, 0) AS accounts, COALESCE(posts, 0) AS posts
   FROM (SELECT hashtag FROM visible UNION SELECT hashtag FROM trend) found LEFT JOIN trend USING (hashtag)
   ORDER BY score DESC NULLS LAST, hashtag LIMIT $3`,
);

/**
 * Returns at most `limit` hashtags that start with the folded `prefix`: trending ones first, then the first ones in alphabetical
 * order, as far as the viewer may see a post with them.
 */
export async function searchHashtags(
  db: Queryable,
  { prefix, viewer: reader, limit }: { readonly prefix: string; readonly viewer: Viewer; readonly limit: number },
): Promise<readonly HashtagRow[]> {
  return await db.query(searchStatement, [prefix, reader, limit]);
}
