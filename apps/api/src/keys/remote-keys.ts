import { z } from 'zod';

import type { LoadKeys } from './verification-keys.ts';

const timeoutMs = 5000;
const jwksSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) });

/** The authorization server's keys cannot be read. */
class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

/** Reads a JWK Set (RFC 7517 §5) from the authorization server; for the API as a process of its own. */
export function loadKeysFromUrl(url: string): LoadKeys {
  return async () => {
    try {
      const response = await fetch(url, {
        // What a cache on the way holds may be older than the key that is looked for.
        headers: { accept: 'application/jwk-set+json, application/json', 'cache-control': 'no-cache' },
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!response.ok) throw new Error(`status ${String(response.status)}`);
      return jwksSchema.parse(await response.json()).keys;
    } catch (error) {
      throw new KeysUnavailable(`no keys from ${url}`, { cause: error });
    }
  };
}
