import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';

const paths = {
  overview: pagePaths.admin,
  reports: pagePaths.adminReports,
  registrations: pagePaths.adminRegistrations,
  blocks: pagePaths.adminBlocks,
  people: pagePaths.adminPeople,
  applications: pagePaths.adminApplications,
  audit: pagePaths.adminAudit,
} as const;

/** In the order of the navigation. Object.keys returns string[]. */
const tabs = Object.keys(paths) as readonly (keyof typeof paths)[];

interface AdminLayoutProps {
  readonly frame: Frame;
  readonly page: keyof typeof paths;
  readonly title: string;
  /** The heading, if it has more than the title. */
  readonly heading?: ComponentChildren;
  readonly extraStyle?: 'posts.css';
  readonly children: ComponentChildren;
}

/** A page for operators, with the navigation between them. */
export function AdminLayout({ frame, page, title, heading = title, extraStyle, children }: AdminLayoutProps): VNode {
  const { admin, layout } = frame.messages;
  return (
    <Layout frame={frame} title={`${title} · ${layout.admin}`} kind="area" section="admin" extraStyle={extraStyle}>
      <h1>{heading}</h1>
      <nav class="tabs" aria-label={layout.admin}>
        {tabs.map((one) => (
          <a key={one} href={paths[one]} aria-current={one === page ? 'page' : undefined}>
            {admin.pages[one]}
          </a>
        ))}
      </nav>
      {children}
    </Layout>
  );
}

export type Fact = readonly [label: ComponentChildren, value: ComponentChildren];

interface FactListProps {
  readonly rows: readonly Fact[];
  readonly testId: string;
  /** Numbers to compare at a glance. */
  readonly isNumbers?: boolean;
}

/** Labels with their values. */
export function FactList({ rows, testId, isNumbers = false }: FactListProps): VNode {
  return (
    <dl class={isNumbers ? 'facts numbers panel' : 'facts panel'} data-testid={testId}>
      {rows.map(([label, value], index) => (
        <div key={index}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface NextLinkProps {
  readonly frame: Frame;
  /** Its address; undefined if there is none. */
  readonly next: string | undefined;
}

/** The link to the next page of a list. */
export function NextLink({ frame, next }: NextLinkProps): VNode | null {
  if (next === undefined) return null;
  return (
    <p>
      <a class="button quiet-button" href={next} rel="next">
        {frame.messages.admin.search.next}
      </a>
    </p>
  );
}
