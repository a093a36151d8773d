import type { RequestState } from '@linnet/service/http/request-log';
import type Koa from 'koa';
import { errors } from 'oidc-provider';

import type { FindOutcome } from './provider-events.ts';
import { findReasonCode } from './reason-code.ts';

/** Seconds; a database that restarts is usually available again by then. */
const retryAfter = '2';

/**
 * Corrects the provider's error responses: 413 for a body that is too large, and 503 or 500 with the request id for our own failures, without their cause.
 * An authenticated client gets the address of the explanation for its owner (`error_uri`, RFC 6749 §5.2).
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
    } else if (isObject(ctx.body) && 'error_description' in ctx.body) {
      // The explanation was added after the provider had written the response.
      const { error, error_description: description } = failure;
      const entry = 'error_uri' in failure ? { error_uri: failure.error_uri } : {};
      ctx.body = { ...ctx.body, error, error_description: description, ...entry };
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
