import { readFileSync } from 'node:fs';

import MiniSearch from 'minisearch';

import { guideSlugs, overviewSlug } from '../src/areas/guides/contents.ts';
import { searchOptions } from '../src/areas/guides/guide-search.ts';
import type { IndexedSection } from '../src/areas/guides/guide-search.ts';
import { addPrograms, addRunLines, listForModels, toMarkdownForm } from './guide-markdown.ts';
import { renderGuide } from './render-guide.ts';

const sources = new URL('../../../docs/developers/', import.meta.url);

const read = (file: string) => readFileSync(new URL(file, sources), 'utf8');

/** The files of `src/generated/guides`, by name: the guides as HTML and Markdown, the lists of them, and the search index. */
export function renderGuides(): ReadonlyMap<string, string> {
  const guides = guideSlugs.map((slug) => {
    const markdown = addRunLines(addPrograms(read(`${slug}.md`), (file) => read(`programs/${file}`)));
    return { ...renderGuide(slug, markdown), markdown };
  });
  const listed = guides.map(({ slug, title, description, sections }) => ({ slug, title, description, sections }));
  const index = new MiniSearch<IndexedSection>(searchOptions);
  for (const { slug, title, texts } of guides) {
    const path = slug === overviewSlug ? '' : `/${slug}`;
    for (const { id, heading, text, code } of texts) {
      index.add({ id: id === '' ? path : `${path}#${id}`, guide: title, heading, text, code });
    }
  }
  return new Map([
    ...guides.map(({ slug, html }) => [`${slug}.html`, `${html}\n`] as const),
    ...guides.map(({ slug, markdown }) => [`${slug}.md`, toMarkdownForm(markdown)] as const),
    ['llms.txt', listForModels(listed)],
    ['guides.json', `${JSON.stringify(listed, undefined, 1)}\n`],
    ['search-index.json', `${JSON.stringify(index)}\n`],
  ]);
}
