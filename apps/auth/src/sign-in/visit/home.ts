import type Koa from 'koa';

import { pagePaths } from '../../pages/views/page-paths.ts';
import type { Web } from './web.ts';

/** `/` redirects to the person's applications, or to the sign-in page. */
export function homeRoute(web: Web): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/' || ctx.method !== 'GET') {
      await next();
      return;
    }
    const session = await web.sessions.current(ctx);
    ctx.redirect(session === undefined ? pagePaths.login : pagePaths.applications);
  };
}
