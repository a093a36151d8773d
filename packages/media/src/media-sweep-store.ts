import type { Db, Queryable } from '@linnet/db/database';
import { runExclusively } from '@linnet/db/run-exclusively';
import { statement } from '@linnet/db/statement';

const batch = 500;

// The photo of an account is in use even if it is not attached to a post.
const unattachedStatement = statement<readonly [hours: number], { readonly name: string }>(
  'media_sweep_unattached',
  `WITH unused AS (
     SELECT id FROM media m
     WHERE post_id IS NULL AND created_at < now() - make_interval(hours => $1)
       AND NOT EXISTS (SELECT 1 FROM account WHERE avatar = m.name)
     ORDER BY created_at LIMIT ${String(batch)} FOR UPDATE SKIP LOCKED
   )
   DELETE FROM media WHERE id IN (SELECT id FROM unused) RETURNING name`,
);

/** Deletes at most 500 records of media that was never attached. Returns whether there may be more. */
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

/** Returns at most 500 names of deleted records whose files must be removed. */
export async function findRemovedFiles(db: Queryable): Promise<readonly string[]> {
  const rows = await db.query(removedStatement, []);
  return rows.map(({ name }) => name);
}

const unlistStatement = statement<readonly [names: readonly string[]], never>(
  'media_removed_unlist',
  'DELETE FROM removed_media_file WHERE name = ANY($1::text[])',
);

/** Deletes the names from the list of files to remove. Call it after the files are removed. */
export async function unlistRemovedFiles(db: Queryable, names: readonly string[]): Promise<void> {
  await db.query(unlistStatement, [names]);
}

const recordedStatement = statement<readonly [names: readonly string[]], { readonly name: string }>(
  'media_recorded',
  'SELECT name FROM media WHERE name = ANY($1::text[])',
);

/** Returns those of the names that have a record. */
export async function findRecordedNames(db: Queryable, names: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.query(recordedStatement, [names]);
  return new Set(rows.map(({ name }) => name));
}

/** Runs `work` unless another process runs it. It must not take long: its transaction is idle while it runs. */
export async function takeTurn(db: Db, work: () => Promise<void>): Promise<void> {
  await runExclusively(db, 'media-orphans', work);
}
