import { createCell } from './cell.ts';
import type { Cell } from './cell.ts';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
  readonly prev?: string;
}

interface ListState<Item> {
  readonly items: readonly Item[];
  /** Items that appeared since, not shown yet. */
  readonly newer: readonly Item[];
  readonly status: 'loading' | 'ready' | 'failed';
  /** Why the last page could not be loaded. */
  readonly error: unknown;
  /** Where the next page begins; undefined at the end. */
  readonly next: string | undefined;
  /** Leads to what is added later. */
  readonly prev: string | undefined;
  readonly isLoaded: boolean;
}

/** A list that is loaded page by page, as people read it. Each post is in it once, even if several people reposted it. */
export interface PagedList<Item> {
  readonly state: Cell<ListState<Item>>;
  /** Loads the first or the next page, unless a page is being loaded or there is none. */
  loadMore(): Promise<void>;
  /** Looks for items that were added since. */
  lookForNewer(): Promise<void>;
  showNewer(): void;
  prepend(item: Item): void;
  remove(isRemoved: (item: Item) => boolean): void;
}

export type LoadPage<Item> = (cursor: string | undefined) => PromiseLike<Page<Item>>;

interface WithId {
  readonly id: number;
}

const empty = {
  items: [],
  newer: [],
  status: 'ready',
  error: undefined,
  next: undefined,
  prev: undefined,
  isLoaded: false,
} as const;

export function createPagedList<Item extends WithId>(load: LoadPage<Item>): PagedList<Item> {
  const state = createCell<ListState<Item>>(empty);
  const change = (changes: Partial<ListState<Item>>) => state.set({ ...state.get(), ...changes });
  return {
    state,
    loadMore: async () => {
      const { status, isLoaded, next } = state.get();
      if (status === 'loading' || (isLoaded && next === undefined)) return;
      change({ status: 'loading', error: undefined });
      try {
        const page = await load(next);
        const { items, prev = page.prev } = state.get();
        const all = [...items, ...without(page.items, items)];
        change({ items: all, status: 'ready', next: page.next, prev, isLoaded: true });
      } catch (error) {
        change({ status: 'failed', error });
      }
    },
    lookForNewer: async () => {
      const { prev: cursor } = state.get();
      if (cursor === undefined) return;
      const page = await load(cursor);
      const { items, newer, prev } = state.get();
      // Another look was faster.
      if (prev !== cursor) return;
      change({ newer: [...without(page.items, [...newer, ...items]), ...newer], prev: page.prev ?? cursor });
    },
    showNewer: () => {
      const { items, newer } = state.get();
      change({ items: [...newer, ...items], newer: [] });
    },
    prepend: (item) => {
      const { items, newer } = state.get();
      change({ items: [item, ...items], newer: without(newer, [item]) });
    },
    remove: (isRemoved) => {
      const { items, newer } = state.get();
      change({
        items: items.filter((item) => !isRemoved(item)),
        newer: newer.filter((item) => !isRemoved(item)),
      });
    },
  };
}

/** Without those that are known, and each once: a page can repeat items when people post in between. */
function without<Item extends WithId>(items: readonly Item[], known: readonly Item[]): readonly Item[] {
  const ids = new Set(known.map(({ id }) => id));
  return items.filter(({ id }) => {
    const isNew = !ids.has(id);
    ids.add(id);
    return isNew;
  });
}
