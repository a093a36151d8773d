import type { RequestState } from '@linnet/service/http/request-log';
import type Koa from 'koa';

import type { AuthEvents } from '../../audit/events.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { createFormPages } from '../../pages/form/form-pages.ts';
import type { FormPages } from '../../pages/form/form-pages.ts';
import { findSignedIn } from '../visit/web.ts';
import type { Web } from '../visit/web.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { LogoutPage, SignedOutPage } from './logout-page.tsx';

interface LogoutRoutesOptions {
  readonly web: Web;
  readonly events: AuthEvents;
}

/** `/logout`: GET asks for confirmation, POST signs out. */
export function createLogoutRoutes({ web, events }: LogoutRoutesOptions): FormPages {
  const show = async (ctx: Koa.Context) => {
    const signedIn = await findSignedIn(web, ctx);
    if (signedIn === undefined) {
      const isDeleted = findDone(ctx, ['deleted']) !== undefined;
      renderPage(ctx, <SignedOutPage frame={web.createFrame(ctx)} isDeleted={isDeleted} />);
    } else renderPage(ctx, <LogoutPage frame={signedIn.frame} username={signedIn.viewer.username} />);
  };
  const submit = async (ctx: Koa.Context) => {
    const session = await web.sessions.current(ctx);
    await web.sessions.signOut(ctx);
    if (session !== undefined) {
      const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
      events.signedOut({ requestId, clientId: undefined, accountId: session.accountId });
    }
    redirectTo(ctx, pagePaths.logout);
  };
  const pages = [{ path: pagePaths.logout, show, submit }];
  return createFormPages<Koa.Context>({ csrf: web.csrf, enter: async (ctx) => ctx, pages });
}
