import { expect, test } from 'vitest';

import { pageWindow } from './paging.ts';

test.each([
  [
    { count: 70, page: 1 },
    { limit: 70, offset: 0 },
  ],
  [
    { count: 100, page: 30 },
    { limit: 100, offset: 2900 },
  ],
  [
    { count: 70, page: 43 },
    { limit: 60, offset: 2940 },
  ],
  [
    { count: 70, page: 44 },
    { limit: 0, offset: 3000 },
  ],
  [
    { count: 100, page: 2 ** 31 },
    { limit: 0, offset: 3000 },
  ],
])('%o of the latest 3000 is %o', (page, window) => {
  expect(pageWindow(page, 3000)).toEqual(window);
});
