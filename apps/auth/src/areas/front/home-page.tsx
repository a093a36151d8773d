import { UserText } from '@linnet/ui/user-text';
import type { ComponentChildren, VNode } from 'preact';

import type { Frame, Viewer } from '../../pages/views/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';

interface HomePageProps {
  readonly frame: Frame;
  readonly viewer: Viewer;
}

/** Where people start who are signed in. */
export function HomePage({ frame, viewer }: HomePageProps): VNode {
  const { account, developer, factors, front, layout } = frame.messages;
  const { title, profileTitle, texts } = front.home;
  return (
    <Layout frame={frame} title={layout.home} kind="area" section="home">
      <h1>{title(<UserText text={viewer.displayName} />)}</h1>
      <ul class="rows">
        <HomeLink href={`/@${viewer.username}`} title={profileTitle} text={texts.profile} />
        <HomeLink href={pagePaths.account} title={layout.account} text={texts.account} />
        <HomeLink href={pagePaths.connectedApplications} title={account.applications.title} text={texts.connected} />
        <HomeLink href={pagePaths.followers} title={account.followers.title} text={texts.followers} />
        <HomeLink href={pagePaths.security} title={factors.security.title} text={texts.security} />
        <HomeLink href={pagePaths.applications} title={layout.applications} text={texts.developers}>
          <a class="small" href={pagePaths.createApplication}>
            {developer.list.create}
          </a>
        </HomeLink>
        <HomeLink href={pagePaths.reference} title={layout.reference} text={texts.reference} />
      </ul>
    </Layout>
  );
}

interface HomeLinkProps {
  readonly href: string;
  readonly title: string;
  readonly text: string;
  readonly children?: ComponentChildren;
}

function HomeLink({ href, title, text, children }: HomeLinkProps): VNode {
  return (
    <li class="row">
      <h2>
        <a href={href}>{title}</a>
      </h2>
      <p class="quiet small">{text}</p>
      {children}
    </li>
  );
}
