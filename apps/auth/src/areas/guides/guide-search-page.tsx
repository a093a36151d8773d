import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { GuideNavigation, GuideSearchForm } from './guide-navigation.tsx';
import type { FoundSection } from './guide-search.ts';
import type { Guide } from './contents.ts';

interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

const before = 60;
const maxLength = 200;

/** The part of `text` around the first of the words, in pieces. Words match in any case, as parts of longer words too. */
function findSnippet(text: string, words: readonly string[]): readonly Piece[] {
  const pattern = new RegExp(`(${words.map(escapePattern).join('|')})`, 'giu');
  const first = words.length === 0 ? 0 : Math.max(0, text.search(pattern));
  const start = first < before ? 0 : text.indexOf(' ', first - before) + 1;
  const cut = text.slice(start, start + maxLength);
  const end = start + maxLength >= text.length ? cut.length : cut.lastIndexOf(' ');
  const shown = `${start > 0 ? '… ' : ''}${cut.slice(0, end)}${end < cut.length ? ' …' : ''}`;
  if (words.length === 0) return [{ text: shown, isMatch: false }];
  return shown
    .split(pattern)
    .map((piece, index) => ({ text: piece, isMatch: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

interface GuideSearchPageProps {
  readonly frame: Frame;
  readonly guides: readonly Guide[];
  /** Empty before the first search. */
  readonly query: string;
  /** The best first. */
  readonly found: readonly FoundSection[];
}

/** `/developers/search?q=` */
export function GuideSearchPage({ frame, guides, query, found }: GuideSearchPageProps): VNode {
  const { search } = frame.messages.guides;
  return (
    <Layout frame={frame} title={search.title} kind="columns" section="guides">
      <div class="guide">
        <div class="guide-content">
          <h1>{search.title}</h1>
          <GuideSearchForm frame={frame} query={query} />
          {query === '' ? null : <p class="lead">{search.results(found.length, <bdi>{query}</bdi>)}</p>}
          {found.length === 0 ? null : (
            <ol class="rows">
              {found.map((section) => (
                <Found key={section.id} section={section} />
              ))}
            </ol>
          )}
        </div>
        <GuideNavigation {...{ frame, guides }} />
      </div>
    </Layout>
  );
}

function Found({ section }: { readonly section: FoundSection }): VNode {
  const { id, guide, heading, text, words } = section;
  return (
    <li class="row">
      <h2>
        <a href={pagePaths.guides + id}>
          <span lang="en">{heading === '' ? guide : `${guide} › ${heading}`}</span>
        </a>
      </h2>
      <p class="quiet small">
        <span lang="en">
          {findSnippet(text, words).map(({ text: piece, isMatch }, index) =>
            isMatch ? <mark key={String(index)}>{piece}</mark> : piece,
          )}
        </span>
      </p>
    </li>
  );
}
