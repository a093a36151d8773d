import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

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
    const state = startRequestLog(logger, ctx.req, ctx.res);
    // Koa does not type `state`. Later middleware adds members to the same object.
    ctx.state = state;
    ctx.set('X-Request-Id', state.requestId);
    await next();
  };
}

const states = new WeakMap<IncomingMessage, RequestState>();

/**
 * For what answers in front of Koa: assigns an id to the request, and logs one line when the response is finished. If the
 * request is then handed to Koa, `requestLog` continues with the same id.
 */
export function startRequestLog(logger: Logger, request: IncomingMessage, response: ServerResponse): RequestState {
  const known = states.get(request);
  if (known !== undefined) return known;
  const startedAt = performance.now();
  const state: RequestState = { requestId: randomUUID() };
  states.set(request, state);
  response.once('close', () => {
    const status = response.writableFinished ? response.statusCode : clientClosedRequest;
    writeLine(logger, request, { ...state, status, durationMs: performance.now() - startedAt });
  });
  return state;
}

interface Outcome extends RequestState {
  readonly status: number;
  readonly durationMs: number;
}

function writeLine(logger: Logger, { method, url }: IncomingMessage, outcome: Outcome): void {
  const { status } = outcome;
  logger[status >= 500 ? 'error' : 'info'](
    {
      id: outcome.requestId,
      method,
      path: requestPath(url).slice(0, maxPathLength),
      status,
      ms: Math.round(outcome.durationMs * 10) / 10,
      clientId: outcome.clientId,
      accountId: outcome.accountId,
    },
    'request',
  );
}
