/** Changes of the signing keys: one at a time, whichever process makes them. */
import { setTimeout as delay } from 'node:timers/promises';

import type { Queryable } from '@linnet/db/database';
import { DatabaseBusy } from '@linnet/db/database-error';
import { runExclusively } from '@linnet/db/run-exclusively';
import type { Secret } from '@linnet/service/secret';

import { eraseSpent, findPublishedKeys, findStandings, insertKey, moveKey, replaceSealed } from './key-store.ts';
import type { KeyDatabase } from './key-store.ts';
import { planMissing, planRevocation, planRotation, planSchedule } from './rotation.ts';
import type { Plan } from './rotation.ts';
import { isSealedWithFirst } from './sealing.ts';
import { generateSigningKey, openSigningKey, sealSigningKey, signingAlgorithm, toPublicJwk } from './signing-key.ts';

const lockName = 'signing keys';
const attempts = 50;
const retryMs = 100;
/** Longer than any process takes to hear of a key, and fetch it. */
const spreadSeconds = 3;

/**
 * Makes the signing keys at the first start, one that signs and one published to sign next, encrypts those
 * there are with the first of SECRET_KEYS, and so proves that SECRET_KEYS opens them. Of several processes
 * that start at once, one makes the keys.
 * @throws SecretKeysChanged when no key of SECRET_KEYS opens them.
 */
export async function ensureSigningKeys(db: KeyDatabase, secretKeys: readonly Secret[]): Promise<void> {
  await change(db, async (tx) => {
    await carryOut(tx, planMissing(await findStandings(tx)), secretKeys);
    await resealKeys(tx, secretKeys);
  });
}

/** What the schedule brings; nothing when another process is at it. */
export async function advanceSigningKeys(db: KeyDatabase, secretKeys: readonly Secret[]): Promise<void> {
  await runExclusively(db, lockName, async (tx) => {
    await carryOut(tx, planSchedule(await findStandings(tx)), secretKeys);
    await eraseSpent(tx);
  });
}

/**
 * Publishes another next key. The present one signs as soon as it has been published for the JWKS cache
 * time, with `force` at once; only what was published in this very moment is first let spread.
 * @throws SecretKeysChanged when no key of SECRET_KEYS opens the keys in use.
 */
export async function rotateSigningKeys(
  db: KeyDatabase,
  secretKeys: readonly Secret[],
  { force = false }: { readonly force?: boolean } = {},
): Promise<void> {
  if (force) await letSpread(db);
  await change(db, async (tx) => {
    await resealKeys(tx, secretKeys);
    await carryOut(tx, planRotation(await findStandings(tx), force), secretKeys);
  });
}

/**
 * Ends a key and, within a second, every token that it signed; the next one takes its place. False when
 * there is no such key.
 */
export async function revokeSigningKey(db: KeyDatabase, secretKeys: readonly Secret[], kid: string): Promise<boolean> {
  let isFound = false;
  await change(db, async (tx) => {
    const standings = await findStandings(tx);
    isFound = standings.some((key) => key.kid === kid);
    const isLiving = standings.some((key) => key.kid === kid && key.state !== 'revoked');
    if (isLiving) await carryOut(tx, planRevocation(standings, kid), secretKeys);
  });
  return isFound;
}

/** @throws DatabaseBusy when somebody else changes the keys all the time. */
async function change(db: KeyDatabase, work: (tx: Queryable) => Promise<void>): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await runExclusively(db, lockName, work)) return;
    await delay(retryMs);
  }
  throw new DatabaseBusy('the signing keys are being changed elsewhere');
}

async function letSpread(db: KeyDatabase): Promise<void> {
  const waiting = (await findStandings(db)).filter(({ state }) => state === 'next');
  const seconds = spreadSeconds - Math.min(...waiting.map(({ ageSeconds }) => ageSeconds));
  if (seconds > 0) await delay(seconds * 1000);
}

async function carryOut(tx: Queryable, { moves, makes }: Plan, secretKeys: readonly Secret[]): Promise<void> {
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

/** After this nothing needs any but the first of SECRET_KEYS to open the keys. */
async function resealKeys(tx: Queryable, secretKeys: readonly Secret[]): Promise<void> {
  for (const { kid, privateJwe } of await findPublishedKeys(tx)) {
    const key = await openSigningKey(kid, privateJwe, secretKeys);
    if (isSealedWithFirst(privateJwe, secretKeys)) continue;
    await replaceSealed(tx, { kid, former: privateJwe, jwe: await sealSigningKey(key, secretKeys) });
  }
}
