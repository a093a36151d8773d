import type { Queryable } from '@linnet/db/database';
import type { Secret } from '@linnet/service/secret';

import { findPublishedKeys } from './key-store.ts';
import { openSigningKey } from './signing-key.ts';
import type { PrivateJwk } from './signing-key.ts';

export { ensureSigningKeys, revokeSigningKey, rotateSigningKeys } from './key-changes-store.ts';
export { listSigningKeys } from './key-store.ts';
export type { ListedKey } from './key-store.ts';
export { SecretKeysChanged } from './signing-key.ts';

/** The opened keys of a running process. */
export interface KeyRing {
  /** Signs. */
  readonly current: PrivateJwk;
  /** Published last of those that will sign. */
  readonly next: PrivateJwk;
  /** All that verify, the current one first: those to sign next, and the retired ones whose tokens may live. */
  readonly published: readonly PrivateJwk[];
}

/**
 * Reads and opens the keys in use.
 * @throws SecretKeysChanged when no key of SECRET_KEYS opens them.
 * @throws Error when there are none yet: `ensureSigningKeys` comes first.
 */
export async function loadKeyRing(db: Queryable, secretKeys: readonly Secret[]): Promise<KeyRing> {
  const stored = await findPublishedKeys(db);
  const published = await Promise.all(
    stored.map(async ({ kid, privateJwe }) => await openSigningKey(kid, privateJwe, secretKeys)),
  );
  const find = (state: 'current' | 'next'): PrivateJwk => {
    const key = published[stored.findLastIndex((candidate) => candidate.state === state)];
    if (key === undefined) throw new Error(`the database holds no ${state} signing key yet`);
    return key;
  };
  return { current: find('current'), next: find('next'), published };
}
