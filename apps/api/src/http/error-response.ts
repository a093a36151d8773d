import { HashQueueFull } from '@linnet/accounts/hash-queue';
import { errorTitle } from '@linnet/contract/error-titles';
import { errorCatalogue } from '@linnet/contract/errors';
import type { Problem } from '@linnet/contract/errors';
import { negotiateLanguage } from '@linnet/contract/languages';
import { DatabaseBusy, DatabaseUnavailable } from '@linnet/db/connection/database-error';
import { StorageUnavailable } from '@linnet/media/storage/media-storage';
import type { Logger } from '@linnet/service/log/logger';
import type { Context, Middleware } from 'koa';

import { ApiError } from './api-error.ts';

type Report = (ctx: Context, error: ApiError) => void;

interface Failure {
  /** Of the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** RFC 9457. */
  readonly problem: Problem;
}

/** Turns an error into a problem in the language of the request, logs it if it is ours, and reports it. */
export type DescribeFailure = (ctx: Context, error: unknown) => Failure;

export function createFailureDescription(baseUrl: string, logger: Logger, report?: Report): DescribeFailure {
  return (ctx, error) => {
    const apiError = toApiError(error);
    logFailure(logger, { error, requestId: ctx.state['requestId'], isOurs: apiError.code === 'internal-error' });
    report?.(ctx, apiError);
    return { headers: { ...apiError.details.headers }, problem: toProblem(ctx, apiError, baseUrl) };
  };
}

/** Responds with a problem to every error thrown further down. */
export function errorResponse(describe: DescribeFailure): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { headers, problem } = describe(ctx, error);
      ctx.status = problem.status;
      ctx.set('Content-Language', negotiateLanguage(ctx));
      ctx.vary('Accept-Language');
      ctx.set(headers);
      ctx.body = JSON.stringify(problem);
      ctx.type = 'application/problem+json';
    }
  };
}

interface LoggedFailure {
  readonly error: unknown;
  readonly requestId: unknown;
  readonly isOurs: boolean;
}

function logFailure(logger: Logger, { error: err, requestId, isOurs }: LoggedFailure): void {
  if (isOurs) logger.error({ err, requestId }, 'request failed');
  else if (err instanceof DatabaseUnavailable) logger.warn({ err, requestId }, 'database unavailable');
  else if (err instanceof StorageUnavailable) logger.warn({ err, requestId }, 'media store unavailable');
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

function toProblem(ctx: Context, { code, details }: ApiError, baseUrl: string): Problem {
  const { status, detail } = errorCatalogue[code];
  const problem: Problem = {
    type: `${baseUrl}/problems/${code}`,
    title: errorTitle(code, negotiateLanguage(ctx)),
    status,
    detail: details.detail ?? detail,
    code,
    errors: details.errors ?? [],
    request_id: String(ctx.state['requestId']),
  };
  return { ...problem, ...details.members };
}
