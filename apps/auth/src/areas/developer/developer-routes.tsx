/**
 * The developer area: My applications, Create application and the pages of one application, with one route per page.
 * `application-form` reads the form; `my-applications` in packages/applications validates it.
 */
import type Koa from 'koa';

import type { Accounts } from '@linnet/accounts/accounts';
import type { Apis, FetchDocument } from '@linnet/applications/apis/apis';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { Transactional } from '@linnet/db/statement/transaction';
import type { AuthEvents } from '../../audit/events.ts';
import { createArea } from '../../sign-in/visit/area.ts';
import type { AreaPage } from '../../sign-in/visit/area.ts';
import { findDone, renderPage } from '../../pages/frame/render.tsx';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import type { Web } from '../../sign-in/visit/web.ts';
import type { Logos } from '../logos/logos.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { ApplicationReports } from './activity/reports-store.ts';
import { activityRoute } from './activity/activity.tsx';
import { applicationRoute } from './application/application.tsx';
import { createApplicationRoute } from './application/create-application.tsx';
import { createApiRoutes } from './apis/api-routes.tsx';
import { credentialsRoute } from './credentials/credentials-route.tsx';
import { dangerRoute } from './settings/danger.tsx';
import { historyRoute } from './activity/history.tsx';
import { MyApplicationsPage } from './application/my-applications-page.tsx';
import { profileRoute } from './settings/profile.tsx';
import type { SettingLimits } from './settings/setting-fields.tsx';
import { settingsRoute } from './settings/settings.tsx';
import { testPeopleRoute } from './test-people.tsx';
import { usageFileRoute } from './usage/usage-file.ts';
import { usageRoute } from './usage/usage.tsx';
import { webhooksRoute } from './webhooks/webhooks-route.tsx';

interface DeveloperRoutesOptions {
  readonly web: Web;
  readonly applications: MyApplications;
  readonly apis: Apis;
  /** For what another server says about itself. */
  readonly fetchDocument: FetchDocument;
  readonly events: AuthEvents;
  readonly reports: ApplicationReports;
  readonly logos: Logos;
  readonly db: Transactional;
  readonly accounts: Pick<Accounts, 'rename' | 'updateProfile'>;
  readonly webhooks: Webhooks;
  /** Where the operator limits a setting. */
  readonly settingLimits: SettingLimits;
  /** How many processes share the rate limits; undefined: there are none. */
  readonly limitedProcesses: number | undefined;
}

export function createDeveloperRoutes({ web, ...options }: DeveloperRoutesOptions): Koa.Middleware {
  const { baseUrl } = web;
  const credentials = credentialsRoute({ baseUrl, ...options });
  const danger = dangerRoute(options);
  return createArea(web, [
    myApplicationsRoute({ ...options, mustVerifyEmail: web.mustVerifyEmail }),
    createApplicationRoute({ baseUrl, ...options }),
    applicationRoute({ baseUrl, ...options, forms: { ...credentials.forms, ...danger.forms } }),
    credentials,
    settingsRoute(options),
    profileRoute(options),
    activityRoute(options),
    usageRoute(options),
    usageFileRoute(options),
    webhooksRoute({ baseUrl, ...options }),
    historyRoute(options),
    danger,
    testPeopleRoute(options),
    ...createApiRoutes({ baseUrl, ...options }),
  ]);
}

function myApplicationsRoute({
  applications,
  reports,
  mustVerifyEmail,
}: Pick<DeveloperRoutesOptions, 'applications' | 'reports'> & Pick<Web, 'mustVerifyEmail'>): AreaPage {
  return {
    path: pagePaths.applications,
    show: async ({ ctx, frame, session }) => {
      const owned = await applications.list(session.accountId);
      const usageSummaries = await reports.usageSummaries(owned.map(({ clientId }) => clientId));
      const isDeleted = findDone(ctx, ['deleted']) !== undefined;
      const listed = owned.map((one) => ({ ...one, usageSummary: usageSummaries.get(one.clientId) }));
      const isUnconfirmed = await mustVerifyEmail(session.accountId);
      renderPage(ctx, <MyApplicationsPage {...{ frame, isDeleted, isUnconfirmed }} applications={listed} />);
    },
  };
}
