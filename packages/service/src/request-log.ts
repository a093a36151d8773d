import { randomUUID } from 'node:crypto';

import type Koa from 'koa';

import type { Logger } from './logger.ts';
import { requestPath } from './request-path.ts';

/** Members of `ctx.state`: `requestLog` sets the id, later middleware may add the others to the log line. */
export interface RequestState {
  /** Generated for each request; never taken from the client. */
  requestId: string;
  /** The application, once it is authenticated. */
  clientId?: string;
  /** The account that is signed in or that the token acts for. */
  accountId?: number;
}

const maxPathLength = 256;
/** Logged if the client closed the connection before the response was complete. */
const clientClosedRequest = 499;

/** Assigns an id to each request, returns it as X-Request-Id, and logs one line when the response is finished. */
export function requestLog(logger: Logger): Koa.Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    // Koa does not type `state`.
    const state: RequestState = Object.assign(ctx.state, { requestId });
    ctx.set('X-Request-Id', requestId);
    ctx.res.once('close', () => {
      writeLine(logger, ctx, { ...state, durationMs: performance.now() - startedAt });
    });
    await next();
  };
}

interface Outcome extends RequestState {
  readonly durationMs: number;
}

function writeLine(logger: Logger, ctx: Koa.Context, outcome: Outcome): void {
  const status = ctx.res.writableFinished ? ctx.res.statusCode : clientClosedRequest;
  logger[status >= 500 ? 'error' : 'info'](
    {
      id: outcome.requestId,
      method: ctx.req.method,
      path: requestPath(ctx.req.url).slice(0, maxPathLength),
      status,
      ms: Math.round(outcome.durationMs * 10) / 10,
      clientId: outcome.clientId,
      accountId: outcome.accountId,
    },
    'request',
  );
}
