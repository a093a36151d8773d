/** The account area: overview, connected applications, sessions, password; each page has a route of its own. */
import type { Accounts } from '@linnet/accounts/accounts';
import type { Queryable } from '@linnet/db/database';
import type Koa from 'koa';

import type { AuthEvents } from '../events.ts';
import { createArea } from '../http/area.ts';
import type { Throttle } from '../http/throttle.ts';
import type { Web } from '../http/web.ts';
import { applicationsRoute } from './applications-route.tsx';
import { overviewRoute } from './overview-route.tsx';
import { passwordRoute } from './password-route.tsx';
import { sessionsRoute } from './sessions-route.tsx';

interface AccountRoutesOptions {
  readonly web: Web;
  readonly db: Queryable;
  readonly accounts: Accounts;
  readonly throttle: Throttle;
  readonly events: AuthEvents;
  /** Hears of each change that token requests have to see. */
  readonly changed: (clientId: string) => Promise<void>;
}

export function createAccountRoutes(options: AccountRoutesOptions): Koa.Middleware {
  const { web, db, accounts, throttle, events, changed } = options;
  const { sessions } = web;
  return createArea(web, [
    overviewRoute(accounts),
    applicationsRoute({ db, events, changed }),
    sessionsRoute({ db, accounts, sessions, events }),
    passwordRoute({ accounts, sessions, throttle, events }),
  ]);
}
