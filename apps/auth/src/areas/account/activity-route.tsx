import type { Accounts } from '@linnet/accounts/accounts';
import { revokeAllGrants } from '@linnet/applications/grants/connected-applications-store';
import { findAccountEvents } from '@linnet/audit/account-history-store';
import type { Queryable } from '@linnet/db/database';

import type { AuthEvents } from '../../audit/events.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { Sessions } from '../../protocol/session/session.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { findSignInAccount } from '../../sign-in/flow/pending-store.ts';
import { ActivityPage, NotMePage, beforeParameter } from './activity-page.tsx';

const pageSize = 50;

/** `/account/activity`: sign-ins and changes, from the audit log. */
export function activityRoute({ db }: { readonly db: Queryable }): AreaPage {
  return {
    path: pagePaths.activity,
    show: async ({ ctx, frame, session }) => {
      const before = readId(ctx.query[beforeParameter]);
      const found = await findAccountEvents(db, session.accountId, { before, limit: pageSize + 1 });
      const props = { events: found.slice(0, pageSize), hasOlder: found.length > pageSize };
      renderPage(ctx, <ActivityPage frame={frame} {...props} />);
    },
  };
}

/** Malformed ids are ignored: the page then shows the latest events. */
function readId(text: unknown): number | undefined {
  const id = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}

interface NotMeOptions {
  readonly db: Queryable;
  readonly accounts: Pick<Accounts, 'endSessions'>;
  readonly sessions: Pick<Sessions, 'signIn' | 'signOut'>;
  readonly throttle: Pick<Throttle, 'rememberBrowser'>;
  readonly events: Pick<AuthEvents, 'sessionsEnded'>;
}

/** `/account/activity/not-me`: ends all other sessions and the access of applications, and leads to the password form. */
export function notMeRoute(options: NotMeOptions): AreaPage {
  return {
    path: pagePaths.notMe,
    show: async ({ ctx, frame }) => {
      renderPage(ctx, <NotMePage frame={frame} />);
    },
    form: { stepUp: 'recent', act: async (visit) => await endOtherAccess(options, visit) },
  };
}

async function endOtherAccess(options: NotMeOptions, { ctx, session, sessionDb, event }: Visit): Promise<void> {
  const { db, accounts, sessions, throttle, events } = options;
  const { accountId, methods } = session;
  let epoch: number | undefined;
  // Only while this session is active: somebody else may have pressed the button first.
  await accounts.endSessions(
    accountId,
    async (tx) => {
      await revokeAllGrants(tx, accountId);
      epoch = (await findSignInAccount(tx, accountId))?.epoch;
    },
    sessionDb,
  );
  await sessions.signIn(ctx, accountId, methods);
  // Something else may have ended all access in the meantime, such as a password that was reset by mail.
  if ((await findSignInAccount(db, accountId))?.epoch !== epoch) {
    await sessions.signOut(ctx);
    redirectTo(ctx, pagePaths.login);
    return;
  }
  await throttle.rememberBrowser(ctx, accountId);
  events.sessionsEnded(event);
  redirectTo(ctx, pagePaths.password, 'secured');
}
