import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

import { visibleTo } from '../account/visibility.ts';
import { isListedFor, mediaColumns } from './media-store.ts';
import type { MediaRow } from './media-store.ts';

/** If the record is not the account's own, it was not changed and only `own` is known. */
type Row = MediaRow & { readonly own: boolean };

const updateStatement = statement<readonly [id: number, accountId: number, alt: string], Row>(
  'media_update',
  `WITH target AS (
     SELECT m.id, m.owner_id FROM media m JOIN account a ON a.id = m.owner_id
     WHERE m.id = $1 AND ${isListedFor('$2::bigint')} AND ${visibleTo('$2::bigint', 'a')}
   ), updated AS (
     UPDATE media SET alt = $3 WHERE id IN (SELECT id FROM target WHERE owner_id = $2::bigint) RETURNING *
   )
   SELECT target.owner_id = $2::bigint AS own, ${mediaColumns('a')}
   FROM target JOIN account a ON a.id = target.owner_id LEFT JOIN updated m ON true
   WHERE target.owner_id <> $2::bigint OR m.id IS NOT NULL`,
);

/** Changes what a picture of the account shows in words. `undefined`: the record does not exist or is hidden from the account. */
export async function updateMedia(
  db: Queryable,
  { id, accountId, alt }: { readonly id: number; readonly accountId: number; readonly alt: string },
): Promise<MediaRow | 'not-owner' | undefined> {
  const [row] = await db.query(updateStatement, [id, accountId, alt]);
  return row?.own === false ? 'not-owner' : row;
}
