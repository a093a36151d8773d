import { randomUUID } from 'node:crypto';

import type Koa from 'koa';

import type { Logger } from './logger.ts';
import { requestPath } from './request-path.ts';

/** What `requestLog` puts into `ctx.state`, and what later middleware may add for the line. */
export interface RequestState {
  /** Made by us for each request; never taken from the client. */
  requestId: string;
  /** The application, once it has proved itself. */
  clientId?: string;
  /** The account that is signed in or acted for. */
  accountId?: number;
}

const maxPathLength = 256;
/** The client went away before the whole answer was sent. */
const clientClosedRequest = 499;

/** Gives each request an id, sends it back as X-Request-Id, and writes one line when the answer has gone out. */
export function requestLog(logger: Logger): Koa.Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    // Koa leaves the type of `state` open; these three are ours.
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
