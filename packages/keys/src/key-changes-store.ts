/** Changes of the signing keys. An advisory lock lets one process at a time make them. */
import { setTimeout as delay } from 'node:timers/promises';

import type { Queryable, Transaction } from '@linnet/db/statement/transaction';
import { DatabaseBusy } from '@linnet/db/connection/database-error';
import { runExclusively } from '@linnet/db/statement/run-exclusively';
import type { Secret } from '@linnet/service/config/secret';

import {
  eraseUnpublished,
  findPublishedKeys,
  findKeyStatuses,
  insertKey,
  moveKey,
  replaceSealed,
} from './key-store.ts';
import type { KeyDatabase, SealedKey, StoredKeyStatus } from './key-store.ts';
import { planEach, planMissing, planRevocation, planRotation, planSchedule } from './rotation.ts';
import type { KeyChange } from './rotation.ts';
import { isSealedWithFirst } from './sealing.ts';
import { generateSigningKey, openSigningKey, sealSigningKey, signingAlgorithms, toPublicJwk } from './signing-key.ts';
import type { SigningAlgorithm } from './signing-key.ts';

const lockName = 'signing keys';
const attempts = 50;
const retryMs = 100;
/** More than any process needs to learn about a new key and load it. */
const loadSeconds = 3;

/**
 * Creates what is missing of a current and a next key of each algorithm, and encrypts existing keys with the first of
 * SECRET_KEYS, which proves that SECRET_KEYS can decrypt them. If several processes start at once, one creates the keys.
 * @throws SecretKeysChanged if no key of SECRET_KEYS decrypts them.
 */
export async function ensureSigningKeys(db: KeyDatabase, secretKeys: readonly Secret[]): Promise<void> {
  await resealFirst(db, secretKeys, { plan: (keys) => planEach(keys, signingAlgorithms, planMissing) });
}

/** Takes the scheduled steps that are due; does nothing while another process is doing so. */
export async function advanceSigningKeys(db: KeyDatabase, secretKeys: readonly Secret[]): Promise<void> {
  const planned = planDue(await findKeyStatuses(db));
  if (planned.moves.length + planned.makes.length > 0) {
    const supply = await prepareKeys([], planned, secretKeys);
    await runExclusively(db, lockName, async (tx) => {
      const due = planDue(await findKeyStatuses(tx));
      // Otherwise another process has changed the keys since they were read; the next run of the job takes the steps.
      if (findMissing(supply, due).length === 0) await applyChange(tx, due, supply);
    });
  }
  await eraseUnpublished(db);
}

function planDue(keys: readonly StoredKeyStatus[]): KeyChange {
  return planEach(keys, signingAlgorithms, planSchedule);
}

/** Makes a change in its transaction, and what belongs to it. */
type MakeChange = (tx: Transaction, make: () => Promise<void>) => Promise<void>;

interface RotationOptions {
  readonly force?: boolean;
  /** All by default. */
  readonly algorithms?: readonly SigningAlgorithm[];
  readonly within?: MakeChange | undefined;
}

/**
 * Publishes a new next key of each algorithm. The previous next key signs once it has been published for 15 minutes,
 * or at once with `force`, which only waits until every process has loaded it.
 * @throws SecretKeysChanged if no key of SECRET_KEYS decrypts the keys in use.
 */
export async function rotateSigningKeys(
  db: KeyDatabase,
  secretKeys: readonly Secret[],
  { force = false, algorithms = signingAlgorithms, within }: RotationOptions = {},
): Promise<void> {
  if (force) await waitUntilLoaded(db, algorithms);
  const plan: PlanChange = (keys) => planEach(keys, algorithms, (those) => planRotation(those, force));
  await resealFirst(db, secretKeys, { plan, within });
}

/**
 * Revokes a key and, within a second, every token that it signed; the next key of its algorithm replaces it. Returns
 * false if there is no such key.
 */
export async function revokeSigningKey(
  db: KeyDatabase,
  secretKeys: readonly Secret[],
  { kid, within }: { readonly kid: string; readonly within?: MakeChange | undefined },
): Promise<boolean> {
  let isFound = false;
  await change(db, secretKeys, {
    within,
    plan: (keys) => {
      isFound = keys.some((key) => key.kid === kid);
      const active = keys.filter(({ state }) => state !== 'revoked');
      return planEach(active, signingAlgorithms, (those) => planRevocation(those, kid));
    },
  });
  return isFound;
}

type PlanChange = (keys: readonly StoredKeyStatus[]) => KeyChange;

interface ChangeSteps {
  readonly plan: PlanChange;
  /** Changes no status. */
  readonly before?: (tx: Queryable) => Promise<void>;
  readonly within?: MakeChange | undefined;
}

async function resealFirst(db: KeyDatabase, secretKeys: readonly Secret[], steps: ChangeSteps): Promise<void> {
  await change(db, secretKeys, { ...steps, before: async (tx) => await resealKeys(tx, secretKeys) });
}

const makeAlone: MakeChange = async (_tx, make) => await make();

/**
 * Plans a change and makes it in one transaction. New keys are generated before the transaction, because an RSA key can
 * take longer than a transaction may be idle; if others changed the keys in between, it starts again.
 * @throws DatabaseBusy if other processes hold the lock at every attempt.
 */
async function change(
  db: KeyDatabase,
  secretKeys: readonly Secret[],
  { plan, before, within = makeAlone }: ChangeSteps,
): Promise<void> {
  let supply: readonly NewKey[] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    supply = await prepareKeys(supply, plan(await findKeyStatuses(db)), secretKeys);
    const prepared = supply;
    let isEnough = false;
    const hadLock = await runExclusively(db, lockName, async (tx) => {
      const planned = plan(await findKeyStatuses(tx));
      isEnough = findMissing(prepared, planned).length === 0;
      if (!isEnough) return;
      await within(tx, async () => {
        await before?.(tx);
        await applyChange(tx, planned, prepared);
      });
    });
    if (isEnough) return;
    if (!hadLock) await delay(retryMs);
  }
  throw new DatabaseBusy('the signing keys are being changed elsewhere');
}

async function waitUntilLoaded(db: KeyDatabase, algorithms: readonly SigningAlgorithm[]): Promise<void> {
  const waiting = (await findKeyStatuses(db)).filter(
    ({ alg, state }) => state === 'next' && algorithms.some((one) => one === alg),
  );
  const seconds = loadSeconds - Math.min(...waiting.map(({ ageSeconds }) => ageSeconds));
  if (seconds > 0) await delay(seconds * 1000);
}

/** A generated key that is not stored yet. */
type NewKey = Omit<SealedKey, 'state'>;

/** Adds the keys that `change` needs beyond those in `supply`. */
async function prepareKeys(
  supply: readonly NewKey[],
  planned: KeyChange,
  secretKeys: readonly Secret[],
): Promise<readonly NewKey[]> {
  const generated = findMissing(supply, planned).map(async (alg) => {
    const key = await generateSigningKey(alg);
    const privateJwe = sealSigningKey(key, secretKeys);
    return { kid: key.kid, alg, publicJwk: toPublicJwk(key), privateJwe };
  });
  return [...supply, ...(await Promise.all(generated))];
}

/** The algorithms of the keys that the change needs and `supply` lacks. */
function findMissing(supply: readonly NewKey[], { makes }: KeyChange): readonly SigningAlgorithm[] {
  return signingAlgorithms.flatMap((alg) => {
    const needed = makes.filter((make) => make.alg === alg).length;
    const available = supply.filter((key) => key.alg === alg).length;
    return Array.from({ length: Math.max(0, needed - available) }, () => alg);
  });
}

/** Takes new keys from `supply`, which must have enough. */
async function applyChange(tx: Queryable, { moves, makes }: KeyChange, supply: readonly NewKey[]): Promise<void> {
  for (const move of moves) await moveKey(tx, move);
  const left = [...supply];
  for (const { alg, state } of makes) {
    const [key] = left.splice(
      left.findIndex((candidate) => candidate.alg === alg),
      1,
    );
    if (key === undefined) throw new TypeError(`no ${alg} key was generated`);
    await insertKey(tx, { ...key, state });
  }
}

/** Afterwards, the first of SECRET_KEYS decrypts all keys. */
async function resealKeys(tx: Queryable, secretKeys: readonly Secret[]): Promise<void> {
  for (const { kid, privateJwe } of await findPublishedKeys(tx)) {
    const key = await openSigningKey(kid, privateJwe, secretKeys);
    if (isSealedWithFirst(privateJwe, secretKeys)) continue;
    await replaceSealed(tx, { kid, former: privateJwe, jwe: sealSigningKey(key, secretKeys) });
  }
}
