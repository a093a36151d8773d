import type { VNode } from 'preact';

import type { Frame } from '../../pages/views/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { UserText } from '@linnet/ui/user-text';
import { AccountLayout } from './account-layout.tsx';

export interface AccountPageProps {
  readonly frame: Frame;
  readonly account: {
    readonly username: string;
    readonly displayName: string;
    readonly email: string;
    readonly createdAt: Date;
  };
  /** A path of ours. */
  readonly photo: string;
  readonly isProtected: boolean;
  /** Follow requests that wait. */
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
      <Doors {...props} />
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

function Doors({ frame, ...counts }: AccountPageProps): VNode {
  const { overviewPage: texts, applications, sessions, password } = frame.messages.account;
  const { security } = frame.messages.factors;
  return (
    <ul class="rows">
      <Door
        href={pagePaths.connectedApplications}
        label={applications.title}
        count={texts.connected(counts.applications)}
        text={texts.applicationsText}
      />
      <Door
        href={pagePaths.sessions}
        label={sessions.title}
        count={texts.signedIn(counts.sessions)}
        text={texts.sessionsText}
      />
      <Door href={pagePaths.password} label={password.title} text={texts.passwordText} />
      <Door href={pagePaths.email} label={frame.messages.email.page.title} text={texts.emailText} />
      <Door href={pagePaths.security} label={security.title} text={security.overviewText} />
    </ul>
  );
}

interface DoorProps {
  readonly href: string;
  readonly label: string;
  /** How many there are. */
  readonly count?: string;
  readonly text: string;
}

function Door({ href, label, count, text }: DoorProps): VNode {
  return (
    <li class="row">
      <h2>
        <a href={href}>{label}</a> {count === undefined ? null : <span class="tag">{count}</span>}
      </h2>
      <p class="quiet small">{text}</p>
    </li>
  );
}
