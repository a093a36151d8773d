import type { Secret } from '@linnet/service/secret';

import { findUsableKeys, insertMissingKeys } from './key-store.ts';
import type { KeyDatabase, SealedKey, UsableState } from './key-store.ts';
import { generateSigningKey, openSigningKey, sealSigningKey, signingAlgorithm, toPublicJwk } from './signing-key.ts';
import type { PrivateJwk } from './signing-key.ts';

export { listSigningKeys } from './key-store.ts';

export { SecretKeysChanged } from './signing-key.ts';

/** The opened keys of a running process: `current` signs, both are published. */
export interface KeyRing {
  readonly current: PrivateJwk;
  readonly next: PrivateJwk;
}

/**
 * Makes the signing keys at the first start, one that signs and one published to sign next, and
 * proves that SECRET_KEYS opens them. Of several processes that start at once, one makes the keys.
 * @throws SecretKeysChanged when no key of SECRET_KEYS opens them.
 */
export async function ensureSigningKeys(db: KeyDatabase, secretKeys: readonly Secret[]): Promise<void> {
  const usable = await findUsableKeys(db);
  if (usable.length < 2) {
    await insertMissingKeys(db, [await makeKey('current', secretKeys), await makeKey('next', secretKeys)]);
  }
  await loadKeyRing(db, secretKeys);
}

/**
 * Reads and opens the keys in use.
 * @throws SecretKeysChanged when no key of SECRET_KEYS opens them.
 * @throws Error when there are none yet: `ensureSigningKeys` comes first.
 */
export async function loadKeyRing(db: KeyDatabase, secretKeys: readonly Secret[]): Promise<KeyRing> {
  const usable = await findUsableKeys(db);
  const open = async (state: UsableState): Promise<PrivateJwk> => {
    const key = usable.find((candidate) => candidate.state === state);
    if (key === undefined) throw new Error(`the database holds no ${state} signing key yet`);
    return await openSigningKey(key.kid, key.privateJwe, secretKeys);
  };
  return { current: await open('current'), next: await open('next') };
}

async function makeKey(state: UsableState, secretKeys: readonly Secret[]): Promise<SealedKey> {
  const key = await generateSigningKey();
  return {
    kid: key.kid,
    alg: signingAlgorithm,
    state,
    publicJwk: toPublicJwk(key),
    privateJwe: await sealSigningKey(key, secretKeys),
  };
}
