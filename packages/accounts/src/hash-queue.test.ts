import { setTimeout as delay } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { HashQueueFull, createHashQueue } from './hash-queue.ts';

const usual = { concurrency: 2, capacity: 64, maxWaitMs: 20_000 };

test('R16: runs at most `concurrency` jobs at a time, first in, first out', async () => {
  const queue = createHashQueue(usual);
  let running = 0;
  let mostRunning = 0;
  const started: number[] = [];
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      queue.run(async () => {
        started.push(index);
        running += 1;
        mostRunning = Math.max(mostRunning, running);
        await delay(index % 3);
        running -= 1;
      }),
    ),
  );
  expect(mostRunning).toBe(2);
  expect(started).toEqual(Array.from({ length: 50 }, (_, index) => index));
});

test('R16: rejects at once the jobs above its capacity and runs the others', async () => {
  const queue = createHashQueue({ ...usual, capacity: 3 });
  const jobs = Array.from({ length: 8 }, (_, index) => queue.run(() => delay(5, index)));
  expect(queue.isFull()).toBe(true);
  const results = await Promise.allSettled(jobs);
  expect(queue.isFull()).toBe(false);
  expect(results.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 5 }, () => 'fulfilled'),
    ...Array.from({ length: 3 }, () => 'rejected'),
  ]);
  expect(results.at(-1)).toMatchObject({ reason: expect.any(HashQueueFull) });
  await expect(queue.run(() => Promise.resolve('again'))).resolves.toBe('again');
});

test('R16: rejects a job that waited too long, and runs the next one', async () => {
  const queue = createHashQueue({ concurrency: 1, capacity: 3, maxWaitMs: 20 });
  const { promise, resolve } = Promise.withResolvers<string>();
  const slow = queue.run(() => promise);
  expect(queue.isFull()).toBe(false);
  await expect(queue.run(() => Promise.resolve('never'))).rejects.toThrow(HashQueueFull);
  resolve('done');
  await expect(slow).resolves.toBe('done');
  await expect(queue.run(() => Promise.resolve('next'))).resolves.toBe('next');
});

test('runs the next job after one that fails', async () => {
  const queue = createHashQueue({ ...usual, concurrency: 1 });
  const failing = queue.run(() => Promise.reject(new Error('no memory')));
  const following = queue.run(() => Promise.resolve('fine'));
  await expect(failing).rejects.toThrow('no memory');
  await expect(following).resolves.toBe('fine');
});
