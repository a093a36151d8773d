import type { IncomingMessage } from 'node:http';

import type Koa from 'koa';

import { requestPath } from './request-log.ts';

const title = 'Misdirected Request';

/** Served for any Host: API servers, probes and discovery clients use other names for this service. */
const openPaths = /^\/oauth\/jwks$|^\/\.well-known\/|^\/health\//;

/**
 * Rejects requests for another origin than `baseUrl` with 421 (RFC 9110 §15.5.20), so that no response is built from a
 * forged Host header. If `baseUrl` is localhost, requests for pages on 127.0.0.1 or [::1] are redirected to it.
 */
export function hostPin(baseUrl: string): Koa.Middleware {
  const origin = new URL(baseUrl);
  const pinned = pinnedHosts(origin);
  const twins = loopbackTwins(origin);
  return async (ctx, next) => {
    const target = targetOf(ctx);
    const host = requestedHost(ctx, origin);
    if (openPaths.test(requestPath(target)) || (host !== undefined && pinned.has(host))) {
      await next();
    } else if (host !== undefined && twins.has(host) && isPageRequest(ctx)) {
      ctx.redirect(`${origin.origin}${target}`);
    } else {
      reject(ctx, origin.origin);
    }
  };
}

function pinnedHosts(origin: URL): ReadonlySet<string> {
  // URL omits the default port of the scheme; a Host header may include it.
  const own = origin.protocol === 'https:' ? '443' : '80';
  return new Set(origin.port === '' ? [origin.host, `${origin.host}:${own}`] : [origin.host]);
}

function loopbackTwins(origin: URL): ReadonlySet<string> {
  if (origin.hostname !== 'localhost') return new Set();
  const port = origin.port === '' ? '' : `:${origin.port}`;
  return new Set([`127.0.0.1${port}`, `[::1]${port}`]);
}

/** Node sets `url` on every request that a server receives. */
function targetOf(ctx: Koa.Context): string {
  if (ctx.req.url === undefined) throw new Error('The request has no target.');
  return ctx.req.url;
}

/** For what answers in front of Koa: whether the request has one Host header, in lower case, and it is that of `baseUrl`. */
export function createHostCheck(
  baseUrl: string,
): (request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>) => boolean {
  const pinned = pinnedHosts(new URL(baseUrl));
  return ({ headers: { host }, rawHeaders }) =>
    host !== undefined && pinned.has(host) && !isRepeated(rawHeaders, 'host');
}

/** `headers` has the first Host header only, and `headersDistinct` costs more than this. */
function isRepeated(rawHeaders: readonly string[], wanted: string): boolean {
  const isWanted = (text: string, index: number) =>
    index % 2 === 0 && text.length === wanted.length && text.toLowerCase() === wanted;
  return rawHeaders.findIndex(isWanted) !== rawHeaders.findLastIndex(isWanted);
}

/** Returns the Host header in lower case, or `undefined` if it is missing, repeated or contradicts the target. */
function requestedHost(ctx: Koa.Context, origin: URL): string | undefined {
  const hosts = ctx.req.headersDistinct['host'];
  const host = hosts?.length === 1 ? hosts[0]?.toLowerCase() : undefined;
  const target = targetOf(ctx);
  if (target.startsWith('/') || target === '*') return host;
  // Absolute form: the target's authority takes precedence (RFC 9112 §3.2.2), so it must also be ours.
  return URL.canParse(target) && new URL(target).origin === origin.origin ? host : undefined;
}

function isPageRequest(ctx: Koa.Context): boolean {
  return ctx.method === 'GET' && ctx.get('accept').includes('text/html') && targetOf(ctx).startsWith('/');
}

function reject(ctx: Koa.Context, origin: string): void {
  const detail = `This service is available at ${origin} only.`;
  ctx.status = 421;
  ctx.set('Cache-Control', 'no-store');
  ctx.set('X-Content-Type-Options', 'nosniff');
  if (!ctx.get('accept').includes('json')) {
    ctx.type = 'text/plain';
    ctx.body = `${detail}\n`;
    return;
  }
  ctx.type = 'application/problem+json';
  ctx.body = JSON.stringify({ type: 'about:blank', title, status: 421, code: 'misdirected-request', detail });
}
