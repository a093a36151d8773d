import type { Accounts } from '@linnet/accounts/accounts';
import type { Db } from '@linnet/db/database';
import type Koa from 'koa';

import { createAccountRoutes } from './account/account-routes.ts';
import { createMyApplications } from './applications/my-applications.ts';
import { createDeveloperRoutes } from './developer/developer-routes.tsx';
import type { AuthEvents } from './events.ts';
import type { Throttle } from './http/throttle.ts';
import type { Web } from './http/web.ts';

interface AreasOptions {
  readonly web: Web;
  readonly db: Db;
  readonly accounts: Accounts;
  readonly throttle: Throttle;
  readonly events: AuthEvents;
  /** Resolves when token requests see a change of an application. */
  readonly clientChanged: (clientId: string) => Promise<void>;
}

/** The areas for people who are signed in: developers' and everybody's. */
export function createAreas({ clientChanged: changed, ...options }: AreasOptions): readonly Koa.Middleware[] {
  const { web, db, events } = options;
  const applications = createMyApplications(db, changed);
  return [createDeveloperRoutes({ web, applications, events }), createAccountRoutes({ ...options, changed })];
}
