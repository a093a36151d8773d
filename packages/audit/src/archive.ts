/** Moves old events from the database to an archive file. A crash at any point loses no event. */
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';

import type { Queryable, Transactional } from '@linnet/db/statement/transaction';

import type { ArchiveKey } from './archive-format.ts';
import { readArchive } from './archive-reader.ts';
import { publishFile, writeArchive } from './archive-writer.ts';
import { ArchiveRefused, continued, markFileError, requireCheckpoints, requireKey } from './archive-start.ts';
import { deleteArchived, findArchivable, insertCheckpoint, readBatches, runArchiving } from './checkpoint-store.ts';
import type { ArchivableRange } from './checkpoint-store.ts';
import { signCheckpoint, start } from './checkpoint.ts';
import type { Checkpoint } from './checkpoint.ts';

export interface ArchiveRequest {
  readonly file: string;
  /** Only events before it are archived. */
  readonly before: Date;
  /** The address of the service, for the header. */
  readonly service: string;
  /** The first signs. */
  readonly keys: readonly ArchiveKey[];
  /** Writes the file only: `pruneAudit` deletes the events later. */
  readonly keepEvents?: boolean;
}

interface Archived extends ArchivableRange {
  /** Undefined if the events were kept. */
  readonly checkpoint: number | undefined;
  readonly firstSeal: number;
  readonly fileSha256: string;
}

export interface ArchiveResult {
  /** Undefined if no event is old enough. */
  readonly archived: Archived | undefined;
  /** True if nothing was archived, but the last checkpoint was repeated under the first of the keys. */
  readonly isRenewed: boolean;
}

/**
 * Writes the events before `before` to `file`, reads the file back, and then deletes them, unless they are kept. Whole seals only.
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
  const key = requireKey(request.keys);
  const checkpoints = await requireCheckpoints(tx, request.keys);
  const last = checkpoints.at(-1);
  const range = await findArchivable(tx, last ?? start, request.before);
  if (range !== undefined) {
    return { archived: await archiveRange(tx, range, { ...request, key, checkpoints }), isRenewed: false };
  }
  const isRenewed = last !== undefined && last.keyId !== key.id;
  if (isRenewed) {
    const state = { ...continued(checkpoints), events: 0, toId: last.toId, seal: last.seal, archiveSha256: null };
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
  const state = continued(archiving.checkpoints);
  await refuseForeignFile(archiving, state.firstSeal);
  const fileSha256 = await writeFile(tx, range, archiving);
  const { firstSeal } = state;
  if (archiving.keepEvents === true) return { ...range, checkpoint: undefined, firstSeal, fileSha256 };
  const { toId, seal, events, sealSha256 } = range;
  const covered = { ...state, toId, seal, events, sealSha256, archiveSha256: fileSha256 };
  const checkpoint = signCheckpoint(covered, archiving.checkpoints, archiving.key);
  await insertCheckpoint(tx, checkpoint);
  await deleteArchived(tx, checkpoint);
  return { ...range, checkpoint: checkpoint.number, firstSeal, fileSha256 };
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
