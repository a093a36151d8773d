import { endAccountSession, findAccountSessions } from '@linnet/accounts/account-sessions-store';
import type { Accounts } from '@linnet/accounts/accounts';
import { revokeAllGrants } from '@linnet/applications/grants/connected-applications-store';
import type { Queryable } from '@linnet/db/statement/transaction';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { AuthEvents } from '../../audit/events.ts';
import type { Frame } from '../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { describeBrowser } from '../../pages/throttle/known-browser.ts';
import { PostForm } from '../../pages/views/field.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { Sessions } from '../../protocol/session/session.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { AccountLayout } from './account-layout.tsx';
import { Paging, readNumberedPage } from './paging.tsx';
import type { Around } from './paging.tsx';

/** Values of the hidden field `action`, which says which form of the page was sent. */
const sessionActions = {
  /** With the field `session`, the uid. */
  end: 'end',
  endAll: 'end-all',
} as const;

interface ListedSession {
  /** The stable uid, never the id in the cookie. */
  readonly uid: string;
  readonly isCurrent: boolean;
  readonly userAgent?: string | undefined;
  readonly address?: string | undefined;
  readonly signedInAt: Date;
  readonly lastSeenAt?: Date | undefined;
}

interface SessionsPageProps {
  readonly frame: Frame;
  /** Those on this page. */
  readonly sessions: readonly ListedSession[];
  readonly around?: Around;
  /** A session was revoked just now. */
  readonly isEnded?: boolean;
}

export function SessionsPage({ frame, sessions, around, isEnded = false }: SessionsPageProps): VNode {
  const { sessions: texts } = frame.messages.account;
  return (
    <AccountLayout frame={frame} page="sessions" title={texts.title}>
      <p class="lead">{texts.intro}</p>
      {isEnded ? <Notice kind="done">{texts.ended}</Notice> : null}
      <ul class="rows">
        {sessions.map((session) => (
          <Row key={session.uid} frame={frame} session={session} />
        ))}
      </ul>
      <Paging frame={frame} label={texts.title} {...around} />
      <p class="quiet small">{texts.addresses}</p>
      <section>
        <h2>{texts.everywhere}</h2>
        <PostForm frame={frame} hidden={{ action: sessionActions.endAll }} class="panel danger">
          <p>{texts.everywhereText}</p>
          <button class="button danger-button" data-testid="end-all-sessions">
            {texts.everywhereSubmit}
          </button>
        </PostForm>
      </section>
    </AccountLayout>
  );
}

function Row({ frame, session }: { readonly frame: Frame; readonly session: ListedSession }): VNode {
  const { messages } = frame;
  const { sessions: texts } = messages.account;
  const { uid, isCurrent, address, signedInAt, lastSeenAt } = session;
  const headingId = `session-${uid}`;
  return (
    <li class="row with-action">
      <div>
        <h2 id={headingId}>
          {describeBrowser(messages, session.userAgent)} {isCurrent ? <span class="tag">{texts.current}</span> : null}
        </h2>
        <p class="quiet small">
          {address === undefined ? null : (
            <>
              <UserText text={address} /> ·{' '}
            </>
          )}
          <time datetime={signedInAt.toISOString()}>{texts.signedIn(messages.formatMinute(signedInAt))}</time>
          {lastSeenAt === undefined ? null : (
            <>
              {' '}
              · <time datetime={lastSeenAt.toISOString()}>{texts.lastSeen(messages.formatMinute(lastSeenAt))}</time>
            </>
          )}
        </p>
      </div>
      {isCurrent ? null : (
        <PostForm frame={frame} hidden={{ action: sessionActions.end, session: uid }}>
          <button class="button quiet-button" data-testid="end-session" aria-describedby={headingId}>
            {texts.end}
          </button>
        </PostForm>
      )}
    </li>
  );
}

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
