import { HashQueueFull } from '@linnet/accounts/hash-queue';
import { errorTitle } from '@linnet/contract/error-titles';
import { errorCatalogue } from '@linnet/contract/errors';
import type { Problem } from '@linnet/contract/errors';
import { negotiateLanguage } from '@linnet/contract/languages';
import { DatabaseBusy, DatabaseUnavailable } from '@linnet/db/database-error';
import { StorageUnavailable } from '@linnet/media/media-storage';
import type { Logger } from '@linnet/service/logger';
import type { Context, Middleware } from 'koa';

import { ApiError } from './api-error.ts';

type Report = (ctx: Context, error: ApiError) => void;

/** Turns every error thrown further down into an RFC 9457 problem, and reports it. Nothing else sends problems. */
export function errorResponse(baseUrl: string, logger: Logger, report?: Report): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const apiError = toApiError(error);
      if (apiError.code === 'internal-error') {
        logger.error({ err: error, requestId: ctx.state['requestId'] }, 'request failed');
      } else if (error instanceof DatabaseUnavailable) {
        logger.warn({ err: error, requestId: ctx.state['requestId'] }, 'database unavailable');
      } else if (error instanceof StorageUnavailable) {
        logger.warn({ err: error, requestId: ctx.state['requestId'] }, 'media store unavailable');
      }
      sendProblem(ctx, apiError, baseUrl);
      report?.(ctx, apiError);
    }
  };
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseBusy || error instanceof HashQueueFull) {
    return new ApiError('overloaded', { headers: { 'Retry-After': '1' }, cause: error });
  }
  if (error instanceof DatabaseUnavailable) {
    return new ApiError('unavailable', { headers: { 'Retry-After': '1' }, cause: error });
  }
  if (error instanceof StorageUnavailable) {
    return new ApiError('unavailable', { headers: { 'Retry-After': '5' }, cause: error });
  }
  return new ApiError('internal-error', { cause: error });
}

function sendProblem(ctx: Context, { code, details }: ApiError, baseUrl: string): void {
  const { status, detail } = errorCatalogue[code];
  const language = negotiateLanguage(ctx);
  const problem: Problem = {
    type: `${baseUrl}/problems/${code}`,
    title: errorTitle(code, language),
    status,
    detail: details.detail ?? detail,
    code,
    errors: details.errors ?? [],
    request_id: String(ctx.state['requestId']),
  };
  ctx.status = status;
  ctx.set('Content-Language', language);
  ctx.vary('Accept-Language');
  ctx.set({ ...details.headers });
  ctx.body = JSON.stringify({ ...problem, ...details.members });
  ctx.type = 'application/problem+json';
}
