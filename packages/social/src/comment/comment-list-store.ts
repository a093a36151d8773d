import type { Queryable } from '@linnet/db/statement/transaction';

import { accountsFilter, filterInBatch } from '../account/account-filter.ts';
import { authorColumns, lateralAccount } from '../account/account-row.ts';
import { visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import type { Slice } from '../list/page-sql.ts';
import { toPaged } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';
import { commentColumns } from './comment-view.ts';
import type { CommentRow } from './comment-view.ts';

/** Only the latest 3000 comments of a post are listed (specification, Limits). */
export const maxListedComments = 3000;

type ListRow = CommentRow | { readonly [Key in keyof CommentRow]: null };

const ofPost = 'FROM comment i WHERE i.post_id = $4';
const filter = filterInBatch(accountsFilter('$5::bigint'), ofPost, 'author_id');

function source({ where }: Pick<Slice, 'where'>): string {
  return `SELECT i.id ${ofPost} AND ${where} AND ${filter.isListed}`;
}

/**
 * The comments of a hidden account are hidden at once, but the post's counter includes them until the deletion job
 * has run. So the counter replaces counting only when it is well above what can be listed.
 */
const exceedsWindow = `comments_count >= ${String(2 * maxListedComments)}`;
const total = `CASE WHEN p.${exceedsWindow} THEN ${String(maxListedComments)} ELSE (
  SELECT count(*) FROM (SELECT 1 FROM (${source({ where: 'true' })}) t LIMIT ${String(maxListedComments)}) counted
) END`;

const comments = listStatements<readonly [postId: number, viewer: Viewer], ListRow>({
  name: 'comment_list',
  source,
  window: maxListedComments,
  text: ({ edge, page, hasPreceding, order, needed }) => `
    WITH ${filter.ctes(`(SELECT CASE WHEN ${exceedsWindow} THEN ${needed} ELSE ${String(maxListedComments)} END FROM post WHERE id = $4)`)},
    ${edge}
    SELECT ${total} AS total, ${hasPreceding} AS "hasPreceding", ${commentColumns('c', '$5::bigint')}, ${authorColumns('a')}
    FROM post p JOIN account author ON author.id = p.author_id LEFT JOIN LATERAL (${page}) i ON true
    LEFT JOIN LATERAL (SELECT * FROM comment WHERE id = i.id OFFSET 0) c ON true
    LEFT JOIN ${lateralAccount('c.author_id')} a ON true
    WHERE p.id = $4 AND ${visibleTo('$5::bigint', 'author')}
    ORDER BY i.id ${order}`,
});

/** Returns a page of a post's comments. `undefined`: the post does not exist or is hidden from the viewer. */
export async function findComments(
  db: Queryable,
  { postId, viewer }: { readonly postId: number; readonly viewer: Viewer },
  page: Page,
): Promise<Paged<CommentRow> | undefined> {
  const found = await findPage(db, comments, { page, params: [postId, viewer], idColumn: 'id' });
  return found && toPaged(found, page, (row) => row.id);
}
