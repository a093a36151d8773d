import { expect, test } from 'vitest';

import { createRestartPolicy } from './worker-pool.ts';

test('each death of a slot within a minute doubles the delay; with one worker, the fifth is the last', () => {
  const policy = createRestartPolicy(1);
  const delays = [0, 1000, 2000, 3000, 59_999].map((at) => policy.afterDeath(0, at));
  expect(delays).toEqual([100, 200, 400, 800, undefined]);
});

test('a death no longer counts after a minute', () => {
  const policy = createRestartPolicy(1);
  const delays = Array.from({ length: 20 }, (_, index) => policy.afterDeath(0, index * 15_000));
  expect(delays.slice(4)).toEqual(Array.from({ length: 16 }, () => 800));
});

test('a slot whose workers keep dying is restarted at most every ten seconds and does not end the service', () => {
  const policy = createRestartPolicy(2);
  const delays = Array.from({ length: 9 }, (_, index) => policy.afterDeath(0, index));
  expect(delays).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
  expect(policy.afterDeath(1, 10)).toBe(100);
});

test('one death in each of many slots does not end the service; five in every slot do', () => {
  const policy = createRestartPolicy(8);
  const round = () => Array.from({ length: 8 }, (_, slot) => policy.afterDeath(slot, 0));
  expect(round()).toEqual(Array.from({ length: 8 }, () => 100));
  for (let deaths = 2; deaths <= 4; deaths += 1) round();
  expect(round()).toEqual([...Array.from({ length: 7 }, () => 1600), undefined]);
});
