import type { Db, Queryable } from '@linnet/db/database';
import { runExclusively } from '@linnet/db/statement/run-exclusively';
import { statement } from '@linnet/db/statement/statement';

interface ImageWithoutBlurhash {
  readonly id: number;
  readonly name: string;
}

const selectStatement = statement<readonly [limit: number], ImageWithoutBlurhash>(
  'media_without_blurhash',
  'SELECT id, name FROM media WHERE blurhash IS NULL ORDER BY id LIMIT $1',
);

const updateStatement = statement<readonly [ids: readonly number[], blurhashes: readonly string[]], never>(
  'media_blurhashes',
  `UPDATE media SET blurhash = computed.blurhash
   FROM unnest($1::bigint[], $2::text[]) AS computed(id, blurhash) WHERE media.id = computed.id`,
);

/** Finds images of earlier versions, which have no blurhash, in the order of their ids. */
export async function findImagesWithoutBlurhash(db: Queryable, limit: number): Promise<ImageWithoutBlurhash[]> {
  return await db.query(selectStatement, [limit]);
}

/** Stores blurhashes by the id of their image. Empty: it cannot be computed, and nobody tries again. */
export async function storeBlurhashes(db: Queryable, computed: ReadonlyMap<number, string>): Promise<void> {
  if (computed.size > 0) await db.query(updateStatement, [[...computed.keys()], [...computed.values()]]);
}

/** Runs `work` unless another process runs it. It must not take long: its transaction is idle while it runs. */
export async function takeBlurhashTurn(db: Db, work: (tx: Queryable) => Promise<void>): Promise<void> {
  await runExclusively(db, 'media-blurhashes', work);
}
