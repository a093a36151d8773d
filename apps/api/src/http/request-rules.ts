import type { Route } from '@linnet/contract/route';
import type { Context } from 'koa';

import { ApiError } from './api-error.ts';

/** The methods of a route, including HEAD if it supports HEAD. */
export function methodsOf({ methods, writes }: Pick<Route, 'methods' | 'writes'>): readonly string[] {
  return !writes && methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}

/** A route that writes nothing supports HEAD along with GET (decisions D29). @throws ApiError `method-not-allowed` */
export function requireMethod(ctx: Context, route: Pick<Route, 'methods' | 'writes'>): void {
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

/** Accept must allow application/json (specification, Calling the API; decisions D22). @throws ApiError `accept-required` */
export function requireAccept(ctx: Context): void {
  if (ctx.get('accept') !== '' && ctx.accepts('application/json') !== false) return;
  throw new ApiError('accept-required');
}
