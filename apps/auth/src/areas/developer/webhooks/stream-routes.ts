/** The endpoints of security event streams, for applications of registered APIs with a token of their own. */
import { nameRoute } from '@linnet/service/http/request-log';
import type Koa from 'koa';

import { writeLimitHeaders } from '../../../protocol/limits/limit-requests.ts';
import { RateLimited } from '../../../protocol/limits/request-limits.ts';
import type { RequestLimits } from '../../../protocol/limits/request-limits.ts';
import { JsonRefused, readJson } from '../../../protocol/request/read-json.ts';
import { createClaimOnce } from '../../../protocol/storage/stored-payload.ts';
import type { ReadAccessToken } from '../../../protocol/token/own-access-token.ts';
import { anyChallenge, createBindingCheck, findAuthorization } from '../../../protocol/token/presented-token.ts';
import { StreamRefused, createStreams, describeTransmitter, streamPaths } from '../../../webhooks/streams.ts';
import type { Streams, StreamsOptions } from '../../../webhooks/streams.ts';

interface StreamRoutesOptions extends StreamsOptions {
  readonly limits: RequestLimits;
  /** Reads tokens for our own API. */
  readonly readAccessToken: ReadAccessToken;
}

interface Call {
  readonly ctx: Koa.Context;
  readonly clientId: string;
}

/** Returns the body of the response; undefined: 204. */
type Handler = (streams: Streams, call: Call) => Promise<unknown>;

const named = ({ query }: Koa.Context) => query['stream_id'];

/** By path and method. */
const handlers: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  [streamPaths.stream]: {
    POST: async (streams, { ctx, clientId }) => {
      const made = await streams.create(clientId, await readJson(ctx));
      ctx.status = 201;
      return made;
    },
    GET: async (streams, { ctx, clientId }) =>
      named(ctx) === undefined ? await streams.list(clientId) : await streams.read(clientId, named(ctx)),
    PATCH: async (streams, { ctx, clientId }) => await streams.update(clientId, await readJson(ctx), true),
    PUT: async (streams, { ctx, clientId }) => await streams.update(clientId, await readJson(ctx), false),
    DELETE: async (streams, { ctx, clientId }) => await streams.remove(clientId, named(ctx)),
  },
  [streamPaths.status]: {
    GET: async (streams, { ctx, clientId }) => await streams.status(clientId, named(ctx)),
    POST: async (streams, { ctx, clientId }) => await streams.setStatus(clientId, await readJson(ctx)),
  },
  [streamPaths.verification]: {
    POST: async (streams, { ctx, clientId }) => await streams.verify(clientId, await readJson(ctx)),
  },
  [streamPaths.poll]: {
    POST: async (streams, { ctx, clientId }) =>
      await streams.poll(clientId, ctx.path.slice(streamPaths.poll.length + 1), await readJson(ctx)),
  },
};

/** `/.well-known/ssf-configuration` and `/oauth/ssf/*`. */
export function streamRoutes(options: StreamRoutesOptions): Koa.Middleware {
  const { baseUrl, db, limits, readAccessToken } = options;
  const streams = createStreams(options);
  const requireProof = createBindingCheck(baseUrl, createClaimOnce(db));

  async function answer(ctx: Koa.Context, handle: Handler): Promise<void> {
    const presented = findAuthorization(ctx.get('authorization'));
    const claims = presented && (await requireProof(ctx, presented, await readAccessToken(presented.token)));
    if (claims === undefined || typeof claims === 'string') {
      ctx.set('WWW-Authenticate', claims ?? anyChallenge);
      fail(ctx, 401, 'invalid_token', 'the access token is missing, expired or revoked');
      return;
    }
    const { client_id: clientId, sub } = claims;
    await limits.authenticated(ctx, clientId);
    if (sub !== clientId) throw new StreamRefused(403, 'use a token that the application of the API got for itself');
    const body = await handle(streams, { ctx, clientId });
    if (body === undefined) ctx.status = 204;
    else ctx.body = body;
  }

  return async (ctx, next) => {
    if (ctx.path === streamPaths.configuration && (ctx.method === 'GET' || ctx.method === 'HEAD')) {
      nameRoute(ctx, ctx.path);
      ctx.set({ 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' });
      ctx.body = describeTransmitter(baseUrl);
      return;
    }
    const path = ctx.path.startsWith(`${streamPaths.poll}/`) ? streamPaths.poll : ctx.path;
    const ofPath = handlers[path];
    if (ofPath === undefined) {
      await next();
      return;
    }
    nameRoute(ctx, path);
    ctx.set('Cache-Control', 'no-store');
    try {
      await limits.begin(ctx);
      const handle = ofPath[ctx.method];
      if (handle === undefined) {
        ctx.set('Allow', Object.keys(ofPath).join(', '));
        fail(ctx, 405, 'invalid_request', `${ctx.path} does not accept this method`);
      } else await answer(ctx, handle);
    } catch (error) {
      if (error instanceof RateLimited) fail(ctx, error.status, error.error, error.error_description ?? '');
      else if (error instanceof StreamRefused) fail(ctx, error.status, codes[error.status], error.message);
      else if (error instanceof JsonRefused) fail(ctx, error.status, 'invalid_request', error.message);
      else throw error;
    } finally {
      writeLimitHeaders(ctx, limits);
    }
  };
}

const codes = {
  400: 'invalid_request',
  403: 'access_denied',
  404: 'not_found',
  409: 'conflict',
  429: 'temporarily_unavailable',
} as const;

function fail(ctx: Koa.Context, status: number, error: string, description: string): void {
  ctx.status = status;
  ctx.body = { error, error_description: description };
}
