import type { Paged } from './page.ts';

/** Builds the response of a list, in the order of its contract row; `toItem` builds each item. */
export function toListResponse<Row, Item>(
  { total, items, hasNewer: _hasNewer, ...cursors }: Paged<Row>,
  toItem: (row: Row) => Item,
) {
  return { total, count: items.length, items: items.map((row) => toItem(row)), ...cursors };
}
