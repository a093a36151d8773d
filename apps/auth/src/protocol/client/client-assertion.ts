/** `private_key_jwt` (RFC 7523 §2.2) as FAPI 2.0 has it: what the provider leaves open is decided here. */
import type { Configuration, Provider } from 'oidc-provider';
import { errors } from 'oidc-provider';

import type { ClaimOnce } from '../storage/claim-once.ts';
import { nowSeconds } from '../now.ts';

/** RS256 is left out (FAPI 2.0 §5.4.1); so are the symmetric ones, for no secret is kept in clear. */
export const assertionAlgorithms = ['ES256', 'PS256', 'EdDSA'] as const;

/** Seconds that the clock of an application may be ahead or behind (checklist CA7). */
export const assertionToleranceSeconds = 10;

/** A mark of each assertion is kept until it expires. */
const longestSeconds = 3600;

/** Runs after signature, `iss`, `exp` and `nbf` were found good, and before the mark of `jti` is set. */
export const checkAssertion: NonNullable<Configuration['assertJwtClientAuthClaimsAndHeader']> = async (ctx, claims) => {
  const { aud, sub, iss, jti, iat, exp } = claims;
  const latest = nowSeconds() + assertionToleranceSeconds;
  // One that is meant for another server too, or for an address of ours alone, may come from there.
  if (aud !== ctx.oidc.issuer) throw new errors.InvalidClientAuth('aud must be the issuer and nothing else');
  if (sub !== iss) throw new errors.InvalidClientAuth('sub must be the client_id');
  if (typeof jti !== 'string') throw new errors.InvalidClientAuth('jti must be a string');
  if (iat !== undefined && (typeof iat !== 'number' || iat > latest)) {
    throw new errors.InvalidClientAuth('iat is in the future');
  }
  if (typeof exp !== 'number' || exp > latest + longestSeconds) {
    throw new errors.InvalidClientAuth('the assertion lives for too long');
  }
  return await Promise.resolve();
};

/**
 * The provider looks for a mark and then sets it: of several requests at the same time each would find
 * none. Here it is one statement.
 */
export function rejectReplayedAssertions(provider: Provider, claimOnce: ClaimOnce): void {
  Reflect.set(provider.ReplayDetection, 'unique', claimOnce);
}

type Fetch = NonNullable<Configuration['fetch']>;

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
/** How long a failed answer stands, so that requests of anybody do not become requests of ours. */
const failureMs = 5000;

/**
 * How the keys of an application are fetched: https, public addresses, no redirect, 2.5 s, 64 KB, asked
 * for anew after a minute. While BASE_URL is on the machine itself, keys may be there too.
 */
export function createKeyFetch(baseUrl: string, now: () => number = Date.now): Fetch {
  const base = new URL(baseUrl);
  const isLocalService = base.protocol === 'http:' && loopbackHosts.has(base.hostname);
  let failures: readonly { readonly address: string; readonly until: number }[] = [];

  const attempt: Fetch = async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input);
    const isLocal = isLocalService && loopbackHosts.has(address.hostname);
    if (address.protocol !== 'https:' && !isLocal) throw new TypeError('keys are fetched by https only');
    // The provider's dispatcher cuts connections to addresses that are not public.
    const guarded = isLocal ? { ...init, dispatcher: undefined } : { ...init };
    const { status, body } = await fetch(address, { ...guarded, redirect: 'error' });
    // Without the headers that would keep the answer for as long as they like.
    return new Response(body, { status });
  };

  return async (input, init) => {
    const address = String(input instanceof Request ? input.url : input);
    failures = failures.filter(({ until }) => until > now());
    if (failures.some((failure) => failure.address === address)) throw new TypeError('it failed a moment ago');
    try {
      return await attempt(input, init);
    } catch (error) {
      failures = [...failures, { address, until: now() + failureMs }];
      throw error;
    }
  };
}
