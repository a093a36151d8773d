import { failureCauses } from '@linnet/applications/failures/causes';
import type { FailureCause } from '@linnet/applications/failures/causes';
import type { RequestState } from '@linnet/service/http/request-log';
import { errors } from 'oidc-provider';
import type { Client, KoaContextWithOIDC, Provider } from 'oidc-provider';

import type { AuthEvents, ReasonCode, RequestEvent } from '../../audit/events.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { registrationOf } from '../client/client.ts';
import { explainGrantType, explainMissingProof } from '../client/switched-off.ts';
import { paths } from '../request/routes.ts';
import type { EpochSnapshots } from '../token/acting-claims.ts';
import { findArtifact, findCause } from './find-cause.ts';
import { toReason } from './provider-wording.ts';
import { explainFailure, findReasonCode, toReuseCode } from './reason-code.ts';

/** How the provider handled a request. */
export interface Outcome {
  /** The client of the request, once it is known. */
  readonly client: Client | undefined;
  readonly grantType: unknown;
  /** Parameters of the authorization request, as sent or as pushed. */
  readonly prompt: unknown;
  readonly responseMode: unknown;
  readonly redirectUri: unknown;
  readonly state: unknown;
  /** `nonce` of the authorization request that the exchanged code belongs to. */
  readonly nonce: string | undefined;
  /** When the access of the issued tokens ends, in milliseconds of this process's clock; undefined: at no set time. */
  readonly accessEndsAt?: number | undefined;
  /** Undefined after a success. */
  readonly failure: Error | undefined;
}

function describeParameters(params: Readonly<Record<string, unknown>> = {}) {
  return {
    grantType: params['grant_type'],
    prompt: params['prompt'],
    responseMode: params['response_mode'],
    redirectUri: params['redirect_uri'],
    state: params['state'],
  };
}

type Epochs = Pick<EpochSnapshots, 'get'>;

export type FindOutcome = (ctx: object) => Outcome | undefined;

/**
 * Reports the provider's events as ours, and keeps the outcome of each request for the middleware around the
 * provider. Its responses do not distinguish a body that is too large from a malformed one, or an unreachable
 * database from a bug.
 */
export function reportProviderEvents(provider: Provider, events: AuthEvents, epochs: Epochs): FindOutcome {
  const outcomes = new WeakMap<object, Outcome>();
  const reused = new WeakSet<object>();
  const remember = (ctx: KoaContextWithOIDC, failure: Error | undefined, accessEndsAt?: number): void => {
    const { client, params, entities } = ctx.oidc;
    const nonce = entities.AuthorizationCode?.nonce;
    outcomes.set(ctx, { client, ...describeParameters(params), nonce, accessEndsAt, failure });
  };
  const reasonCodeOf = (ctx: KoaContextWithOIDC, error: Error): ReasonCode | undefined =>
    findReasonCode(error) ?? (reused.has(ctx) ? toReuseCode(ctx.oidc.params?.['grant_type']) : undefined);

  const reportIssued = (ctx: KoaContextWithOIDC): void => {
    const { ClientCredentials: own, AccessToken: granted } = ctx.oidc.entities;
    remember(ctx, undefined, granted?.grantId === undefined ? undefined : epochs.get(granted.grantId).endsAt);
    const grantType = String(ctx.oidc.params?.['grant_type']);
    events.tokenIssued({ ...describe(ctx), scope: own?.scope ?? granted?.scope, grantType });
  };
  const reportRefused = (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError): void => {
    remember(ctx, error);
    const reason = toReason(error);
    if (error instanceof errors.InvalidClientAuth) {
      events.clientRefused({ ...describe(ctx), reason });
      return;
    }
    const reasonCode = reasonCodeOf(ctx, error);
    events.tokenRefused({ ...describe(ctx), error: error.error, reasonCode, reason, accountId: findAccountId(ctx) });
  };
  const reported = new WeakMap<object, FailureCause>();
  const reportToOwner = (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError): void => {
    const found = findRefusal(ctx, { error, reasonCode: reasonCodeOf(ctx, error) });
    // The provider reports again what keeps it from sending an error to the redirect URI, which may be the same cause.
    if (found === undefined || reported.get(ctx) === found.refusal.cause) return;
    reported.set(ctx, found.refusal.cause);
    events.requestRefused(found);
    Object.assign(error, linkEntry(ctx, found));
  };
  const reportFailed = (ctx: KoaContextWithOIDC, cause: Error): void => {
    remember(ctx, cause);
    events.requestFailed({ ...describe(ctx), cause });
  };

  // First, so that the other listeners see the explanation.
  onEndpointError(provider, guard(events, explain));
  provider.on('grant.success', guard(events, reportIssued));
  // At the token endpoint the provider revokes a grant in one case only: its code or refresh token was reused.
  provider.on('grant.revoked', (ctx) => {
    if (ctx.oidc.route === 'token') reused.add(ctx);
  });
  onEndpointError(provider, guard(events, reportRefused));
  onEndpointError(provider, guard(events, reportToOwner));
  provider.on('authorization.error', remember);
  provider.on('authorization.error', guard(events, reportToOwner));
  provider.on('server_error', guard(events, reportFailed));
  return (ctx) => outcomes.get(ctx);
}

/** Where the owner of an authenticated client finds the entry of the refused request. */
function linkEntry({ oidc: { client, provider } }: KoaContextWithOIDC, { requestId, refusal }: Refused): object {
  if (client === undefined || refusal.authenticated !== true || registrationOf(client).ownerId === null) return {};
  const path = pagePaths.applicationActivity(client.clientId);
  return { error_uri: `${provider.issuer}${path}?request=${requestId ?? ''}` };
}

/** Adds what the provider leaves out; `correctFailureResponses` sends it. */
function explain(ctx: KoaContextWithOIDC, error: errors.OIDCProviderError): void {
  const switchedOff = explainGrantType(ctx, error);
  if (switchedOff !== undefined) Object.assign(error, { error: 'unauthorized_client' });
  const explanation = switchedOff ?? explainMissingProof(ctx, error) ?? explainFailure(ctx, error);
  if (explanation !== undefined) Object.assign(error, { error_description: explanation, error_detail: explanation });
}

type ErrorListener = (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => void;

/** The endpoints that applications call directly. */
function onEndpointError(provider: Provider, listener: ErrorListener): void {
  provider.on('grant.error', listener);
  provider.on('device_authorization.error', listener);
  provider.on('revocation.error', listener);
  provider.on('introspection.error', listener);
  provider.on('pushed_authorization_request.error', listener);
}

function describe(ctx: KoaContextWithOIDC): RequestEvent {
  const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
  return { requestId, clientId: ctx.oidc.client?.clientId };
}

interface RefusedRequest {
  readonly error: errors.OIDCProviderError;
  readonly reasonCode: ReasonCode | undefined;
}

type Refused = Parameters<AuthEvents['requestRefused']>[0];

/** For the owner of the application, when the request names a known one. */
function findRefusal(ctx: KoaContextWithOIDC, { error, reasonCode }: RefusedRequest): Refused | undefined {
  const { client, params } = ctx.oidc;
  // A device that waits for the person is not refused.
  if (client === undefined || error instanceof errors.AuthorizationPending) return undefined;
  const { cause, details = {} } = findCause({ ctx, client, error, reasonCode });
  const refusal = {
    endpoint: ctx.path.startsWith(paths.authorization) ? paths.authorization : ctx.path,
    error: error.error,
    ...{ cause, details, artifact: findArtifact(ctx) },
    reason: toReason(error),
    parameters: { ...params },
    redirectUris: registrationOf(client).redirectUris,
    authenticated: isAuthenticated(ctx, cause),
  };
  return { ...describe(ctx), clientId: client.clientId, refusal };
}

export function reportIgnoredScopes(events: AuthEvents, ctx: KoaContextWithOIDC, scopes: readonly string[]): void {
  events.scopesIgnored({ ...describe(ctx), endpoint: ctx.path, scopes });
}

/** The account of the code or token in a token request. */
function findAccountId({ oidc }: KoaContextWithOIDC): number | undefined {
  const { AuthorizationCode: code, RefreshToken: refreshToken, DeviceCode: deviceCode } = oidc.entities;
  const accountId = (code ?? refreshToken ?? deviceCode)?.accountId;
  return accountId === undefined ? undefined : Number(accountId);
}

/** The provider emits synchronously while it responds: a listener that throws would turn a success into an error. */
function guard<Rest extends readonly unknown[]>(
  events: AuthEvents,
  listener: (ctx: KoaContextWithOIDC, ...rest: Rest) => void,
): (ctx: KoaContextWithOIDC, ...rest: Rest) => void {
  return (ctx, ...rest) => {
    try {
      listener(ctx, ...rest);
    } catch (cause) {
      events.requestFailed({ ...describe(ctx), cause });
    }
  };
}

const ofCredentials: ReadonlySet<string> = new Set(['credentials', 'secret_ended']);

/** A public client proves nothing, and a browser at the authorization endpoint neither. */
function isAuthenticated(ctx: KoaContextWithOIDC, cause: FailureCause): boolean {
  const { client } = ctx.oidc;
  const isDirect = !ctx.path.startsWith(paths.authorization);
  return isDirect && client?.clientAuthMethod !== 'none' && !ofCredentials.has(failureCauses[cause]);
}
