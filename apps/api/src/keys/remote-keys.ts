import { z } from 'zod';

import type { LoadKeys } from './verification-keys.ts';

const timeoutMs = 5000;
const jwksSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) });

/** The keys of the authorization server cannot be loaded. */
class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

/**
 * Loads a JWK Set (RFC 7517 §5) from the authorization server, for an API server that runs as its own process.
 * `traceHeaders` continues the trace of the current request there.
 */
export function loadKeysFromUrl(url: string, traceHeaders: () => Readonly<Record<string, string>>): LoadKeys {
  return async () => {
    try {
      const response = await fetch(url, {
        // The response of a cache on the way may be older than the key.
        headers: {
          accept: 'application/jwk-set+json, application/json',
          'cache-control': 'no-cache',
          ...traceHeaders(),
        },
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!response.ok) throw new Error(`status ${String(response.status)}`);
      return jwksSchema.parse(await response.json()).keys;
    } catch (error) {
      throw new KeysUnavailable(`the keys at ${url} cannot be loaded`, { cause: error });
    }
  };
}
