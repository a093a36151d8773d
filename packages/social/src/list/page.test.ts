import { encodeCursor } from '@linnet/contract/paging';
import { describe, expect, test } from 'vitest';

import { pageOf, toPage } from './page.ts';

const beyondIds = 2 ** 53;

test.each([
  [
    { count: 70, page: 1 },
    { limit: 70, fetched: 71, offset: 0 },
  ],
  [
    { count: 100, page: 30 },
    { limit: 100, fetched: 100, offset: 2900 },
  ],
  [
    { count: 70, page: 43 },
    { limit: 60, fetched: 60, offset: 2940 },
  ],
  [
    { count: 70, page: 44 },
    { limit: 0, fetched: 0, offset: 3000 },
  ],
  [
    { count: 100, page: 2 ** 31 },
    { limit: 0, fetched: 0, offset: 3000 },
  ],
])('%o of the latest 3000 is %o', (input, expected) => {
  expect(toPage(input, 3000)).toEqual({ ...expected, from: 'number', bound: beyondIds });
});

test('without a window every page can be reached', () => {
  expect(toPage({ count: 100, page: 2 ** 31 })).toMatchObject({ limit: 100, offset: 100 * (2 ** 31 - 1) });
});

test('a cursor takes the place of the page', () => {
  const cursor = { direction: 'newer', id: 12 } as const;
  expect(toPage({ count: 7, page: 9, cursor }, 3000)).toEqual({
    from: 'newer',
    limit: 7,
    fetched: 8,
    offset: 0,
    bound: 12,
  });
});

describe('the ways on from a page', () => {
  const older = toPage({ count: 2, page: 1 });
  const newer = toPage({ count: 2, page: 1, cursor: { direction: 'newer', id: 1 } });
  const paged = (rows: number[], behind: boolean, page = older) => pageOf({ total: 9, rows, behind }, page, (id) => id);
  const next = encodeCursor({ direction: 'older', id: 8 });
  const prev = encodeCursor({ direction: 'newer', id: 9 });

  test.each([
    ['the only page', paged([9, 8], false), { items: [9, 8] }],
    ['the first', paged([9, 8, 7], false), { items: [9, 8], next }],
    ['one between', paged([9, 8, 7], true), { items: [9, 8], next, prev }],
    ['the last', paged([9, 8], true), { items: [9, 8], prev }],
    ['the last on the way back', paged([8, 9], true, newer), { items: [9, 8], next }],
    ['one between on the way back', paged([8, 9, 10], true, newer), { items: [9, 8], next, prev }],
    ['an empty one', paged([], true), { items: [] }],
  ])('%s', (_name, answer, expected) => {
    expect(answer).toEqual({ total: 9, ...expected });
  });
});
