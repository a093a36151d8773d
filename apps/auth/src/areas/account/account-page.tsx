import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { UserText } from '@linnet/ui/user-text.tsx';
import { PageLink } from '../../pages/views/link.tsx';
import { AccountLayout } from './account-layout.tsx';

export interface AccountPageProps {
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
