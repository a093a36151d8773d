import type { RequestState } from '@linnet/service/request-log';
import type Koa from 'koa';
import { errors } from 'oidc-provider';

import { deviceGrantType } from '../client/client.ts';
import type { FindOutcome, Outcome } from '../provider-events.ts';
import { findReasonCode } from './reason-code.ts';

/** Those of the token endpoint. */
const grantTypes = new Set(['authorization_code', 'client_credentials', 'refresh_token', deviceGrantType]);

/** Seconds; a database that restarts is back by then more often than not. */
const retryAfter = '2';

/**
 * Gives the provider's refusals the status and code they deserve: 413 for a body that is too large,
 * `unauthorized_client` for a grant that is not the application's, and for what is not the client's
 * fault 503 or 500 with the request id and nothing of the cause.
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
      answerServerFailure(ctx, isUnavailable(failure));
    } else if (findReasonCode(failure) === 'body_too_large') {
      ctx.status = 413;
      ctx.set('Connection', 'close'); // the rest of the body is not wanted
      ctx.body = { error: 'invalid_request', error_description: 'the body is too large' };
    } else if (ctx.status === 400 && isGrantTypeRefused(outcome)) {
      ctx.body = { error: 'unauthorized_client', error_description: 'this grant type is not allowed for the client' };
    }
  };
}

function answerServerFailure(ctx: Koa.ParameterizedContext, isAway: boolean): void {
  const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
  ctx.status = isAway ? 503 : 500;
  if (isAway) ctx.set('Retry-After', retryAfter);
  ctx.body = {
    error: isAway ? 'temporarily_unavailable' : 'server_error',
    error_description: isAway ? 'try again in a moment' : 'something went wrong on our side',
    request_id: requestId,
  };
}

/**
 * RFC 6749 §5.2 has a code for this, the provider answers `invalid_request`. Its order of checks is
 * client authentication, known grant type, allowed grant type: past the first two, only the third
 * is left to have failed.
 */
function isGrantTypeRefused({ client, grantType }: Outcome): boolean {
  return typeof grantType === 'string' && grantTypes.has(grantType) && client?.grantTypeAllowed(grantType) === false;
}
