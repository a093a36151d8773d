import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { visibleTo } from '../account/visibility.ts';
import type { DeleteOutcome } from '../delete-outcome.ts';

// Comments, likes and reposts go with the post (foreign keys). The author is locked before the post
// (see mark-statements.ts), and only when the post is the account's own.
const deleteStatement = statement<readonly [id: number, accountId: number], { outcome: DeleteOutcome }>(
  'post_delete',
  `WITH target AS MATERIALIZED (
     SELECT p.id, p.author_id, p.author_id = $2 AS own FROM post p JOIN account a ON a.id = p.author_id
     WHERE p.id = $1 AND ${visibleTo('$2::bigint', 'a')}
   ), author AS MATERIALIZED (
     SELECT id FROM account WHERE id IN (SELECT author_id FROM target WHERE own) FOR NO KEY UPDATE
   ), deleted AS (
     DELETE FROM post WHERE id = $1 AND author_id IN (SELECT id FROM author) RETURNING author_id
   ), counted AS (
     UPDATE account SET posts_count = posts_count - 1 WHERE id IN (SELECT author_id FROM deleted)
   )
   SELECT CASE WHEN own THEN 'deleted' ELSE 'not-owner' END AS outcome FROM target
   WHERE NOT own OR EXISTS (SELECT 1 FROM deleted)`,
);

/** Deletes a post of the account; `undefined`: the account sees no such post. */
export async function deletePost(
  db: Queryable,
  { id, accountId }: { readonly id: number; readonly accountId: number },
): Promise<DeleteOutcome | undefined> {
  const [row] = await db.query(deleteStatement, [id, accountId]);
  return row?.outcome;
}
