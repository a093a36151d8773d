import type { Db, Queryable } from '@linnet/db/database';
import { runExclusively } from '@linnet/db/run-exclusively';
import { statement } from '@linnet/db/statement';

const batch = 500;

// A photo of an account is in use, attached or not.
const unattachedStatement = statement<readonly [hours: number], { readonly name: string }>(
  'media_sweep_unattached',
  `WITH doomed AS (
     SELECT id FROM media m
     WHERE post_id IS NULL AND created_at < now() - make_interval(hours => $1)
       AND NOT EXISTS (SELECT 1 FROM account WHERE avatar = m.name)
     ORDER BY created_at LIMIT ${String(batch)} FOR UPDATE SKIP LOCKED
   )
   DELETE FROM media WHERE id IN (SELECT id FROM doomed) RETURNING name`,
);

/** Deletes media that was never attached, 500 records at a time; answers whether there may be more. */
export async function deleteUnattachedMedia(db: Db, olderThanHours: number): Promise<boolean> {
  let isFull = false;
  await runExclusively(db, 'media-unattached', async (tx) => {
    const rows = await tx.query(unattachedStatement, [olderThanHours]);
    isFull = rows.length === batch;
  });
  return isFull;
}

const removedStatement = statement<readonly [], { readonly name: string }>(
  'media_removed_list',
  `SELECT name FROM removed_media_file LIMIT ${String(batch)}`,
);

/** Names whose files are to be removed, at most 500 at a time. */
export async function findRemovedFiles(db: Queryable): Promise<readonly string[]> {
  const rows = await db.query(removedStatement, []);
  return rows.map(({ name }) => name);
}

const forgetStatement = statement<readonly [names: readonly string[]], never>(
  'media_removed_forget',
  'DELETE FROM removed_media_file WHERE name = ANY($1::text[])',
);

/** When the files are gone. */
export async function forgetRemovedFiles(db: Queryable, names: readonly string[]): Promise<void> {
  await db.query(forgetStatement, [names]);
}

const recordedStatement = statement<readonly [names: readonly string[]], { readonly name: string }>(
  'media_recorded',
  'SELECT name FROM media WHERE name = ANY($1::text[])',
);

/** Those of the names that have a record. */
type RecordedAmong = (names: readonly string[]) => Promise<ReadonlySet<string>>;

/** Gives `work` a look at the records, unless another process is at the same work. */
export async function withRecordedNames(db: Db, work: (recordedAmong: RecordedAmong) => Promise<void>): Promise<void> {
  await runExclusively(db, 'media-orphans', async (tx) => {
    await work(async (names) => {
      const rows = await tx.query(recordedStatement, [names]);
      return new Set(rows.map(({ name }) => name));
    });
  });
}
