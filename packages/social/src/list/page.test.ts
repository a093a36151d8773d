import { encodeCursor } from '@linnet/contract/paging';
import { describe, expect, test } from 'vitest';

import { toPage, toPaged } from './page.ts';

const afterAllIds = 2 ** 53;

test.each([
  [
    { count: 70, page: 1 },
    { limit: 70, fetchLimit: 71, offset: 0 },
  ],
  [
    { count: 100, page: 30 },
    { limit: 100, fetchLimit: 100, offset: 2900 },
  ],
  [
    { count: 70, page: 43 },
    { limit: 60, fetchLimit: 60, offset: 2940 },
  ],
  [
    { count: 70, page: 44 },
    { limit: 0, fetchLimit: 0, offset: 3000 },
  ],
  [
    { count: 100, page: 2 ** 31 },
    { limit: 0, fetchLimit: 0, offset: 3000 },
  ],
])('maps %o to %o within the latest 3000', (input, expected) => {
  expect(toPage(input, 3000)).toEqual({ ...expected, from: 'number', boundaryId: afterAllIds, order: 'newest' });
});

test('reaches every page of a list without a window', () => {
  expect(toPage({ count: 100, page: 2 ** 31 })).toMatchObject({ limit: 100, offset: 100 * (2 ** 31 - 1) });
});

test('a cursor takes precedence over the page number', () => {
  const cursor = { direction: 'newer', id: 12 } as const;
  expect(toPage({ count: 7, page: 9, cursor }, 3000)).toEqual({
    from: 'newer',
    limit: 7,
    fetchLimit: 8,
    offset: 0,
    boundaryId: 12,
    order: 'newest',
  });
});

describe('cursors in the response', () => {
  const older = toPage({ count: 2, page: 1 });
  const newer = toPage({ count: 2, page: 1, cursor: { direction: 'newer', id: 1 } });
  const paged = (rows: number[], hasPreceding: boolean, page = older) =>
    toPaged({ total: 9, rows, hasPreceding }, page, (id) => id);
  const forwards = toPage({ count: 2, page: 2, order: 'oldest' });
  const backwards = toPage({ count: 2, page: 1, order: 'oldest', cursor: { direction: 'older', id: 3 } });
  const [on, back] = [encodeCursor({ direction: 'newer', id: 2 }), encodeCursor({ direction: 'older', id: 1 })];
  const next = encodeCursor({ direction: 'older', id: 8 });
  const prev = encodeCursor({ direction: 'newer', id: 9 });

  test.each([
    ['the only page', paged([9, 8], false), { items: [9, 8], prev, hasNewer: false }],
    ['the first page', paged([9, 8, 7], false), { items: [9, 8], next, prev, hasNewer: false }],
    ['a middle page', paged([9, 8, 7], true), { items: [9, 8], next, prev, hasNewer: true }],
    ['the last page', paged([9, 8], true), { items: [9, 8], prev, hasNewer: true }],
    ['the first page, reached backwards', paged([8, 9], true, newer), { items: [9, 8], next, prev, hasNewer: false }],
    ['a middle page, reached backwards', paged([8, 9, 10], true, newer), { items: [9, 8], next, prev, hasNewer: true }],
    ['an empty page', paged([], true), { items: [], hasNewer: false }],
    ['the oldest first', paged([1, 2, 3], false, forwards), { items: [1, 2], next: on, prev: back, hasNewer: true }],
    ['the newest last', paged([1, 2], true, forwards), { items: [1, 2], prev: back, hasNewer: false }],
    [
      'the oldest first, reached backwards',
      paged([2, 1], true, backwards),
      { items: [1, 2], next: on, prev: back, hasNewer: true },
    ],
  ])('%s', (_name, found, expected) => {
    expect(found).toEqual({ total: 9, ...expected });
  });
});
