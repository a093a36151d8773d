import type { Db } from '@linnet/db/database';
import type { Queryable } from '@linnet/db/statement/transaction';
import { retention } from '@linnet/db/keep/retention';
import { runExclusively } from '@linnet/db/statement/run-exclusively';
import { statement } from '@linnet/db/statement/statement';

const batch = 500;
/** Names of files of which a transaction removes the files at a time. */
const removedAtOnce = 100;
/** PostgreSQL ends transactions that are idle for five seconds, and a bucket can take 2.5 s to refuse a removal. */
const removedWithinMs = 2000;

/** The jobs that delete files of media. A backup keeps them from running (`packages/backup`). */
export const fileDeletionJobs = { removed: 'media-removed', orphans: 'media-orphans' } as const;

// The photo of an account is in use even if it is not attached to a post, and so are the pictures of a draft that waits.
const isUnused = `post_id IS NULL AND created_at < now() - interval '${retention.media.unattached}'
  AND NOT EXISTS (SELECT 1 FROM account WHERE avatar = m.name)
  AND NOT EXISTS (SELECT 1 FROM draft d WHERE d.account_id = m.owner_id AND d.decided_at IS NULL AND m.id = ANY (d.media_ids))`;

const lockUnattachedStatement = statement<readonly [], { readonly id: number }>(
  'media_sweep_lock',
  `SELECT id FROM media m WHERE ${isUnused} ORDER BY created_at LIMIT ${String(batch)} FOR UPDATE SKIP LOCKED`,
);

const unattachedStatement = statement<readonly [ids: readonly number[]], never>(
  'media_sweep_unattached',
  `DELETE FROM media m WHERE id = ANY ($1::bigint[]) AND ${isUnused}`,
);

/** Deletes at most 500 records of media that was never attached. Returns whether there may be more. */
export async function deleteUnattachedMedia(db: Db): Promise<boolean> {
  let isFull = false;
  await runExclusively(db, 'media-unattached', async (tx) => {
    const rows = await tx.query(lockUnattachedStatement, []);
    isFull = rows.length === batch;
    // After the lock it sees every draft that was stored before.
    if (rows.length > 0) await tx.query(unattachedStatement, [rows.map(({ id }) => id)]);
  });
  return isFull;
}

/** SQL: whether `removeListedFiles` has something to do. */
export const isRemovalDue = 'EXISTS (SELECT 1 FROM removed_media_file)';

const removedStatement = statement<readonly [], { readonly name: string }>(
  'media_removed_list',
  `SELECT name FROM removed_media_file LIMIT ${String(removedAtOnce)}`,
);

const unlistStatement = statement<readonly [names: readonly string[]], never>(
  'media_removed_unlist',
  'DELETE FROM removed_media_file WHERE name = ANY($1::text[])',
);

/**
 * Calls `remove` for at most 100 names of deleted records, for two seconds, and then deletes them from the list of files to
 * remove, so that a crash in between leaves no files. Does nothing while another process does this, or a backup runs. Returns whether there
 * may be more.
 */
export async function removeListedFiles(db: Db, remove: (name: string) => Promise<void>): Promise<boolean> {
  let isFull = false;
  await runExclusively(db, fileDeletionJobs.removed, async (tx) => {
    const rows = await tx.query(removedStatement, []);
    const names = rows.map(({ name }) => name);
    const endsAt = performance.now() + removedWithinMs;
    const removed = [];
    for (const name of names) {
      if (performance.now() > endsAt) break;
      await remove(name);
      removed.push(name);
    }
    if (removed.length > 0) await tx.query(unlistStatement, [removed]);
    isFull = names.length === removedAtOnce || removed.length < names.length;
  });
  return isFull;
}

const recordedStatement = statement<readonly [names: readonly string[]], { readonly name: string }>(
  'media_recorded',
  'SELECT name FROM media WHERE name = ANY ($1::text[]) UNION ALL SELECT image FROM link_card WHERE image = ANY ($1::text[])',
);

/** Returns those of the names that have a record. */
export async function findRecordedNames(db: Queryable, names: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.query(recordedStatement, [names]);
  return new Set(rows.map(({ name }) => name));
}

/** Runs `work` unless another process runs it. It must not take long: its transaction is idle while it runs. */
export async function takeTurn(db: Db, work: () => Promise<void>): Promise<void> {
  await runExclusively(db, fileDeletionJobs.orphans, work);
}
