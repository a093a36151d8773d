import { UserText } from '@linnet/ui/user-text.tsx';
import type { ComponentChildren, VNode } from 'preact';

import type { Messages } from '../../pages/i18n/en/en.ts';
import type { Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';

/** The pages of the area, by section of its navigation. */
const parts = [
  { part: 'you', pages: ['account', 'profile', 'username', 'posts', 'notifications', 'invitations'] },
  {
    part: 'access',
    pages: ['followers', 'hidden', 'connectedApplications', 'sessions', 'password', 'email', 'security', 'activity'],
  },
  { part: 'data', pages: ['export', 'import', 'deletion'] },
] as const;

type AccountPageName = (typeof parts)[number]['pages'][number];

interface AccountLayoutProps {
  readonly frame: Frame;
  readonly page: AccountPageName;
  readonly title: string;
  /** What one of several such pages is about: its heading. */
  readonly subject?: string;
  readonly extraStyle?: 'posts.css';
  readonly children: ComponentChildren;
}

/** A page of the account area. The navigation is beside the content, and below it on narrow screens. */
export function AccountLayout({ frame, page, title, subject, extraStyle, children }: AccountLayoutProps): VNode {
  const documentTitle = subject === undefined ? title : `${subject} · ${title}`;
  return (
    <Layout frame={frame} title={documentTitle} kind="area" section="account" extraStyle={extraStyle}>
      <div class="with-sections">
        <div class="section-content">
          <h1>{subject === undefined ? title : <UserText text={subject} />}</h1>
          <a class="to-sections small" href="#sections">
            {frame.messages.account.allPages}
          </a>
          {children}
        </div>
        <Sections frame={frame} page={page} />
      </div>
    </Layout>
  );
}

function Sections({ frame, page }: { readonly frame: Frame; readonly page: AccountPageName }): VNode {
  const { messages, mayInvite } = frame;
  const labels = labelsOf(messages);
  const { navigation, navigationParts } = messages.account;
  return (
    <nav class="sections" id="sections" aria-label={navigation}>
      {parts.map(({ part, pages }) => (
        <div key={part}>
          <p class="quiet small" id={`sections-${part}`}>
            {navigationParts[part]}
          </p>
          <ul aria-labelledby={`sections-${part}`}>
            {pages
              .filter((one) => one !== 'invitations' || mayInvite)
              .map((one) => (
                <li key={one}>
                  <a href={pagePaths[one]} aria-current={one === page ? 'page' : undefined}>
                    {labels[one]}
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function labelsOf({
  account,
  activity,
  email,
  factors,
  hidden,
  imports,
  invitations,
  notifications,
  people,
}: Messages): Readonly<Record<AccountPageName, string>> {
  return {
    account: account.overview,
    profile: account.profile.title,
    username: account.username.title,
    posts: people.posts.title,
    notifications: notifications.title,
    invitations: invitations.title,
    followers: account.followers.title,
    hidden: hidden.title,
    connectedApplications: account.applications.title,
    sessions: account.sessions.title,
    password: account.password.title,
    email: email.page.title,
    security: factors.security.title,
    activity: activity.title,
    export: account.export.title,
    import: imports.title,
    deletion: account.deletion.title,
  };
}
