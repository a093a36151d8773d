import type Koa from 'koa';

import { requestPath } from './request-path.ts';

const title = 'Misdirected Request';

/** Answered whatever the Host: API servers, probes and discovery clients reach us by other names. */
const openPaths = /^\/oauth\/jwks$|^\/\.well-known\/|^\/health\//;

/**
 * Refuses requests for another origin than `baseUrl` with 421 (RFC 9110 §15.5.20), so that no answer
 * is ever built from a Host that was made up. Where `baseUrl` is localhost, a page asked for on
 * 127.0.0.1 or [::1] is redirected there.
 */
export function hostPin(baseUrl: string): Koa.Middleware {
  const origin = new URL(baseUrl);
  const pinned = pinnedHosts(origin);
  const twins = loopbackTwins(origin);
  return async (ctx, next) => {
    const target = ctx.req.url ?? '';
    const host = requestedHost(ctx, origin);
    if (openPaths.test(requestPath(target)) || (host !== undefined && pinned.has(host))) {
      await next();
    } else if (host !== undefined && twins.has(host) && isPageRequest(ctx)) {
      ctx.redirect(`${origin.origin}${target}`);
    } else {
      refuse(ctx, origin.origin);
    }
  };
}

function pinnedHosts(origin: URL): ReadonlySet<string> {
  // URL leaves the scheme's own port out; a Host may name it.
  const own = origin.protocol === 'https:' ? '443' : '80';
  return new Set(origin.port === '' ? [origin.host, `${origin.host}:${own}`] : [origin.host]);
}

function loopbackTwins(origin: URL): ReadonlySet<string> {
  if (origin.hostname !== 'localhost') return new Set();
  const port = origin.port === '' ? '' : `:${origin.port}`;
  return new Set([`127.0.0.1${port}`, `[::1]${port}`]);
}

/** The one Host header in lower case; undefined when it is missing, repeated, or contradicted by the target. */
function requestedHost(ctx: Koa.Context, origin: URL): string | undefined {
  const hosts = ctx.req.headersDistinct['host'];
  const host = hosts?.length === 1 ? hosts[0]?.toLowerCase() : undefined;
  const target = ctx.req.url ?? '';
  if (target.startsWith('/') || target === '*') return host;
  // Absolute form: the target's own authority decides (RFC 9112 §3.2.2), and has to be ours too.
  return URL.canParse(target) && new URL(target).origin === origin.origin ? host : undefined;
}

function isPageRequest(ctx: Koa.Context): boolean {
  return ctx.method === 'GET' && ctx.get('accept').includes('text/html') && (ctx.req.url ?? '').startsWith('/');
}

function refuse(ctx: Koa.Context, origin: string): void {
  const detail = `This service answers requests for ${origin} only.`;
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
