/** Client assertions, `private_key_jwt` (RFC 7523 §2.2), under the rules of FAPI 2.0 that the provider leaves open. */
import type { Configuration } from 'oidc-provider';
import { Provider, errors } from 'oidc-provider';

import type { ClaimOnce } from '../storage/claim-once.ts';
import { nowSeconds } from '../now.ts';

/** Without RS256 (FAPI 2.0 §5.4.1), and without symmetric algorithms, because no secret is stored in clear text. */
export const assertionAlgorithms = ['ES256', 'PS256', 'EdDSA'] as const;

/** Allowed clock difference of an application in seconds (checklist CA7). */
export const assertionToleranceSeconds = 10;

/** The `jti` of an assertion is stored until the assertion expires. */
const maxLifetimeSeconds = 3600;

/** The state of a request between the checks of its assertion and the claim of its `jti`. */
interface AssertionState {
  claimsAssertion?: boolean;
}

/** Runs after the checks of the signature, `iss`, `exp` and `nbf`, and before `jti` is stored. */
export const checkAssertion: NonNullable<Configuration['assertJwtClientAuthClaimsAndHeader']> = async (ctx, claims) => {
  const { aud, sub, iss, jti, iat, exp } = claims;
  const latest = nowSeconds() + assertionToleranceSeconds;
  // An assertion with a second audience, or with an endpoint as audience, may have been captured there.
  if (!isAlone(aud, ctx.oidc.issuer)) throw new errors.InvalidClientAuth('aud must be the issuer and nothing else');
  if (sub !== iss) throw new errors.InvalidClientAuth('sub must be the client_id');
  if (typeof jti !== 'string') throw new errors.InvalidClientAuth('jti must be a string');
  if (iat !== undefined && (typeof iat !== 'number' || iat > latest)) {
    throw new errors.InvalidClientAuth('iat is in the future');
  }
  if (typeof exp !== 'number' || exp > latest + maxLifetimeSeconds) {
    throw new errors.InvalidClientAuth('the lifetime of the assertion is too long');
  }
  const state: AssertionState = ctx.state;
  state.claimsAssertion = true;
  return await Promise.resolve();
};

/** JWT libraries write a single audience as a string or as a list (RFC 7519 §4.1.3). */
function isAlone(audience: unknown, issuer: string): boolean {
  return audience === issuer || (Array.isArray(audience) && audience.length === 1 && audience[0] === issuer);
}

/**
 * Rejects replayed assertions and DPoP proofs. The provider looks for a stored `jti` and then stores it, so parallel
 * requests with one assertion would all succeed. Here it is a single statement. It also responds to a replayed proof
 * with `invalid_grant`; RFC 9449 §5 defines `invalid_dpop_proof`.
 */
export function rejectReplays(provider: Provider, claimOnce: ClaimOnce): void {
  const claim: ClaimOnce = async (issuer, id, expiresAt) => {
    const state: AssertionState = Provider.ctx?.state ?? {};
    const isAssertion = state.claimsAssertion === true;
    state.claimsAssertion = false;
    const isFirst = await claimOnce(issuer, id, expiresAt);
    if (!isFirst && !isAssertion) throw new errors.InvalidDpopProof('the DPoP proof was used before');
    return isFirst;
  };
  Reflect.set(provider.ReplayDetection, 'unique', claim);
}
