/** Moves old events from the database to an archive file. A crash at any point loses no event. */
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';

import type { Queryable, Transactional } from '@linnet/db/database';

import type { ArchiveKey } from './archive-format.ts';
import { readArchive } from './archive-reader.ts';
import { publishFile, writeArchive } from './archive-writer.ts';
import {
  deleteArchived,
  findAnchorProblem,
  findArchivable,
  findCheckpoints,
  insertCheckpoint,
  readBatches,
  runArchiving,
} from './checkpoint-store.ts';
import type { ArchivableRange } from './checkpoint-store.ts';
import { findCheckpointProblem, signCheckpoint, start } from './checkpoint.ts';
import type { Checkpoint, CheckpointState } from './checkpoint.ts';

export interface ArchiveRequest {
  readonly file: string;
  /** Only events before it are archived. */
  readonly before: Date;
  /** The address of the service, for the header. */
  readonly service: string;
  /** The first signs. */
  readonly keys: readonly ArchiveKey[];
}

interface Archived extends ArchivableRange {
  readonly checkpoint: number;
  readonly firstSeal: number;
  readonly fileSha256: string;
}

export interface ArchiveResult {
  /** Undefined if no event is old enough. */
  readonly archived: Archived | undefined;
  /** True if nothing was archived, but the last checkpoint was repeated under the first of the keys. */
  readonly isRenewed: boolean;
}

/** Nothing was archived or deleted. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused';
  readonly reason: 'running' | 'file-exists' | 'log-broken' | 'checkpoint-forged' | 'checkpoint-key-unknown';

  constructor(reason: ArchiveRefused['reason']) {
    super(`The audit log was not archived: ${reason}.`);
    this.reason = reason;
  }
}

/** The file could not be written or read. Nothing was archived or deleted. */
export class ArchiveFileFailed extends Error {
  override readonly name = 'ArchiveFileFailed';
}

/** Without the cause: `transaction` would take its code, such as ENOENT, for that of a failed connection. */
function markFileError(error: unknown): never {
  throw error instanceof Error && 'syscall' in error ? new ArchiveFileFailed(error.message) : error;
}

/**
 * Writes the events before `before` to `file`, reads the file back, and then deletes them. Whole seals only.
 * @throws ArchiveRefused or ArchiveFileFailed.
 */
export async function archiveAudit(db: Transactional, request: ArchiveRequest): Promise<ArchiveResult> {
  let result: ArchiveResult = { archived: undefined, isRenewed: false };
  const isAlone = await runArchiving(db, async (tx) => {
    result = await archiveIn(tx, request).catch(markFileError);
  });
  if (!isAlone) throw new ArchiveRefused('running');
  return result;
}

async function archiveIn(tx: Queryable, request: ArchiveRequest): Promise<ArchiveResult> {
  const [key] = request.keys;
  if (key === undefined) throw new TypeError('archives need a key');
  const checkpoints = await findCheckpoints(tx);
  const problem = findCheckpointProblem(checkpoints, request.keys);
  if (problem !== undefined) throw new ArchiveRefused(problem);
  const last = checkpoints.at(-1);
  if (last !== undefined && (await findAnchorProblem(tx, last)) !== undefined) throw new ArchiveRefused('log-broken');
  const range = await findArchivable(tx, last ?? start, request.before);
  if (range !== undefined) {
    return { archived: await archiveRange(tx, range, { ...request, key, checkpoints }), isRenewed: false };
  }
  const isRenewed = last !== undefined && last.keyId !== key.id;
  if (isRenewed) {
    const state = { ...continued(last), events: 0, toId: last.toId, seal: last.seal, archiveSha256: null };
    await insertCheckpoint(tx, signCheckpoint({ ...state, sealSha256: last.sealSha256 }, checkpoints, key));
  }
  return { archived: undefined, isRenewed };
}

interface Archiving extends ArchiveRequest {
  readonly key: ArchiveKey;
  readonly checkpoints: readonly Checkpoint[];
}

/** The files are complete before the first row changes. */
async function archiveRange(tx: Queryable, range: ArchivableRange, archiving: Archiving): Promise<Archived> {
  const state = continued(archiving.checkpoints.at(-1) ?? start);
  await refuseForeignFile(archiving, state.firstSeal);
  const fileSha256 = await writeFile(tx, range, archiving);
  const { toId, seal, events, sealSha256 } = range;
  const covered = { ...state, toId, seal, events, sealSha256, archiveSha256: fileSha256 };
  const checkpoint = signCheckpoint(covered, archiving.checkpoints, archiving.key);
  await insertCheckpoint(tx, checkpoint);
  await deleteArchived(tx, checkpoint);
  return { ...range, checkpoint: checkpoint.number, firstSeal: state.firstSeal, fileSha256 };
}

function continued(
  last: Pick<CheckpointState, 'number' | 'toId' | 'seal'>,
): Pick<CheckpointState, 'number' | 'fromId' | 'firstSeal'> {
  return { number: last.number + 1, fromId: last.toId, firstSeal: last.seal + 1 };
}

/** An interrupted run may have left a file with events that are still in the database. Only such a file is replaced. */
async function refuseForeignFile({ file, keys }: Archiving, firstSeal: number): Promise<void> {
  try {
    const { header, isSigned } = await readArchive(file, keys);
    if (isSigned && header?.first_seal === firstSeal) return;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw error;
  }
  throw new ArchiveRefused('file-exists');
}

/** Writes, reads back, and only then publishes the file. Returns its SHA-256. */
async function writeFile(tx: Queryable, { seal }: ArchivableRange, archiving: Archiving): Promise<string> {
  const last = archiving.checkpoints.at(-1) ?? start;
  const header = {
    service: archiving.service,
    first_seal: last.seal + 1,
    from_id: last.toId,
    previous_sha256: last.sealSha256,
  };
  const file = resolve(archiving.file);
  const partial = `${file}.partial`;
  await writeArchive(partial, { header, key: archiving.key, batches: readBatches(tx, header.first_seal, seal) });
  const { problem, isSigned, fileSha256, seals } = await readArchive(partial, archiving.keys);
  if (problem !== undefined || !isSigned || seals.at(-1)?.seal !== seal) {
    await rm(partial, { force: true });
    throw new ArchiveRefused('log-broken');
  }
  await publishFile(partial, file);
  return fileSha256;
}
