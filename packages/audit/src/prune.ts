/** Deletes events that an archive file contains: the second half of moving them, when the file has been copied elsewhere. */
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';

import { createSealHash } from './archive-format.ts';
import type { ArchivedSeal, ArchiveKey } from './archive-format.ts';
import { readArchive } from './archive-reader.ts';
import type { ArchiveContent } from './archive-reader.ts';
import type { SealedBatch } from './archive-writer.ts';
import { ArchiveRefused, continued, markFileError, requireCheckpoints, requireKey } from './archive-start.ts';
import { deleteArchived, insertCheckpoint, readBatches, runArchiving } from './checkpoint-store.ts';
import { signCheckpoint, start } from './checkpoint.ts';
import type { Checkpoint } from './checkpoint.ts';

export interface PruneRequest {
  readonly file: string;
  /** The first signs the checkpoint. */
  readonly keys: readonly ArchiveKey[];
}

/**
 * Deletes exactly the events of the archive. It must be complete, written by this service, begin where the log begins, and match
 * the log seal by seal. Returns the checkpoint, from which the chain of seals continues.
 * @throws ArchiveRefused or ArchiveFileFailed.
 */
export async function pruneAudit(db: Transactional, request: PruneRequest): Promise<Checkpoint> {
  const content = await readArchive(request.file, request.keys).catch(markFileError);
  let checkpoint: Checkpoint | undefined;
  const isAlone = await runArchiving(db, async (tx) => {
    checkpoint = await pruneIn(tx, content, request.keys);
  });
  if (!isAlone || checkpoint === undefined) throw new ArchiveRefused('running');
  return checkpoint;
}

async function pruneIn(tx: Queryable, content: ArchiveContent, keys: readonly ArchiveKey[]): Promise<Checkpoint> {
  const checkpoints = await requireCheckpoints(tx, keys);
  const state = continued(checkpoints);
  const last = requireLastSeal(content);
  requireStart(content, checkpoints);
  await requireSameSeals(tx, content, checkpoints.at(-1)?.sealSha256 ?? start.sealSha256);
  const covered = {
    ...{ ...state, toId: last.to_id, seal: last.seal, events: content.events },
    ...{ sealSha256: last.sha256, archiveSha256: content.fileSha256 },
  };
  const checkpoint = signCheckpoint(covered, checkpoints, requireKey(keys));
  await insertCheckpoint(tx, checkpoint);
  await deleteArchived(tx, checkpoint);
  return checkpoint;
}

/** @throws ArchiveRefused unless the archive is complete and of this service. */
function requireLastSeal({ problem, isSigned, seals }: ArchiveContent) {
  const last = seals.at(-1);
  if (problem !== undefined || last === undefined) throw new ArchiveRefused('damaged');
  if (!isSigned) throw new ArchiveRefused('foreign');
  return last;
}

/** @throws ArchiveRefused unless the archive continues the ones before it. */
function requireStart({ header }: ArchiveContent, checkpoints: readonly Checkpoint[]): void {
  const { seal, toId, sealSha256 } = checkpoints.at(-1) ?? start;
  const isNext = header?.first_seal === seal + 1 && header.from_id === toId && header.previous_sha256 === sealSha256;
  if (!isNext) throw new ArchiveRefused('order');
}

/** Compares the seals of the database with the archive, and its events with the seals. @throws ArchiveRefused */
async function requireSameSeals(tx: Queryable, { seals }: ArchiveContent, startSha256: string): Promise<void> {
  let index = 0;
  let previous = startSha256;
  for await (const batch of readBatches(tx, seals[0]?.seal ?? 1, seals.at(-1)?.seal ?? 0)) {
    if (!isSameSeal(batch.seal, seals[index])) throw new ArchiveRefused('differs');
    if (computeSeal(previous, batch) !== batch.seal.sha256) throw new ArchiveRefused('log-broken');
    previous = batch.seal.sha256;
    index += 1;
  }
  if (index !== seals.length) throw new ArchiveRefused('differs');
}

function isSameSeal(one: ArchivedSeal, other: ArchivedSeal | undefined): boolean {
  return one.seal === other?.seal && one.to_id === other.to_id && one.sha256 === other.sha256;
}

function computeSeal(previous: string, { events }: SealedBatch): string {
  const hash = createSealHash(previous);
  for (const event of events) hash.add(Buffer.from(event));
  return hash.end();
}
