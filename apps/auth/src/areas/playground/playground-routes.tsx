import type { Changed, MyApplications } from '@linnet/applications/my-applications';
import type { Db } from '@linnet/db/database';
import type { Secret } from '@linnet/service/config/secret';
import type Koa from 'koa';

import type { AuthEvents } from '../../audit/events.ts';
import { createFormPages } from '../../pages/form/form-pages.ts';
import type { FormPages } from '../../pages/form/form-pages.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { ErrorPage } from '../../pages/views/error-page.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { AdditionalRedirectUri } from '../../protocol/client/client-store.ts';
import type { AuthorizeTestPerson } from '../../protocol/grant/consent-grant.ts';
import { createArea } from '../../sign-in/visit/area.ts';
import { findSignedIn } from '../../sign-in/visit/web.ts';
import type { Web } from '../../sign-in/visit/web.ts';
import { playgroundRoute } from './playground-route.tsx';
import { createPlayground } from './playground.ts';
import type { Playground } from './playground.ts';
import { ownerHasRun } from './run-store.ts';

interface PlaygroundRoutesOptions {
  readonly web: Web;
  readonly db: Pick<Db, 'prisma' | 'query'>;
  /** Encrypt the stored runs. */
  readonly secretKeys: readonly Secret[];
  readonly applications: MyApplications;
  /** Resolves when every process accepts the redirect URI of the playground for the application. */
  readonly changed: Changed;
  readonly events: AuthEvents;
  readonly authorizeTestPerson: AuthorizeTestPerson;
}

/** The page of the playground, and the redirect URI that browsers come back to. */
export function createPlaygroundRoutes(options: PlaygroundRoutesOptions): readonly Koa.Middleware[] {
  const { web, applications, events, db } = options;
  const { baseUrl } = web;
  const playground = createPlayground({ ...options, baseUrl });
  return [
    createArea(web, [playgroundRoute({ baseUrl, applications, events, playground, db })]),
    callbackRoute(web, playground),
  ];
}

/**
 * The redirect URI of the playground. An authorization response that no run of the signed-in person expects gets an error
 * page, and its code stays unused.
 */
function callbackRoute(web: Web, playground: Pick<Playground, 'finishAuthorization'>): FormPages {
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

/** The redirect URI of the playground: valid for an application while its owner has a run of it, and only in the owner's browser. */
export function playgroundRedirectUri(baseUrl: string): AdditionalRedirectUri {
  return { uri: `${baseUrl}${pagePaths.playgroundCallback}`, condition: ownerHasRun };
}
