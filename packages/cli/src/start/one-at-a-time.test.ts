import { expect, test } from 'vitest';

import { oneAtATime } from './worker-pool.ts';

test('calls during a run share one more run, also if it fails', async () => {
  const runs: PromiseWithResolvers<number>[] = [];
  const run = oneAtATime(async () => {
    const started = Promise.withResolvers<number>();
    runs.push(started);
    return await started.promise;
  });
  const first = run(0);
  await expect.poll(() => runs.length).toBe(1);
  const later = [run(0), run(0), run(0)];
  runs[0]?.reject(new Error('planted'));
  await expect(first).rejects.toThrow('planted');
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve(2);
  expect(await Promise.all(later)).toEqual([2, 2, 2]);
  const last = run(0);
  await expect.poll(() => runs.length).toBe(3);
  runs[2]?.resolve(3);
  expect(await last).toBe(3);
});
