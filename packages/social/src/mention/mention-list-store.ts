import type { Mention } from '@linnet/contract/objects';
import type { Queryable } from '@linnet/db/statement/transaction';

import { filterInBatch, unmutedFilter, visibilityFilter } from '../account/account-filter.ts';
import { authorColumns, lateralAccount } from '../account/account-row.ts';
import { commentJson, fromCommentJson, toCommentBy } from '../comment/comment-view.ts';
import type { CommentJson } from '../comment/comment-view.ts';
import { lateralPost } from '../list-of-posts/listed-post-sql.ts';
import type { Slice } from '../list/page-sql.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import { toPaged } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';
import { postColumns, toPost, viewerColumns } from '../post/post-view.ts';
import type { PostRow } from '../post/post-view.ts';
import type { ViewContext } from '../view-context.ts';

/** Only the latest 3000 mentions of an account are listed, as with posts (decisions D28). */
export const maxListedMentions = 3000;

/** A mention by the post, or by the comment on it. */
type MentionRow = PostRow & { readonly mentionId: number; readonly comment: CommentJson | null };
type ListRow = MentionRow | { readonly [Key in keyof MentionRow]: null };

const viewer = '$4::bigint';
const ofAccount = 'FROM mention i WHERE i.account_id = $4';
const window = String(maxListedMentions);
// A post is shown as its author allows; a comment to all who may see its post, unless its own author is hidden or
// muted, or a block is between them.
const posts = filterInBatch(visibilityFilter(viewer), ofAccount, 'post_author_id');
const authors = filterInBatch(unmutedFilter(viewer), ofAccount, 'author_id');

function source({ where }: Pick<Slice, 'where'>): string {
  return `SELECT i.id, i.post_id, i.comment_id ${ofAccount} AND ${where} AND ${posts.isListed} AND ${authors.isListed}`;
}

const mentions = listStatements<readonly [accountId: number], ListRow>({
  name: 'mention_list',
  source,
  window: maxListedMentions,
  text: ({ edge, page, hasPreceding, order }) => `
    WITH ${posts.ctes(window)}, ${authors.ctes(window)}, ${edge}
    SELECT (SELECT count(*) FROM (${source({ where: 'true' })} ORDER BY i.id DESC LIMIT ${window}) counted) AS total,
      ${hasPreceding} AS "hasPreceding", i.id AS "mentionId", ${postColumns('p', viewer)}, ${viewerColumns('p', viewer)},
      ${authorColumns('a')}, c.comment
    FROM account me LEFT JOIN LATERAL (${page}) i ON true
    LEFT JOIN ${lateralPost('i.post_id')} p ON true
    LEFT JOIN ${lateralAccount('p.author_id')} a ON true
    LEFT JOIN LATERAL (
      SELECT ${commentJson('c', 'by', viewer)} AS comment FROM comment c JOIN account by ON by.id = c.author_id
      WHERE c.id = i.comment_id OFFSET 0
    ) c ON true
    WHERE me.id = $4 AND me.hidden_at IS NULL
    ORDER BY i.id ${order}`,
});

/**
 * Returns a page of the posts and comments of others that mention an account and that it may see, newest first.
 * `undefined`: the account does not exist.
 */
export async function findMentions(
  db: Queryable,
  accountId: number,
  page: Page,
): Promise<Paged<MentionRow> | undefined> {
  const found = await findPage(db, mentions, { page, params: [accountId], idColumn: 'mentionId' });
  return found && toPaged(found, page, (row) => row.mentionId);
}

/** Builds the object of a mention, with the post that it is in or about. */
export function toMention(row: MentionRow, context: ViewContext): Mention {
  const { mentionId, comment } = row;
  return {
    objectType: 'mention',
    kind: `${context.serviceName}#mention`,
    id: mentionId,
    type: comment === null ? 'post' : 'comment',
    post: toPost(row, context),
    ...(comment === null ? {} : { comment: toCommentBy(fromCommentJson(comment), context) }),
  };
}
