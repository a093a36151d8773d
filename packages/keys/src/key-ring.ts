import type { Queryable } from '@linnet/db/database';
import type { Secret } from '@linnet/service/secret';

import { findPublishedKeys } from './key-store.ts';
import { openSigningKey } from './signing-key.ts';
import type { PrivateJwk } from './signing-key.ts';

export { ensureSigningKeys, revokeSigningKey, rotateSigningKeys } from './key-changes-store.ts';
export { listSigningKeys } from './key-store.ts';
export type { ListedKey } from './key-store.ts';
export { SecretKeysChanged } from './signing-key.ts';

/** The decrypted keys of a process. */
export interface KeyRing {
  readonly current: PrivateJwk;
  /** The most recently published next key. */
  readonly next: PrivateJwk;
  /** All keys that verify: current, next, and retired ones whose tokens may still be valid. */
  readonly published: readonly PrivateJwk[];
}

/**
 * Loads and decrypts the keys in use.
 * @throws SecretKeysChanged if no key of SECRET_KEYS decrypts them.
 * @throws Error if there are none: call `ensureSigningKeys` first.
 */
export async function loadKeyRing(db: Queryable, secretKeys: readonly Secret[]): Promise<KeyRing> {
  const stored = await findPublishedKeys(db);
  const published = await Promise.all(
    stored.map(async ({ kid, privateJwe }) => await openSigningKey(kid, privateJwe, secretKeys)),
  );
  const find = (state: 'current' | 'next'): PrivateJwk => {
    const key = published[stored.findLastIndex((candidate) => candidate.state === state)];
    if (key === undefined) throw new Error(`there is no ${state} signing key yet; the first start creates it`);
    return key;
  };
  return { current: find('current'), next: find('next'), published };
}
