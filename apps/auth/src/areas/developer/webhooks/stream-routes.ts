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
import { describeTransmitter, streamPaths } from '../../../webhooks/security-events.ts';
import { StreamRefused, createStreams } from '../../../webhooks/streams.ts';
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
    PATCH: async (streams, { ctx, clientId }) => await streams.change(clientId, await readJson(ctx)),
    PUT: async (streams, { ctx, clientId }) => await streams.replace(clientId, await readJson(ctx)),
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
  const { baseUrl, limits } = options;
  const answer = createAnswer(options);
  return async (ctx, next) => {
    if (ctx.path === streamPaths.configuration && ['GET', 'HEAD'].includes(ctx.method)) {
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
      await answer(ctx, ofPath);
    } catch (error) {
      refuse(ctx, error);
    } finally {
      writeLimitHeaders(ctx, limits);
    }
  };
}

/** @throws StreamRefused, RateLimited, JsonRefused, DatabaseUnavailable */
function createAnswer(options: StreamRoutesOptions) {
  const { baseUrl, db, limits, readAccessToken } = options;
  const streams = createStreams(options);
  const requireProof = createBindingCheck(baseUrl, createClaimOnce(db));
  return async (ctx: Koa.Context, ofPath: Readonly<Record<string, Handler>>): Promise<void> => {
    const handle = ofPath[ctx.method];
    const Allow = Object.keys(ofPath).join(', ');
    if (handle === undefined) throw new StreamRefused(405, `${ctx.path} does not accept this method`, { Allow });
    const presented = findAuthorization(ctx.get('authorization'));
    if (presented === undefined) throw refuseToken(anyChallenge);
    const claims = await requireProof(ctx, presented, await readAccessToken(presented.token));
    if (typeof claims === 'string') throw refuseToken(claims);
    const { client_id: clientId, sub } = claims;
    await limits.authenticated(ctx, clientId);
    if (sub !== clientId) throw new StreamRefused(403, 'use a token that the application of the API got for itself');
    const body = await handle(streams, { ctx, clientId });
    if (body === undefined) ctx.status = 204;
    else ctx.body = body;
  };
}

function refuseToken(challenge: string): StreamRefused {
  return new StreamRefused(401, 'the access token is missing, expired or revoked', { 'WWW-Authenticate': challenge });
}

/** @throws what is no refusal */
function refuse(ctx: Koa.Context, error: unknown): void {
  if (!(error instanceof StreamRefused || error instanceof RateLimited || error instanceof JsonRefused)) throw error;
  ctx.status = error.status;
  if (error instanceof StreamRefused) ctx.set({ ...error.headers });
  if (error instanceof RateLimited) ctx.body = { error: error.error, error_description: error.error_description };
  else {
    const code = error instanceof StreamRefused ? error.code : 'invalid_request';
    ctx.body = { error: code, error_description: error.message };
  }
}
