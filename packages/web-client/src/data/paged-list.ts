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
  /** Loads the first page in place of what is shown. */
  reload(): Promise<void>;
  /** Looks for items that were added since. */
  lookForNewer(): Promise<void>;
  showNewer(): void;
  prepend(item: Item): void;
  /** Shows an item as it is now, if the list has it. */
  replace(item: Item): void;
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

/** After a long time away: the rest appears when the person comes to it. */
const maxNewerPages = 5;

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
    reload: async () => {
      const { items, next, prev } = await load(undefined);
      change({ items, newer: [], status: 'ready', error: undefined, next, prev, isLoaded: true });
    },
    lookForNewer: async () => {
      if (!state.get().isLoaded) return;
      for (let page = 0; page < maxNewerPages; page += 1) {
        if (!(await addNewer(load, state))) return;
      }
    },
    showNewer: () => {
      const { items, newer } = state.get();
      change({ items: [...newer, ...items], newer: [] });
    },
    prepend: (item) => {
      const { items, newer } = state.get();
      change({ items: [item, ...items], newer: without(newer, [item]) });
    },
    replace: (item) => {
      const { items, newer } = state.get();
      const current = (known: Item) => (known.id === item.id ? { ...known, ...item } : known);
      change({ items: items.map(current), newer: newer.map(current) });
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

/** Adds a page of what appeared since. Returns whether there may be more. */
async function addNewer<Item extends WithId>(load: LoadPage<Item>, state: Cell<ListState<Item>>): Promise<boolean> {
  const { prev: cursor, next } = state.get();
  // An empty list has no cursor.
  const page = await load(cursor);
  const { items, newer, prev } = state.get();
  // Another look was faster.
  if (prev !== cursor) return false;
  const added = without(page.items, [...newer, ...items]);
  const older = cursor === undefined ? page.next : next;
  state.set({ ...state.get(), newer: [...added, ...newer], prev: page.prev ?? cursor, next: older });
  return cursor !== undefined && added.length > 0;
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
