import type { Commenters } from '@linnet/contract/commenters';
import type { Queryable } from '@linnet/db/statement/transaction';
import { lookup, statement } from '@linnet/db/statement/statement';

import { accountJson, authorColumns, lateralAccount } from '../account/account-row.ts';
import { isOpenTo, visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { postRow } from '../record.ts';
import { postColumns, viewerColumns } from './post-view.ts';
import type { PostRow } from './post-view.ts';

const selectPost = lookup<readonly [id: number, viewer: Viewer], PostRow>(
  'post_show',
  ['bigint', 'bigint'],
  `SELECT ${postColumns('p', '$2::bigint')}, ${viewerColumns('p', '$2::bigint')}, ${authorColumns('a')}
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

const maxMentions = 20;

/**
 * SQL: one row with the ids of the accounts that a text by `author` mentions, where it mentions them (`MentionSpans`), and as JSON
 * those that the author may see. An account with a block between it and the author is not mentioned.
 * `mentions`: `Entities.mentions` as jsonb. OFFSET 0 keeps the subquery separate, so that no plan scans all accounts.
 */
export function selectMentions(mentions: string, author: string): string {
  return `SELECT array_agg(m.id ORDER BY m.position) AS ids,
      jsonb_agg(jsonb_build_object('id', m.id, 'indices', m.indices) ORDER BY m.position) AS spans,
      json_agg(${accountJson('m')} ORDER BY m.position) FILTER (WHERE ${visibleTo(author, 'm')}) AS visible
    FROM (
      SELECT found.*, o.position, o.mention -> 'indices' AS indices
      FROM jsonb_array_elements(${mentions}) WITH ORDINALITY AS o(mention, position)
      JOIN LATERAL (SELECT * FROM account WHERE username_ci = o.mention ->> 'name' AND hidden_at IS NULL OFFSET 0) found ON true
      WHERE ${isOpenTo(author, 'found')}
      ORDER BY o.position LIMIT ${String(maxMentions)}
    ) m`;
}

const withdrawStatement = statement<readonly [id: number, accountId: number], { readonly own: boolean }>(
  'post_quote_withdraw',
  `WITH target AS MATERIALIZED (
     SELECT p.id, COALESCE(q.author_id = $2, false) AS own, ${visibleTo('$2::bigint', 'a')} AS visible
     FROM post p JOIN account a ON a.id = p.author_id LEFT JOIN post q ON q.id = abs(p.quote_id) WHERE p.id = $1
   ), withdrawn AS (
     UPDATE post SET quote_id = -abs(quote_id) WHERE id IN (SELECT id FROM target WHERE own)
   ), unnotified AS (
     DELETE FROM notification WHERE account_id = $2 AND kind = 'quote' AND id IN (SELECT id FROM target WHERE own)
   )
   SELECT own FROM target WHERE own OR visible`,
  ([id]) => [postRow(id)],
);

/** Withdraws a post of the account from the post `id` that quotes it, also one that it may not see. `undefined`: there is none. */
export async function withdrawQuote(
  db: Queryable,
  { id, accountId }: OwnPost,
): Promise<'not-owner' | true | undefined> {
  const [row] = await db.query(withdrawStatement, [id, accountId]);
  return row && (row.own || 'not-owner');
}

interface PostSettings {
  /** Undefined: unchanged. */
  readonly commenters: Commenters | undefined;
  readonly sensitive: boolean | undefined;
}

type Params = readonly [id: number, accountId: number, commenters: Commenters | null, sensitive: boolean | null];
type Row = { readonly own: boolean } & (PostRow | { readonly [Key in keyof PostRow]: null });

// A comment that waits for the lock on the post sees the new settings; see `mayCommentNow`.
const updateStatement = statement<Params, Row>(
  'post_settings',
  `WITH target AS MATERIALIZED (
     SELECT p.id, p.author_id, p.author_id = $2 AS own FROM post p JOIN account a ON a.id = p.author_id
     WHERE p.id = $1 AND ${visibleTo('$2::bigint', 'a')}
   ), changed AS (
     UPDATE post SET commenters = COALESCE($3::post_commenters, commenters), sensitive = COALESCE($4::boolean, sensitive)
     WHERE id IN (SELECT id FROM target WHERE own) RETURNING *
   )
   SELECT target.own, ${postColumns('p', '$2::bigint')}, ${viewerColumns('p', '$2::bigint')}, ${authorColumns('a')}
   FROM target JOIN account a ON a.id = target.author_id LEFT JOIN changed p ON true
   WHERE NOT target.own OR p.id IS NOT NULL`,
  ([id]) => [postRow(id)],
);

interface OwnPost {
  readonly id: number;
  readonly accountId: number;
}

/** Changes the settings of a post of the account. `undefined`: the post does not exist or is hidden from the account. */
export async function updatePostSettings(
  db: Queryable,
  { id, accountId }: OwnPost,
  { commenters, sensitive }: PostSettings,
): Promise<PostRow | 'not-owner' | undefined> {
  const [row] = await db.query(updateStatement, [id, accountId, commenters ?? null, sensitive ?? null]);
  if (row === undefined) return undefined;
  return row.id === null ? 'not-owner' : row;
}
