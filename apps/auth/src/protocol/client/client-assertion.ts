/** Client assertions, `private_key_jwt` (RFC 7523 §2.2), under the rules of FAPI 2.0 that the provider leaves open. */

import { protocolSettings } from '@linnet/applications/settings/protocol-settings';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { Provider, errors } from 'oidc-provider';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';

import type { RequestLimits } from '../limits/request-limits.ts';
import { paths } from '../request/routes.ts';
import { nowSeconds } from '../storage/stored-payload.ts';
import type { ClaimOnce } from '../storage/stored-payload.ts';
import type { Registration } from './client-store.ts';
import { registrationOf } from './client.ts';

/** Says which part of a client assertion was wrong, and what is expected (RFC 7523 §3). */

/** Allowed clock difference of an application in seconds (checklist CA7). */
export const assertionToleranceSeconds = 10;

/** The `jti` of an assertion is stored until the assertion expires. */
const maxLifetimeSeconds = 3600;

const maxIdLength = 256;

/** The fault is sent to the client: it names what is expected and no value of the assertion. */
class AssertionRefused extends errors.InvalidClientAuth {
  constructor(fault: string) {
    super(fault);
    this.error_description = `client assertion: ${fault}`;
  }
}

interface Expected {
  readonly clientId: string;
  readonly issuer: string;
  readonly algorithms: readonly string[];
  /** An audience beside the issuer, if the application accepts one. */
  readonly endpoint: string;
  readonly acceptsEndpoint: boolean;
  /** Seconds since 1970. */
  readonly now: number;
}

type Claims = Readonly<Record<string, unknown>>;

interface Assertion {
  readonly alg: unknown;
  readonly claims: Claims;
}

type Check = (assertion: Assertion, expected: Expected) => string | undefined;

const lifetimeText = `exp must be in the future and at most ${String(maxLifetimeSeconds / 60)} minutes ahead, in seconds since 1970`;

/** In the order in which they are reported. The provider checks the signature afterwards. */
const checks: readonly Check[] = [
  ({ alg }, { algorithms }) =>
    algorithms.some((one) => one === alg)
      ? undefined
      : `alg must be ${algorithms.join(', ').replace(/, ([^,]*)$/, ' or $1')}`,
  findAudienceFault,
  ({ claims: { iss } }, { clientId }) => (iss === clientId ? undefined : 'iss must be the client_id'),
  ({ claims: { sub } }, { clientId }) => (sub === clientId ? undefined : 'sub must be the client_id'),
  ({ claims: { jti } }) =>
    typeof jti === 'string' && jti !== '' && jti.length <= maxIdLength
      ? undefined
      : `jti must be a string of up to ${String(maxIdLength)} characters that is different in each assertion`,
  ({ claims: { exp } }, { now }) =>
    typeof exp === 'number' &&
    exp > now - assertionToleranceSeconds &&
    exp <= now + assertionToleranceSeconds + maxLifetimeSeconds
      ? undefined
      : lifetimeText,
  ({ claims: { iat } }, { now }) => (isPast(iat, now) ? undefined : 'iat must not be in the future'),
  ({ claims: { nbf } }, { now }) => (isPast(nbf, now) ? undefined : 'nbf must not be in the future'),
];

/** The first fault of an assertion apart from its signature and replays; undefined if there is none. */
function findAssertionFault(assertion: string, expected: Expected): string | undefined {
  const decoded = decode(assertion);
  if (decoded === undefined) return 'it is not a JWT';
  for (const check of checks) {
    const fault = check(decoded, expected);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function decode(assertion: string): Assertion | undefined {
  try {
    return { alg: decodeProtectedHeader(assertion).alg, claims: decodeJwt(assertion) };
  } catch {
    return undefined;
  }
}

/**
 * An assertion with a second audience, or with an endpoint as audience, may have been captured there (the update of
 * RFC 7523, draft-ietf-oauth-rfc7523bis). So an application has to choose what many libraries send.
 */
function findAudienceFault({ claims: { aud } }: Assertion, expected: Expected): string | undefined {
  const { issuer, endpoint, acceptsEndpoint } = expected;
  const isEndpoint = isAlone(aud, endpoint);
  if (isAlone(aud, issuer) || (isEndpoint && acceptsEndpoint)) return undefined;
  const fault = `aud must be ${issuer} and nothing else`;
  const { name } = protocolSettings.acceptEndpointAudience;
  return isEndpoint ? `${fault}, unless the setting ${name} of the application is on` : fault;
}

/** JWT libraries write a single audience as a string or as a list (RFC 7519 §4.1.3). */
function isAlone(audience: unknown, issuer: string): boolean {
  return audience === issuer || (Array.isArray(audience) && audience.length === 1 && audience[0] === issuer);
}

function isPast(time: unknown, now: number): boolean {
  return time === undefined || (typeof time === 'number' && time <= now + assertionToleranceSeconds);
}

/** FAPI 2.0 §5.4.1 has no RS256. */
const strictAlgorithms = ['ES256', 'PS256', 'EdDSA'] as const;

/** No symmetric ones, because no secret is stored in clear text. */
export const assertionAlgorithms = [...strictAlgorithms, 'RS256'] as const;

/** Those of an application that has chosen none may be any that the metadata lists. */
function algorithmsOf({ tokenEndpointAuthSigningAlg: chosen, strict }: Registration['protocol']): readonly string[] {
  if (chosen !== 'any') return [chosen];
  return strict ? strictAlgorithms : assertionAlgorithms;
}

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
  const { issuer } = provider;
  const endpoint = issuer + paths.token;
  provider.OIDCContext.prototype.clientJwtAuthExpectedAudience = function check(this: KoaContextWithOIDC['oidc']) {
    const { params, client } = this;
    const assertion = params?.['client_assertion'];
    if (typeof assertion === 'string' && client !== undefined) {
      const { clientId } = client;
      const { protocol } = registrationOf(client);
      const fault = findAssertionFault(assertion, {
        ...{ clientId, issuer, endpoint, now: nowSeconds() },
        algorithms: algorithmsOf(protocol),
        acceptsEndpoint: protocol.acceptEndpointAudience,
      });
      if (fault !== undefined) throw new AssertionRefused(fault);
    }
    // Which of them is acceptable has been checked.
    return new Set([issuer, endpoint]);
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
