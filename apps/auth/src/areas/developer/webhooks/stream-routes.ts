/** The endpoints of security event streams, for applications of registered APIs with a token of their own. */
import { nameRoute } from '@linnet/service/http/request-log';
import type Koa from 'koa';

import { writeLimitHeaders } from '../../../protocol/limits/limit-requests.ts';
import { RateLimited } from '../../../protocol/limits/request-limits.ts';
import type { RequestLimits } from '../../../protocol/limits/request-limits.ts';
import { JsonRefused, readJson } from '../../../protocol/request/read-json.ts';
import { createClaimOnce } from '../../../protocol/storage/stored-payload.ts';
import type { ReadAccessToken } from '../../../protocol/token/own-access-token.ts';
import {
  anyChallenge,
  createBindingCheck,
  findAuthorization,
  invalidTokenChallenge,
} from '../../../protocol/token/presented-token.ts';
import { listenerLimits } from '../../../webhooks/listeners.ts';
import type { Listeners } from '../../../webhooks/listeners.ts';
import { describeTransmitter, streamPaths } from '../../../webhooks/security-events.ts';
import { StreamRefused, createStreams } from '../../../webhooks/streams.ts';
import type { Streams, StreamsOptions } from '../../../webhooks/streams.ts';

interface StreamRoutesOptions extends StreamsOptions {
  readonly limits: RequestLimits;
  readonly listeners: Listeners;
  /** Reads tokens for our own API. */
  readonly readAccessToken: ReadAccessToken;
}

interface Call {
  readonly ctx: Koa.Context;
  readonly clientId: string;
  readonly wait: Parameters<Streams['poll']>[0]['wait'];
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
    POST: async (streams, { ctx, clientId, wait }) => {
      const id = ctx.path.slice(streamPaths.poll.length + 1);
      return await streams.poll({ clientId, id, wait }, await readJson(ctx));
    },
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
    const { client_id: clientId, sub, jti } = claims;
    await limits.authenticated(ctx, clientId);
    if (sub !== clientId) throw new StreamRefused(403, 'use a token that the application of the API got for itself');
    const wait: Call['wait'] = async (stream) => {
      await waitForSignals(options.listeners, ctx, { ...stream, clientId, jti });
      // The access may have been revoked while the request waited.
      if ((await readAccessToken(presented.token)) === undefined) throw refuseToken(invalidTokenChallenge);
    };
    const body = await handle(streams, { ctx, clientId, wait });
    if (body === undefined) ctx.status = 204;
    else ctx.body = body;
  };
}

/** Not at all in a process that stops: the receiver polls again. @throws StreamRefused */
async function waitForSignals(
  listeners: Listeners,
  ctx: Koa.Context,
  polling: Omit<Parameters<Listeners['waitForSignals']>[0], 'gone'>,
): Promise<void> {
  // Its duration says nothing.
  ctx.state['isStream'] = true;
  const gone = new AbortController();
  ctx.res.once('close', () => gone.abort());
  if (ctx.res.closed) gone.abort();
  if ((await listeners.waitForSignals({ ...polling, gone: gone.signal })) !== 'too-many') return;
  const most = `at most ${String(listenerLimits.stream)} requests can wait for a stream`;
  throw new StreamRefused(429, most, { 'Retry-After': '30' });
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
