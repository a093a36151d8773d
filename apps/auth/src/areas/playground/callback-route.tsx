import type Koa from 'koa';

import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { createFormPages } from '../../pages/form/form-pages.ts';
import type { FormPages } from '../../pages/form/form-pages.ts';
import { findSignedIn } from '../../sign-in/visit/web.ts';
import type { Web } from '../../sign-in/visit/web.ts';
import { ErrorPage } from '../../pages/views/error-page.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { Playground } from './playground.ts';

/**
 * The redirect URI of the playground. An authorization response that no run of the signed-in person expects gets an error
 * page, and its code stays unused.
 */
export function callbackRoute(web: Web, playground: Pick<Playground, 'finishAuthorization'>): FormPages {
  const show = async (ctx: Koa.Context) => {
    const signedIn = await findSignedIn(web, ctx);
    const clientId =
      signedIn === undefined
        ? undefined
        : await playground.finishAuthorization(signedIn.session.accountId, new URLSearchParams(ctx.querystring));
    if (clientId !== undefined) {
      redirectTo(ctx, pagePaths.applicationPlayground(clientId));
      return;
    }
    const frame = signedIn?.frame ?? web.createFrame(ctx);
    renderPage(ctx, <ErrorPage frame={frame} kind="playground-answer" />, { status: 400 });
  };
  const pages = [{ path: pagePaths.playgroundCallback, show }];
  return createFormPages<Koa.Context>({ csrf: web.csrf, enter: async (ctx) => ctx, pages });
}
