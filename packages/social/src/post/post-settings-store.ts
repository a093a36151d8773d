import type { Commenters } from '@linnet/contract/commenters';
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

import { authorColumns } from '../account/account-row.ts';
import { visibleTo } from '../account/visibility.ts';
import { postRow } from '../locked-rows.ts';
import { postColumns, viewerColumns } from './post-row.ts';
import type { PostRow } from './post-row.ts';

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
   SELECT target.own, ${postColumns('p')}, ${viewerColumns('p', '$2::bigint')}, ${authorColumns('a')}
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
