import { availableParallelism } from 'node:os';

import { hash, verify } from '@node-rs/argon2';

import { createHashQueue } from './hash-queue.ts';

/** OWASP Password Storage Cheat Sheet, Argon2id (the library's default variant): 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * One processor stays free for requests, and of libuv's four threads two, which name look-ups, files and
 * signatures share. Everything of a process that hashes goes through here.
 */
const queue = createHashQueue({
  atOnce: Math.min(2, Math.max(1, availableParallelism() - 1)),
  capacity: 64,
  patienceMs: 20_000,
});

/** How a hash of this cost begins (PHC string format). */
const prefix = `$argon2id$v=19$m=${String(cost.memoryCost)},t=${String(cost.timeCost)},p=${String(cost.parallelism)}$`;

/** Costs as much to check as any other hash, and no password has it: its salt and its result are zeros. */
const hashOfNobody = `${prefix}${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Hashes a password with Argon2id into a PHC string. @throws HashQueueFull */
export async function hashPassword(password: string): Promise<string> {
  return await queue(() => hash(password, cost));
}

/**
 * Whether the password is the one of the hash; without a hash never, in the time that a check takes (checklist UI10).
 * @throws HashQueueFull
 */
export async function verifyPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const isHash = passwordHash?.startsWith('$argon2id$') === true; // an account may be without a password
  return await queue(() => verify(isHash ? passwordHash : hashOfNobody, password));
}

/** Whether a hash was made at another cost than today's. */
export function isOutdated(passwordHash: string): boolean {
  return !passwordHash.startsWith(prefix);
}
