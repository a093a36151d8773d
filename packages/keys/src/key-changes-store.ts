/** Changes of the signing keys. An advisory lock lets one process at a time make them. */
import { setTimeout as delay } from 'node:timers/promises';

import type { Queryable } from '@linnet/db/database';
import { DatabaseBusy } from '@linnet/db/database-error';
import { runExclusively } from '@linnet/db/run-exclusively';
import type { Secret } from '@linnet/service/secret';

import {
  eraseUnpublished,
  findPublishedKeys,
  findKeyStatuses,
  insertKey,
  moveKey,
  replaceSealed,
} from './key-store.ts';
import type { KeyDatabase } from './key-store.ts';
import { planMissing, planRevocation, planRotation, planSchedule } from './rotation.ts';
import type { Plan } from './rotation.ts';
import { isSealedWithFirst } from './sealing.ts';
import { generateSigningKey, openSigningKey, sealSigningKey, signingAlgorithm, toPublicJwk } from './signing-key.ts';

const lockName = 'signing keys';
const attempts = 50;
const retryMs = 100;
/** More than any process needs to learn about a new key and load it. */
const loadSeconds = 3;

/**
 * Creates the current and the next signing key at the first start, and encrypts existing keys with the first of
 * SECRET_KEYS, which proves that SECRET_KEYS can decrypt them. If several processes start at once, one creates the keys.
 * @throws SecretKeysChanged if no key of SECRET_KEYS decrypts them.
 */
export async function ensureSigningKeys(db: KeyDatabase, secretKeys: readonly Secret[]): Promise<void> {
  await change(db, async (tx) => {
    await applyPlan(tx, planMissing(await findKeyStatuses(tx)), secretKeys);
    await resealKeys(tx, secretKeys);
  });
}

/** Takes the scheduled steps that are due; does nothing while another process is doing so. */
export async function advanceSigningKeys(db: KeyDatabase, secretKeys: readonly Secret[]): Promise<void> {
  await runExclusively(db, lockName, async (tx) => {
    await applyPlan(tx, planSchedule(await findKeyStatuses(tx)), secretKeys);
    await eraseUnpublished(tx);
  });
}

/**
 * Publishes a new next key. The previous next key signs once it has been published for the JWKS cache time, or at once
 * with `force`, which only waits until every process has loaded it.
 * @throws SecretKeysChanged if no key of SECRET_KEYS decrypts the keys in use.
 */
export async function rotateSigningKeys(
  db: KeyDatabase,
  secretKeys: readonly Secret[],
  { force = false }: { readonly force?: boolean } = {},
): Promise<void> {
  if (force) await waitUntilLoaded(db);
  await change(db, async (tx) => {
    await resealKeys(tx, secretKeys);
    await applyPlan(tx, planRotation(await findKeyStatuses(tx), force), secretKeys);
  });
}

/**
 * Revokes a key and, within a second, every token that it signed; the next key replaces it. Returns false if there is
 * no such key.
 */
export async function revokeSigningKey(db: KeyDatabase, secretKeys: readonly Secret[], kid: string): Promise<boolean> {
  let isFound = false;
  await change(db, async (tx) => {
    const statuses = await findKeyStatuses(tx);
    isFound = statuses.some((key) => key.kid === kid);
    const isActive = statuses.some((key) => key.kid === kid && key.state !== 'revoked');
    if (isActive) await applyPlan(tx, planRevocation(statuses, kid), secretKeys);
  });
  return isFound;
}

/** @throws DatabaseBusy if other processes hold the lock at every attempt. */
async function change(db: KeyDatabase, work: (tx: Queryable) => Promise<void>): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await runExclusively(db, lockName, work)) return;
    await delay(retryMs);
  }
  throw new DatabaseBusy('the signing keys are being changed elsewhere');
}

async function waitUntilLoaded(db: KeyDatabase): Promise<void> {
  const waiting = (await findKeyStatuses(db)).filter(({ state }) => state === 'next');
  const seconds = loadSeconds - Math.min(...waiting.map(({ ageSeconds }) => ageSeconds));
  if (seconds > 0) await delay(seconds * 1000);
}

async function applyPlan(tx: Queryable, { moves, makes }: Plan, secretKeys: readonly Secret[]): Promise<void> {
  for (const move of moves) await moveKey(tx, move);
  for (const state of makes) {
    const key = await generateSigningKey();
    await insertKey(tx, {
      kid: key.kid,
      alg: signingAlgorithm,
      state,
      publicJwk: toPublicJwk(key),
      privateJwe: await sealSigningKey(key, secretKeys),
    });
  }
}

/** Afterwards, the first of SECRET_KEYS decrypts all keys. */
async function resealKeys(tx: Queryable, secretKeys: readonly Secret[]): Promise<void> {
  for (const { kid, privateJwe } of await findPublishedKeys(tx)) {
    const key = await openSigningKey(kid, privateJwe, secretKeys);
    if (isSealedWithFirst(privateJwe, secretKeys)) continue;
    await replaceSealed(tx, { kid, former: privateJwe, jwe: await sealSigningKey(key, secretKeys) });
  }
}
