import { readFileSync } from 'node:fs';

import { pagePaths } from '../../pages/views/page-paths.ts';
import { placeholders } from './contents.ts';
import type { Guide } from './contents.ts';
import { createGuideSearch } from './guide-search.ts';
import type { SearchGuides } from './guide-search.ts';

/** Written by bin/write-guides.mjs. */
const folder = new URL('../../generated/guides/', import.meta.url);

/** The rendered guides, with the address of this service in their examples. */
export interface Guides {
  /** In the order in which they are read. */
  readonly list: readonly Guide[];
  /** The content of a guide as HTML. `clientId` replaces the placeholder in its examples. @throws Error for an unknown slug */
  htmlOf(slug: string, clientId?: string): string;
  /** What is served as text: the Markdown form of each guide and the list of them, by path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly search: SearchGuides;
}

export function loadGuides(baseUrl: string): Guides {
  const read = (name: string) => insertAddress(readFileSync(new URL(name, folder), 'utf8'), baseUrl);
  // The generator writes the list from the same type.
  const list = JSON.parse(read('guides.json')) as readonly Guide[];
  const html = new Map(list.map(({ slug }) => [slug, read(`${slug}.html`)]));
  const texts = list.map(({ slug }) => [pagePaths.guideMarkdown(slug), read(`${slug}.md`)] as const);
  return {
    list,
    texts: new Map([...texts, [pagePaths.guidesForModels, read('llms.txt')]]),
    htmlOf: (slug, clientId = placeholders.clientId) => {
      const found = html.get(slug);
      if (found === undefined) throw new Error(`there is no guide ${slug}`);
      return found.replaceAll(placeholders.clientId, escapeText(clientId));
    },
    search: createGuideSearch(() => read('search-index.json')),
  };
}

/** Also where the address is part of another URL. */
function insertAddress(text: string, baseUrl: string): string {
  return text
    .replaceAll(placeholders.baseUrl, baseUrl)
    .replaceAll(encodeURIComponent(placeholders.baseUrl), encodeURIComponent(baseUrl));
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
