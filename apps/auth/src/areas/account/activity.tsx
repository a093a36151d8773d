import type { Accounts } from '@linnet/accounts/accounts';
import { revokeAllGrants } from '@linnet/applications/grants/connected-applications-store';
import { findAccountEvents } from '@linnet/audit/account-history-store';
import type { AccountEvent } from '@linnet/audit/account-history-store';
import type { Queryable } from '@linnet/db/statement/transaction';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { ComponentChildren, VNode } from 'preact';

import type { AuthEvents } from '../../audit/events.ts';
import type { Frame } from '../../pages/frame/frame.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { describeBrowser } from '../../pages/throttle/known-browser.ts';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import { PostForm } from '../../pages/views/field.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { Sessions } from '../../protocol/session/session.ts';
import { findSignInAccount } from '../../sign-in/flow/pending-store.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { AccountLayout } from './account-layout.tsx';

/** Query parameter: the id of an event; the page lists the events before it. */
const beforeParameter = 'before';

interface ActivityPageProps {
  readonly frame: Frame;
  /** Latest first. */
  readonly events: readonly AccountEvent[];
  readonly hasOlder: boolean;
}

/** What the audit log says about the account. */
export function ActivityPage({ frame, events, hasOlder }: ActivityPageProps): VNode {
  const { activity: texts, account } = frame.messages;
  const last = events.at(-1);
  return (
    <AccountLayout frame={frame} page="activity" title={texts.title}>
      <p class="lead">{texts.intro}</p>
      {events.length === 0 ? (
        <p class="empty">{texts.none}</p>
      ) : (
        <ol class="rows" data-testid="activity">
          {events.map((event) => (
            <Entry key={event.id} frame={frame} event={event} />
          ))}
        </ol>
      )}
      {hasOlder && last !== undefined ? (
        <nav class="actions" aria-label={texts.title}>
          <a
            class="button quiet-button"
            href={`${pagePaths.activity}?${beforeParameter}=${String(last.id)}`}
            rel="next"
          >
            {account.followers.older}
          </a>
        </nav>
      ) : null}
      <p class="quiet small">{account.sessions.addresses}</p>
    </AccountLayout>
  );
}

/** What nobody but the person should do: these entries link the page that ends all other access. */
const doubtful: ReadonlySet<AccountEvent['event']> = new Set([
  'account.renamed',
  'account.password_changed',
  'account.password_change_refused',
  'account.email_changed',
  'account.exported',
  'account.deleted',
  'account.restored',
  'session.begun',
  'session.new_place',
  'session.confirmation_refused',
  'factor.added',
  'factor.removed',
  'factor.recovery_codes_made',
  'consent.given',
  'consent.widened',
  'invitation.created',
  'application.created',
  'secret.added',
  'code.replayed',
  'token.reused',
]);

function Entry({ frame, event }: { readonly frame: Frame; readonly event: AccountEvent }): VNode {
  const { messages } = frame;
  const { activity: texts } = messages;
  const headingId = `event-${String(event.id)}`;
  const isDoubtful = doubtful.has(event.event) && event.actor !== 'operator';
  return (
    <li class="row with-action">
      <div>
        <h2 id={headingId}>{titleOf(frame, event)}</h2>
        <p class="quiet small">
          <time datetime={event.at.toISOString()}>{messages.formatMinute(event.at)}</time>
          {factsOf(frame, event).map((fact) => (
            <> · {fact}</>
          ))}
        </p>
      </div>
      {isDoubtful ? (
        <a class="small" href={pagePaths.notMe} aria-describedby={headingId}>
          {texts.wasNotMe}
        </a>
      ) : null}
    </li>
  );
}

function titleOf({ messages }: Frame, { event, factor }: AccountEvent): string {
  const { events, passkeys, identities } = messages.activity;
  const named = { passkey: passkeys, upstream_identity: identities }[factor ?? ''];
  if (named !== undefined && event === 'factor.added') return named.added;
  if (named !== undefined && event === 'factor.removed') return named.removed;
  return events[event];
}

/** The application, browser and address, and who did it unless it was the person. */
function factsOf({ messages }: Frame, event: AccountEvent): readonly ComponentChildren[] {
  const { actors } = messages.activity;
  const { application, userAgent, address, actor } = event;
  return [
    ...(application === null ? [] : [<UserText key="application" text={application} />]),
    ...(userAgent === null ? [] : [describeBrowser(messages, userAgent)]),
    ...(address === null || address === '' ? [] : [<UserText key="address" text={address} />]),
    ...(actor === 'operator' || actor === 'application' ? [actors[actor]] : []),
  ];
}

/** One button that ends all other access to the account. */
export function NotMePage({ frame }: { readonly frame: Frame }): VNode {
  const { notMe: texts } = frame.messages.activity;
  const { forgot } = frame.messages.email;
  return (
    <AccountLayout frame={frame} page="activity" title={texts.title}>
      <p class="lead">{texts.intro}</p>
      <PostForm frame={frame} class="panel danger">
        <ul class="plain">
          {texts.consequences.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
        <div class="actions">
          <button class="button danger-button" data-testid="end-other-access">
            {texts.submit}
          </button>
          <a class="button quiet-button" href={pagePaths.activity}>
            {texts.back}
          </a>
        </div>
      </PostForm>
      <p class="quiet small">
        {texts.passwordUnknown} <a href={pagePaths.forgotPassword}>{forgot.link}</a>
      </p>
    </AccountLayout>
  );
}

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
  await sessions.signIn(ctx, accountId, { methods });
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
