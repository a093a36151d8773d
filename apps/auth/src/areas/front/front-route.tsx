import type Koa from 'koa';

import { renderPage } from '../../pages/frame/render.tsx';
import { copyScript } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { findSignedIn } from '../../sign-in/visit/web.ts';
import type { Web } from '../../sign-in/visit/web.ts';
import { HomePage } from './home-page.tsx';
import { LandingPage } from './landing-page.tsx';

/** `/`: the home page of the person who is signed in, or what the service is. */
export function frontRoute(web: Web): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== pagePaths.home || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) {
      await next();
      return;
    }
    const signedIn = await findSignedIn(web, ctx);
    if (signedIn === undefined) {
      const frame = web.createFrame(ctx);
      renderPage(ctx, <LandingPage frame={frame} baseUrl={web.baseUrl} />, { script: copyScript(frame) });
    } else {
      renderPage(ctx, <HomePage frame={signedIn.frame} viewer={signedIn.viewer} />);
    }
  };
}
