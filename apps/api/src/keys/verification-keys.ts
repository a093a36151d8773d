import { createLocalJWKSet, errors as joseErrors } from 'jose';
import type { JWK, JWTVerifyGetKey } from 'jose';

/** Public keys that access tokens are verified with. */
export interface VerificationKeys {
  /** Finds the key a token names; for `jwtVerify`. */
  readonly find: JWTVerifyGetKey;
  /** False once a key is no longer published: what it signed is refused from then on. */
  isLive(kid: string): boolean;
  /** Loads the keys when there are none yet. @throws when they cannot be had. */
  ready(): Promise<void>;
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

  async function ready(): Promise<void> {
    if (keys.length === 0) await loadOnce();
    else if (now() - lastAttempt > maxAgeMs) loadOnce().catch(onLoadError);
  }

  return {
    ready,
    isLive: (kid) => keys.some((key) => key.kid === kid),
    find: async (header, token) => {
      await ready();
      try {
        return await findLocally(header, token);
      } catch (error) {
        if (!(error instanceof joseErrors.JWKSNoMatchingKey) || now() - lastAttempt < cooldownMs) throw error;
        await loadOnce();
        return await findLocally(header, token);
      }
    },
  };
}
