import { setTimeout as delay } from 'node:timers/promises';

import { createLocalJWKSet, errors as joseErrors } from 'jose';
import type { JWK, JWTVerifyGetKey } from 'jose';

/** Keys that the revocation feed announced and that are not loaded yet. */
interface AnnouncedKeys {
  announce(kid: string): void;
  /** Resolves when the key is loaded or the search ends; `undefined` for a key that was not announced. */
  find(kid: string): Promise<void> | undefined;
}

interface AnnouncedKeysOptions {
  readonly isPublished: (kid: string) => boolean;
  readonly load: () => Promise<void>;
  readonly onLoadError: (error: unknown) => void;
}

/** Waits before each reload, because the authorization server may learn about the key later than this process. */
const retryDelaysMs = [0, 200, 300, 500, 1000, 2000];

/** Reloads the keys until all announced ones are published, for a few seconds at most. */
function createAnnouncedKeys({ isPublished, load, onLoadError }: AnnouncedKeysOptions): AnnouncedKeys {
  const announced = new Set<string>();
  let searching: Promise<void> | undefined;

  async function search(): Promise<void> {
    for (const waitMs of retryDelaysMs) {
      await delay(waitMs, undefined, { ref: false });
      await load().catch(onLoadError);
      for (const kid of announced) if (isPublished(kid)) announced.delete(kid);
      if (announced.size === 0) return;
    }
    announced.clear();
  }

  return {
    announce: (kid) => {
      if (isPublished(kid)) return;
      announced.add(kid);
      searching ??= search().finally(() => {
        searching = undefined;
      });
    },
    find: (kid) => (announced.has(kid) ? searching : undefined),
  };
}

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
