import type { Route } from '@linnet/contract/route';
import type { Context } from 'koa';

import { ApiError } from './api-error.ts';

/** The methods of a route, HEAD included where there is one. */
export function methodsOf({ methods, writes }: Pick<Route, 'methods' | 'writes'>): readonly string[] {
  return !writes && methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}

/** The method must be one of the route's; HEAD goes with GET where nothing is written (decisions D29). */
export function requireMethod(ctx: Context, route: Pick<Route, 'methods' | 'writes'>): void {
  const methods = methodsOf(route);
  if (methods.includes(ctx.method)) return;
  const allowed = [...methods, 'OPTIONS'];
  throw new ApiError('method-not-allowed', {
    detail: `Allowed: ${allowed.join(', ')}.`,
    headers: { Allow: allowed.join(', ') },
  });
}

/** A browser that only guesses what its user might do next must not write (decisions D29). */
export function refusePrefetch(ctx: Context, { writes }: Route): void {
  if (!writes) return;
  const purposes = [ctx.get('sec-purpose'), ctx.get('purpose'), ctx.get('x-moz')];
  if (purposes.some((purpose) => /\b(?:prefetch|prerender|preview)\b/i.test(purpose))) {
    throw new ApiError('prefetch-refused');
  }
}

/** `Accept` is required and must admit application/json (specification, Calling the API; decisions D22). */
export function requireAccept(ctx: Context): void {
  if (ctx.get('accept') !== '' && ctx.accepts('application/json') !== false) return;
  throw new ApiError('accept-required', { detail: 'Send the header Accept: application/json.' });
}
