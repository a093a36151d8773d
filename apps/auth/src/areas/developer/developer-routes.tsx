/**
 * The developer area: My applications, Create application, one application. `application-form` reads
 * what was typed, `applications/my-applications` knows the rules, each page has a route of its own.
 */
import type Koa from 'koa';

import type { MyApplications } from '@linnet/applications/my-applications';
import type { AuthEvents } from '../../audit/events.ts';
import { createArea } from '../../sign-in/visit/area.ts';
import type { AreaPage } from '../../sign-in/visit/area.ts';
import { findDone } from '../../pages/http/done.ts';
import { renderPage } from '../../pages/http/render.tsx';
import type { Web } from '../../sign-in/visit/web.ts';
import type { Logos } from '../logos/logos.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { ApplicationFigures } from './application-figures.ts';
import { applicationRoute } from './application-route.tsx';
import { createApplicationRoute } from './create-application-route.tsx';
import { historyRoute } from './history-route.tsx';
import { MyApplicationsPage } from './my-applications-page.tsx';
import { profileRoute } from './profile-route.tsx';
import { usageRoute } from './usage-route.tsx';

interface DeveloperRoutesOptions {
  readonly web: Web;
  readonly applications: MyApplications;
  readonly events: AuthEvents;
  readonly figures: ApplicationFigures;
  readonly logos: Logos;
  /** Rate limits are switched on. */
  readonly isLimited: boolean;
}

export function createDeveloperRoutes({ web, ...options }: DeveloperRoutesOptions): Koa.Middleware {
  const { baseUrl } = web;
  return createArea(web, [
    myApplicationsRoute({ ...options, mustVerifyEmail: web.mustVerifyEmail }),
    createApplicationRoute({ baseUrl, ...options }),
    applicationRoute({ baseUrl, ...options }),
    profileRoute(options),
    usageRoute(options),
    historyRoute(options),
  ]);
}

function myApplicationsRoute({
  applications,
  figures,
  mustVerifyEmail,
}: Pick<DeveloperRoutesOptions, 'applications' | 'figures'> & Pick<Web, 'mustVerifyEmail'>): AreaPage {
  return {
    path: pagePaths.applications,
    show: async ({ ctx, frame, session }) => {
      const owned = await applications.list(session.accountId);
      const standings = await figures.standings(owned.map(({ clientId }) => clientId));
      const isDeleted = findDone(ctx, ['deleted']) !== undefined;
      const listed = owned.map((one) => ({ ...one, standing: standings.get(one.clientId) }));
      const isUnconfirmed = await mustVerifyEmail(session.accountId);
      renderPage(ctx, <MyApplicationsPage {...{ frame, isDeleted, isUnconfirmed }} applications={listed} />);
    },
  };
}
