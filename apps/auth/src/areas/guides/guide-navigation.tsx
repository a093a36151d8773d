import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { guideGroups, overviewSlug } from './contents.ts';
import type { Guide } from './contents.ts';

interface GuideNavigationProps {
  readonly frame: Frame;
  readonly guides: readonly Guide[];
  /** The guide that is shown; absent on the search page. */
  readonly slug?: string | undefined;
}

/** The search, which the search page has above its results, and the links to all guides. */
export function GuideNavigation({ frame, guides, slug }: GuideNavigationProps): VNode {
  const { guides: texts, layout } = frame.messages;
  const titleOf = (one: string) => guides.find((guide) => guide.slug === one)?.title ?? one;
  return (
    <div class="guide-navigation" id="guides">
      {slug === undefined ? null : <GuideSearchForm frame={frame} />}
      <nav class="sections" aria-label={texts.navigation}>
        <ul>
          <GuideLink slug={overviewSlug} title={titleOf(overviewSlug)} isCurrent={slug === overviewSlug} />
        </ul>
        {guideGroups.map(({ group, slugs }) => (
          <div key={group}>
            <p class="quiet small" id={`group-${group}`}>
              {texts.groups[group]}
            </p>
            <ul aria-labelledby={`group-${group}`}>
              {slugs.map((one) => (
                <GuideLink key={one} slug={one} title={titleOf(one)} isCurrent={slug === one} />
              ))}
            </ul>
          </div>
        ))}
        <ul>
          <li>
            <a href={pagePaths.problems}>{frame.messages.problems.title}</a>
          </li>
          <li>
            <a href={pagePaths.reference}>{layout.reference}</a>
          </li>
        </ul>
      </nav>
    </div>
  );
}

interface GuideLinkProps {
  readonly slug: string;
  readonly title: string;
  readonly isCurrent: boolean;
}

function GuideLink({ slug, title, isCurrent }: GuideLinkProps): VNode {
  return (
    <li>
      <a href={pagePaths.guide(slug)} aria-current={isCurrent ? 'page' : undefined}>
        <span lang="en">{title}</span>
      </a>
    </li>
  );
}

interface GuideSearchFormProps {
  readonly frame: Frame;
  /** What the reader searched for. */
  readonly query?: string;
}

export function GuideSearchForm({ frame, query }: GuideSearchFormProps): VNode {
  const { search } = frame.messages.guides;
  return (
    <search>
      <form class="guide-search" action={pagePaths.guideSearch}>
        <label for="field-q">{search.label}</label>
        <input id="field-q" name="q" type="search" maxLength={100} value={query} />
        <button class="button quiet-button">{search.submit}</button>
      </form>
    </search>
  );
}
