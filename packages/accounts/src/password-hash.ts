import { availableParallelism } from 'node:os';

import { createHashQueue } from './hash-queue.ts';
import { runInThread } from './hash-threads.ts';

/** OWASP Password Storage Cheat Sheet, Argon2id (the library's default variant): 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** One processor stays free for requests. Everything of a process that hashes goes through here. */
const queue = createHashQueue({
  atOnce: Math.min(2, Math.max(1, availableParallelism() - 1)),
  capacity: 64,
  patienceMs: 20_000,
});

/** How a hash of this cost begins (PHC string format). */
const prefix = `$argon2id$v=19$m=${String(cost.memoryCost)},t=${String(cost.timeCost)},p=${String(cost.parallelism)}$`;

/** Costs as much to check as any other hash, and no password has it: its salt and its result are zeros. */
const hashOfNobody = `${prefix}${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** What costs tens of milliseconds of a processor and megabytes of memory. */
interface Hashing {
  /** Hashes a password with Argon2id into a PHC string. */
  readonly hash: (password: string) => Promise<string>;
  /** Whether the password is the one of the hash; without a hash never, in the time that a check takes (checklist UI10). */
  readonly verify: (password: string, passwordHash: string | undefined) => Promise<boolean>;
}

const hashing: Hashing = {
  hash: async (password) => (await runInThread({ kind: 'hash', password, cost })).hash ?? '',
  verify: async (password, passwordHash) => {
    const isHash = passwordHash?.startsWith('$argon2id$') === true; // an account may be without a password
    const answer = await runInThread({ kind: 'verify', password, hash: isHash ? passwordHash : hashOfNobody });
    return answer.isRight === true;
  },
};

/** Runs `work` when its turn to hash comes; what it asks of the database waits as well. @throws HashQueueFull */
export async function inTurn<Result>(work: (hashing: Hashing) => Promise<Result>): Promise<Result> {
  return await queue.run(() => work(hashing));
}

/** Whether whoever came now with a password would be refused. */
export function isHashingFull(): boolean {
  return queue.isFull();
}

/** As `hash` of `Hashing`, in its turn. @throws HashQueueFull */
export async function hashPassword(password: string): Promise<string> {
  return await queue.run(() => hashing.hash(password));
}

/** As `verify` of `Hashing`, in its turn. @throws HashQueueFull */
export async function verifyPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  return await queue.run(() => hashing.verify(password, passwordHash));
}

/** Whether a hash was made at another cost than today's. */
export function isOutdated(passwordHash: string): boolean {
  return !passwordHash.startsWith(prefix);
}
