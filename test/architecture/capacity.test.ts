import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { describeCapacity, planCapacity } from '../benchmark/capacity.ts';
import type { Results } from '../benchmark/results.ts';

const read = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');
const stored = JSON.parse(read('measurements/performance.json')) as Results;

test('docs/operations/scale.md has what follows from the stored run', () => {
  const section = /<!-- capacity[^>]*-->\n\n([^]*?)\n\n<!-- end of capacity -->/.exec(read('operations/scale.md'))?.[1];
  expect(section).toBe(describeCapacity(stored));
});

test('cores and calls grow with the accounts, and a run without one of the calls is refused', () => {
  // 86,400 active people at the busiest minute of three means: each daily call is three calls per second.
  const [small, large] = [planCapacity(stored, 432_000), planCapacity(stored, 4_320_000)];
  expect(small.callsPerSecond).toBeCloseTo(3 * 208.2);
  expect(large.workerCores).toBeCloseTo(10 * small.workerCores);
  expect(large.readingCores).toBeCloseTo(10 * small.readingCores);
  expect(() => planCapacity({ rows: stored.rows.slice(1, 4) }, 1)).toThrow('the run has no ');
});
