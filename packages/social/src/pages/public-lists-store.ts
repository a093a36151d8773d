import { statement } from '@linnet/db/statement/statement';
import type { Queryable } from '@linnet/db/statement/transaction';

import { filterInBatch, metPostsFilter } from '../account/account-filter.ts';
import { authorColumns } from '../account/account-row.ts';
import { nobody } from '../account/visibility.ts';
import { maxListedPosts } from '../list-of-posts/listed-post-row.ts';
import { mentionsColumn, postColumns } from '../post/post-view.ts';
import type { PostRow } from '../post/post-view.ts';

/** Posts on one page. The statement reads one more, which shows whether there are older ones. */
const postsPerPage = 20;

const window = String(maxListedPosts);
const tagged = 'FROM (SELECT post_id AS id, author_id FROM post_hashtag WHERE hashtag = $1::text) i WHERE true';
const filter = filterInBatch(metPostsFilter(nobody), tagged, 'author_id');
const visible = `SELECT i.id, i.author_id ${tagged} AND ${filter.isListed}`;

// Only the latest 3000 posts are shown, as in GET /hashtags/posts.
const hashtagStatement = statement<readonly [hashtag: string, before: number | null], PostRow>(
  'page_hashtag',
  `WITH ${filter.ctes(window)}, on_page AS MATERIALIZED (
     ${visible} AND ($2::bigint IS NULL OR (i.id < $2 AND i.id >= COALESCE((
       SELECT w.id FROM (${visible} ORDER BY i.id DESC LIMIT ${window}) w ORDER BY w.id DESC OFFSET ${String(maxListedPosts - 1)} LIMIT 1
     ), 0))) ORDER BY i.id DESC LIMIT ${String(postsPerPage + 1)}
   )
   SELECT ${postColumns('p', nobody)}, ${mentionsColumn('p', nobody)}, ${authorColumns('a')}
   FROM on_page JOIN post p ON p.id = on_page.id JOIN account a ON a.id = on_page.author_id
   ORDER BY p.id DESC`,
);

export interface HashtagPosts {
  /** Newest first. */
  readonly posts: readonly PostRow[];
  /** The cursor of the next page: its posts have smaller ids. `undefined` on the last page. */
  readonly olderThan: number | undefined;
}

interface HashtagQuery {
  /** See `toHashtagKey`. */
  readonly hashtag: string;
  /** Only posts older than this one. */
  readonly before: number | undefined;
}

/** The posts with a hashtag that nobody may see, in one statement. */
export async function findHashtagPage(db: Queryable, { hashtag, before }: HashtagQuery): Promise<HashtagPosts> {
  const found = await db.query(hashtagStatement, [hashtag, before ?? null]);
  const posts = found.slice(0, postsPerPage);
  return { posts, olderThan: found.length > posts.length ? posts.at(-1)?.id : undefined };
}

const listedStatement = statement<readonly [limit: number], { readonly username: string }>(
  'sitemap',
  `SELECT username FROM account
    WHERE posts_count > 0 AND NOT protected AND limited_at IS NULL AND deleted_at IS NULL AND suspended_at IS NULL
    ORDER BY id DESC LIMIT $1`,
);

/** The usernames of the newest accounts whose posts everybody may see. */
export async function findListedUsernames(db: Queryable, limit: number): Promise<readonly string[]> {
  return (await db.query(listedStatement, [limit])).map(({ username }) => username);
}

const shownPosts = 5;
/** A service whose latest posts are all hidden shows fewer: visitors wait for a bounded number of rows. */
const readPosts = '100';

const latest = `FROM (SELECT id, author_id, sensitive FROM post ORDER BY id DESC LIMIT ${readPosts}) i WHERE NOT sensitive`;
const latestFilter = filterInBatch(metPostsFilter(nobody), latest, 'author_id');

const latestStatement = statement<readonly [], PostRow>(
  'page_latest_posts',
  `WITH ${latestFilter.ctes(readPosts)}, shown AS MATERIALIZED (
     SELECT i.id, i.author_id ${latest} AND ${latestFilter.isListedAmongNewest} ORDER BY i.id DESC LIMIT ${String(shownPosts)}
   )
   SELECT ${postColumns('p', nobody)}, ${mentionsColumn('p', nobody)}, ${authorColumns('a')}
   FROM shown JOIN post p ON p.id = shown.id JOIN account a ON a.id = shown.author_id
   ORDER BY p.id DESC`,
);

/** The latest posts that a visitor may see, newest first, without sensitive ones. One statement. */
export async function findLatestPosts(db: Queryable): Promise<readonly PostRow[]> {
  return await db.query(latestStatement, []);
}
