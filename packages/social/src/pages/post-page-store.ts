import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { authorColumns } from '../account/account-row.ts';
import { mayComment } from '../account/viewer-marks.ts';
import { isNotBlocked, isNotHidden, visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { maxListedComments } from '../comment/comment-list-store.ts';
import { commentJson, fromCommentJson } from '../comment/comment-view.ts';
import type { CommentJson, ShownCommentRow } from '../comment/comment-view.ts';
import { mentionsColumn, postColumns } from '../post/post-view.ts';
import type { PostRow } from '../post/post-view.ts';

/** Comments on one page. The statement reads one more, which shows whether there are newer ones. */
const commentsPerPage = 20;

type Row = PostRow & {
  readonly protected: boolean;
  readonly canComment: boolean;
  readonly comments: readonly CommentJson[] | null;
};

/** SQL: the comment before the latest 3000 of a post; only these are shown, as in GET /comment. */
const edge = `CASE WHEN p.comments_count > ${String(maxListedComments)} THEN COALESCE((
  SELECT id FROM comment WHERE post_id = p.id ORDER BY id DESC OFFSET ${String(maxListedComments)} LIMIT 1
), 0) ELSE 0 END`;

const selectPost = statement<readonly [id: number, viewer: Viewer, after: number], Row>(
  'page_post',
  `SELECT a.protected, ${mayComment('p', '$2::bigint')} AS "canComment", ${postColumns('p', '$2::bigint')}, ${mentionsColumn('p', '$2::bigint')}, ${authorColumns('a')}, CASE WHEN p.comments_count > 0 THEN (
     SELECT json_agg(${commentJson('shown', 'shown_author', '$2::bigint')} ORDER BY shown.id)
     FROM (
       SELECT c.id, c.author_id FROM comment c
       WHERE c.post_id = p.id AND c.id > GREATEST($3::bigint, ${edge})
         AND ${isNotHidden('c.author_id')} AND ${isNotBlocked('$2::bigint', 'c.author_id')}
       ORDER BY c.id LIMIT ${String(commentsPerPage + 1)}
     ) on_page JOIN comment shown ON shown.id = on_page.id JOIN account shown_author ON shown_author.id = on_page.author_id
   ) END AS comments
   FROM post p JOIN account a ON a.id = p.author_id
   WHERE p.id = $1 AND ${visibleTo('$2::bigint', 'a')}`,
);

/** A post with a page of its comments. */
export interface FoundPost {
  readonly post: PostRow;
  /** Only approved followers see it. */
  readonly isProtected: boolean;
  /** Whether the viewer may comment. */
  readonly canComment: boolean;
  /** Oldest first. */
  readonly comments: readonly ShownCommentRow[];
  /** The cursor of the next page: its comments have greater ids. `undefined` on the last page. */
  readonly newerThan: number | undefined;
}

interface PostPageQuery {
  readonly id: number;
  /** Null: everybody. */
  readonly viewer: Viewer;
  /** Only comments newer than this one. */
  readonly after: number | undefined;
}

/**
 * What a page shows of a post, in one statement. `undefined`: the post does not exist, or is hidden from the viewer.
 */
export async function findPostPage(
  db: Queryable,
  { id, viewer, after = 0 }: PostPageQuery,
): Promise<FoundPost | undefined> {
  const [row] = await db.query(selectPost, [id, viewer, after]);
  if (row === undefined) return undefined;
  const { comments, protected: isProtected, canComment, ...post } = row;
  const found = (comments ?? []).map(fromCommentJson);
  const shown = found.slice(0, commentsPerPage);
  const newerThan = found.length > shown.length ? shown.at(-1)?.id : undefined;
  return { post, isProtected, canComment, comments: shown, newerThan };
}
