import { encodeCursor } from '@linnet/contract/paging';
import type { Cursor } from '@linnet/contract/paging';

/** The parameters `count`, `page` and `cursor` of a request, as the contract parses them. */
export interface PageInput {
  readonly count: number;
  readonly page: number;
  readonly cursor?: Cursor | undefined;
  readonly order?: Order;
}

/** Which rows come first in a response. */
type Order = 'newest' | 'oldest';

/** The rows of a list to fetch. */
export interface Page {
  /** A page by its number, or one that starts at a cursor and continues with older or newer rows. */
  readonly from: 'number' | Cursor['direction'];
  /** Maximum number of rows in the response. */
  readonly limit: number;
  /** Number of rows to fetch: one more than `limit`, which shows whether there is another page. */
  readonly fetchLimit: number;
  readonly offset: number;
  /** The id in the cursor; for a page by its number, an id before or after all. */
  readonly boundaryId: number;
  readonly order: Order;
}

/** Greater than every id, and less. */
const [afterAllIds, beforeAllIds] = [2 ** 53, 0];

/**
 * Determines the page to fetch; `cursor` takes precedence over `page`. `window`: how many of the latest rows can be
 * reached (decisions D26, D28).
 */
export function toPage({ count, page, cursor, order = 'newest' }: PageInput, window = Number.POSITIVE_INFINITY): Page {
  if (cursor !== undefined) {
    return { from: cursor.direction, limit: count, fetchLimit: count + 1, offset: 0, boundaryId: cursor.id, order };
  }
  const offset = Math.min((page - 1) * count, window);
  const left = window - offset;
  return {
    limit: Math.min(count, left),
    fetchLimit: Math.min(count + 1, left),
    offset,
    ...(order === 'newest' ? { from: 'number', boundaryId: afterAllIds } : { from: 'newer', boundaryId: beforeAllIds }),
    order,
  };
}

/** A page of a list, in the order of the page, with the cursors of the pages around it. */
export interface Paged<Item> {
  readonly total: number;
  readonly items: readonly Item[];
  /** Cursor to the items that follow; absent on the last page. */
  readonly next?: string;
  /** Cursor to the items before these; newer ones need not exist yet. Absent on an empty page. */
  readonly prev?: string;
  /** Whether there are newer items already. */
  readonly hasNewer: boolean;
}

export interface FoundRows<Row> {
  readonly total: number;
  /** In reading direction: oldest first for a cursor to newer rows, else newest first. May be one longer than the limit. */
  readonly rows: readonly Row[];
  /** Whether there are rows before the page in reading direction. */
  readonly hasPreceding: boolean;
}

/** Sorts fetched rows and adds the cursors. `idOf` returns the id that the list is ordered by. */
export function toPaged<Row>(
  { total, rows, hasPreceding }: FoundRows<Row>,
  page: Page,
  idOf: (row: Row) => number,
): Paged<Row> {
  const kept = rows.slice(0, page.limit);
  const hasFollowing = rows.length > kept.length;
  const isOldestFirst = page.order === 'oldest';
  const items = (page.from === 'newer') === isOldestFirst ? kept : kept.toReversed();
  const [first, last] = [items[0], items.at(-1)];
  if (first === undefined || last === undefined) return { total, items, hasNewer: false };
  const [hasOlder, hasNewer] = page.from === 'newer' ? [hasPreceding, hasFollowing] : [hasFollowing, hasPreceding];
  const [onward, back] = isOldestFirst ? (['newer', 'older'] as const) : (['older', 'newer'] as const);
  return {
    total,
    items,
    ...((isOldestFirst ? hasNewer : hasOlder) ? { next: encodeCursor({ direction: onward, id: idOf(last) }) } : {}),
    prev: encodeCursor({ direction: back, id: idOf(first) }),
    hasNewer,
  };
}

/** Builds the response of a list, in the order of its contract row; `toItem` builds each item. */
export function toListResponse<Row, Item>(
  { total, items, hasNewer: _hasNewer, ...cursors }: Paged<Row>,
  toItem: (row: Row) => Item,
) {
  return { total, count: items.length, items: items.map((row) => toItem(row)), ...cursors };
}
