import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { filterInBatch, metPostsFilter } from '../account/account-filter.ts';
import { authorColumns } from '../account/account-row.ts';
import { nobody } from '../account/visibility.ts';
import { mentionsColumn, postColumns } from '../post/post-view.ts';
import type { PostRow } from '../post/post-view.ts';

const shownPosts = 5;
/** A service whose latest posts are all hidden shows fewer: visitors wait for a bounded number of rows. */
const readPosts = '100';

const latest = `FROM (SELECT id, author_id, sensitive FROM post ORDER BY id DESC LIMIT ${readPosts}) i WHERE NOT sensitive`;
const filter = filterInBatch(metPostsFilter(nobody), latest, 'author_id');

const latestStatement = statement<readonly [], PostRow>(
  'page_latest_posts',
  `WITH ${filter.ctes(readPosts)}, shown AS MATERIALIZED (
     SELECT i.id, i.author_id ${latest} AND ${filter.isListedAmongNewest} ORDER BY i.id DESC LIMIT ${String(shownPosts)}
   )
   SELECT ${postColumns('p', nobody)}, ${mentionsColumn('p', nobody)}, ${authorColumns('a')}
   FROM shown JOIN post p ON p.id = shown.id JOIN account a ON a.id = shown.author_id
   ORDER BY p.id DESC`,
);

/** The latest posts that a visitor may see, newest first, without sensitive ones. One statement. */
export async function findLatestPosts(db: Queryable): Promise<readonly PostRow[]> {
  return await db.query(latestStatement, []);
}
