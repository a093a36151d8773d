import type { VNode } from 'preact';

import type { Frame } from './frame.ts';
import { pagePaths } from './page-paths.ts';

export type Section = 'front' | 'home' | 'applications' | 'account' | 'guides' | 'admin';

interface NavigationProps {
  readonly frame: Frame;
  /** The current item. */
  readonly section: Section | undefined;
}

/** Of people who are signed in. On narrow screens, where the links would take several lines, they are in a menu. */
export function Navigation(props: NavigationProps): VNode {
  const { layout } = props.frame.messages;
  return (
    <>
      <nav class="main-navigation many" aria-label={layout.navigation}>
        <OwnLinks {...props} />
      </nav>
      <details class="tab-menu">
        <summary>{layout.menu}</summary>
        <nav aria-label={layout.navigation}>
          <OwnLinks {...props} />
        </nav>
      </details>
    </>
  );
}

function OwnLinks({ frame, section }: NavigationProps): VNode {
  const { layout } = frame.messages;
  return (
    <>
      <a href={pagePaths.home} aria-current={section === 'home' ? 'true' : undefined}>
        {layout.home}
      </a>
      <a href={pagePaths.applications} aria-current={section === 'applications' ? 'true' : undefined}>
        {layout.applications}
      </a>
      <a href={pagePaths.account} aria-current={section === 'account' ? 'true' : undefined}>
        {layout.account}
      </a>
      {(frame.viewer?.operatorSince ?? null) === null ? null : (
        <a href={pagePaths.admin} aria-current={section === 'admin' ? 'true' : undefined}>
          {layout.admin}
        </a>
      )}
      <a href={pagePaths.logout}>{layout.signOut}</a>
    </>
  );
}

export function VisitorNavigation({ frame, section }: NavigationProps): VNode {
  const { guides, layout } = frame.messages;
  return (
    <nav class="main-navigation" aria-label={layout.navigation}>
      <a href={pagePaths.guides} aria-current={section === 'guides' ? 'true' : undefined}>
        {guides.title}
      </a>
      <a href={pagePaths.reference}>{layout.reference}</a>
      <a href={pagePaths.login}>{layout.signIn}</a>
    </nav>
  );
}
