import type { RequestState } from '@linnet/service/request-log';
import { deviceGrantType } from '@linnet/applications/protocol-settings';
import type Koa from 'koa';
import { errors } from 'oidc-provider';

import type { FindOutcome, Outcome } from '../provider-events.ts';
import { findReasonCode } from './reason-code.ts';

/** The grant types of the token endpoint. */
const grantTypes = new Set(['authorization_code', 'client_credentials', 'refresh_token', deviceGrantType]);

/** Seconds; a database that restarts is usually available again by then. */
const retryAfter = '2';

/**
 * Corrects the provider's error responses: 413 for a body that is too large, `unauthorized_client` for a grant type
 * that the client may not use, and 503 or 500 with the request id for our own failures, without their cause.
 */
export function correctFailureResponses(
  findOutcome: FindOutcome,
  isUnavailable: (error: unknown) => boolean,
): Koa.Middleware {
  return async (ctx, next) => {
    await next();
    const outcome = findOutcome(ctx);
    if (outcome?.failure === undefined) return;
    const { failure } = outcome;
    if (!(failure instanceof errors.OIDCProviderError) || !failure.expose) {
      respondServerFailure(ctx, isUnavailable(failure));
    } else if (findReasonCode(failure) === 'body_too_large') {
      ctx.status = 413;
      ctx.set('Connection', 'close'); // do not read the rest of the body
      ctx.body = { error: 'invalid_request', error_description: 'the body is too large' };
    } else if (ctx.status === 400 && isGrantTypeRefused(outcome)) {
      ctx.body = { error: 'unauthorized_client', error_description: 'this grant type is not allowed for the client' };
    } else if (isObject(ctx.body) && 'error_description' in ctx.body) {
      // The explanation was added after the provider had written the response.
      ctx.body = { ...ctx.body, error_description: failure.error_description };
    }
  };
}

function isObject(body: unknown): body is object {
  return typeof body === 'object' && body !== null && !Buffer.isBuffer(body);
}

function respondServerFailure(ctx: Koa.ParameterizedContext, isUnreachable: boolean): void {
  const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
  ctx.status = isUnreachable ? 503 : 500;
  if (isUnreachable) ctx.set('Retry-After', retryAfter);
  ctx.body = {
    error: isUnreachable ? 'temporarily_unavailable' : 'server_error',
    error_description: isUnreachable ? 'try again in a moment' : 'something went wrong on our side',
    request_id: requestId,
  };
}

/**
 * RFC 6749 §5.2 defines a code for this, but the provider responds with `invalid_request`. It checks client
 * authentication, then whether the grant type is known, then whether it is allowed.
 */
function isGrantTypeRefused({ client, grantType }: Outcome): boolean {
  return typeof grantType === 'string' && grantTypes.has(grantType) && client?.grantTypeAllowed(grantType) === false;
}
