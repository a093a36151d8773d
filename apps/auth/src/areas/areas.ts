import { findLoweredLimits } from '@linnet/applications/settings/token-lifetimes';
import type { TokenBounds } from '@linnet/applications/settings/token-lifetimes';
import type { RevocationFeed } from '@linnet/revocations/feed';
import type { Secret } from '@linnet/service/config/secret';
import type Koa from 'koa';

import { createAdminRoutes } from './admin/admin-routes.tsx';
import { createAccountRoutes } from './account/account-routes.ts';
import type { AccountRoutesOptions } from './account/account-routes.ts';
import { createApis } from '@linnet/applications/apis/apis';
import { createMyApplications } from '@linnet/applications/my-applications';
import { createApplicationReports } from './developer/activity/reports-store.ts';
import { createDeveloperRoutes } from './developer/developer-routes.tsx';
import { createArea } from '../sign-in/visit/area.ts';
import type { AreaPage } from '../sign-in/visit/area.ts';
import { deviceRoute } from '../sign-in/device/device-route.tsx';
import type { Upstream } from '../sign-in/upstream/upstream.ts';
import type { StepUpOptions } from '../sign-in/step-up/step-up.tsx';
import { guidesRoute } from './guides/guides-route.tsx';
import { serveSdk } from './sdk/serve-sdk.ts';
import { createJsonFetch } from '../protocol/client/document-fetch.ts';
import { createLogos } from './logos/logos.ts';
import type { Devices } from '../protocol/device/device.ts';
import type { AuthorizeTestPerson } from '../protocol/grant/consent-grant.ts';
import { createWebhooks } from '../webhooks/webhooks.ts';
import { createPlaygroundRoutes } from './playground/playground-routes.tsx';

interface AreasOptions extends Omit<AccountRoutesOptions, 'changed'> {
  readonly devices: Devices;
  readonly authorizeTestPerson: AuthorizeTestPerson;
  readonly reauthentication: AreaPage;
  readonly proofs: StepUpOptions;
  readonly upstream: Upstream;
  readonly feed: Pick<RevocationFeed, 'status'>;
  /** Encrypt the runs of the playground. */
  readonly secretKeys: readonly Secret[];
  /** Each is a `host:port` that webhooks may reach although it is not public. */
  readonly mediaFetchAllow: readonly string[];
  readonly tokenBounds: TokenBounds;
  /** How many processes share the rate limits. */
  readonly workers: number;
  /** Resolves when token requests see a change of an application. */
  readonly clientChanged: (clientId: string) => Promise<void>;
}

/** The guides, and all pages for people who are signed in: account area, developer area, playground, devices. */
export function createAreas({
  clientChanged: changed,
  devices,
  authorizeTestPerson,
  proofs,
  secretKeys,
  tokenBounds,
  workers,
  ...options
}: AreasOptions): readonly Koa.Middleware[] {
  const { web, db, events } = options;
  const applications = createMyApplications(db, changed, { ...options.viewContext, baseUrl: web.baseUrl });
  const device = deviceRoute({
    devices,
    throttle: options.throttle,
    events,
    mustVerifyEmail: web.mustVerifyEmail,
    findApplicationFacts: web.findApplicationFacts,
  });
  return [
    serveSdk(),
    guidesRoute({ web, listApplications: (accountId) => applications.list(accountId) }),
    createArea(web, [device, options.reauthentication]),
    createDeveloperRoutes({
      web,
      applications,
      fetchDocument: createJsonFetch(web),
      apis: createApis(db, { baseUrl: web.baseUrl, names: options.viewContext }),
      events,
      reports: createApplicationReports(db),
      settingLimits: findLoweredLimits(tokenBounds),
      limitedProcesses: options.isLimited ? workers : undefined,
      logos: createLogos(options.media),
      accounts: options.accounts,
      db,
      webhooks: createWebhooks({ db, baseUrl: web.baseUrl, secretKeys, allow: options.mediaFetchAllow }),
    }),
    ...createPlaygroundRoutes({ web, db, secretKeys, applications, changed, events, authorizeTestPerson }),
    createAccountRoutes({ ...options, changed }),
    createAdminRoutes({ web, db, feed: options.feed, proofs, changed }),
  ];
}
