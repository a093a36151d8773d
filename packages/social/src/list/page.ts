import { encodeCursor } from '@linnet/contract/paging';
import type { Cursor } from '@linnet/contract/paging';

/** The parameters `count`, `page` and `cursor` of a request, as the contract parses them. */
export interface PageInput {
  readonly count: number;
  readonly page: number;
  readonly cursor?: Cursor | undefined;
}

/** The rows of a list to fetch. Lists are newest first: ids descend. */
export interface Page {
  /** A page by its number, or one that starts at a cursor and continues with older or newer rows. */
  readonly from: 'number' | Cursor['direction'];
  /** Maximum number of rows in the response. */
  readonly limit: number;
  /** Number of rows to fetch: one more than `limit`, which shows whether there is another page. */
  readonly fetchLimit: number;
  readonly offset: number;
  /** The id in the cursor; for a page by its number, an id greater than all. */
  readonly boundaryId: number;
}

/** Greater than every id. */
const afterAllIds = 2 ** 53;

/**
 * Determines the page to fetch; `cursor` takes precedence over `page`. `window`: how many of the latest rows can be
 * reached (decisions D26, D28).
 */
export function toPage({ count, page, cursor }: PageInput, window = Number.POSITIVE_INFINITY): Page {
  if (cursor !== undefined) {
    return { from: cursor.direction, limit: count, fetchLimit: count + 1, offset: 0, boundaryId: cursor.id };
  }
  const offset = Math.min((page - 1) * count, window);
  const left = window - offset;
  return {
    from: 'number',
    limit: Math.min(count, left),
    fetchLimit: Math.min(count + 1, left),
    offset,
    boundaryId: afterAllIds,
  };
}

/** A page of a list, newest first, with the cursors of the pages around it. */
export interface Paged<Item> {
  readonly total: number;
  readonly items: readonly Item[];
  /** Cursor to older items; absent on the last page. */
  readonly next?: string;
  /** Cursor to newer items, also to those that do not exist yet; absent on an empty page. */
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

/** Sorts fetched rows newest first and adds the cursors. `idOf` returns the id that the list is ordered by. */
export function toPaged<Row>(
  { total, rows, hasPreceding }: FoundRows<Row>,
  page: Page,
  idOf: (row: Row) => number,
): Paged<Row> {
  const kept = rows.slice(0, page.limit);
  const hasFollowing = rows.length > kept.length;
  const items = page.from === 'newer' ? kept.toReversed() : kept;
  const [newest, oldest] = [items[0], items.at(-1)];
  if (newest === undefined || oldest === undefined) return { total, items, hasNewer: false };
  const [hasOlder, hasNewer] = page.from === 'newer' ? [hasPreceding, hasFollowing] : [hasFollowing, hasPreceding];
  return {
    total,
    items,
    ...(hasOlder ? { next: encodeCursor({ direction: 'older', id: idOf(oldest) }) } : {}),
    prev: encodeCursor({ direction: 'newer', id: idOf(newest) }),
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
