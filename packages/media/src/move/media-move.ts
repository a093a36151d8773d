import type { Db } from '@linnet/db/database';

import { findRecordedNames } from '../media-sweep-store.ts';
import type { MediaStorage } from '../storage/media-storage.ts';
import { moveFiles } from './move-files.ts';

/** Numbers of names; a name has three files. */
export interface MoveCounts {
  /** Found with a record. */
  found: number;
  moved: number;
  bytes: number;
  /** Without a record: uploads in progress, and what the sweep removes later. They stay. */
  unrecorded: number;
  /** Some of their files were missing, or changed on the way. They stay. */
  damaged: number;
}

export interface MoveOptions {
  readonly db: Db;
  readonly source: MediaStorage;
  readonly target: MediaStorage;
  /** Only counts. */
  readonly isDryRun: boolean;
  /** Called after each batch, with the share of the names that was looked at. */
  readonly onProgress: (counts: Readonly<MoveCounts>, share: number) => void;
}

/** Moves of names that run at the same time. */
const movesAtOnce = 4;

/**
 * Moves the files of every record from one storage to the other. They are compared with their SHA-256 before they are removed
 * from the source. The service can run at the same time if it finds files in both. An interrupted move is continued by the next.
 * @throws StorageFailed, StorageUnavailable, DatabaseUnavailable
 */
export async function moveMedia(options: MoveOptions): Promise<Readonly<MoveCounts>> {
  const { source, onProgress } = options;
  const counts: MoveCounts = { found: 0, moved: 0, bytes: 0, unrecorded: 0, damaged: 0 };
  for (const [index, prefix] of source.prefixes.entries()) {
    const names = await collect(source, prefix);
    for (let at = 0; at < names.length; at += batch) {
      await moveBatch(options, names.slice(at, at + batch), counts);
    }
    onProgress(counts, (index + 1) / source.prefixes.length);
  }
  return counts;
}

const batch = 500;

/** The names of one of 256 parts; a million images have about 4000 of them. */
async function collect(source: MediaStorage, prefix: string): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const list of [source.list(prefix), source.quarantine.list(prefix)]) {
    for await (const some of list) for (const name of some) names.add(name);
  }
  return [...names];
}

async function moveBatch(options: MoveOptions, names: readonly string[], counts: MoveCounts): Promise<void> {
  const recorded = await findRecordedNames(options.db, names);
  counts.unrecorded += names.length - recorded.size;
  counts.found += recorded.size;
  if (options.isDryRun) return;
  const waiting = [...recorded];
  const moveNext = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const bytes = await moveFiles(options, name);
      if (bytes === undefined) counts.damaged += 1;
      else [counts.moved, counts.bytes] = [counts.moved + 1, counts.bytes + bytes];
    }
  };
  await Promise.all(Array.from({ length: movesAtOnce }, moveNext));
}
