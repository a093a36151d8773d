import { expect, test } from 'vitest';

import { growthOf, linear } from './linear-time.ts';

/** Walks over the length from each of many starts, or from two. */
function walk(length: number, isQuadratic: boolean): number {
  let sum = 0;
  for (let start = 0; start < (isQuadratic ? length : 256); start += 128) {
    for (let position = 0; position < length; position += 1) sum += start ^ position;
  }
  return sum;
}

test('quadratic work is told from linear work', () => {
  expect(growthOf('x', (text) => walk(text.length, true))).toBeGreaterThan(linear);
  expect(growthOf('x', (text) => walk(text.length, false))).toBeLessThan(linear);
});
