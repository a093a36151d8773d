/**
 * The developer area: My applications, Create application, one application. `application-form` reads
 * what was typed, `applications/my-applications` knows the rules, each page has a route of its own.
 */
import type Koa from 'koa';

import type { MyApplications } from '../applications/my-applications.ts';
import type { AuthEvents } from '../events.ts';
import { createArea } from '../http/area.ts';
import type { AreaPage } from '../http/area.ts';
import { findDone } from '../http/done.ts';
import { renderPage } from '../http/render.tsx';
import type { Web } from '../http/web.ts';
import { pagePaths } from '../views/page-paths.ts';
import { applicationRoute } from './application-route.tsx';
import type { FindFailures } from './application-route.tsx';
import { createApplicationRoute } from './create-application-route.tsx';
import { MyApplicationsPage } from './my-applications-page.tsx';

interface DeveloperRoutesOptions {
  readonly web: Web;
  readonly applications: MyApplications;
  readonly events: AuthEvents;
  readonly findFailures: FindFailures;
}

export function createDeveloperRoutes({
  web,
  applications,
  events,
  findFailures,
}: DeveloperRoutesOptions): Koa.Middleware {
  const { baseUrl } = web;
  return createArea(web, [
    myApplicationsRoute(applications),
    createApplicationRoute({ baseUrl, applications, events }),
    applicationRoute({ baseUrl, applications, events, findFailures }),
  ]);
}

function myApplicationsRoute(applications: MyApplications): AreaPage {
  return {
    path: pagePaths.applications,
    show: async ({ ctx, frame, session }) => {
      const owned = await applications.list(session.accountId);
      const isDeleted = findDone(ctx, ['deleted']) !== undefined;
      renderPage(ctx, <MyApplicationsPage frame={frame} applications={owned} isDeleted={isDeleted} />);
    },
  };
}
