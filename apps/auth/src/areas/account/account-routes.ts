/** The account area, with one route per page. */
import type { Accounts } from '@linnet/accounts/accounts';
import type { Db } from '@linnet/db/database';
import type { Media } from '@linnet/media/media';
import type { ExportSource } from '@linnet/social/export/export-archive';
import type { ViewContext } from '@linnet/social/view-context';
import type Koa from 'koa';

import type { AuthEvents } from '../../audit/events.ts';
import type { Passkeys } from '../../sign-in/factors/passkeys.ts';
import type { SecondFactor } from '../../sign-in/factors/second-factor.ts';
import { createReturnPage } from '../../sign-in/upstream/upstream-routes.tsx';
import type { Upstream } from '../../sign-in/upstream/upstream.ts';
import { createArea } from '../../sign-in/visit/area.ts';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import type { Web } from '../../sign-in/visit/web.ts';
import { activityRoute, notMeRoute } from './activity.tsx';
import { applicationsRoute, connectedApplicationRoute } from './applications.tsx';
import { deletionRoute } from './deletion.tsx';
import { emailRoute } from './email.tsx';
import { exportRoute } from './export.tsx';
import { followersRoute } from './followers-route.tsx';
import { importRoute } from './import.tsx';
import { hiddenRoute } from './hidden-route.tsx';
import { invitationsRoute } from './invitations.tsx';
import { followRoute } from './people/follow.tsx';
import { postsRoute } from './people/posts-route.tsx';
import { replyRoute } from './people/reply.tsx';
import { reportRoute } from './people/report.tsx';
import { notificationsRoute } from './notifications.tsx';
import { overviewRoute } from './overview.tsx';
import { newPasskeyRoute } from './new-passkey.tsx';
import { passwordRoute } from './password.tsx';
import { profileRoute } from './profile.tsx';
import { authenticatorRoute, securityRoute } from './security-route.tsx';
import { sessionsRoute } from './sessions.tsx';
import { usernameRoute } from './username.tsx';

export interface AccountRoutesOptions {
  readonly web: Web;
  readonly db: Db;
  readonly accounts: Accounts;
  readonly media: Pick<Media, 'uploads' | 'storage'>;
  /** Where files wait for their import. */
  readonly importDirectory: string;
  readonly viewContext: ViewContext;
  readonly exportSource: ExportSource;
  /** Origins of images besides our own, as CSP sources. */
  readonly imageSources: readonly string[];
  readonly throttle: Throttle;
  readonly events: AuthEvents;
  /** False if attempts are not limited (RATE_LIMITS=off). */
  readonly isLimited: boolean;
  readonly passkeys: Passkeys;
  readonly secondFactor: SecondFactor;
  readonly upstream: Upstream;
  /** Called when the grants of an application changed. Resolves when token requests see the change. */
  readonly changed: (clientId: string) => Promise<void>;
}

export function createAccountRoutes(options: AccountRoutesOptions): Koa.Middleware {
  const { web, db, accounts, media, viewContext, throttle, events, isLimited, changed, upstream } = options;
  const { sessions, baseUrl, mustVerifyEmail } = web;
  const factors = { passkeys: options.passkeys, secondFactor: options.secondFactor, mustVerifyEmail };
  const people = { db, viewContext, throttle, imageSources: options.imageSources };
  return createArea(web, [
    overviewRoute({ db, accounts }),
    profileRoute({ db, accounts, media }),
    usernameRoute({ accounts, baseUrl }),
    postsRoute(people),
    followRoute(people),
    replyRoute(people),
    reportRoute(people),
    notificationsRoute({ db }),
    invitationsRoute({ db, web, throttle }),
    followersRoute({ db, accounts }),
    hiddenRoute({ db, accounts, throttle }),
    applicationsRoute({ db, events, changed }),
    connectedApplicationRoute({ db, events, changed }),
    sessionsRoute({ db, accounts, sessions, events }),
    passwordRoute({ accounts, sessions, throttle, events }),
    emailRoute({ baseUrl: web.baseUrl, db, accounts, throttle }),
    exportRoute({ accounts, exportSource: options.exportSource, throttle, events }),
    importRoute({ accounts, db, throttle, baseUrl, directory: options.importDirectory }),
    deletionRoute({ accounts, sessions, events, isLimited }),
    securityRoute({ ...factors, db, upstream }),
    createReturnPage({ web, db, upstream, events }),
    authenticatorRoute(factors),
    newPasskeyRoute(factors),
    activityRoute({ db }),
    notMeRoute({ db, accounts, sessions, throttle, events }),
  ]);
}
