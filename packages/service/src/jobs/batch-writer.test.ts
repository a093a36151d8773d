import { setImmediate as turn } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { createBatchWriter } from './batch-writer.ts';

test('items that arrive while a batch is stored form the next one', async () => {
  const stored: (readonly number[])[] = [];
  const first = Promise.withResolvers<undefined>();
  const writer = createBatchWriter<number>({
    store: async (items) => {
      stored.push(items);
      await first.promise;
    },
    onLost: () => expect.unreachable(),
  });
  for (const item of [1, 2, 3]) writer.add(item);
  expect(stored).toEqual([[1]]);
  first.resolve(undefined);
  await turn();
  expect(stored).toEqual([[1], [2, 3]]);
  writer.add(4);
  expect(stored).toEqual([[1], [2, 3], [4]]);
});

test('drops and reports a batch that cannot be stored, and stores the next one', async () => {
  const stored: (readonly number[])[] = [];
  const lost: number[] = [];
  const writer = createBatchWriter<number>({
    store: async (items) => {
      if (items.includes(1)) await Promise.reject(new Error('away'));
      stored.push(items);
    },
    onLost: (count) => lost.push(count),
  });
  for (const item of [1, 2, 3]) writer.add(item);
  await turn();
  expect({ stored, lost }).toEqual({ stored: [[2, 3]], lost: [1] });
});

test('limits the queue while the database is unreachable', async () => {
  let lost = 0;
  const writer = createBatchWriter<number>({
    store: () => new Promise(() => undefined),
    onLost: (count) => (lost += count),
  });
  for (let item = 0; item < 10_011; item += 1) writer.add(item);
  await turn();
  // The first item was taken out of the queue at once.
  expect(lost).toBe(10);
});
