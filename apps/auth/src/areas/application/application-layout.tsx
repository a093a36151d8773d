import { UserText } from '@linnet/ui/user-text.tsx';
import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { Logo } from '../../pages/views/application-facts.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';

/** What the top of every page of an application shows. */
export interface ApplicationHeader {
  readonly clientId: string;
  readonly name: string;
  readonly logo?: string | undefined;
  /** By an operator. */
  readonly isSuspended?: boolean;
  /** By its owner. */
  readonly isPaused?: boolean;
  /** By an operator, until its name, logo, website or owner changes. */
  readonly isVerified?: boolean;
}

type Page = keyof typeof paths;

interface ApplicationLayoutProps {
  readonly frame: Frame;
  readonly application: ApplicationHeader;
  readonly page: Page;
  readonly children: ComponentChildren;
}

const paths = {
  overview: pagePaths.application,
  credentials: pagePaths.applicationCredentials,
  settings: pagePaths.applicationSettings,
  profile: pagePaths.applicationProfile,
  playground: pagePaths.applicationPlayground,
  webhooks: pagePaths.applicationWebhooks,
  activity: pagePaths.applicationActivity,
  usage: pagePaths.applicationUsage,
  history: pagePaths.applicationHistory,
  danger: pagePaths.applicationDanger,
} as const;

/** In the order of the navigation. Object.keys returns string[]. */
const pagesInOrder = Object.keys(paths) as readonly Page[];

/** A page of one application, with the navigation between them. */
export function ApplicationLayout({ frame, application, page, children }: ApplicationLayoutProps): VNode {
  const { pages, application: texts, pause } = frame.messages.developer;
  const { clientId, name, logo, isSuspended = false, isPaused = false, isVerified = false } = application;
  const title = page === 'overview' ? name : `${pages[page]} · ${name}`;
  return (
    <Layout frame={frame} title={title} kind="area" section="applications">
      <div class="named">
        <Logo name={logo} />
        <h1>
          <UserText text={name} />
        </h1>
        {isVerified ? <span class="tag">{frame.messages.names.verified}</span> : null}
      </div>
      <div class="with-sections">
        <Sections frame={frame} clientId={clientId} page={page} />
        <div class="section-content">
          {isSuspended ? <Notice kind="warning">{texts.suspended}</Notice> : null}
          {isPaused ? <Notice kind="warning">{pause.paused}</Notice> : null}
          {children}
        </div>
      </div>
    </Layout>
  );
}

interface SectionsProps {
  readonly frame: Frame;
  readonly clientId: string;
  readonly page: Page;
}

/** The pages of the application, beside the content. On narrow screens they are in a menu with the name of this page. */
function Sections({ frame, clientId, page }: SectionsProps): VNode {
  const { pages } = frame.messages.developer;
  const links = pagesInOrder.map((one) => (
    <a key={one} href={paths[one](clientId)} aria-current={one === page ? 'page' : undefined}>
      {pages[one]}
    </a>
  ));
  return (
    <>
      <nav class="sections many" aria-label={pages.navigation}>
        <div>{links}</div>
      </nav>
      <details class="tab-menu">
        <summary>{pages[page]}</summary>
        <nav aria-label={pages.navigation}>{links}</nav>
      </details>
    </>
  );
}
