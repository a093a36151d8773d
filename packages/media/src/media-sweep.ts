import type { Db } from '@linnet/db/database';
import type { Job } from '@linnet/service/jobs';

import { deleteUnattachedMedia, findRemovedFiles, unlistRemovedFiles, withRecordedNames } from './media-sweep-store.ts';
import type { MediaStorage } from './storage/media-storage.ts';

const unattachedHours = 24;
const removedEveryMs = 5000;
const sweepEveryMs = 3_600_000;
/** Longer than any upload takes: a more recent file may still get its record. */
const orphanAgeMs = 3_600_000;

/** Creates the jobs that keep records and files consistent (`docs/architecture.md`, Media). */
export function createMediaJobs(db: Db, storage: MediaStorage): readonly Job[] {
  return [
    { name: 'media-removed', everyMs: removedEveryMs, run: async () => await removeFiles(db, storage) },
    { name: 'media-unattached', everyMs: sweepEveryMs, run: async () => await sweepUnattached(db) },
    {
      name: 'media-orphans',
      everyMs: sweepEveryMs,
      run: async (stopping) => await sweepOrphans({ db, storage, stopping, olderThanMs: orphanAgeMs }),
    },
  ];
}

/** Removes the files of deleted records. Their names are unlisted last, so that a crash in between leaves no files. */
export async function removeFiles(db: Db, storage: MediaStorage): Promise<void> {
  const names = await findRemovedFiles(db);
  for (const name of names) await storage.remove(name);
  if (names.length > 0) await unlistRemovedFiles(db, names);
}

/** Deletes media that was uploaded more than a day ago and never used. */
export async function sweepUnattached(db: Db): Promise<void> {
  while (await deleteUnattachedMedia(db, unattachedHours));
}

interface OrphanSweep {
  readonly db: Db;
  readonly storage: MediaStorage;
  readonly stopping: AbortSignal;
  readonly olderThanMs: number;
}

/** Removes files without a record and drafts, both of which a crash during an upload leaves behind. */
export async function sweepOrphans({ db, storage, stopping, olderThanMs }: OrphanSweep): Promise<void> {
  await storage.removeDrafts(olderThanMs);
  await withRecordedNames(db, async (findRecorded) => {
    for await (const names of storage.list(olderThanMs)) {
      const recorded = await findRecorded(names);
      for (const name of names) if (!recorded.has(name)) await storage.remove(name);
      if (stopping.aborted) return;
    }
  });
}
