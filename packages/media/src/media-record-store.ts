import type { Queryable } from '@linnet/db/statement/transaction';
import { DatabaseUnavailable } from '@linnet/db/connection/database-error';
import { statement } from '@linnet/db/statement/statement';

import type { ReceivedImage, Uploads } from './uploads.ts';

type InsertParams = readonly [
  ownerId: number,
  name: string,
  bytes: number,
  width: number,
  height: number,
  blurhash: string,
  alt: string,
  writtenAt: Date | null,
];

const insertStatement = statement<InsertParams, { readonly id: number }>(
  'media_insert',
  `INSERT INTO media (id, owner_id, name, bytes, width, height, blurhash, alt, created_at)
   SELECT CASE WHEN $8::timestamptz IS NULL THEN next_id(id) ELSE past_id(id, $8) END, id, $2, $3, $4, $5, $6, $7, COALESCE($8, now()) FROM account WHERE id = $1 AND hidden_at IS NULL
   RETURNING id`,
);

interface NewRecord extends ReceivedImage {
  readonly ownerId: number;
  /** What the picture shows, in words. Absent: nothing. */
  readonly alt?: string | undefined;
  /** When it was posted elsewhere; undefined: it is new. */
  readonly writtenAt?: Date | undefined;
}

/**
 * Inserts the record of an image whose files are stored, and returns its id. If that fails, the files are removed.
 * `undefined`: the account is hidden.
 */
export async function recordImage(
  db: Queryable,
  uploads: Pick<Uploads, 'discard'>,
  { ownerId, name, bytes, width, height, blurhash, alt = '', writtenAt }: NewRecord,
): Promise<number | undefined> {
  try {
    const [row] = await db.query(insertStatement, [
      ownerId,
      name,
      bytes,
      width,
      height,
      blurhash,
      alt,
      writtenAt ?? null,
    ]);
    if (row === undefined) await uploads.discard(name);
    return row?.id;
  } catch (error) {
    // After a lost connection the record may exist or not, so the files are left to the sweep.
    if (!(error instanceof DatabaseUnavailable)) await uploads.discard(name);
    throw error;
  }
}
