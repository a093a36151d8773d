import Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { Route } from '@linnet/contract/route';
import type { Middleware } from 'koa';

import { ApiError } from './api-error.ts';
import { respondToUnknownPreflight } from './response-headers.ts';

export const apiPath = '/api/v2.0';
const knownVersions = ['v2.0'];

/** Mounts the endpoints below /api/v2.0. */
export function createRouter<Bound extends { readonly route: Route }>(
  calls: readonly Bound[],
  serve: (call: Bound) => Middleware,
): Middleware {
  const router = new Router({ prefix: apiPath, sensitive: true, strict: true });
  for (const call of calls) router.all(call.route.path, serve(call));
  const routes = router.routes();
  return async (ctx, next) => {
    await routes(ctx as RouterContext, next); // the router itself adds the members of RouterContext
  };
}

/** Responds 404 to paths without an endpoint. For an unknown version it lists the known ones (decisions D55). */
export function rejectUnknownPath(): Middleware {
  return (ctx) => {
    if (respondToUnknownPreflight(ctx)) return;
    const version = /^\/api\/(v[^/]*)/.exec(ctx.path)?.[1];
    if (version !== undefined && !knownVersions.includes(version)) {
      throw new ApiError('unknown-version', {
        detail: `Use one of these versions: ${knownVersions.join(', ')}.`,
        members: { versions: knownVersions },
      });
    }
    throw new ApiError('unknown-endpoint');
  };
}
