import { expect, test } from 'vitest';

import { createTally } from './tally.ts';

function createSums(store: (sums: ReadonlyMap<string, number>) => Promise<void>) {
  return createTally<number>({ join: (one, other) => one + other, store });
}

test('what has come since the last time is stored together, and nothing twice', async () => {
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

test('what cannot be stored waits, together with what comes meanwhile', async () => {
  const stored: object[] = [];
  let isAway = true;
  const sums = createSums(async (given) => {
    if (isAway) throw new Error('away');
    stored.push(Object.fromEntries(given));
  });
  sums.add('a', 1);
  const flushing = sums.flush();
  sums.add('a', 2);
  await expect(flushing).rejects.toThrow('away');
  isAway = false;
  await sums.flush();
  expect(stored).toEqual([{ a: 3 }]);
});

test('an absent database does not fill the memory', async () => {
  let size = 0;
  const sums = createSums(async (given) => void (size = given.size));
  for (let key = 0; key < 50_010; key += 1) sums.add(String(key), 1);
  await sums.flush();
  expect(size).toBe(50_000);
});
