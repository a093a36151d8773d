import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from '../views/frame.ts';
import { Layout } from '../views/layout.tsx';
import { pagePaths } from '../views/page-paths.ts';

interface AccountLayoutProps {
  readonly frame: Frame;
  readonly page: 'account' | 'connectedApplications' | 'sessions' | 'password';
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A page of the account area with the way to the others. */
export function AccountLayout({ frame, page, title, children }: AccountLayoutProps): VNode {
  const { account } = frame.messages;
  const labels = {
    account: account.overview,
    connectedApplications: account.applications.title,
    sessions: account.sessions.title,
    password: account.password.title,
  } as const;
  const pages = ['account', 'connectedApplications', 'sessions', 'password'] as const;
  return (
    <Layout frame={frame} title={title} kind="area" section="account">
      <h1>{title}</h1>
      <nav class="tabs" aria-label={account.navigation}>
        {pages.map((one) => (
          <a key={one} href={pagePaths[one]} aria-current={one === page ? 'page' : undefined}>
            {labels[one]}
          </a>
        ))}
      </nav>
      {children}
    </Layout>
  );
}
