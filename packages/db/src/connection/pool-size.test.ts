import { expect, test } from 'vitest';

import { poolSizeFor } from './pool-size.ts';

test.each([
  [100, 2, 10],
  [100, 9, 10],
  [100, 10, 9],
  [100, 32, 2],
  [20, 4, 2],
  [100, 128, 1],
  [5, 1, 1],
])('of %i connections, each of %i workers gets %i', (maxConnections, workers, size) => {
  expect(poolSizeFor(maxConnections, workers)).toBe(size);
});
