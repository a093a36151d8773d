import type { RequestState } from '@linnet/service/request-log';
import { errors } from 'oidc-provider';
import type { Client, KoaContextWithOIDC, Provider } from 'oidc-provider';

import type { AuthEvents, RequestEvent } from '../audit/events.ts';
import { registrationOf } from './client/client.ts';
import { paths } from './routes.ts';

/** What the provider made of a request. */
export interface Outcome {
  /** The application that the request names, when there is one. */
  readonly client: Client | undefined;
  readonly grantType: unknown;
  /** `nonce` of the authorization that a code was exchanged for. */
  readonly nonce: string | undefined;
  /** Undefined for a success. */
  readonly failure: Error | undefined;
}

export type FindOutcome = (ctx: object) => Outcome | undefined;

/**
 * Reports what the provider does as events, and remembers it for the steps around the provider: its
 * answers do not tell a body that is too large from a malformed one, or an absent database from a fault.
 */
export function observeProvider(provider: Provider, events: AuthEvents): FindOutcome {
  const outcomes = new WeakMap<object, Outcome>();
  const remember = (ctx: KoaContextWithOIDC, failure: Error | undefined): void => {
    const { client, params, entities } = ctx.oidc;
    const nonce = entities.AuthorizationCode?.nonce;
    outcomes.set(ctx, { client, grantType: params?.['grant_type'], nonce, failure });
  };

  const reportIssued = (ctx: KoaContextWithOIDC): void => {
    remember(ctx, undefined);
    const { ClientCredentials: own, AccessToken: granted } = ctx.oidc.entities;
    events.tokenIssued({ ...describe(ctx), scope: own?.scope ?? granted?.scope });
  };
  const reportRefused = (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError): void => {
    remember(ctx, error);
    const reason = error.error_detail ?? error.error_description ?? error.message;
    if (error instanceof errors.InvalidClientAuth) events.clientRefused({ ...describe(ctx), reason });
    else events.tokenRefused({ ...describe(ctx), error: error.error, reason, accountId: findAccountId(ctx) });
  };
  const reportFailed = (ctx: KoaContextWithOIDC, cause: Error): void => {
    remember(ctx, cause);
    events.requestFailed({ ...describe(ctx), cause });
  };

  const reportSignedOut = (ctx: KoaContextWithOIDC): void => {
    const accountId = Number(ctx.oidc.session?.accountId);
    if (Number.isSafeInteger(accountId)) events.signedOut({ ...describe(ctx), accountId });
  };

  provider.on('grant.success', guard(events, reportIssued));
  provider.on('grant.error', guard(events, reportRefused));
  provider.on('device_authorization.error', guard(events, reportRefused));
  provider.on('revocation.error', guard(events, reportRefused));
  provider.on('introspection.error', guard(events, reportRefused));
  provider.on('pushed_authorization_request.error', guard(events, reportRefused));
  const tellOwner = guard(events, (ctx, error: errors.OIDCProviderError) => tellOfRefusal(events, ctx, error));
  provider.on('authorization.error', tellOwner);
  provider.on('grant.error', tellOwner);
  provider.on('device_authorization.error', tellOwner);
  provider.on('revocation.error', tellOwner);
  provider.on('introspection.error', tellOwner);
  provider.on('pushed_authorization_request.error', tellOwner);
  provider.on('server_error', guard(events, reportFailed));
  provider.on('end_session.success', guard(events, reportSignedOut));
  return (ctx) => outcomes.get(ctx);
}

function describe(ctx: KoaContextWithOIDC): RequestEvent {
  const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
  return { requestId, clientId: ctx.oidc.client?.clientId };
}

/** The owner of the application is told why, once it is known whose request it was. */
function tellOfRefusal(events: AuthEvents, ctx: KoaContextWithOIDC, error: errors.OIDCProviderError): void {
  const { client, params } = ctx.oidc;
  if (client === undefined) return;
  const refusal = {
    endpoint: ctx.path.startsWith(paths.authorization) ? paths.authorization : ctx.path,
    error: error.error,
    reason: error.error_detail ?? error.error_description ?? error.message,
    parameters: { ...params },
    redirectUris: registrationOf(client).redirectUris,
  };
  events.requestRefused({ ...describe(ctx), clientId: client.clientId, refusal });
}

/** Of what a token request brought. */
function findAccountId({ oidc }: KoaContextWithOIDC): number | undefined {
  const { AuthorizationCode: code, RefreshToken: refreshToken, DeviceCode: deviceCode } = oidc.entities;
  const accountId = (code ?? refreshToken ?? deviceCode)?.accountId;
  return accountId === undefined ? undefined : Number(accountId);
}

/** The provider emits while it answers: a listener that throws would turn a success into an error. */
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
