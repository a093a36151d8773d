import { AsyncLocalStorage } from 'node:async_hooks';

import { expect, test, vi } from 'vitest';

import { createBucket, isExceeded } from './rate-limit.ts';

const limit = { name: 'calls', quota: 5, windowSeconds: 60 };

function createClocked(workers = 1) {
  let time = 1_000_000;
  const bucket = createBucket(limit, { workers, clock: () => time });
  return { bucket, pass: (seconds: number) => void (time += seconds * 1000) };
}

test('counts each key in a window that begins with its first request', () => {
  const { bucket, pass } = createClocked();
  expect(bucket.count('a').count).toEqual({ requests: 1, seconds: 60 });
  pass(20.5);
  expect(bucket.count('a').count).toEqual({ requests: 2, seconds: 40 });
  expect(bucket.count('b').count).toEqual({ requests: 1, seconds: 60 });
  pass(39.5);
  expect(bucket.count('a').count).toEqual({ requests: 1, seconds: 60 });
});

test('says before a request whether it would exceed the limit, and counts nothing by that', () => {
  const { bucket, pass } = createClocked();
  for (let request = 1; request <= 5; request += 1) {
    expect(bucket.isFull('a')).toBe(false);
    expect(isExceeded(bucket.count('a'))).toBe(false);
  }
  expect(bucket.isFull('a')).toBe(true);
  expect(isExceeded(bucket.count('a'))).toBe(true);
  pass(60);
  expect(bucket.isFull('a')).toBe(false);
});

test('a subtracted request does not count, and a window that has ended cannot become negative', () => {
  const { bucket, pass } = createClocked();
  bucket.count('a');
  bucket.count('a');
  bucket.subtract('a');
  expect(bucket.count('a').count.requests).toBe(2);
  pass(60);
  bucket.subtract('a');
  expect(bucket.count('a').count.requests).toBe(1);
});

test('each process allows its share of the quota, rounded up', () => {
  expect(createClocked(2).bucket.count('a').quota).toBe(3);
});

test('a window never has more seconds left than it is long, whatever the clock says', () => {
  let reads = 0;
  const bucket = createBucket(
    { name: 'calls', quota: 1, windowSeconds: 60 },
    { workers: 1, clock: () => 6000 + (reads += 1) / 7 },
  );
  const seconds = Array.from({ length: 1000 }, (_, key) => bucket.count(String(key)).count.seconds);
  expect(new Set(seconds)).toEqual(new Set([60]));
});

test('a window does not keep the request that opened it: its end is outside of the context of that', async () => {
  const request = new AsyncLocalStorage<string>();
  const contexts: (string | undefined)[] = [];
  const clock = () => {
    contexts.push(request.getStore());
    return performance.now();
  };
  const shared = { isReady: () => false, add: () => expect.unreachable() };
  const bucket = createBucket({ name: 'calls', quota: 1, windowSeconds: 0.01 }, { workers: 1, shared, clock });
  request.run('a request', () => bucket.count('a'));
  await vi.waitFor(() => expect(contexts.length).toBeGreaterThan(1), 50_000);
  expect(new Set(contexts)).toEqual(new Set(['a request', undefined]));
  expect(contexts[0]).toBe('a request');
});
