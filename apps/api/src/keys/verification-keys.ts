import { createLocalJWKSet, errors as joseErrors } from 'jose';
import type { JWK, JWTVerifyGetKey } from 'jose';

import { createAnnouncedKeys } from './announced-keys.ts';

/** Public keys that access tokens are verified with. */
export interface VerificationKeys {
  /** Finds the key a token names; for `jwtVerify`. */
  readonly find: JWTVerifyGetKey;
  /** False once a key is no longer published: what it signed is refused from then on. */
  isLive(kid: string): boolean;
  /** Loads the keys when there are none yet. @throws when they cannot be had. */
  ready(): Promise<void>;
  /** The feed tells of a key: one that is not at hand is fetched, however lately the keys were read. */
  announce(kid: string): void;
}

/** Reads the published keys anew. */
export type LoadKeys = () => Promise<readonly JWK[]>;

interface Options {
  /** Called when keys that are due cannot be read anew; those at hand go on working. */
  readonly onLoadError: (error: unknown) => void;
  readonly now?: () => number;
}

/** Keys are read anew when a token names an unknown one, but not more often than this. */
const cooldownMs = 30_000;
/** How long the authorization server lets its keys be kept (Cache-Control of /oauth/jwks). */
const maxAgeMs = 300_000;

/**
 * Keeps the published keys; those at hand go on working while they cannot be read anew, and a storm
 * of unknown key ids reads them once (checklist RS14).
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

  const isLive = (kid: string) => keys.some((key) => key.kid === kid);
  const announced = createAnnouncedKeys({ isLive, load: loadOnce, onLoadError });

  /** False: there was no reason to look. */
  async function lookFor(kid = ''): Promise<boolean> {
    const finding = announced.find(kid);
    if (finding === undefined && now() - lastAttempt < cooldownMs) return false;
    await (finding ?? loadOnce());
    return true;
  }

  async function ready(): Promise<void> {
    if (keys.length === 0) await loadOnce();
    else if (now() - lastAttempt > maxAgeMs) loadOnce().catch(onLoadError);
  }

  return {
    ready,
    announce: (kid) => {
      // What was never read will be read whole.
      if (lastAttempt !== Number.NEGATIVE_INFINITY) announced.announce(kid);
    },
    isLive,
    find: async (header, token) => {
      await ready();
      try {
        return await findLocally(header, token);
      } catch (error) {
        if (!(error instanceof joseErrors.JWKSNoMatchingKey) || !(await lookFor(header.kid))) throw error;
        return await findLocally(header, token);
      }
    },
  };
}
