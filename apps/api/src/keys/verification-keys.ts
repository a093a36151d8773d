import { createLocalJWKSet, errors as joseErrors } from 'jose';
import type { JWK, JWTVerifyGetKey } from 'jose';

import { createAnnouncedKeys } from './announced-keys.ts';

/** The public keys that verify access tokens. */
export interface VerificationKeys {
  /** Finds the key that a token names; for `jwtVerify`. */
  readonly find: JWTVerifyGetKey;
  /** False when a key is no longer published: its tokens are then rejected. */
  isPublished(kid: string): boolean;
  /** Loads the keys if none are loaded. @throws when they cannot be loaded. */
  ready(): Promise<void>;
  /** For a key that the revocation feed announced. Loads an unknown key without the cooldown. */
  announce(kid: string): void;
}

/** Loads the published keys. */
export type LoadKeys = () => Promise<readonly JWK[]>;

interface Options {
  /** Called when a reload fails. The loaded keys remain in use. */
  readonly onLoadError: (error: unknown) => void;
  readonly now?: () => number;
}

/** Minimum time between reloads for tokens that name an unknown key. */
const cooldownMs = 30_000;
/** Lifetime of the loaded keys (Cache-Control of /oauth/jwks). */
const maxAgeMs = 300_000;

/**
 * Caches the published keys. They remain in use while they cannot be reloaded, and many unknown key ids cause
 * one reload (checklist RS14).
 */
export function createVerificationKeys(load: LoadKeys, { onLoadError, now = Date.now }: Options): VerificationKeys {
  let keys: readonly JWK[] = [];
  let findLocally: JWTVerifyGetKey = createLocalJWKSet({ keys: [] });
  let lastAttempt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;

  async function reload(): Promise<void> {
    lastAttempt = now();
    keys = await load();
    findLocally = createLocalJWKSet({ keys: [...keys] });
  }

  function loadOnce(): Promise<void> {
    loading ??= reload().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  const isPublished = (kid: string) => keys.some((key) => key.kid === kid);
  const announced = createAnnouncedKeys({ isPublished, load: loadOnce, onLoadError });

  /** False when the cooldown prevents a reload. */
  async function tryReloadFor(kid = ''): Promise<boolean> {
    const search = announced.find(kid);
    if (search === undefined && now() - lastAttempt < cooldownMs) return false;
    await (search ?? loadOnce());
    return true;
  }

  async function ready(): Promise<void> {
    if (keys.length === 0) await loadOnce();
    else if (now() - lastAttempt > maxAgeMs) loadOnce().catch(onLoadError);
  }

  return {
    ready,
    announce: (kid) => {
      // The first load will include the key.
      if (lastAttempt !== Number.NEGATIVE_INFINITY) announced.announce(kid);
    },
    isPublished,
    find: async (header, token) => {
      await ready();
      try {
        return await findLocally(header, token);
      } catch (error) {
        if (!(error instanceof joseErrors.JWKSNoMatchingKey) || !(await tryReloadFor(header.kid))) throw error;
        return await findLocally(header, token);
      }
    },
  };
}
