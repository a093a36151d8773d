import type { Route } from '@linnet/contract/route';
import type { Context } from 'koa';

import { ApiError } from './api-error.ts';

type MethodRules = Pick<Route, 'methods' | 'writes' | 'streams'>;

/** The methods of a route, including HEAD if it supports HEAD. */
export function methodsOf({ methods, writes, streams = false }: MethodRules): readonly string[] {
  return !writes && !streams && methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}

/** A route that writes nothing supports HEAD along with GET (decisions D29). @throws ApiError `method-not-allowed` */
export function requireMethod(ctx: Context, route: MethodRules): void {
  const methods = methodsOf(route);
  if (methods.includes(ctx.method)) return;
  const allowed = [...methods, 'OPTIONS'];
  throw new ApiError('method-not-allowed', {
    detail: `Use one of these methods: ${allowed.join(', ')}.`,
    headers: { Allow: allowed.join(', ') },
  });
}

/** A browser that prefetches must not change anything (decisions D29). @throws ApiError `prefetch-refused` */
export function rejectPrefetch(ctx: Context, { writes }: Route): void {
  if (!writes) return;
  const purposes = [ctx.get('sec-purpose'), ctx.get('purpose'), ctx.get('x-moz')];
  if (purposes.some((purpose) => /\b(?:prefetch|prerender|preview)\b/i.test(purpose))) {
    throw new ApiError('prefetch-refused');
  }
}

/** Accept, if there is one, must allow text/event-stream. @throws ApiError `accept-required` */
export function requireAcceptOfStreams(ctx: Context): void {
  if (ctx.accepts('text/event-stream') !== false) return;
  throw new ApiError('accept-required', { detail: 'Send the header `Accept: text/event-stream`.' });
}

/** Accept, if there is one, must allow application/json (specification, Calling the API; decisions D22). @throws ApiError `accept-required` */
export function requireAccept(ctx: Context): void {
  if (acceptsJson(ctx)) return;
  throw new ApiError('accept-required');
}

/**
 * `application/json` has no parameters (RFC 8259 §11), so those that a client adds, such as `charset=utf-8`, make no
 * difference. The negotiation of Koa treats them as another type.
 */
function acceptsJson(ctx: Context): boolean {
  if (ctx.accepts('application/json') !== false) return true;
  const ranges = ctx.get('accept').split(',').map(parseRange);
  return ranges.some(({ type, quality }) => type === 'application/json' && quality > 0);
}

function parseRange(range: string): { readonly type: string | undefined; readonly quality: number } {
  const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return { type, quality: quality === undefined ? 1 : Number(quality.slice('q='.length)) };
}
