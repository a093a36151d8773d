/** `GET /events`: a response that stays open. Everything before it takes the first steps of a call. */
import type { Writable } from 'node:stream';

import { listenToEvents } from '@linnet/contract/routes/events';
import { nameRoute } from '@linnet/service/http/request-log';
import type { RequestLog } from '@linnet/service/http/request-log';
import { takeConnection } from '@linnet/service/http/taken-connection';
import type { Context, Middleware } from 'koa';

import { createAdmission } from '../http/call.ts';
import { ApiError } from '../http/api-error.ts';
import { requireAccount } from '../http/caller.ts';
import { respondToOptions } from '../http/response-headers.ts';
import { headerOf } from '../http/exchange.ts';
import { parseInput } from '../http/endpoint.ts';
import { parseFormEncoded } from '../http/parameters.ts';
import { requireAcceptOfStreams, requireMethod } from '../http/request-rules.ts';
import { apiPath } from '../http/router.ts';
import type { CallParts } from '../http/call.ts';
import type { EventStreams } from './event-streams.ts';
import { toBits } from './event-text.ts';
import type { StreamOptions, Refusal } from './open-stream.ts';
import { streamLimits } from './open-stream.ts';

interface EventParts extends Pick<CallParts, 'auth' | 'limits'> {
  readonly streams: EventStreams;
  readonly requests: RequestLog;
}

const path = apiPath + listenToEvents.path;
const route = listenToEvents;

/** Serves the route; passes every other path on. */
export function serveEvents({ auth, limits, streams, requests }: EventParts): Middleware {
  const admission = createAdmission({ auth, limits });

  /** @throws ApiError */
  function requireRoom(options: Pick<StreamOptions, 'accountId' | 'clientId'>): void {
    const refusal = streams.findRefusal(options);
    if (refusal !== undefined) throw refuse(refusal);
  }

  /** Returns what opens the stream, unless there is no room. @throws ApiError */
  async function prepare(ctx: Context): Promise<() => void> {
    const { req: request, querystring: query, state } = ctx;
    const exchange = { request, path, query, state, headers: {} };
    try {
      const caller = await admission.authenticate(exchange, route);
      await admission.admit(exchange, route, caller);
      const { streams: names, last_event_id: parameter } = parseInput(route, parseFormEncoded(query));
      const { accountId, clientId, token, expiresAt, scopes } = requireAccount(route, caller);
      const wanted = { ...{ accountId, clientId, token, expiresAt }, streams: toBits(names) };
      const header = headerOf(request, 'last-event-id');
      const lastEventId = header === '' ? parameter : header;
      const readsProposals = scopes.has('posts:propose') ? 'own' : 'none';
      const readsDrafts = scopes.has('posts') ? 'all' : readsProposals;
      const options = { ...wanted, hasFollows: scopes.has('users:read'), readsDrafts } as const;
      requireRoom(options);
      const open = await streams.prepare(options, lastEventId);
      return () => {
        // Others may have been opened since then.
        requireRoom(options);
        open(startResponse(ctx, requests));
      };
    } finally {
      ctx.set(exchange.headers);
    }
  }

  return async (ctx, next) => {
    if (ctx.path !== path) {
      await next();
      return;
    }
    nameRoute(ctx, path);
    if (ctx.method === 'OPTIONS') {
      respondToOptions(ctx, route);
      return;
    }
    requireMethod(ctx, route);
    requireAcceptOfStreams(ctx);
    const open = await prepare(ctx);
    open();
  };
}

/**
 * Sends the headers, and returns where the body is written. The connection is the stream's alone, so that nothing else waits behind it,
 * and it closes with the stream.
 */
function startResponse(ctx: Context, requests: RequestLog): Writable {
  ctx.status = 200;
  ctx.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no', Connection: 'close' });
  ctx.state['isStream'] = true;
  ctx.respond = false;
  const connection = takeConnection(ctx.req, ctx.res);
  if (connection === undefined) return ctx.res.writeHead(200);
  connection.on('close', requests.handOver(ctx.req));
  return connection;
}

const retrySeconds = '30';

function refuse(refusal: Refusal): ApiError {
  const headers = { 'Retry-After': retrySeconds };
  if (refusal === 'process') return new ApiError('overloaded', { headers });
  const of = refusal === 'person' ? 'a person can have in an application' : 'an application can have';
  return new ApiError('rate-limited', {
    detail: `${String(streamLimits[refusal])} open streams are the most that ${of}. Close one, or wait until one ends.`,
    headers,
    limit: `streams-${refusal}`,
  });
}
