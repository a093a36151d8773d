import { setImmediate as turn } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { createBatches } from './batches.ts';

test('what comes while a batch is being stored makes up the next one', async () => {
  const stored: (readonly number[])[] = [];
  const first = Promise.withResolvers<undefined>();
  const batches = createBatches<number>({
    store: async (items) => {
      stored.push(items);
      await first.promise;
    },
    onLost: () => expect.unreachable(),
  });
  for (const item of [1, 2, 3]) batches.add(item);
  expect(stored).toEqual([[1]]);
  first.resolve(undefined);
  await turn();
  expect(stored).toEqual([[1], [2, 3]]);
  batches.add(4);
  expect(stored).toEqual([[1], [2, 3], [4]]);
});

test('a batch that cannot be stored is given up and told, and the next one is stored', async () => {
  const stored: (readonly number[])[] = [];
  const lost: number[] = [];
  const batches = createBatches<number>({
    store: async (items) => {
      if (items.includes(1)) await Promise.reject(new Error('away'));
      stored.push(items);
    },
    onLost: (count) => lost.push(count),
  });
  for (const item of [1, 2, 3]) batches.add(item);
  await turn();
  expect({ stored, lost }).toEqual({ stored: [[2, 3]], lost: [1] });
});

test('an absent database does not fill the memory', async () => {
  let lost = 0;
  const batches = createBatches<number>({
    store: () => new Promise(() => undefined),
    onLost: (count) => (lost += count),
  });
  for (let item = 0; item < 10_011; item += 1) batches.add(item);
  await turn();
  // One was taken out at once.
  expect(lost).toBe(10);
});
