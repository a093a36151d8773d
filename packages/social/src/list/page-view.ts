import type { Paged } from './page.ts';

/** The answer of a list, each item built by `toItem`. */
export function toListAnswer<Row, Item>({ items, ...paged }: Paged<Row>, toItem: (row: Row) => Item) {
  return { ...paged, count: items.length, items: items.map((row) => toItem(row)) };
}
