import { availableParallelism } from 'node:os';

import type { Queryable, Transactional } from '@linnet/db/statement/transaction';

import { createHashQueue } from '../hash-queue.ts';
import { setPasswordHash } from '../operator-store.ts';
import { hashInThread, verifyInThread } from './hash-threads.ts';
import { findPassword, raiseEpoch, replacePassword } from './password-store.ts';

/** OWASP Password Storage Cheat Sheet, Argon2id (the library's default variant): 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** All hashing of a process goes through this queue. It leaves one CPU to requests. */
const queue = createHashQueue({
  concurrency: Math.min(2, Math.max(1, availableParallelism() - 1)),
  capacity: 64,
  maxWaitMs: 20_000,
});

/** The start of a hash of this cost (PHC string format). */
const prefix = `$argon2id$v=19$m=${String(cost.memoryCost)},t=${String(cost.timeCost)},p=${String(cost.parallelism)}$`;

/** Takes as long to verify as a real hash, and no password matches it: salt and digest are zeros. */
const dummyHash = `${prefix}${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Each call takes tens of milliseconds of CPU time and 19 MiB. */
interface Hashing {
  /** Returns an Argon2id hash as a PHC string. */
  readonly hash: (password: string) => Promise<string>;
  /** True if the password matches. Without a hash it returns false after the usual time (checklist UI10). */
  readonly verify: (password: string, passwordHash: string | undefined) => Promise<boolean>;
}

/** Keyboards write one character in several ways (NIST SP 800-63B §3.1.1.2). */
function normalize(password: string): string {
  return password.normalize('NFKC');
}

const hashing: Hashing = {
  hash: (password) => hashInThread({ kind: 'hash', password: normalize(password), cost }),
  verify: async (password, passwordHash) => {
    // An account can be without a password: its column then holds "-".
    const isHash = passwordHash?.startsWith('$argon2id$') === true;
    const isCorrect = await verifyInThread({
      kind: 'verify',
      password: normalize(password),
      hash: isHash ? passwordHash : dummyHash,
    });
    return isHash && isCorrect;
  },
};

/** Runs `work`, including its queries, when the hash queue admits it. @throws HashQueueFull */
export async function runHashing<Result>(work: (hashing: Hashing) => Promise<Result>): Promise<Result> {
  return await queue.run(() => work(hashing));
}

/** True if a password submitted now would be rejected with HashQueueFull. */
export function isHashingOverloaded(): boolean {
  return queue.isFull();
}

/** `Hashing.hash`, queued. @throws HashQueueFull */
export async function hashPassword(password: string): Promise<string> {
  return await queue.run(() => hashing.hash(password));
}

/** `Hashing.verify`, queued. @throws HashQueueFull */
export async function verifyPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  return await queue.run(() => hashing.verify(password, passwordHash));
}

/** True if the hash was made at another cost than the current one. */
export function isOutdated(passwordHash: string): boolean {
  return !passwordHash.startsWith(prefix);
}

/** Work of another room in the same transaction, such as revoking the account's grants. */
export type TransactionStep = (tx: Queryable, accountId: number) => Promise<void>;

export interface PasswordChange {
  readonly accountId: number;
  readonly current: string;
  readonly next: string;
  readonly inTransaction?: TransactionStep;
}

/** Changes a password and ends every session of the account. Returns false if `current` is wrong. */
export async function changePassword(db: Transactional, change: PasswordChange): Promise<boolean> {
  const { accountId, current, next, inTransaction } = change;
  const stored = await findPassword(db, accountId);
  if (!(await verifyPassword(current, stored?.hash)) || stored === undefined) return false;
  const newHash = await hashPassword(next);
  return await db.transaction(async (tx) => {
    const isReplaced = await replacePassword(tx, { accountId, newHash, epoch: stored.epoch });
    if (isReplaced) await inTransaction?.(tx, accountId);
    return isReplaced;
  });
}

export interface PasswordReset {
  /** In any case. */
  readonly username: string;
  readonly password: string;
  readonly inTransaction?: TransactionStep;
}

/** Sets a password without the current one, for operators. Returns false if no account has the username. */
export async function setPassword(
  db: Transactional,
  { username, password, inTransaction }: PasswordReset,
): Promise<boolean> {
  const passwordHash = await hashPassword(password);
  return await db.transaction(async (tx) => {
    const accountId = await setPasswordHash(tx, username, passwordHash);
    if (accountId === undefined) return false;
    await inTransaction?.(tx, accountId);
    return true;
  });
}

/** Ends every session and token of the account: each carries the epoch of its start, and older epochs are rejected. */
export async function endSessions(
  db: Transactional,
  accountId: number,
  inTransaction?: TransactionStep,
): Promise<void> {
  await db.transaction(async (tx) => {
    await raiseEpoch(tx, accountId);
    await inTransaction?.(tx, accountId);
  });
}
