import { encodeCursor } from '@linnet/contract/paging';
import type { Cursor } from '@linnet/contract/paging';

/** `count`, `page` and `cursor` as the contract reads them. */
export interface PageInput {
  readonly count: number;
  readonly page: number;
  readonly cursor?: Cursor | undefined;
}

/** Which rows of a list a call asks for. Lists are newest first: ids descend. */
export interface Page {
  /** What names it: its number, or a cursor from which it goes on to older or newer rows. */
  readonly from: 'number' | Cursor['direction'];
  /** Rows to answer at most. */
  readonly limit: number;
  /** Rows to look for: one more, which tells whether there is another page. */
  readonly fetched: number;
  readonly offset: number;
  /** The id that the page goes on from; for a page by its number, one greater than all. */
  readonly bound: number;
}

/** Greater than every id. */
const beyondIds = 2 ** 53;

/**
 * The page that `cursor`, or else `page`, names. `window`: how many of the latest rows can be reached
 * (decisions D26, D28).
 */
export function toPage({ count, page, cursor }: PageInput, window = Number.POSITIVE_INFINITY): Page {
  if (cursor !== undefined) {
    return { from: cursor.direction, limit: count, fetched: count + 1, offset: 0, bound: cursor.id };
  }
  const offset = Math.min((page - 1) * count, window);
  const left = window - offset;
  return {
    from: 'number',
    limit: Math.min(count, left),
    fetched: Math.min(count + 1, left),
    offset,
    bound: beyondIds,
  };
}

/** A page as it is answered. */
export interface Paged<Item> {
  readonly total: number;
  readonly items: readonly Item[];
  readonly next?: string;
  readonly prev?: string;
}

export interface FoundRows<Row> {
  readonly total: number;
  /** Oldest first when the page goes on to newer rows, otherwise newest first; more than its limit when there are more. */
  readonly rows: readonly Row[];
  /** Whether there are rows on the side that the page comes from. */
  readonly behind: boolean;
}

/** Puts the rows found for a page newest first and names the ways on. `idOf`: the id the list is ordered by. */
export function pageOf<Row>(
  { total, rows, behind }: FoundRows<Row>,
  page: Page,
  idOf: (row: Row) => number,
): Paged<Row> {
  const kept = rows.slice(0, page.limit);
  const more = rows.length > kept.length;
  const items = page.from === 'newer' ? kept.toReversed() : kept;
  const [newest, oldest] = [items[0], items.at(-1)];
  if (newest === undefined || oldest === undefined) return { total, items };
  const [hasOlder, hasNewer] = page.from === 'newer' ? [behind, more] : [more, behind];
  return {
    total,
    items,
    ...(hasOlder ? { next: encodeCursor({ direction: 'older', id: idOf(oldest) }) } : {}),
    ...(hasNewer ? { prev: encodeCursor({ direction: 'newer', id: idOf(newest) }) } : {}),
  };
}
