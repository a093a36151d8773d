import type { Paged } from './page.ts';

/** Builds the response of a list; `toItem` builds each item. */
export function toListResponse<Row, Item>({ items, ...paged }: Paged<Row>, toItem: (row: Row) => Item) {
  return { ...paged, count: items.length, items: items.map((row) => toItem(row)) };
}
