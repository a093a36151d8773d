import { expect, test } from 'vitest';

import { storeApart } from './store-apart.ts';

/** As `pg` reports it. */
function databaseError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

async function store(items: readonly number[], rejected: readonly number[], code: string) {
  const stored: number[] = [];
  const lost: [readonly number[], unknown][] = [];
  let statements = 0;
  const insert = async (part: readonly number[]): Promise<void> => {
    statements += 1;
    await Promise.resolve();
    if (part.some((item) => rejected.includes(item))) throw databaseError(code);
    stored.push(...part);
  };
  await storeApart(items, insert, (part, cause) => void lost.push([part, cause]));
  return { stored, lost, statements };
}

const items = Array.from({ length: 100 }, (_, index) => index);

test.each([[[0]], [[99]], [[50]], [[3, 4, 77]], [items]])('a rejected row loses no other: %j', async (rejected) => {
  // String too long, invalid text, a violated constraint, a row that is too large, an exception of a trigger.
  for (const code of ['22001', '22P05', '23514', '54000', 'P0001']) {
    const { stored, lost } = await store(items, rejected, code);
    expect(stored).toEqual(items.filter((item) => !rejected.includes(item)));
    expect(lost).toEqual(rejected.map((item) => [[item], databaseError(code)]));
  }
});

test('one rejected row of a hundred costs few statements', async () => {
  expect((await store(items, [50], '22001')).statements).toBeLessThanOrEqual(15);
});

test.each(['57014', '08006', '40P01', '53300', 'ECONNREFUSED'])('%s repeats nothing', async (code) => {
  const { statements, lost } = await store(items, [50], code);
  expect({ statements, lost }).toEqual({ statements: 1, lost: [[items, databaseError(code)]] });
});
