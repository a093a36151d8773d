import type { Queryable } from '@linnet/db/statement/transaction';
import { batchNumber, batchedWrite, lookup, statement } from '@linnet/db/statement/statement';

import { authorColumns, lateralAccount } from '../account/account-row.ts';
import type { AuthorColumns } from '../account/account-row.ts';
import { mayCommentNow } from '../account/viewer-marks.ts';
import { commentsVisibleTo, visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { newId } from '../post/post-create-store.ts';
import { selectMentions } from '../post/post-store.ts';
import type { Entities } from '../post/post-text.ts';
import { postRow } from '../record.ts';
import { commentColumns } from './comment-view.ts';
import type { CommentColumns, CommentRow } from './comment-view.ts';

/** What a comment is written with. */
interface NewComment {
  readonly postId: number;
  readonly authorId: number;
  readonly text: string;
  readonly entities: Entities;
  /** The comment that it replies to. */
  readonly parentId?: number | undefined;
  /** When it was written elsewhere. */
  readonly writtenAt?: Date | undefined;
}

type InsertParams = readonly [
  postId: number,
  authorId: number,
  text: string,
  hashtags: string | null,
  urls: string | null,
  mentions: string,
  parentId: number | null,
];

/** The columns that are not known before the comment is stored. */
type InsertedRow = AuthorColumns & Pick<CommentColumns, 'id' | 'createdAt' | 'mentions' | 'mentionSpans'>;

/** SQL condition: is there a comment `parent` on the post that `viewer` sees beside it? NULL: it replies to none. */
function isParent(parent: string, post: string, viewer: string): string {
  return `(${parent} IS NULL OR EXISTS (SELECT 1 FROM comment above JOIN account by ON by.id = above.author_id
    WHERE above.id = ${parent} AND above.post_id = ${post} AND ${commentsVisibleTo(viewer, 'by')}))`;
}

// One statement, so that the comment and the post's counter change together. The update locks the post first, so that
// it cannot be deleted before the comment is inserted. If it was changed in the meantime, its conditions are checked again.
const insertSql = (writtenAt?: '$8') => `WITH counted AS (
     UPDATE post p SET comments_count = p.comments_count + 1 FROM account a, account me
     WHERE p.id = $1 AND a.id = p.author_id AND ${visibleTo('$2::bigint', 'a')} AND me.id = $2 AND me.hidden_at IS NULL
       AND ${mayCommentNow('p', '$2::bigint')} AND ${isParent('$7::bigint', '$1', '$2::bigint')}
     RETURNING p.id, p.author_id
   ), mention AS MATERIALIZED (${selectMentions('$6::jsonb', '$2::bigint')}), c AS (
     INSERT INTO comment (id, created_at, post_id, author_id, text, hashtags, urls, mention_ids, mention_spans, parent_id, imported)
     SELECT ${newId('counted.author_id', writtenAt)}, counted.id, $2::bigint, $3::text, $4::jsonb, $5::jsonb, mention.ids, mention.spans, $7::bigint, ${String(writtenAt !== undefined)} FROM counted CROSS JOIN mention
     RETURNING *
   )
   SELECT c.id, c.created_at AS "createdAt", mention.visible AS mentions, mention.spans AS "mentionSpans", ${authorColumns('a')}
   FROM c CROSS JOIN mention JOIN account a ON a.id = c.author_id`;

// Several comments at once. The posts are locked in the order of their ids, each once and changed once. A comment gets
// its id before it is stored; the id finds its row.
const insertBatchSql = `wanted AS MATERIALIZED (
     SELECT batch.* FROM batch JOIN post p ON p.id = post_id JOIN ${lateralAccount('p.author_id')} a ON true
       JOIN ${lateralAccount('commenter_id')} me ON true
     WHERE me.hidden_at IS NULL AND ${visibleTo('commenter_id', 'a')}
       AND ${isParent('batch.parent_id', 'batch.post_id', 'commenter_id')}
   ), target AS MATERIALIZED (
     SELECT id, author_id, mention_ids, commenters FROM post
     WHERE id = ANY (ARRAY(SELECT post_id FROM wanted)) ORDER BY id FOR NO KEY UPDATE
   ), new AS MATERIALIZED (
     SELECT next_id(n.post_author_id) AS id, n.* FROM (
       SELECT wanted.*, target.author_id AS post_author_id FROM wanted JOIN target ON target.id = post_id
       WHERE ${mayCommentNow('target', 'commenter_id')} ORDER BY number
     ) n
   ), mention AS MATERIALIZED (
     SELECT new.id AS comment_id, mentioned.* FROM new
     CROSS JOIN LATERAL (${selectMentions('new.mentions', 'new.commenter_id')}) mentioned
     WHERE new.mentions <> '[]'
   ), c AS (
     INSERT INTO comment (id, post_id, author_id, text, hashtags, urls, mention_ids, mention_spans, parent_id)
     SELECT new.id, post_id, commenter_id, text, hashtags, urls, mention.ids, mention.spans, parent_id
     FROM new LEFT JOIN mention ON mention.comment_id = new.id ORDER BY number
     RETURNING id, created_at
   ), counted AS (
     UPDATE post SET comments_count = comments_count + added.count
     FROM (SELECT post_id, count(*)::int AS count FROM new GROUP BY post_id) added WHERE id = added.post_id
   )
   SELECT number AS "${batchNumber}", c.id, c.created_at AS "createdAt", mention.visible AS mentions, mention.spans AS "mentionSpans", ${authorColumns('a')}
   FROM new JOIN c ON c.id = new.id JOIN account a ON a.id = new.commenter_id
   LEFT JOIN mention ON mention.comment_id = new.id`;

const importStatement = statement<readonly [...InsertParams, writtenAt: Date], InsertedRow>(
  'comment_import',
  insertSql('$8'),
);
const insertStatement = batchedWrite<InsertParams, InsertedRow>('comment_create', {
  text: insertSql(),
  columns: [
    'post_id bigint',
    'commenter_id bigint',
    'text text',
    'hashtags jsonb',
    'urls jsonb',
    'mentions jsonb',
    'parent_id bigint',
  ],
  batchText: insertBatchSql,
  lock: ([postId]) => postRow(postId),
});

/**
 * Stores a comment and counts it. `undefined`: the post does not exist, is hidden from the comment's author or does not let them
 * comment, or the comment to reply to is not one of the post.
 */
export async function insertComment(db: Queryable, comment: NewComment): Promise<CommentRow | undefined> {
  const { postId, authorId, text, parentId = null, entities, writtenAt } = comment;
  const [hashtags, urls] = [noneAsNull(entities.hashtags), noneAsNull(entities.urls)];
  const params = [
    postId,
    authorId,
    text,
    hashtags && JSON.stringify(hashtags),
    urls && JSON.stringify(urls),
    JSON.stringify(entities.mentions),
    parentId,
  ] as const;
  const [row] = await (writtenAt === undefined
    ? db.query(insertStatement, params)
    : db.query(importStatement, [...params, writtenAt]));
  return row && { ...row, text, hashtags, urls, postId, parentId, imported: writtenAt !== undefined };
}

function noneAsNull<Item>(items: readonly Item[]): readonly Item[] | null {
  return items.length === 0 ? null : items;
}

const selectComment = lookup<readonly [id: number, viewer: Viewer], CommentRow>(
  'comment_show',
  ['bigint', 'bigint'],
  `SELECT ${commentColumns('c', '$2::bigint')}, ${authorColumns('by')}
   FROM comment c JOIN account by ON by.id = c.author_id JOIN post p ON p.id = c.post_id JOIN account a ON a.id = p.author_id
   WHERE c.id = $1 AND ${commentsVisibleTo('$2::bigint', 'by')} AND ${visibleTo('$2::bigint', 'a')}`,
);

/** `undefined`: the comment does not exist, or it or its post is hidden from the viewer. */
export async function findComment(db: Queryable, id: number, viewer: Viewer): Promise<CommentRow | undefined> {
  const [row] = await db.query(selectComment, [id, viewer]);
  return row;
}

// An account can delete its comment even when it can no longer see the post, and those of others on its own posts even when a block
// hides them. The post is locked first (see post/reaction-store.ts).
const deleteStatement = statement<readonly [id: number, accountId: number], { outcome: DeleteOutcome }>(
  'comment_delete',
  `WITH target AS MATERIALIZED (
     SELECT c.post_id, c.author_id = $2 OR (p.author_id = $2 AND author.hidden_at IS NULL) AS own, ${visibleTo('$2::bigint', 'a')} AND ${commentsVisibleTo('$2::bigint', 'author')} AS visible
     FROM comment c JOIN account author ON author.id = c.author_id
       JOIN post p ON p.id = c.post_id JOIN account a ON a.id = p.author_id
     WHERE c.id = $1
   ), locked AS MATERIALIZED (
     SELECT id FROM post WHERE id IN (SELECT post_id FROM target WHERE own) FOR NO KEY UPDATE
   ), deleted AS (
     DELETE FROM comment WHERE id = $1 AND post_id IN (SELECT id FROM locked) RETURNING post_id
   ), counted AS (
     UPDATE post SET comments_count = comments_count - 1 WHERE id IN (SELECT post_id FROM deleted)
   )
   SELECT CASE WHEN own THEN 'deleted' ELSE 'not-owner' END AS outcome FROM target
   WHERE CASE WHEN own THEN EXISTS (SELECT 1 FROM deleted) ELSE visible END`,
  // It is not known which post it locks, so all deletions pass the gate as if they locked the same one.
  () => ['comment/deleted'],
);

/** Deletes a comment of the account, or on a post of it. `undefined`: the comment does not exist or is hidden from the account. */
export async function deleteComment(
  db: Queryable,
  { id, accountId }: { readonly id: number; readonly accountId: number },
): Promise<DeleteOutcome | undefined> {
  const [row] = await db.query(deleteStatement, [id, accountId]);
  return row?.outcome;
}

/** The outcome of deleting a record that the account can see; `not-owner`: it belongs to another account. */
export type DeleteOutcome = 'deleted' | 'not-owner';
