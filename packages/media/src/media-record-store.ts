import type { Queryable } from '@linnet/db/database';
import { DatabaseUnavailable } from '@linnet/db/database-error';
import { statement } from '@linnet/db/statement';

import type { ReceivedImage, Uploads } from './uploads.ts';

type InsertParams = readonly [ownerId: number, name: string, bytes: number, width: number, height: number];

const insertStatement = statement<InsertParams, { readonly id: number }>(
  'media_insert',
  `INSERT INTO media (owner_id, name, bytes, width, height)
   SELECT id, $2, $3, $4, $5 FROM account WHERE id = $1 AND deleted_at IS NULL
   RETURNING id`,
);

/**
 * Inserts the record of an image whose files are stored, and returns its id. If that fails, the files are removed.
 * `undefined`: the account is deleted.
 */
export async function recordImage(
  db: Queryable,
  uploads: Pick<Uploads, 'discard'>,
  { ownerId, name, bytes, width, height }: ReceivedImage & { readonly ownerId: number },
): Promise<number | undefined> {
  try {
    const [row] = await db.query(insertStatement, [ownerId, name, bytes, width, height]);
    if (row === undefined) await uploads.discard(name);
    return row?.id;
  } catch (error) {
    // After a lost connection the record may exist or not, so the files are left to the sweep.
    if (!(error instanceof DatabaseUnavailable)) await uploads.discard(name);
    throw error;
  }
}
