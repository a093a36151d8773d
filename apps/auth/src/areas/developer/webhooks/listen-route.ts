/** `GET /developers/webhooks/events`: what the command `linnet-sdk listen` asks for again and again (packages/sdk/src/listen.ts). */
import { hash } from 'node:crypto';

import type { Queryable } from '@linnet/db/statement/transaction';
import { nameRoute } from '@linnet/service/http/request-log';
import type Koa from 'koa';

import { pagePaths } from '../../../pages/views/page-paths.ts';
import { writeLimitHeaders } from '../../../protocol/limits/limit-requests.ts';
import { RateLimited } from '../../../protocol/limits/request-limits.ts';
import type { RequestLimits } from '../../../protocol/limits/request-limits.ts';
import { createClaimOnce } from '../../../protocol/storage/stored-payload.ts';
import type { ReadAccessToken } from '../../../protocol/token/own-access-token.ts';
import {
  anyChallenge,
  createBindingCheck,
  findAuthorization,
  invalidTokenChallenge,
} from '../../../protocol/token/presented-token.ts';
import type { HeardEvent } from '../../../webhooks/dispatch-store.ts';
import { isWebhookEvent, webhookEventNames, webhookEvents } from '../../../webhooks/events.ts';
import { listenerLimits } from '../../../webhooks/listeners.ts';
import type { Listeners } from '../../../webhooks/listeners.ts';
import { toMessage } from '../../../webhooks/signature.ts';

interface ListenOptions {
  readonly baseUrl: string;
  readonly db: Queryable;
  readonly listeners: Listeners;
  readonly limits: RequestLimits;
  readonly readAccessToken: ReadAccessToken;
}

export function listenRoute(options: ListenOptions): Koa.Middleware {
  const { limits } = options;
  const answer = createAnswer(options);
  return async (ctx, next) => {
    if (ctx.path !== pagePaths.webhookEvents) {
      await next();
      return;
    }
    nameRoute(ctx, ctx.path);
    // Its duration says nothing.
    ctx.state['isStream'] = true;
    ctx.set('Cache-Control', 'no-store');
    try {
      await limits.begin(ctx);
      if (!['GET', 'HEAD'].includes(ctx.method)) throw new Refused([405, 'invalid_request'], 'use GET', allowed);
      ctx.body = await answer(ctx);
    } catch (error) {
      if (!(error instanceof Refused || error instanceof RateLimited)) throw error;
      ctx.status = error.status;
      if (error instanceof Refused) ctx.set({ ...error.headers });
      ctx.body = { error: error.error, error_description: error.error_description };
    } finally {
      writeLimitHeaders(ctx, limits);
    }
  };
}

const allowed = { Allow: 'GET, HEAD' };

class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly error: string;
  readonly error_description: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor([status, error]: readonly [number, string], description: string, headers: Refused['headers'] = {}) {
    super(description);
    [this.status, this.error, this.error_description, this.headers] = [status, error, description, headers];
  }
}

/** @throws Refused, RateLimited, DatabaseUnavailable */
function createAnswer({ baseUrl, db, listeners, limits, readAccessToken }: ListenOptions) {
  const requireProof = createBindingCheck(baseUrl, createClaimOnce(db));
  return async (ctx: Koa.Context) => {
    const gone = new AbortController();
    ctx.res.once('close', () => gone.abort());
    const presented = findAuthorization(ctx.get('authorization'));
    if (presented === undefined) throw refuseToken(anyChallenge);
    const claims = await requireProof(ctx, presented, await readAccessToken(presented.token));
    if (typeof claims === 'string') throw refuseToken(claims);
    const { client_id: clientId, sub, jti, scope = '' } = claims;
    await limits.authenticated(ctx, clientId);
    if (sub !== clientId) throw new Refused([403, 'access_denied'], 'use a token of the application itself');
    const { after, names } = readQuery(ctx.query);
    const scopes = new Set(scope.split(' '));
    const wants = (event: HeardEvent) => names.includes(event.kind) && isReadable(event, scopes);
    const heard = await listeners.listen({ clientId, jti, after, wants, gone: gone.signal });
    if (typeof heard === 'string') throw refuseForNow(heard);
    // The access may have been revoked while the request waited.
    if ((await readAccessToken(presented.token)) === undefined) throw refuseToken(invalidTokenChallenge);
    const { events, position, isIncomplete } = heard;
    return { messages: events.map(toBody), cursor: String(position), incomplete: isIncomplete };
  };
}

/** @throws Refused */
function readQuery({ cursor = '', events = '' }: Koa.Context['query']) {
  const names = events === '' ? webhookEventNames : String(events).split(',');
  if (!/^\d{0,15}$/.test(String(cursor))) throw new Refused([400, 'invalid_request'], 'the cursor is not from here');
  const unknown = names.find((name) => !isWebhookEvent(name));
  if (unknown === undefined) return { names, after: cursor === '' ? undefined : Number(cursor) };
  throw new Refused(
    [400, 'invalid_request'],
    `there is no event ${unknown}; there are ${webhookEventNames.join(', ')}`,
  );
}

/** Whether a token of the application with these scopes may read the event. */
function isReadable({ kind, isOwnDraft }: HeardEvent, scopes: ReadonlySet<string>): boolean {
  const wanted: readonly string[] = webhookEvents[kind];
  return wanted.some((scope) => scopes.has(scope) && (scope !== 'posts:propose' || isOwnDraft));
}

/** The same id for the same event if it is asked for again, and the body as a delivery has it. */
function toBody(event: HeardEvent) {
  const { kind, clientId, position, accountId, happenedAt } = event;
  const named = [clientId, position, accountId, happenedAt.getTime()].join(' ');
  const id = `msg_${hash('sha256', named).slice(0, 32)}`;
  return { id, type: kind, body: JSON.stringify(toMessage(event)) };
}

function refuseToken(challenge: string): Refused {
  const description = 'the access token is missing, expired or revoked';
  return new Refused([401, 'invalid_token'], description, { 'WWW-Authenticate': challenge });
}

function refuseForNow(reason: 'too-many' | 'stopping'): Refused {
  const code = 'temporarily_unavailable';
  if (reason === 'stopping') return new Refused([503, code], 'the service restarts', { 'Retry-After': '1' });
  const tooMany = `at most ${String(listenerLimits.application)} commands can listen for an application`;
  return new Refused([429, code], tooMany, { 'Retry-After': '30' });
}
