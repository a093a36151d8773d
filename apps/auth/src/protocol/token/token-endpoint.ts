import type { RequestState } from '@linnet/service/http/request-log';
import type Koa from 'koa';
import type { Client } from 'oidc-provider';

import { registrationOf } from '../client/client.ts';
import { pollSeconds } from '../device/device-store.ts';
import type { FindOutcome, Outcome } from '../failures/provider-events.ts';
import type { ParameterStep } from '../request/parameters.ts';
import { clientEndpoints, paths } from '../request/routes.ts';

/** RFC 6749 §2.3.1 and OAuth 2.1 §2.4.1: not allowed in the URI, which logs and browser histories store. */
const bodyOnly = ['client_id', 'client_secret', 'client_assertion', 'code', 'code_verifier', 'refresh_token'];

/** Extends the endpoints for applications: rejects credentials in the query, and completes token responses. */
export function tokenEndpoint(findOutcome: FindOutcome): Koa.Middleware {
  return async (ctx, next) => {
    if (!clientEndpoints.has(ctx.path)) {
      await next();
      return;
    }
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Pragma', 'no-cache'); // RFC 6749 §5.1
    if (bodyOnly.some((name) => name in ctx.query)) {
      ctx.status = 400;
      ctx.body = { error: 'invalid_request', error_description: 'credentials must not be sent in the query' };
      return;
    }
    await next();
    if (ctx.path === paths.deviceAuthorization && ctx.status === 200) {
      Object.assign(Object(ctx.body), { interval: pollSeconds });
    }
    const outcome = findOutcome(ctx);
    const isToken = ctx.path === paths.token && ctx.status === 200;
    if (isToken && outcome?.client !== undefined) completeResponse(ctx, outcome.client, outcome);
  };
}

function completeResponse(ctx: Koa.ParameterizedContext, client: Client, { nonce, accessEndsAt }: Outcome): void {
  const { clientId, actingGrant } = registrationOf(client);
  ctx.body = {
    ...Object(ctx.body),
    app_id: clientId,
    ...(nonce === undefined ? {} : { nonce }), // decisions D18
    ...(accessEndsAt === undefined ? {} : { authorization_expires_in: secondsUntil(accessEndsAt) }), // decisions D185
  };
  const state: Partial<RequestState> = ctx.state;
  state.clientId = clientId;
  if (actingGrant !== null) state.accountId = actingGrant.accountId;
}

/** Rounded down, so that no application expects access after its end. */
function secondsUntil(milliseconds: number): number {
  return Math.max(0, Math.floor((milliseconds - Date.now()) / 1000));
}

const offlineAccess = 'offline_access';

/**
 * Ignores `offline_access` when a token is refreshed, as the authorization endpoint does: every code comes with a
 * refresh token (decisions D50), so the scope is never granted and the provider would refuse it. Without any other
 * scope, the request asks for all granted ones (RFC 6749 §6).
 */
export const ignoreOfflineAccess: ParameterStep = ({ route }, parameters) => {
  const { grant_type: grantType, scope } = parameters;
  if (route !== 'token' || grantType !== 'refresh_token' || typeof scope !== 'string') return;
  const requested = scope.split(' ');
  if (!requested.includes(offlineAccess)) return;
  const rest = requested.filter((name) => name !== offlineAccess);
  parameters['scope'] = rest.length === 0 ? undefined : rest.join(' ');
};
