import { setImmediate } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';

import { DatabaseBusy } from '../connection/database-error.ts';
import { openDatabase } from '../database.ts';
import type { Db } from '../database.ts';
import { batchNumber, batchedWrite, gatherIds, lookup, statement, toIdList } from './statement.ts';
import type { IdList } from './statement.ts';
import { createTestDatabase } from '@linnet/test/db/test-database';

const findSquare = lookup<readonly [number: number | null, factor: number], { square: number; number: number }>(
  'test_find_square',
  ['bigint', 'bigint'],
  'SELECT number * number * $2::bigint AS square, number FROM test_number WHERE number = $1',
);
const findByName = lookup<readonly [name: string | null], { number: number }>(
  'test_find_by_name',
  ['text'],
  'SELECT number FROM test_number WHERE name = $1',
);
/** Which of the ids the number divides. Fails for 0. */
const findMultiples = gatherIds(
  lookup<readonly [number: number, ids: IdList], { multiples: readonly number[] | null }>(
    'test_find_multiples',
    ['bigint', 'text'],
    'SELECT array_agg(id ORDER BY id) AS multiples FROM unnest($2::bigint[]) id WHERE id % $1::bigint = 0',
  ),
);
/** Fails for the number 0. */
const divide = lookup<readonly [number: number], { quotient: number }>(
  'test_divide',
  ['bigint'],
  'SELECT 100 / $1::bigint AS quotient',
);
const sleep = lookup<readonly [seconds: number], { slept: number }>(
  'test_sleep',
  ['float8'],
  'SELECT 1 AS slept FROM pg_sleep($1)',
);
const waitForLock = lookup<readonly [lock: number], { waited: number }>(
  'test_wait_for_lock',
  ['bigint'],
  'SELECT 1 AS waited FROM pg_advisory_xact_lock($1)',
);
const insert = statement<readonly [number: number, name: string], never>(
  'test_insert_number',
  'INSERT INTO test_number (number, name) VALUES ($1, $2)',
);

/** Locks the row of a number, in name only. */
const occupy = statement<readonly [number: number], unknown>('test_occupy', 'SELECT $1::bigint', ([number]) => [
  `number/${String(number)}`,
]);
const echo = batchedWrite<readonly [number: number], { wanted: number }>('test_echo', {
  text: 'SELECT $1::bigint AS wanted',
  columns: ['wanted bigint'],
  batchText: `found AS (SELECT number, wanted FROM batch) SELECT number AS "${batchNumber}", wanted FROM found`,
  lock: ([number]) => `number/${String(number)}`,
});

const cleanup = new AsyncDisposableStack();
const statements: string[] = [];
let db: Db;
/** Has one connection, so statements finish in the order in which they are sent. */
let inOrder: Db;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  const options = { url: database.url, prepare: true, onStatement: (text: string) => void statements.push(text) };
  db = cleanup.use(openDatabase({ ...options, poolSize: 4 }));
  inOrder = cleanup.use(openDatabase({ ...options, poolSize: 1 }));
  await db.prisma.$executeRaw`CREATE TABLE test_number (number bigint PRIMARY KEY, name text NOT NULL)`;
  for (let number = 1; number <= 50; number += 1) await db.query(insert, [number, `{"${String(number)}",NULL\\}`]);
});
afterAll(() => cleanup.disposeAsync());
beforeEach(() => void (statements.length = 0));
afterEach(() => void vi.useRealTimers());

test('a call on its own is the plain statement', async () => {
  expect(await db.query(findSquare, [3, 2])).toEqual([{ square: 18, number: 3 }]);
  expect(statements).toEqual([findSquare.text]);
});

test('calls of one turn of the event loop are one statement, whatever they find', async () => {
  const numbers = [7, 99, null, 7, 1];
  const rows = await Promise.all(numbers.map((number) => db.query(findSquare, [number, 2])));
  expect(rows.map(([row]) => row?.square)).toEqual([98, undefined, undefined, 98, 2]);
  expect(statements).toEqual([findSquare.batch.text]);
});

test('values are passed on as they are', async () => {
  const names = ['{"5",NULL\\}', 'NULL', null, '', '{"6",NULL\\}'];
  const rows = await Promise.all(names.map((name) => db.query(findByName, [name])));
  expect(rows.map(([row]) => row?.number)).toEqual([5, undefined, undefined, undefined, 6]);
});

test('equal calls are sent once', async () => {
  const find = async (number: number) => await db.query(findSquare, [number, 2]);
  expect(await Promise.all([find(7), find(7)])).toEqual([[{ square: 98, number: 7 }], [{ square: 98, number: 7 }]]);
  expect(statements).toEqual([findSquare.text]);
  const [one, two, three] = await Promise.all([find(7), find(8), find(7)]);
  expect([one, two]).toMatchObject([[{ square: 98 }], [{ square: 128 }]]);
  expect(three?.[0]).toBe(one?.[0]);
});

test('calls that differ only in their list of ids are sent once, with all ids', async () => {
  const find = async (number: number, ids: readonly number[]) => await db.query(findMultiples, [number, toIdList(ids)]);
  expect(await find(2, [3])).toEqual([{ multiples: null }]);
  expect(await Promise.all([find(2, [4]), find(2, []), find(2, [6, 5]), find(2, [4])])).toEqual(
    Array.from({ length: 4 }, () => [{ multiples: [4, 6] }]),
  );
  expect(await Promise.all([find(2, []), find(2, [])])).toEqual([[{ multiples: null }], [{ multiples: null }]]);
  expect(statements).toEqual(Array.from({ length: 3 }, () => findMultiples.text));
  const [one, two, three] = await Promise.all([find(2, [4]), find(3, [6, 4]), find(2, [8])]);
  expect([one, two]).toMatchObject([[{ multiples: [4, 8] }], [{ multiples: [6] }]]);
  expect(three?.[0]).toBe(one?.[0]);
  expect(statements.at(-1)).toBe(findMultiples.batch.text);
});

test('calls that arrive while two batches are under way wait for the next one', async () => {
  const calls: Promise<unknown>[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    calls.push(db.query(sleep, [0.05]), db.query(sleep, [0]));
    await setImmediate();
  }
  await Promise.all(calls);
  expect(statements.length).toBeLessThan(20);
  expect(new Set(statements)).toEqual(new Set([sleep.batch.text]));
});

test('calls that are fewer than those under way wait for them, but not long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const first = await db.transaction(async (tx) => {
    await tx.query(waitForLock, [1]);
    const blocked = [1, 2].map(async (lock) => await db.query(waitForLock, [lock]));
    await setImmediate();
    const late = db.query(waitForLock, [3]);
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    expect(statements.filter((text) => text === waitForLock.text)).toHaveLength(1);
    vi.advanceTimersByTime(10);
    expect(await late).toEqual([{ waited: 1 }]);
    return { blocked };
  });
  expect(await Promise.all(first.blocked)).toHaveLength(2);
});

test('a batch has at most 64 calls', async () => {
  const rows = await Promise.all(Array.from({ length: 200 }, (_, index) => db.query(findSquare, [index % 60, 1])));
  expect(rows.map(([row]) => row?.number)).toEqual(
    Array.from({ length: 200 }, (_, index) => (index % 60 >= 1 && index % 60 <= 50 ? index % 60 : undefined)),
  );
  expect(statements).toHaveLength(4);
});

test.each([
  ['sent in the same turn', async () => {}],
  [
    'sent while two batches are under way',
    async () => {
      while (statements.length < 2) await setImmediate();
    },
  ],
])('a caller with 1,000 calls delays the call of another, %s, by one batch', async (_, wait) => {
  const many = inOrder.onBehalfOf('client-with-many-calls');
  const calls = Array.from({ length: 1000 }, async (_one, index) => await many.query(findSquare, [index % 50, 1]));
  await wait();
  const sentBefore = statements.length;
  expect(await inOrder.onBehalfOf(1).query(findSquare, [7, 2])).toMatchObject([{ square: 98, number: 7 }]);
  // Two batches may be sent with it, or after it.
  expect(statements.length - sentBefore).toBeLessThanOrEqual(4);
  const rows = await Promise.all(calls);
  expect(rows.map(([row]) => row?.number ?? 0)).toEqual(Array.from({ length: 1000 }, (_one, index) => index % 50));
});

test('callers with many calls each get an equal share of a batch', async () => {
  const finished: number[] = [];
  const callers = [1, 2, 3].flatMap((caller) =>
    Array.from({ length: 100 }, async () => {
      await db.onBehalfOf(caller).query(findSquare, [caller, 1]);
      finished.push(caller);
    }),
  );
  await Promise.all(callers);
  const amongFirst = [1, 2, 3].map((one) => finished.slice(0, 64).filter((caller) => caller === one).length);
  expect(amongFirst.toSorted((a, b) => a - b)).toEqual([21, 21, 22]);
});

describe('a failure', () => {
  test('of one call is not the failure of the others', async () => {
    const outcomes = await Promise.allSettled([5, 0, 20].map((number) => db.query(divide, [number])));
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: [{ quotient: 20 }] },
      { status: 'rejected', reason: expect.objectContaining({ code: '22012' }) },
      { status: 'fulfilled', value: [{ quotient: 5 }] },
    ]);
  });

  test('of calls with different ids: each that is repeated has its own', async () => {
    const outcomes = await Promise.allSettled(
      [0, 2, 2].map((number, index) => db.query(findMultiples, [number, toIdList([index * 2])])),
    );
    expect(outcomes).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ code: '22012' }) },
      { status: 'fulfilled', value: [{ multiples: [2] }] },
      { status: 'fulfilled', value: [{ multiples: [4] }] },
    ]);
  });

  test('a timeout of the statement fails all calls, once', async () => {
    const outcomes = await Promise.allSettled([4, 0].map((seconds) => db.query(sleep, [seconds])));
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual([
      expect.any(DatabaseBusy),
      expect.any(DatabaseBusy),
    ]);
    expect(statements).toEqual([sleep.batch.text]);
    expect(await db.query(divide, [5])).toEqual([{ quotient: 20 }]);
  });
});

test('a call sees what was committed before it', async () => {
  const seen: unknown[] = [];
  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const number = 1000 + index;
      await db.query(insert, [number, String(number)]);
      seen.push(...(await db.query(findByName, [String(number)])).map((row) => row.number - number));
    }),
  );
  expect(seen).toEqual(Array.from({ length: 40 }, () => 0));
});

test('in a transaction, a lookup is sent on its connection', async () => {
  const rows = await db.transaction(async (tx) => {
    await tx.query(insert, [2000, 'in a transaction']);
    return await Promise.all([tx.query(findByName, ['in a transaction']), tx.query(findSquare, [2000, 1])]);
  });
  expect(rows.flat().map(({ number }) => number)).toEqual([2000, 2000]);
});

test('calls wait while two transactions occupy their row, calls for other rows do not, and each place becomes free', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { promise: finish, resolve } = Promise.withResolvers<void>();
    const holders = Array.from({ length: 2 }, async () => {
      await db.transaction(async (tx) => {
        await tx.query(occupy, [1]);
        await finish;
      });
    });
    await expect.poll(() => statements.filter((text) => text === occupy.text).length).toBe(2 * (round + 1));
    const done: number[] = [];
    const calls = [1, 2, 1, 3, 1].map(async (number) => {
      done.push(...(await db.query(echo, [number])).map(({ wanted }) => wanted));
    });
    await expect.poll(() => done.toSorted((a, b) => a - b)).toEqual([2, 3]);
    resolve();
    await Promise.all([...holders, ...calls]);
    expect(done.slice(2)).toEqual([1, 1, 1]);
  }
});

test('a transaction that comes upon an occupied row is rolled back and starts again', async () => {
  const leave = Promise.withResolvers<void>();
  const holders = Array.from({ length: 2 }, async () => {
    await db.transaction(async (tx) => {
      await tx.query(occupy, [1]);
      await leave.promise;
    });
  });
  await expect.poll(() => statements.filter((text) => text === occupy.text).length).toBe(2);
  let attempts = 0;
  const waiting = db.transaction(async (tx) => {
    attempts += 1;
    await tx.query(insert, [3000, 'inserted once']);
    // Its error ends the transaction even if it is caught.
    await tx.query(occupy, [1]).catch(() => undefined);
    return attempts;
  });
  await expect.poll(() => statements.at(-1)).toBe('ROLLBACK');
  leave.resolve();
  await Promise.all(holders);
  expect(await waiting).toBe(2);
});
