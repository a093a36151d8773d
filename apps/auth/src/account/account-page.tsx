import type { VNode } from 'preact';

import type { Frame } from '../views/frame.ts';
import { pagePaths } from '../views/page-paths.ts';
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
}

export function AccountPage({ frame, account }: AccountPageProps): VNode {
  const { messages } = frame;
  const { overviewPage: texts, title, applications, sessions, password } = messages.account;
  return (
    <AccountLayout frame={frame} page="account" title={title}>
      <dl class="facts panel">
        <div>
          <dt>{texts.name}</dt>
          <dd>
            <UserText text={account.displayName} />
          </dd>
        </div>
        <div>
          <dt>{texts.username}</dt>
          <dd>
            <UserText text={`@${account.username}`} />
          </dd>
        </div>
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
      </dl>
      <ul class="rows">
        <Door href={pagePaths.connectedApplications} label={applications.title} text={texts.applicationsText} />
        <Door href={pagePaths.sessions} label={sessions.title} text={texts.sessionsText} />
        <Door href={pagePaths.password} label={password.title} text={texts.passwordText} />
      </ul>
    </AccountLayout>
  );
}

interface DoorProps {
  readonly href: string;
  readonly label: string;
  readonly text: string;
}

function Door({ href, label, text }: DoorProps): VNode {
  return (
    <li class="row">
      <h2>
        <a href={href}>{label}</a>
      </h2>
      <p class="quiet small">{text}</p>
    </li>
  );
}
