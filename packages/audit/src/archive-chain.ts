/** Compares archive files with the checkpoints of the database: each file, complete, unchanged and in order. */
import type { ArchiveKey } from './archive-format.ts';
import { readArchive } from './archive-reader.ts';
import type { ArchiveContent, ContentReason } from './archive-reader.ts';
import type { Checkpoint } from './checkpoint.ts';

/**
 * `archive-unknown`: this service wrote it, but no checkpoint covers it; `archive-foreign`: it was written elsewhere, or
 * with keys that are not in SECRET_KEYS.
 */
export type ArchiveReason = ContentReason | 'archive-missing' | 'archive-order' | 'archive-unknown' | 'archive-foreign';

interface ArchiveBreak {
  readonly seal: number;
  readonly afterId: number;
  readonly toId: number;
  readonly reason: ArchiveReason;
  /** The file; undefined if it is missing. */
  readonly archive: string | undefined;
}

export interface ArchiveChain {
  /** Files that match their checkpoint. */
  readonly proven: number;
  readonly broken: ArchiveBreak | undefined;
  /** True if one of the seals is the expected one. */
  readonly knowsExpected: boolean;
}

interface ReadFile extends ArchiveContent {
  readonly path: string;
}

interface ChainRequest {
  readonly files: readonly string[];
  /** Those that are authentic, in order. */
  readonly checkpoints: readonly Checkpoint[];
  readonly keys: readonly ArchiveKey[];
  readonly expected: string | undefined;
}

/** @throws the error of the file system if a file cannot be read. */
export async function verifyArchives({ files, checkpoints, keys, expected }: ChainRequest): Promise<ArchiveChain> {
  const covered = checkpoints.filter(({ archiveSha256 }) => archiveSha256 !== null);
  const hashes = new Set(covered.map(({ archiveSha256 }) => archiveSha256));
  let knowsExpected = false;
  let proven = 0;
  for (const [index, path] of files.entries()) {
    const file = { path, ...(await readArchive(path, keys)) };
    knowsExpected ||= file.seals.some(({ sha256 }) => sha256 === expected);
    const checkpoint = covered[index];
    if (checkpoint?.archiveSha256 === file.fileSha256) proven += 1;
    else return { proven, knowsExpected, broken: toBreak(file, checkpoint, hashes) };
  }
  const missing = covered[files.length];
  return { proven, knowsExpected, broken: missing && locate(missing, 'archive-missing', undefined) };
}

function toBreak(file: ReadFile, checkpoint: Checkpoint | undefined, hashes: ReadonlySet<string | null>): ArchiveBreak {
  const reason = whyUnexpected(file, hashes);
  if (checkpoint !== undefined) {
    const place = locate(checkpoint, reason, file.path);
    return file.problem === undefined ? place : { ...place, seal: file.problem.seal };
  }
  const toId = file.seals.at(-1)?.to_id ?? 0;
  return { seal: file.header?.first_seal ?? 1, afterId: file.header?.from_id ?? 0, toId, reason, archive: file.path };
}

function whyUnexpected({ fileSha256, problem, isSigned }: ReadFile, hashes: ReadonlySet<string | null>): ArchiveReason {
  if (hashes.has(fileSha256)) return 'archive-order';
  if (problem !== undefined) return problem.reason;
  return isSigned ? 'archive-unknown' : 'archive-foreign';
}

function locate(
  { firstSeal, fromId, toId }: Checkpoint,
  reason: ArchiveReason,
  archive: string | undefined,
): ArchiveBreak {
  return { seal: firstSeal, afterId: fromId, toId, reason, archive };
}
