/** `linnet audit verify`: proves that no event was changed, removed or added, in the database and in archives. */
import type { Queryable } from '@linnet/db/statement/transaction';

import { verifyArchives } from './archive-chain.ts';
import type { ArchiveChain, ArchiveReason } from './archive-chain.ts';
import type { ArchiveKey } from './archive-format.ts';
import { checkSeals, countEventsAfter } from './check-store.ts';
import type { CheckedSeal } from './check-store.ts';
import { findAnchorProblem, findCheckpoints } from './checkpoint-store.ts';
import { findCheckpointProblem, start } from './checkpoint.ts';
import type { Checkpoint, CheckpointProblem } from './checkpoint.ts';

/** Where the log does not match its seals. */
export interface AuditBreak {
  readonly seal: number;
  /** It concerns events after `afterId`, up to `toId`. */
  readonly afterId: number;
  readonly toId: number;
  /** `changed`: the number of events matches, but an event or the seal differs. */
  readonly reason: ArchiveReason | CheckpointProblem;
  /** The archive file; undefined if the database is meant. */
  readonly archive: string | undefined;
}

export interface AuditVerification {
  /** In the database. */
  readonly seals: number;
  /** In the database. */
  readonly events: number;
  /** Events since the last seal. */
  readonly unsealed: number;
  /** The last seal in hexadecimal. Store it elsewhere to detect later that the end of the log was removed. */
  readonly head: string | undefined;
  readonly broken: AuditBreak | undefined;
  /** True if the expected seal was found; undefined if none was given. */
  readonly knowsExpected: boolean | undefined;
  readonly archived: ArchivedPart;
}

/** What the checkpoints cover. */
interface ArchivedPart {
  readonly archives: number;
  readonly seals: number;
  readonly events: number;
  /** Archive files that were given and match their checkpoints. */
  readonly proven: number;
}

export interface VerificationOptions {
  /** A seal that was stored earlier. */
  readonly expected?: string | undefined;
  /** All archive files in order; undefined to verify the database only. */
  readonly archives?: readonly string[] | undefined;
  /** Called if there are checkpoints or archives. */
  readonly loadKeys: () => Promise<readonly ArchiveKey[]>;
}

/**
 * Recomputes every seal and reports the first mismatch. Starts again if an archive was made at the same time.
 * @throws errors of the file system.
 */
export async function verifyAudit(db: Queryable, options: VerificationOptions): Promise<AuditVerification> {
  for (;;) {
    const checkpoints = await findCheckpoints(db);
    const verified = await verifyFrom(db, checkpoints, options);
    if (verified.broken === undefined || (await findCheckpoints(db)).length === checkpoints.length) return verified;
  }
}

async function verifyFrom(
  db: Queryable,
  checkpoints: readonly Checkpoint[],
  { expected, archives, loadKeys }: VerificationOptions,
): Promise<AuditVerification> {
  const keys = checkpoints.length > 0 || archives !== undefined ? await loadKeys() : [];
  const chain = archives === undefined ? none : await verifyArchives({ files: archives, checkpoints, keys, expected });
  const inDatabase = await verifySeals(db, checkpoints.at(-1) ?? start, expected);
  const isFound = inDatabase.knowsExpected || chain.knowsExpected;
  return {
    ...inDatabase,
    broken: (await findCheckpointBreak(db, checkpoints, keys)) ?? chain.broken ?? inDatabase.broken,
    knowsExpected: expected === undefined ? undefined : isFound,
    archived: { ...sumUp(checkpoints), proven: chain.proven },
  };
}

const none: ArchiveChain = { proven: 0, broken: undefined, knowsExpected: false };

function sumUp(checkpoints: readonly Checkpoint[]): Omit<ArchivedPart, 'proven'> {
  return {
    archives: checkpoints.filter(({ archiveSha256 }) => archiveSha256 !== null).length,
    seals: checkpoints.at(-1)?.seal ?? 0,
    events: checkpoints.reduce((sum, { events }) => sum + events, 0),
  };
}

/** Checks that the last checkpoint is authentic, and that the log in the database starts where it ends. */
async function findCheckpointBreak(
  db: Queryable,
  checkpoints: readonly Checkpoint[],
  keys: readonly ArchiveKey[],
): Promise<AuditBreak | undefined> {
  const last = checkpoints.at(-1);
  if (last === undefined) return undefined;
  const reason = findCheckpointProblem(checkpoints, keys) ?? (await findAnchorProblem(db, last));
  const { seal, fromId: afterId, toId } = last;
  return reason && { seal, afterId, toId, reason, archive: undefined };
}

type SealedPart = Omit<AuditVerification, 'archived' | 'knowsExpected'> & { readonly knowsExpected: boolean };

async function verifySeals(
  db: Queryable,
  last: Pick<Checkpoint, 'seal' | 'toId' | 'sealSha256'>,
  expected: string | undefined,
): Promise<SealedPart> {
  const seen = { seals: 0, events: 0, toId: last.toId, head: last.sealSha256 };
  let knowsExpected = last.sealSha256 === expected;
  let broken: AuditBreak | undefined;
  for await (const seal of checkSeals(db, last.seal)) {
    Object.assign(seen, {
      seals: seen.seals + 1,
      events: seen.events + seal.found,
      toId: seal.toId,
      head: seal.sha256,
    });
    knowsExpected ||= seal.sha256 === expected;
    broken ??= toBreak(seal);
  }
  const { toId, head, ...counts } = seen;
  const unsealed = await countEventsAfter(db, toId);
  return { ...counts, head: head === '' ? undefined : head, unsealed, broken, knowsExpected };
}

function toBreak(seal: CheckedSeal): AuditBreak | undefined {
  const reason = whyBroken(seal);
  const { number, afterId, toId } = seal;
  return reason && { seal: number, afterId, toId, reason, archive: undefined };
}

function whyBroken({ isNext, isSame, found, events }: CheckedSeal): AuditBreak['reason'] | undefined {
  if (!isNext) return 'seal-removed';
  if (isSame && found === events) return undefined;
  if (found < events) return 'events-removed';
  return found > events ? 'events-added' : 'changed';
}
