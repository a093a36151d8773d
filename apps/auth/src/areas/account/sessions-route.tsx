import type { Accounts } from '@linnet/accounts/accounts';
import type { Queryable } from '@linnet/db/database';

import type { AuthEvents } from '../../audit/events.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import type { Sessions } from '../../protocol/session/session.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { revokeAllGrants } from '@linnet/applications/grants/connected-applications-store';
import { endAccountSession, findAccountSessions } from '@linnet/accounts/account-sessions-store';
import { readNumberedPage } from './paging.tsx';
import { SessionsPage, sessionActions } from './sessions-page.tsx';

interface SessionsRouteOptions {
  readonly db: Queryable;
  readonly accounts: Pick<Accounts, 'endSessions'>;
  readonly sessions: Pick<Sessions, 'signOut'>;
  readonly events: AuthEvents;
}

/** `/account/sessions`: where the person is signed in. Revokes one of the other sessions, or all of them. */
export function sessionsRoute({ db, accounts, sessions, events }: SessionsRouteOptions): AreaPage {
  async function showSessions({ ctx, frame, session }: Visit): Promise<void> {
    const { items: active, around } = await readNumberedPage(
      ctx,
      async (part) => await findAccountSessions(db, session.accountId, part),
    );
    const listed = active.map((one) => ({ ...one, isCurrent: one.uid === session.uid }));
    const isEnded = findDone(ctx, ['ended']) !== undefined;
    renderPage(ctx, <SessionsPage frame={frame} sessions={listed} around={around} isEnded={isEnded} />);
  }

  async function endOne({ ctx, session, event }: Visit, uid: string): Promise<void> {
    // The current session ends by signing out, which also clears its cookie.
    const isEnded = uid !== session.uid && (await endAccountSession(db, session.accountId, uid));
    if (isEnded) events.sessionEnded(event);
    redirectTo(ctx, pagePaths.sessions, isEnded ? 'ended' : undefined);
  }

  async function endAll({ ctx, session, event }: Visit): Promise<void> {
    await accounts.endSessions(session.accountId, (tx) => revokeAllGrants(tx, session.accountId));
    await sessions.signOut(ctx);
    events.sessionsEnded(event);
    redirectTo(ctx, pagePaths.logout);
  }

  return {
    path: pagePaths.sessions,
    show: showSessions,
    forms: {
      [sessionActions.end]: {
        stepUp: 'none',
        act: async (visit, form) => await endOne(visit, form.text('session')),
      },
      [sessionActions.endAll]: { stepUp: 'none', act: endAll },
    },
  };
}
