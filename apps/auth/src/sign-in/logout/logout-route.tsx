import Router from '@koa/router';
import type { RequestState } from '@linnet/service/request-log';
import type Koa from 'koa';

import type { AuthEvents } from '../../audit/events.ts';
import { findDone, redirectTo } from '../../pages/http/done.ts';
import { mount } from '../../pages/http/mount.ts';
import { readOwnForm } from '../visit/own-form.ts';
import { renderPage } from '../../pages/http/render.tsx';
import { findSignedIn } from '../visit/web.ts';
import type { Web } from '../visit/web.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { LogoutPage, SignedOutPage } from './logout-page.tsx';

interface LogoutRoutesOptions {
  readonly web: Web;
  readonly events: AuthEvents;
}

/** `/logout`: GET asks for confirmation, POST signs out. */
export function createLogoutRoutes({ web, events }: LogoutRoutesOptions): Koa.Middleware {
  const router = new Router({ sensitive: true, strict: true });
  router.get(pagePaths.logout, async (ctx) => {
    const signedIn = await findSignedIn(web, ctx);
    if (signedIn === undefined) {
      const isDeleted = findDone(ctx, ['deleted']) !== undefined;
      renderPage(ctx, <SignedOutPage frame={web.createFrame(ctx)} isDeleted={isDeleted} />);
    } else renderPage(ctx, <LogoutPage frame={signedIn.frame} username={signedIn.viewer.username} />);
  });
  router.post(pagePaths.logout, async (ctx) => {
    await readOwnForm(web, ctx);
    const session = await web.sessions.current(ctx);
    await web.sessions.signOut(ctx);
    if (session !== undefined) {
      const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
      events.signedOut({ requestId, clientId: undefined, accountId: session.accountId });
    }
    redirectTo(ctx, pagePaths.logout);
  });
  return mount(router);
}
