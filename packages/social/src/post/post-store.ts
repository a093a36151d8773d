import type { Queryable } from '@linnet/db/database';
import { lookup, statement } from '@linnet/db/statement/statement';

import { authorColumns, lateralAccount } from '../account/account-row.ts';
import { visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { postColumns, viewerColumns } from './post-row.ts';
import type { PostRow } from './post-row.ts';

const selectPost = lookup<readonly [id: number, viewer: Viewer], PostRow>(
  'post_show',
  ['bigint', 'bigint'],
  `SELECT ${postColumns('p')}, ${viewerColumns('p', '$2::bigint')}, ${authorColumns('a')}
   FROM post p JOIN ${lateralAccount('p.author_id')} a ON ${visibleTo('$2::bigint', 'a')}
   WHERE p.id = $1`,
);

/** `undefined`: the post does not exist or is hidden from the viewer. */
export async function findPost(db: Queryable, id: number, viewer: Viewer): Promise<PostRow | undefined> {
  const [row] = await db.query(selectPost, [id, viewer]);
  return row;
}

const selectPosts = statement<readonly [ids: readonly number[], viewer: Viewer], PostRow>(
  'post_lookup',
  `SELECT found.* FROM unnest($1::bigint[]) WITH ORDINALITY AS asked(id, position)
   CROSS JOIN LATERAL (${selectPost.text.replaceAll('$1', 'asked.id')} OFFSET 0) found ORDER BY asked.position`,
);

/** Finds posts in the order of the ids, without those that do not exist or are hidden from the viewer. */
export async function findPostsById(db: Queryable, ids: readonly number[], viewer: Viewer): Promise<PostRow[]> {
  return await db.query(selectPosts, [ids, viewer]);
}
