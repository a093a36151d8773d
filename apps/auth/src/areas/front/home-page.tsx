import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Frame, Viewer } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { PageLink } from '../../pages/views/link.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';

interface HomePageProps {
  readonly frame: Frame;
  readonly viewer: Viewer;
}

/** Where people start who are signed in. */
export function HomePage({ frame, viewer }: HomePageProps): VNode {
  const { front, layout } = frame.messages;
  return (
    <Layout frame={frame} title={layout.home} kind="area" section="home">
      <h1>{front.home.title(<UserText text={viewer.displayName} />)}</h1>
      <div class="two-columns">
        <OwnPages frame={frame} viewer={viewer} />
        <DeveloperPages frame={frame} />
      </div>
    </Layout>
  );
}

function OwnPages({ frame, viewer }: HomePageProps): VNode {
  const { account, factors, front, layout, notifications } = frame.messages;
  const { profileTitle, texts, yours } = front.home;
  return (
    <section>
      <h2>{yours}</h2>
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
        <PageLink href={pagePaths.notifications} label={notifications.title} text={texts.notifications} />
        <PageLink href={pagePaths.security} label={factors.security.title} text={texts.security} />
        {(viewer.operatorSince ?? null) === null ? null : (
          <PageLink href={pagePaths.admin} label={layout.admin} text={texts.admin} />
        )}
      </ul>
    </section>
  );
}

function DeveloperPages({ frame }: Pick<HomePageProps, 'frame'>): VNode {
  const { developer, front, guides, layout } = frame.messages;
  const { texts } = front.home;
  return (
    <section>
      <h2>{front.landing.build.title}</h2>
      <ul class="rows">
        <PageLink href={pagePaths.applications} label={layout.applications} text={texts.developers}>
          <a class="small" href={pagePaths.createApplication}>
            {developer.list.create}
          </a>
        </PageLink>
        <PageLink href={pagePaths.guides} label={guides.title} text={texts.guides} />
        <PageLink href={pagePaths.reference} label={layout.reference} text={texts.reference} />
      </ul>
    </section>
  );
}
