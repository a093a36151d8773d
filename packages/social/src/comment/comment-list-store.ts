import type { Queryable } from '@linnet/db/database';

import { accountWith, authorColumns } from '../account/account-row.ts';
import { judgedTogether, unlessDeleted } from '../account/judged-together.ts';
import { visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import type { Slice } from '../list/page-store.ts';
import { pageOf } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';
import type { CommentRow } from './comment-store.ts';

/** Nothing past the latest 3000 comments is listed (specification, Limits). */
export const listedComments = 3000;

type ListRow = CommentRow | { readonly [Key in keyof CommentRow]: null };

const ofPost = 'FROM comment i WHERE i.post_id = $4';
const judged = judgedTogether(unlessDeleted, ofPost, 'author_id');

function source({ where }: Pick<Slice, 'where'>): string {
  return `SELECT i.id ${ofPost} AND ${where} AND ${judged.isListed}`;
}

/**
 * Comments of accounts that were just deleted are listed no more but counted yet, so that the post's counter
 * tells only of far more than can be listed.
 */
const counterTells = `comments_count >= ${String(2 * listedComments)}`;
const total = `CASE WHEN p.${counterTells} THEN ${String(listedComments)} ELSE (
  SELECT count(*) FROM (SELECT 1 FROM (${source({ where: 'true' })}) t LIMIT ${String(listedComments)}) counted
) END`;

const comments = listStatements<readonly [postId: number, viewer: Viewer], ListRow>({
  name: 'comment_list',
  source,
  window: listedComments,
  text: ({ edge, page, behind, order, needed }) => `
    WITH ${judged.ctes(`(SELECT CASE WHEN ${counterTells} THEN ${needed} ELSE ${String(listedComments)} END FROM post WHERE id = $4)`)},
    ${edge}
    SELECT ${total} AS total, ${behind} AS behind, c.id, c.text, c.created_at AS "createdAt", ${authorColumns('a')}
    FROM post p JOIN account author ON author.id = p.author_id LEFT JOIN LATERAL (${page}) i ON true
    LEFT JOIN LATERAL (SELECT * FROM comment WHERE id = i.id OFFSET 0) c ON true
    LEFT JOIN ${accountWith('c.author_id')} a ON true
    WHERE p.id = $4 AND ${visibleTo('$5::bigint', 'author')}
    ORDER BY i.id ${order}`,
});

/** A page of a post's comments; one statement. `undefined`: there is no such post for this viewer. */
export async function findComments(
  db: Queryable,
  { postId, viewer }: { readonly postId: number; readonly viewer: Viewer },
  page: Page,
): Promise<Paged<CommentRow> | undefined> {
  const found = await findPage(db, comments, { page, params: [postId, viewer], idColumn: 'id' });
  return found && pageOf(found, page, (row) => row.id);
}
