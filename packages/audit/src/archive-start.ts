/** What moving and pruning events have in common: the errors, and where the last archive ends. */
import type { Queryable } from '@linnet/db/statement/transaction';

import type { ArchiveKey } from './archive-format.ts';
import { findAnchorProblem, findCheckpoints } from './checkpoint-store.ts';
import { findCheckpointProblem, start } from './checkpoint.ts';
import type { Checkpoint, CheckpointState } from './checkpoint.ts';

/**
 * Nothing was archived or deleted. `damaged`, `foreign`, `order`, `differs`: the archive is incomplete or changed, was written
 * elsewhere, does not begin where the log begins, or does not match the log.
 */
type RefusalReason =
  | 'running'
  | 'file-exists'
  | 'log-broken'
  | 'checkpoint-forged'
  | 'checkpoint-key-unknown'
  | 'damaged'
  | 'foreign'
  | 'order'
  | 'differs';

export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(`The audit log was not changed: ${reason}.`);
    this.reason = reason;
  }
}

/** The file could not be written or read. Nothing was archived or deleted. */
export class ArchiveFileFailed extends Error {
  override readonly name = 'ArchiveFileFailed';
}

/** Without the cause: `transaction` would take its code, such as ENOENT, for that of a failed connection. */
export function markFileError(error: unknown): never {
  throw error instanceof Error && 'syscall' in error ? new ArchiveFileFailed(error.message) : error;
}

/** The checkpoints, authentic and matching the start of the log. @throws ArchiveRefused */
export async function requireCheckpoints(tx: Queryable, keys: readonly ArchiveKey[]): Promise<readonly Checkpoint[]> {
  const checkpoints = await findCheckpoints(tx);
  const problem = findCheckpointProblem(checkpoints, keys);
  if (problem !== undefined) throw new ArchiveRefused(problem);
  const last = checkpoints.at(-1);
  if (last !== undefined && (await findAnchorProblem(tx, last)) !== undefined) throw new ArchiveRefused('log-broken');
  return checkpoints;
}

/** What the checkpoint after these covers starts with. */
export function continued(
  checkpoints: readonly Checkpoint[],
): Pick<CheckpointState, 'number' | 'fromId' | 'firstSeal'> {
  const last = checkpoints.at(-1) ?? start;
  return { number: last.number + 1, fromId: last.toId, firstSeal: last.seal + 1 };
}

/** The first key signs. */
export function requireKey([key]: readonly ArchiveKey[]): ArchiveKey {
  if (key === undefined) throw new TypeError('archives need a key');
  return key;
}
