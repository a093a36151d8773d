import { totalmem } from 'node:os';

import { expect, test } from 'vitest';

import { availableMemory, workerFlags } from './worker-pool.ts';

const gibibyte = 2 ** 30;

test.each([
  { count: 1, memoryBytes: gibibyte, hasLargePages: true },
  { count: 2, memoryBytes: gibibyte, hasLargePages: false },
  { count: 8, memoryBytes: 8 * gibibyte, hasLargePages: true },
])('$count workers and $memoryBytes bytes: large pages $hasLargePages', ({ hasLargePages, ...host }) => {
  expect(workerFlags(host).includes('--use-largepages=silent')).toBe(hasLargePages);
});

test('the memory of a container counts, or that of the host', () => {
  expect(availableMemory()).toBeGreaterThan(0);
  expect(availableMemory()).toBeLessThanOrEqual(totalmem());
});
