import { expect, test } from 'vitest';

import { createSumBuffer } from './sum-buffer.ts';

function createSums(store: (sums: ReadonlyMap<string, number>) => Promise<void>) {
  return createSumBuffer<number>({ join: (one, other) => one + other, store });
}

test('flush stores the sums since the last call, once', async () => {
  const stored: object[] = [];
  const sums = createSums(async (given) => void stored.push(Object.fromEntries(given)));
  await sums.flush();
  for (const [key, amount] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
  ] as const) {
    sums.add(key, amount);
  }
  await sums.flush();
  await sums.flush();
  sums.add('a', 5);
  await sums.flush();
  expect(stored).toEqual([{ a: 4, b: 2 }, { a: 5 }]);
});

test('sums that cannot be stored are stored with the next ones', async () => {
  const stored: object[] = [];
  let isUnreachable = true;
  const sums = createSums(async (given) => {
    if (isUnreachable) throw new Error('unreachable');
    stored.push(Object.fromEntries(given));
  });
  sums.add('a', 1);
  const flushing = sums.flush();
  sums.add('a', 2);
  await expect(flushing).rejects.toThrow('unreachable');
  isUnreachable = false;
  await sums.flush();
  expect(stored).toEqual([{ a: 3 }]);
});

test('a sum that the database rejects is dropped, and the others are stored once', async () => {
  const stored: object[] = [];
  const sums = createSums(async (given) => {
    if (given.has('b')) throw Object.assign(new Error('value too long'), { code: '22001' });
    stored.push(Object.fromEntries(given));
  });
  for (const key of ['a', 'b', 'c']) sums.add(key, 1);
  await expect(sums.flush()).rejects.toThrow('value too long');
  await sums.flush();
  expect(stored).toEqual([{ a: 1 }, { c: 1 }]);
});

test('limits the number of keys while the database is unreachable', async () => {
  let size = 0;
  const sums = createSums(async (given) => void (size = given.size));
  for (let key = 0; key < 50_010; key += 1) sums.add(String(key), 1);
  await sums.flush();
  expect(size).toBe(50_000);
});
