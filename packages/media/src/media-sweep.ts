import type { Db } from '@linnet/db/database';
import { durationOf, retention } from '@linnet/db/keep/retention';
import type { Job } from '@linnet/service/jobs/job';

import {
  deleteUnattachedMedia,
  findRecordedNames,
  isRemovalDue,
  removeListedFiles,
  takeTurn,
} from './media-sweep-store.ts';
import type { MediaStorage } from './storage/media-storage.ts';

const removedEveryMs = 5000;
const sweepEveryMs = 3_600_000;
const dayMs = 24 * 3_600_000;
/** An hour is longer than any upload takes: a more recent file may still get its record. */
const orphanAges = { file: 3_600_000, quarantine: durationOf(retention.file.quarantined), pass: dayMs };

/** Creates the jobs that keep records and files consistent (`docs/architecture.md`, Media). */
export function createMediaJobs(db: Db, storage: MediaStorage): readonly Job[] {
  return [
    {
      name: 'media-removed',
      everyMs: removedEveryMs,
      due: isRemovalDue,
      run: async () => await removeFiles(db, storage),
    },
    { name: 'media-unattached', everyMs: sweepEveryMs, run: async () => await sweepUnattached(db) },
    {
      name: 'media-orphans',
      everyMs: sweepEveryMs,
      run: async (stopping) => await sweepOrphans({ db, storage, stopping, ages: orphanAges }),
    },
  ];
}

/** Removes the files of deleted records. */
export async function removeFiles(db: Db, storage: MediaStorage): Promise<void> {
  while (await removeListedFiles(db, async (name) => await storage.remove(name)));
}

/** Deletes media that was uploaded more than a day ago and never used. */
export async function sweepUnattached(db: Db): Promise<void> {
  while (await deleteUnattachedMedia(db));
}

interface OrphanSweep {
  readonly db: Db;
  readonly storage: MediaStorage;
  readonly stopping: AbortSignal;
  readonly ages: OrphanAges;
}

/** In milliseconds. */
interface OrphanAges {
  /** Files and drafts that are younger may belong to an upload in progress. */
  readonly file: number;
  /** How long files stay in the quarantine. */
  readonly quarantine: number;
  /** Between the starts of two passes over all files. */
  readonly pass: number;
}

/**
 * Removes drafts, which a crash during an upload leaves behind, and continues the pass over all files. Files without a
 * record go into the quarantine, and are removed after two weeks there. Those that have a record again, because another
 * backup of the database was restored, are released. So a database that does not know recent files removes none of them
 * at once. Memory is bounded by a batch of names.
 */
export async function sweepOrphans(sweep: OrphanSweep): Promise<void> {
  const { storage, stopping, ages } = sweep;
  await storage.removeDrafts(ages.file);
  for (;;) {
    const index = await claimPrefix(sweep);
    const prefix = index === undefined ? undefined : storage.prefixes[index];
    if (index === undefined || prefix === undefined) return;
    await sweepPrefix(sweep, prefix);
    if (stopping.aborted || index === storage.prefixes.length - 1) return;
  }
}

/**
 * Returns the index of the next prefix of the pass, for this process alone. `undefined`: another process is claiming one, or
 * it is too early for the next pass. The prefix of a process that dies has its turn in the next pass.
 */
async function claimPrefix({ db, storage, ages }: OrphanSweep): Promise<number | undefined> {
  let claimed: number | undefined;
  await takeTurn(db, async () => {
    claimed = undefined;
    const { startedAt, next } = (await storage.position.read()) ?? { startedAt: 0, next: storage.prefixes.length };
    const isOver = next >= storage.prefixes.length;
    if (isOver && Date.now() - startedAt < ages.pass) return;
    claimed = isOver ? 0 : next;
    await storage.position.write({ startedAt: isOver ? Date.now() : startedAt, next: claimed + 1 });
  });
  return claimed;
}

async function sweepPrefix({ db, storage, stopping, ages }: OrphanSweep, prefix: string): Promise<void> {
  for await (const names of storage.list(prefix)) {
    const recorded = await findRecordedNames(db, names);
    for (const name of names) if (!recorded.has(name)) await storage.quarantine.add(name, ages.file);
    if (stopping.aborted) return;
  }
  for await (const names of storage.quarantine.list(prefix)) {
    const recorded = await findRecordedNames(db, names);
    for (const name of names) {
      if (recorded.has(name)) await storage.quarantine.release(name);
      else await storage.quarantine.remove(name, ages.quarantine);
    }
    if (stopping.aborted) return;
  }
}
