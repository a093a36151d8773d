import { expect, test } from 'vitest';

import { createRestartPolicy } from './restart-policy.ts';

test('each death within a minute doubles the delay, and the fifth is the last', () => {
  const policy = createRestartPolicy();
  const delays = [0, 1000, 2000, 3000, 59_999].map((at) => policy.afterDeath(at));
  expect(delays).toEqual([100, 200, 400, 800, undefined]);
});

test('a death no longer counts after a minute', () => {
  const policy = createRestartPolicy();
  const delays = Array.from({ length: 20 }, (_, index) => policy.afterDeath(index * 15_000));
  expect(delays.slice(4)).toEqual(Array.from({ length: 16 }, () => 800));
});
