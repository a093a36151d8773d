/** Finds the one cause of a refused request. What only the database knows, `artifact-facts-store.ts` adds afterwards. */
import type { FailureCause } from '@linnet/applications/failures/causes';
import type { FailureDetails } from '@linnet/applications/failures/failure';
import { deviceGrantType } from '@linnet/applications/settings/protocol-settings';
import { isScope } from '@linnet/contract/scopes';
import { errors } from 'oidc-provider';
import type { Client, KoaContextWithOIDC } from 'oidc-provider';

import type { ArtifactId, ReasonCode } from '../../audit/events.ts';
import { RedirectUriRequired } from '../client/omitted-redirect-uri.ts';
import { registrationOf } from '../client/client.ts';
import { sha256 } from '../storage/stored-payload.ts';
import { openidScopes } from '../token/requested-scope.ts';
import { findNamedParameters } from './provider-wording.ts';
import { SecretExpired } from './reason-code.ts';
import { otherKeyDetail } from '../client/switched-off.ts';

export interface Cause {
  readonly cause: FailureCause;
  readonly details?: FailureDetails;
}

/** A refused request of a known application. */
export interface RefusedRequest {
  readonly ctx: KoaContextWithOIDC;
  readonly client: Client;
  readonly error: errors.OIDCProviderError;
  readonly reasonCode: ReasonCode | undefined;
}

export function findCause(refused: RefusedRequest): Cause {
  const { error, reasonCode } = refused;
  if (error instanceof errors.InvalidClientAuth) return findAuthenticationCause(refused);
  if (error instanceof errors.InvalidScope) return findScopeCause(refused);
  if (error instanceof RedirectUriRequired) return { cause: 'redirect_uri_missing' };
  const named = findNamedParameters(error);
  if (named !== undefined) return toNamedCause(named);
  const known = (reasonCode === undefined ? undefined : byReason[reasonCode]) ?? byError[error.error] ?? fallback.cause;
  return typeof known === 'string' ? { cause: known } : known(refused);
}

function toNamedCause({ cause, parameters }: NonNullable<ReturnType<typeof findNamedParameters>>): Cause {
  const isRedirectUri = cause === 'parameter_missing' && parameters.length === 1 && parameters[0] === 'redirect_uri';
  return isRedirectUri ? { cause: 'redirect_uri_missing' } : { cause, details: { parameters } };
}

const fallback: Cause = { cause: 'request_rejected' };

type Find = (refused: RefusedRequest) => Cause;

const byReason: Readonly<Partial<Record<ReasonCode, FailureCause | Find>>> = {
  pkce: findPkceCause,
  redirect_uri: findRedirectUriCause,
  body_too_large: 'body_too_large',
  pushed_request_required: 'pushed_request_required',
};

/** By the code of the response. */
const byError: Readonly<Record<string, FailureCause | Find>> = {
  invalid_redirect_uri: findRedirectUriCause,
  invalid_grant: findGrantCause,
  expired_token: 'device_code_expired',
  slow_down: 'device_slow_down',
  access_denied: 'person_denied',
  login_required: 'login_required',
  consent_required: 'consent_required',
  interaction_required: 'consent_required',
  account_selection_required: 'consent_required',
  unauthorized_client: findSwitchedOff,
  unsupported_grant_type: 'grant_type_unknown',
  unsupported_response_type: 'response_type_unknown',
  invalid_request_uri: 'pushed_request_unknown',
  invalid_dpop_proof: 'dpop_rejected',
};

/** What the client proved its identity with, against what the application is registered with. */
function findAuthenticationCause({ ctx, client, error }: RefusedRequest): Cause {
  if (error instanceof SecretExpired) {
    return { cause: 'secret_expired', details: { secret: error.secret, expiresAt: error.expiresAt } };
  }
  const { params = {} } = ctx.oidc;
  const hasAssertion = params['client_assertion'] !== undefined;
  const hasSecret = params['client_secret'] !== undefined || ctx.get('authorization') !== '';
  switch (client.clientAuthMethod) {
    case 'none':
      return { cause: 'secret_unexpected' };
    case 'private_key_jwt':
      return { cause: hasAssertion ? 'assertion_rejected' : 'assertion_expected' };
    default:
      if (hasAssertion) return { cause: 'secret_expected' };
      return { cause: hasSecret ? 'secret_wrong' : 'secret_missing' };
  }
}

function findRedirectUriCause({ ctx, client }: RefusedRequest): Cause {
  const { params = {}, route } = ctx.oidc;
  const { redirect_uri: presented } = params;
  if (presented === undefined) return { cause: 'redirect_uri_missing' };
  if (typeof presented !== 'string') return { cause: 'parameter_repeated', details: { parameters: ['redirect_uri'] } };
  if (registrationOf(client).redirectUris.length === 0) return { cause: 'redirect_uri_none' };
  return { cause: route === 'token' ? 'redirect_uri_changed' : 'redirect_uri_unregistered' };
}

function findPkceCause({ ctx }: RefusedRequest): Cause {
  const { params = {}, route } = ctx.oidc;
  if (route === 'token') {
    return { cause: params['code_verifier'] === undefined ? 'verifier_missing' : 'verifier_wrong' };
  }
  if (params['code_challenge'] === undefined) return { cause: 'challenge_missing' };
  return { cause: params['code_challenge_method'] === 'S256' ? 'challenge_malformed' : 'challenge_method' };
}

function findScopeCause({ ctx, error }: RefusedRequest): Cause {
  const { params = {} } = ctx.oidc;
  // The provider's types lack the member.
  const scope: unknown = 'scope' in error ? error.scope : undefined;
  if (typeof scope !== 'string' || scope === '') return fallback;
  const scopes = scope.split(' ');
  const details = { scopes };
  if (params['grant_type'] === 'refresh_token') return { cause: 'scope_not_granted', details };
  // The scopes of another API are what its developer registered.
  const isOutside = params['resource'] !== undefined && params['resource'] !== `${ctx.oidc.issuer}/api/v2.0`;
  const isKnown = isOutside || scopes.every((one) => isScope(one) || isOpenid(one));
  return { cause: isKnown ? 'scope_unregistered' : 'scope_unknown', details };
}

function isOpenid(scope: string): boolean {
  return openidScopes.some((name) => name === scope);
}

/** The setting that refuses the request, or the redirect URI that it lacks. */
function findSwitchedOff({ ctx, client }: RefusedRequest): Cause {
  const { params = {}, route } = ctx.oidc;
  const grantType = findGrantType(params, route);
  const { redirectUris, protocol } = registrationOf(client);
  const isOn = grantType !== undefined && protocol.grantTypes.includes(grantType);
  if (isOn && redirectUris.length === 0) return { cause: 'redirect_uri_none' };
  return { cause: 'grant_type_off', details: { grantType } };
}

function findGrantType(params: Readonly<Record<string, unknown>>, route: string): string | undefined {
  if (route === 'device_authorization') return deviceGrantType;
  const { grant_type: grantType, response_type: responseType } = params;
  if (typeof grantType === 'string') return grantType;
  return responseType === 'none' || responseType === 'token' ? 'implicit' : 'authorization_code';
}

/** Until the facts are known, a code or refresh token that was refused is one that does not exist. */
function findGrantCause({ ctx, error, client }: RefusedRequest): Cause {
  if (error.error_detail === otherKeyDetail) return { cause: 'dpop_other_key' };
  if (client.dpopBoundAccessTokens === true && ctx.get('dpop') === '') return { cause: 'dpop_required' };
  switch (ctx.oidc.params?.['grant_type']) {
    case 'authorization_code':
      return { cause: 'code_unknown' };
    case 'refresh_token':
      return { cause: 'refresh_token_unknown' };
    case deviceGrantType:
      return { cause: 'device_code_unknown' };
    default:
      return fallback;
  }
}

const artifactKinds: ReadonlyMap<unknown, readonly [kind: ArtifactId['kind'], parameter: string]> = new Map([
  ['authorization_code', ['AuthorizationCode', 'code']],
  ['refresh_token', ['RefreshToken', 'refresh_token']],
  [deviceGrantType, ['DeviceCode', 'device_code']],
]);

/** The code or refresh token that a refused token request sent. */
export function findArtifact({ oidc: { params = {}, route } }: KoaContextWithOIDC): ArtifactId | undefined {
  const known = artifactKinds.get(params['grant_type']);
  if (route !== 'token' || known === undefined) return undefined;
  const [kind, parameter] = known;
  const value = params[parameter];
  if (typeof value !== 'string') return undefined;
  return { kind, sha256: sha256(value).toString('hex') };
}
