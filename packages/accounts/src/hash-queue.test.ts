import { setTimeout as delay } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { HashQueueFull, createHashQueue } from './hash-queue.ts';

const patient = { atOnce: 2, capacity: 64, patienceMs: 20_000 };

test('R16: never more at once than allowed, and whoever came first goes first', async () => {
  const queue = createHashQueue(patient);
  let running = 0;
  let most = 0;
  const begun: number[] = [];
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      queue.run(async () => {
        begun.push(index);
        running += 1;
        most = Math.max(most, running);
        await delay(index % 3);
        running -= 1;
      }),
    ),
  );
  expect(most).toBe(2);
  expect(begun).toEqual(Array.from({ length: 50 }, (_, index) => index));
});

test('R16: what the queue cannot hold is refused at once, and all else is done', async () => {
  const queue = createHashQueue({ ...patient, capacity: 3 });
  const asked = Array.from({ length: 8 }, (_, index) => queue.run(() => delay(5, index)));
  expect(queue.isFull()).toBe(true);
  const results = await Promise.allSettled(asked);
  expect(queue.isFull()).toBe(false);
  expect(results.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 5 }, () => 'fulfilled'),
    ...Array.from({ length: 3 }, () => 'rejected'),
  ]);
  expect(results.at(-1)).toMatchObject({ reason: expect.any(HashQueueFull) });
  await expect(queue.run(() => Promise.resolve('again'))).resolves.toBe('again');
});

test('R16: who waits too long is refused, and keeps nobody else from their turn', async () => {
  const queue = createHashQueue({ atOnce: 1, capacity: 3, patienceMs: 20 });
  const { promise, resolve } = Promise.withResolvers<string>();
  const slow = queue.run(() => promise);
  expect(queue.isFull()).toBe(false);
  await expect(queue.run(() => Promise.resolve('never'))).rejects.toThrow(HashQueueFull);
  resolve('done');
  await expect(slow).resolves.toBe('done');
  await expect(queue.run(() => Promise.resolve('next'))).resolves.toBe('next');
});

test('work that fails gives its turn on', async () => {
  const queue = createHashQueue({ ...patient, atOnce: 1 });
  const failing = queue.run(() => Promise.reject(new Error('no memory')));
  const following = queue.run(() => Promise.resolve('fine'));
  await expect(failing).rejects.toThrow('no memory');
  await expect(following).resolves.toBe('fine');
});
