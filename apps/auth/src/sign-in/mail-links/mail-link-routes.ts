import type { Accounts } from '@linnet/accounts/accounts';
import type { Db } from '@linnet/db/database';
import type Koa from 'koa';

import type { AuthEvents } from '../../audit/events.ts';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import type { Web } from '../visit/web.ts';
import { createPasswordRoutes } from './password-routes.tsx';
import { createVerifyEmailRoutes } from './verify-email-route.tsx';

interface MailLinkOptions {
  readonly web: Web;
  readonly db: Db;
  readonly accounts: Accounts;
  readonly throttle: Throttle;
  readonly events: AuthEvents;
  /** Whether mail reaches people, so that a link proves an address. */
  readonly isMailConfigured: boolean;
}

/** The pages behind links in mail. They need no sign-in: the link is the proof. */
export function createMailLinkRoutes(options: MailLinkOptions): readonly Koa.Middleware[] {
  return [createVerifyEmailRoutes(options), createPasswordRoutes(options)];
}
