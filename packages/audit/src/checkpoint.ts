/** Checkpoints say which events left the database for which archive file. */
import { createHash } from 'node:crypto';

import { isSameDigest, sign } from './archive-format.ts';
import type { ArchiveKey } from './archive-format.ts';

/** What a checkpoint covers. Hashes are in hexadecimal. */
export interface CheckpointState {
  readonly number: number;
  /** Events with ids after this one … */
  readonly fromId: number;
  /** … up to this one. */
  readonly toId: number;
  readonly firstSeal: number;
  readonly seal: number;
  readonly events: number;
  readonly sealSha256: string;
  /** Of the archive file; null if the checkpoint only repeats the state under another key. */
  readonly archiveSha256: string | null;
}

export interface Checkpoint extends CheckpointState {
  readonly keyId: string;
  /** Authenticates this checkpoint and, through their hashes, all before it. */
  readonly mac: string;
}

/** Where the log starts, without a checkpoint. */
export const start = { number: 0, toId: 0, seal: 0, sealSha256: '' } as const;

/** `previous`: all checkpoints before it, in order. */
export function signCheckpoint(
  state: CheckpointState,
  previous: readonly CheckpointState[],
  key: ArchiveKey,
): Checkpoint {
  return { ...state, keyId: key.id, mac: sign(toSignedText([...previous, state]), key) };
}

export type CheckpointProblem = 'checkpoint-forged' | 'checkpoint-key-unknown';

/** Checks the MAC of the last one, which covers them all. */
export function findCheckpointProblem(
  checkpoints: readonly Checkpoint[],
  keys: readonly ArchiveKey[],
): CheckpointProblem | undefined {
  const last = checkpoints.at(-1);
  if (last === undefined) return undefined;
  const key = keys.find(({ id }) => id === last.keyId);
  if (key === undefined) return 'checkpoint-key-unknown';
  return isSameDigest(sign(toSignedText(checkpoints), key), last.mac) ? undefined : 'checkpoint-forged';
}

/** Each hash covers a checkpoint and the hash of the one before it. */
function toSignedText(checkpoints: readonly CheckpointState[]): string {
  const sha256 = checkpoints.reduce((previous, state) => {
    const { number, fromId, toId, firstSeal, seal, events, sealSha256, archiveSha256 } = state;
    const fields = [previous, number, fromId, toId, firstSeal, seal, events, sealSha256, archiveSha256];
    return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
  }, '');
  return `linnet audit checkpoint\n${sha256}`;
}
