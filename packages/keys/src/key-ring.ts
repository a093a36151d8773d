import type { Queryable } from '@linnet/db/statement/transaction';
import type { Secret } from '@linnet/service/config/secret';

import { findPublishedKeys } from './key-store.ts';
import { openSigningKey } from './signing-key.ts';
import type { PrivateJwk, SigningAlgorithm } from './signing-key.ts';

type KeyOf<Algorithm extends SigningAlgorithm> = Extract<PrivateJwk, { readonly alg: Algorithm }>;
type KeyOfEach = { readonly [Algorithm in SigningAlgorithm]: KeyOf<Algorithm> };

/** The decrypted keys of a process. */
export interface KeyRing {
  readonly current: KeyOfEach;
  /** The most recently published next keys. */
  readonly next: KeyOfEach;
  /** All keys that verify: current, next, and retired ones whose tokens may still be valid. Current ones come first. */
  readonly published: readonly PrivateJwk[];
}

/**
 * Loads and decrypts the keys in use.
 * @throws SecretKeysChanged if no key of SECRET_KEYS decrypts them.
 * @throws Error if one is missing: call `ensureSigningKeys` first.
 */
export async function loadKeyRing(db: Queryable, secretKeys: readonly Secret[]): Promise<KeyRing> {
  const stored = await findPublishedKeys(db);
  const published = await Promise.all(
    stored.map(async ({ kid, privateJwe }) => await openSigningKey(kid, privateJwe, secretKeys)),
  );
  const find = <Algorithm extends SigningAlgorithm>(state: 'current' | 'next', alg: Algorithm): KeyOf<Algorithm> => {
    const key = published[stored.findLastIndex((candidate) => candidate.state === state && candidate.alg === alg)];
    if (key === undefined || !isOf(key, alg)) {
      throw new Error(`there is no ${state} ${alg} signing key yet; the next start creates it`);
    }
    return key;
  };
  const findEach = (state: 'current' | 'next'): KeyOfEach => ({
    ES256: find(state, 'ES256'),
    RS256: find(state, 'RS256'),
  });
  return { current: findEach('current'), next: findEach('next'), published };
}

function isOf<Algorithm extends SigningAlgorithm>(key: PrivateJwk, alg: Algorithm): key is KeyOf<Algorithm> {
  return key.alg === alg;
}
