import MiniSearch from 'minisearch';
import type { Options, SearchResult } from 'minisearch';

/** A section of a guide in the index. */
export interface IndexedSection {
  /** The path below `/developers`, with the anchor. */
  readonly id: string;
  readonly guide: string;
  /** Empty for the part before the first heading. */
  readonly heading: string;
  readonly text: string;
  /** The examples, which are searched but not shown. */
  readonly code: string;
}

/** How sections are indexed. The generator and the service need the same options. */
export const searchOptions: Options<IndexedSection> = {
  fields: ['guide', 'heading', 'text', 'code'],
  storeFields: ['guide', 'heading', 'text'],
  searchOptions: {
    boost: { guide: 3, heading: 4 },
    // `scopes` finds `scope`; words of up to four letters must be spelled right.
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  },
};

export interface FoundSection extends Omit<IndexedSection, 'code'> {
  /** The words of the section that match. */
  readonly words: readonly string[];
}

export type SearchGuides = (query: string) => readonly FoundSection[];

const maxResults = 20;

/** Searches the index that the generator wrote. It is read with the first search. */
export function createGuideSearch(readIndex: () => string): SearchGuides {
  let index: MiniSearch<IndexedSection> | undefined;
  return (query) => {
    index ??= MiniSearch.loadJSON(readIndex(), searchOptions);
    return index.search(query).slice(0, maxResults).map(toFoundSection);
  };
}

function toFoundSection({ id, guide, heading, text, terms }: SearchResult): FoundSection {
  return { id: String(id), guide: String(guide), heading: String(heading), text: String(text), words: terms };
}
