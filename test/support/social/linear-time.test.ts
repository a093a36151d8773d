import { expect, test } from 'vitest';

import { maxLinearGrowth, measureGrowth } from './linear-time.ts';

/** Iterates to the end from every 128th start (quadratic), or from two starts (linear). */
function walk(length: number, isQuadratic: boolean): number {
  let sum = 0;
  for (let start = 0; start < (isQuadratic ? length : 256); start += 128) {
    for (let position = 0; position < length; position += 1) sum += start ^ position;
  }
  return sum;
}

test('distinguishes quadratic from linear work', () => {
  expect(measureGrowth('x', (text) => walk(text.length, true))).toBeGreaterThan(maxLinearGrowth);
  expect(measureGrowth('x', (text) => walk(text.length, false))).toBeLessThan(maxLinearGrowth);
});
