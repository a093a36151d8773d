import { countAccountSessions } from '@linnet/accounts/account-sessions-store';
import type { Accounts } from '@linnet/accounts/accounts';
import { countConnectedApplications } from '@linnet/applications/grants/connected-applications-store';
import type { Queryable } from '@linnet/db/statement/transaction';
import { findProtection } from '@linnet/social/follow/follow-store';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { renderPage } from '../../pages/frame/render.tsx';
import { PageLink } from '../../pages/views/link.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { AreaPage } from '../../sign-in/visit/area.ts';
import { AccountLayout } from './account-layout.tsx';
import { photoOf } from './profile.tsx';

interface OverviewRouteOptions {
  readonly db: Queryable;
  readonly accounts: Pick<Accounts, 'findById'>;
}

/** `/account`: the account at a glance, with links to the other pages. */
export function overviewRoute({ db, accounts }: OverviewRouteOptions): AreaPage {
  return {
    path: pagePaths.account,
    show: async ({ ctx, frame, session: { accountId } }) => {
      const [account, protection, applications, sessions] = await Promise.all([
        accounts.findById(accountId),
        findProtection(db, accountId),
        countConnectedApplications(db, accountId),
        countAccountSessions(db, accountId),
      ]);
      if (account === undefined || protection === undefined) return;
      const counts = { ...protection, applications, sessions };
      renderPage(ctx, <AccountPage frame={frame} account={account} photo={photoOf(account).src} {...counts} />);
    },
  };
}

interface AccountPageProps {
  readonly frame: Frame;
  readonly account: {
    readonly username: string;
    readonly displayName: string;
    readonly email: string;
    readonly createdAt: Date;
  };
  /** Path on this server. */
  readonly photo: string;
  readonly isProtected: boolean;
  /** Pending follow requests. */
  readonly requests: number;
  readonly applications: number;
  readonly sessions: number;
}

export function AccountPage(props: AccountPageProps): VNode {
  const { frame, account, photo } = props;
  const { overviewPage: texts, title } = frame.messages.account;
  return (
    <AccountLayout frame={frame} page="account" title={title}>
      <div class="person">
        <img class="avatar" src={photo} alt={texts.photo} width={72} height={72} />
        <p>
          <UserText strong text={account.displayName} />
          <br />
          <a href={`/@${account.username}`}>
            <UserText text={`@${account.username}`} />
          </a>
          <br />
          <a class="small" href={pagePaths.profile}>
            {texts.edit}
          </a>
        </p>
      </div>
      <Facts {...props} />
      <PageLinks {...props} />
    </AccountLayout>
  );
}

function Facts({ frame, account, isProtected, requests }: AccountPageProps): VNode {
  const { messages } = frame;
  const { overviewPage: texts } = messages.account;
  return (
    <dl class="facts panel">
      <div>
        <dt>{texts.email}</dt>
        <dd>
          <UserText text={account.email} />
        </dd>
      </div>
      <div>
        <dt>{texts.since}</dt>
        <dd>
          <time datetime={account.createdAt.toISOString()}>{messages.formatDay(account.createdAt)}</time>
        </dd>
      </div>
      <div>
        <dt>{texts.visibility}</dt>
        <dd>
          {isProtected ? texts.protectedPosts : texts.openPosts}
          {requests === 0 ? null : (
            <>
              {' · '}
              <a href={pagePaths.followers}>{texts.waiting(requests)}</a>
            </>
          )}
        </dd>
      </div>
    </dl>
  );
}

function PageLinks({ frame, ...counts }: AccountPageProps): VNode {
  const { overviewPage: texts, applications, sessions, password } = frame.messages.account;
  const { activity, factors } = frame.messages;
  const { security } = factors;
  return (
    <ul class="rows">
      <PageLink
        href={pagePaths.connectedApplications}
        label={applications.title}
        tag={texts.connected(counts.applications)}
        text={texts.applicationsText}
      />
      <PageLink
        href={pagePaths.sessions}
        label={sessions.title}
        tag={texts.signedIn(counts.sessions)}
        text={texts.sessionsText}
      />
      <PageLink href={pagePaths.password} label={password.title} text={texts.passwordText} />
      <PageLink href={pagePaths.email} label={frame.messages.email.page.title} text={texts.emailText} />
      <PageLink href={pagePaths.security} label={security.title} text={security.overviewText} />
      <PageLink href={pagePaths.activity} label={activity.title} text={activity.overviewText} />
    </ul>
  );
}
