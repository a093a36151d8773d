import { UserText } from '@linnet/ui/user-text';
import type { VNode } from 'preact';

import type { Frame, Viewer } from '../../pages/views/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { PageLink } from '../../pages/views/page-link.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';

interface HomePageProps {
  readonly frame: Frame;
  readonly viewer: Viewer;
}

/** Where people start who are signed in. */
export function HomePage({ frame, viewer }: HomePageProps): VNode {
  const { account, developer, factors, front, guides, layout } = frame.messages;
  const { title, profileTitle, texts } = front.home;
  return (
    <Layout frame={frame} title={layout.home} kind="area" section="home">
      <h1>{title(<UserText text={viewer.displayName} />)}</h1>
      <ul class="rows">
        <PageLink href={`/@${viewer.username}`} label={profileTitle} text={texts.profile} />
        {frame.siteLinks.exampleClient === undefined ? null : (
          <PageLink
            href={frame.siteLinks.exampleClient}
            label={front.landing.build.exampleClient}
            text={texts.client}
          />
        )}
        <PageLink href={pagePaths.account} label={layout.account} text={texts.account} />
        <PageLink href={pagePaths.connectedApplications} label={account.applications.title} text={texts.connected} />
        <PageLink href={pagePaths.followers} label={account.followers.title} text={texts.followers} />
        <PageLink href={pagePaths.security} label={factors.security.title} text={texts.security} />
        <PageLink href={pagePaths.applications} label={layout.applications} text={texts.developers}>
          <a class="small" href={pagePaths.createApplication}>
            {developer.list.create}
          </a>
        </PageLink>
        <PageLink href={pagePaths.guides} label={guides.title} text={texts.guides} />
        <PageLink href={pagePaths.reference} label={layout.reference} text={texts.reference} />
        {(viewer.operatorSince ?? null) === null ? null : (
          <PageLink href={pagePaths.admin} label={layout.admin} text={texts.admin} />
        )}
      </ul>
    </Layout>
  );
}
