/** Client assertions, `private_key_jwt` (RFC 7523 §2.2), under the rules of FAPI 2.0 that the provider leaves open. */
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { Provider, errors } from 'oidc-provider';

import type { RequestLimits } from '../limits/request-limits.ts';
import type { ClaimOnce } from '../storage/claim-once.ts';
import { nowSeconds } from '../now.ts';
import { registrationOf } from './client.ts';
import { AssertionRefused, findAssertionFault } from './assertion-fault.ts';

/** Without RS256 (FAPI 2.0 §5.4.1), and without symmetric algorithms, because no secret is stored in clear text. */
const defaultAlgorithms = ['ES256', 'PS256', 'EdDSA'] as const;

/** RS256 only for applications that have chosen it. */
export const assertionAlgorithms = [...defaultAlgorithms, 'RS256'] as const;

/** The state of a request between the checks of its assertion and the claim of its `jti`. */
interface AssertionState {
  claimsAssertion?: boolean;
}

type AssertionListener = NonNullable<Configuration['assertJwtClientAuthClaimsAndHeader']>;

/** Runs after the checks of the signature and of all claims, and before `jti` is stored. */
export function createAssertionListener(limits: Pick<RequestLimits, 'authenticated'>): AssertionListener {
  return async (ctx) => {
    const { client } = ctx.oidc;
    if (client !== undefined) await limits.authenticated(ctx, client.clientId);
    const state: AssertionState = ctx.state;
    state.claimsAssertion = true;
  };
}

/**
 * Checks the claims of assertions, when the provider asks for the accepted audiences, which it does first. Its own
 * checks accept endpoints as audience (checklist CA7), and its response does not say which one failed.
 */
export function checkAssertions(provider: Provider): void {
  provider.OIDCContext.prototype.clientJwtAuthExpectedAudience = function check(this: KoaContextWithOIDC['oidc']) {
    const { params, client } = this;
    const assertion = params?.['client_assertion'];
    if (typeof assertion === 'string' && client !== undefined) {
      const { clientId } = client;
      const { tokenEndpointAuthSigningAlg: chosen } = registrationOf(client).protocol;
      const algorithms = chosen === 'any' ? defaultAlgorithms : [chosen];
      const fault = findAssertionFault(assertion, { clientId, issuer: provider.issuer, algorithms, now: nowSeconds() });
      if (fault !== undefined) throw new AssertionRefused(fault);
    }
    return new Set([provider.issuer]);
  };
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
    if (isFirst) return true;
    if (isAssertion) throw new AssertionRefused('jti was used before; each assertion needs its own');
    throw new errors.InvalidDpopProof('jti was used before; each proof needs its own');
  };
  Reflect.set(provider.ReplayDetection, 'unique', claim);
}
