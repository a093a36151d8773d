import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { DatabaseUnavailable } from './database-error.ts';
import { openDatabase } from '../database.ts';
import type { Db } from '../database.ts';
import { PreparedQuery, sendPrepared } from './prepared-query.ts';
import { statement } from '../statement/statement.ts';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
});
afterAll(() => cleanup.disposeAsync());

/** The types of the messages in each write: P Parse, B Bind, D Describe, E Execute, S Sync. */
function recordWrites(client: pg.Client): string[] {
  const writes: string[] = [];
  const { stream } = Reflect.get(client, 'connection');
  const write = stream.write.bind(stream);
  Reflect.set(stream, 'write', (messages: Buffer) => {
    writes.push(typesOf(messages));
    return write(messages);
  });
  return writes;
}

function typesOf(messages: Buffer): string {
  let types = '';
  for (let offset = 0; offset < messages.length; offset += 1 + messages.readUInt32BE(offset + 1)) {
    types += String.fromCharCode(messages[offset] ?? 0);
  }
  return types;
}

test('from its second run on, a statement is one write without Describe, as this version of pg allows', async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const writes = recordWrites(client);
  const run = async () =>
    await sendPrepared(client, new PreparedQuery({ name: 'one', text: 'SELECT $1::int AS a' }, [7]));
  expect(await run()).toEqual([{ a: 7 }]);
  expect(writes.join('')).toBe('PBDES');
  writes.length = 0;
  expect(await run()).toEqual([{ a: 7 }]);
  expect(writes).toEqual(['BES']);
  await client.end();
});

test('a query that is done does not keep its rows from quick collections of garbage', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void; // as V8 documents it
  const client = new pg.Client({ connectionString: database.url, query_timeout: 5000 });
  await client.connect();
  const text = 'SELECT ARRAY(SELECT generate_series(1, $1::int)) AS list';
  const run = async () => void (await sendPrepared(client, new PreparedQuery({ name: 'large', text }, [4000])));
  const oldBytes = () => getHeapSpaceStatistics().reduce((sum, space) => sum + usedIfOld(space), 0);
  await run();
  collect({ type: 'major' });
  const before = oldBytes();
  for (let index = 0; index < 100; index += 1) {
    await run();
    // What is in use at two collections moves to the old generation.
    collect({ type: 'minor' });
    collect({ type: 'minor' });
  }
  const keptBytes = (oldBytes() - before) / 100;
  await client.end();
  // The list takes 32 KB as numbers, and 19 KB as text.
  expect(keptBytes).toBeLessThan(8000);
});

function usedIfOld({ space_name: name, space_used_size: bytes }: ReturnType<typeof getHeapSpaceStatistics>[number]) {
  return name === 'old_space' || name === 'large_object_space' ? bytes : 0;
}

const values = statement<readonly unknown[], unknown>(
  'prepared_values',
  `SELECT $1::int AS number, $2::bigint AS id, $3::text AS text, $4::bytea AS bytes, $5::timestamptz AS time, $6::jsonb AS json,
     $7::bigint[] AS ids, $8::text[] AS texts, $9::boolean AS flag, 1.50::numeric AS amount, NULL::text AS nothing, 'ü' AS "a.b"`,
);
const full = [
  1,
  9007199254740991,
  `It's "ü"\n€ 🐦`,
  Buffer.from([0, 255, 10]),
  new Date('2026-01-02T03:04:05.678Z'),
  JSON.stringify({ a: [1, null] }),
  [1, 2],
  ['a,b', '"', '{}'],
  true,
];
const rowsOf = statement<readonly [from: number, to: number], { readonly n: number }>(
  'prepared_rows',
  'SELECT n FROM generate_series($1::int, $2::int) AS n',
);
const inverse = statement<readonly [divisor: number], { readonly n: number }>(
  'prepared_inverse',
  'SELECT 10 / $1::int AS n',
);
const kill = statement<readonly [isMeant: boolean], unknown>(
  'prepared_kill',
  'SELECT CASE WHEN $1::boolean THEN pg_terminate_backend(pg_backend_pid()) END AS killed',
);
const sleep = statement<readonly [seconds: number], unknown>('prepared_sleep', 'SELECT pg_sleep($1::float8) AS slept');
const limit = statement<readonly [time: string], unknown>(
  'prepared_limit',
  `SELECT set_config('statement_timeout', $1::text, true)`,
);
const set = statement<readonly [value: string], never>(
  'prepared_set',
  'INSERT INTO prepared_test (value) VALUES ($1::text)',
);
const all = statement<readonly [], unknown>('prepared_all', 'SELECT * FROM prepared_test');

describe.each([{ describe: false }, { describe: true }])('prepared statements, $describe', (how) => {
  let db: Db;
  beforeAll(async () => {
    db = openDatabase({ url: database.url, poolSize: 1, prepare: true, onConnectionError: () => undefined, ...how });
    await database.db.prisma.$executeRawUnsafe('CREATE TABLE IF NOT EXISTS prepared_test (value text)');
  });
  afterAll(async () => await db[Symbol.asyncDispose]());

  test('return the same values each time, whatever their type', async () => {
    const nothing = full.map(() => null);
    const expected = {
      number: 1,
      id: 9007199254740991,
      text: full[2],
      bytes: full[3],
      time: full[4],
      json: { a: [1, null] },
      ids: [1, 2],
      texts: full[7],
      flag: true,
      amount: '1.50',
      nothing: null,
      'a.b': 'ü',
    };
    for (let run = 0; run < 3; run += 1) {
      const [row] = await db.query(values, full);
      expect(row).toEqual(expected);
      expect(Object.keys(Object(row))).toEqual(Object.keys(expected));
      expect(await db.query(values, nothing)).toMatchObject([{ number: null, id: null, bytes: null, 'a.b': 'ü' }]);
    }
  });

  test('without a name are described each time', async () => {
    for (let run = 0; run < 2; run += 1) {
      expect(await db.query(statement<readonly [], unknown>('', 'SELECT 1 AS a'), [])).toEqual([{ a: 1 }]);
      expect(await db.query(statement<readonly [], unknown>('', 'SELECT 2 AS b, 3 AS c'), [])).toEqual([
        { b: 2, c: 3 },
      ]);
    }
  });

  test('return no rows, or many, and none if the statement has no columns', async () => {
    for (let run = 0; run < 3; run += 1) {
      expect(await db.query(rowsOf, [1, 0])).toEqual([]);
      expect(await db.query(rowsOf, [1, 2000])).toHaveLength(2000);
      expect(await db.query(set, ['x'])).toEqual([]);
    }
    expect(await db.query(rowsOf, [5, 6])).toEqual([{ n: 5 }, { n: 6 }]);
  });

  test('of which one fails, alone and between others under way: only it fails', async () => {
    for (let run = 0; run < 3; run += 1) {
      await expect(db.query(inverse, [0])).rejects.toMatchObject({ code: '22012' });
      expect(await db.query(inverse, [run + 1])).toEqual([{ n: Math.trunc(10 / (run + 1)) }]);
    }
    const results = await db.transaction(
      async (tx) => await Promise.all([tx.query(inverse, [2]), tx.query(inverse, [5])]),
    );
    expect(results).toEqual([[{ n: 5 }], [{ n: 2 }]]);
    const failing = db.transaction(async (tx) => {
      const sent = [tx.query(inverse, [1]), tx.query(inverse, [0]), tx.query(inverse, [2])];
      return (await Promise.allSettled(sent)).map(({ status }) => status);
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await db.query(inverse, [2])).toEqual([{ n: 5 }]);
  });

  test('see their columns change: the error of PostgreSQL, and a new connection reads them', async () => {
    await db.query(all, []);
    await db.query(all, []);
    await database.db.prisma.$executeRawUnsafe('ALTER TABLE prepared_test ADD COLUMN IF NOT EXISTS added int');
    await database.db.prisma.$executeRawUnsafe(
      `ALTER TABLE prepared_test RENAME COLUMN added TO "added_${how.describe}"`,
    );
    await expect(db.query(all, [])).rejects.toMatchObject({ code: '0A000' });
    await expect(db.query(kill, [true])).rejects.toBeInstanceOf(DatabaseUnavailable);
    const [row] = await db.query(all, []);
    expect(row).toHaveProperty(`added_${how.describe}`, null);
  });

  test('on a connection that is lost: DatabaseUnavailable, and the next connection prepares them again', async () => {
    for (let run = 0; run < 2; run += 1) {
      expect(await db.query(kill, [false])).toEqual([{ killed: null }]);
      expect(await db.query(kill, [false])).toEqual([{ killed: null }]);
      await expect(db.query(kill, [true])).rejects.toBeInstanceOf(DatabaseUnavailable);
    }
  });

  test('that take too long: DatabaseUnavailable, and the connection can be used', async () => {
    await db.query(sleep, [0]);
    const slow = db.transaction(async (tx) => {
      await tx.query(limit, ['50ms']);
      await tx.query(sleep, [60]);
    });
    await expect(slow).rejects.toMatchObject({ name: 'DatabaseBusy' });
    expect(await db.query(sleep, [0])).toHaveLength(1);
  });
});
