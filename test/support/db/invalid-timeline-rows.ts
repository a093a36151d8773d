import type { Row } from './valid-rows.ts';

/** Changes that make a valid row of a timeline invalid, with the constraint that rejects it. */
export const invalidTimelineRows: [
  rule: string,
  table: 'timeline' | 'timeline_change',
  changes: Row,
  rejectedBy: string,
][] = [
  ['a second one of a reader', 'timeline', {}, 'timeline_pkey'],
  ['a reader who does not exist', 'timeline', { reader_id: 999 }, 'timeline_reader_id_fkey'],
  ['a negative length', 'timeline', { reader_id: 2, body_count: -1 }, 'timeline_body_count_check'],
  ['an item without an id', 'timeline_change', { id: 1, kind: 'item' }, 'timeline_change_item_check'],
  ['the item of a reader', 'timeline_change', { id: 1, item_id: 1 }, 'timeline_change_item_check'],
];
