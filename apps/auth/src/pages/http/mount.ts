import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type Koa from 'koa';

/** The routes of `router` as middleware of an app. */
export function mount(router: Router): Koa.Middleware {
  const routes = router.routes();
  return async (ctx, next) => {
    await routes(ctx as RouterContext, next); // the router adds the missing members to ctx
  };
}
