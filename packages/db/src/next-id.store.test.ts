import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { firstIdAt, firstIdSql, timeOfId } from './text/id-time.ts';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  client = await connect();
  await client.query('CREATE TABLE issued (id bigint PRIMARY KEY)');
});
afterAll(async () => {
  await client.end();
  await database[Symbol.asyncDispose]();
});

async function connect(): Promise<pg.Client> {
  const own = new pg.Client({ connectionString: database.url });
  own.setTypeParser(pg.types.builtins.INT8, Number);
  await own.connect();
  return own;
}

async function numbers(sql: string, params: readonly unknown[] = [], from = client): Promise<number[]> {
  const { rows } = await from.query<[number]>({ text: sql, values: [...params], rowMode: 'array' });
  return rows.map(([value]) => value);
}

async function draw(sql = 'SELECT next_id($1)', params: readonly unknown[] = [shard(5)]): Promise<number> {
  return (await numbers(sql, params))[0] ?? 0;
}

/** An id in the shard, from 0 to 1023. */
function shard(number: number): number {
  return 2 ** 40 + number * 4 + 3;
}

function shardOf(id: number): number {
  return Math.floor(id / 4) % 1024;
}

function ascend(ids: readonly number[]): boolean {
  return ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0));
}

/** How far the id is ahead of the clock of the server. */
async function aheadMs(id: number): Promise<number> {
  const [now] = await numbers('SELECT EXTRACT(EPOCH FROM clock_timestamp())::float8 * 1000');
  return timeOfId(id).getTime() - (now ?? 0);
}

// In this order: the last tests leave the clock of ids far ahead.
describe('next_id()', () => {
  test('has the time of the call and the shard of the other id; an account has a random one', async () => {
    for (let call = 0; call < 3; call += 1) {
      const [before] = await numbers('SELECT floor(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint');
      const id = await draw();
      expect(timeOfId(id).getTime()).toBeGreaterThanOrEqual(before ?? Infinity);
      expect(await aheadMs(id)).toBeLessThan(2);
      expect(shardOf(id)).toBe(5);
    }
    const random = await numbers('SELECT next_account_id() FROM generate_series(1, 3000)');
    expect(new Set(random.map(shardOf)).size).toBeGreaterThan(900);
  });

  test('moves the clock of ids forward after a pause, without a lock that stays', async () => {
    await client.query('BEGIN');
    await numbers("SELECT setval('id_clock', last_value - 4000000) FROM id_clock");
    expect(Math.abs(await aheadMs(await draw()))).toBeLessThan(1000);
    const locks = `SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database
      WHERE locktype = 'advisory' AND d.datname = current_database()`;
    expect(await numbers(locks)).toEqual([0]);
    await client.query('COMMIT');
  });

  test('one INSERT of 20,000 rows gets distinct ids that ascend in each shard, and the first in all', async () => {
    const ids = await numbers(
      'INSERT INTO issued SELECT next_id($1::bigint - 4 * (n % 3)) FROM generate_series(1, 20000) n RETURNING id',
      [shard(9)],
    );
    expect(ascend(ids.slice(0, 900))).toBe(true);
    expect(await aheadMs(ids.at(-1) ?? 0)).toBeLessThan(6000);
    for (const own of [7, 8, 9]) expect(ascend(ids.filter((id) => shardOf(id) === own))).toBe(true);
    expect(new Set(ids.map(shardOf))).toEqual(new Set([7, 8, 9]));
    expect(new Set(ids).size).toBe(20_000);
    expect(ascend(await numbers('SELECT next_id() FROM generate_series(1, 100)'))).toBe(true);
  });

  test('a call that is cancelled while it waits for another leaves no lock', async () => {
    const other = await connect();
    await other.query("BEGIN; SELECT pg_advisory_xact_lock(hashtext('id_clock'))");
    const [tick] = await numbers('SELECT last_value FROM id_clock');
    const later = ['SELECT advance_id_clock($1, $1::bigint + 100000)', [tick]] as const;
    await client.query("SET statement_timeout = '50ms'");
    await expect(draw(...later)).rejects.toThrow('statement timeout');
    await client.query('RESET statement_timeout');
    await other.query('ROLLBACK');
    expect(await numbers(...later, other)).toEqual([Number(tick) + 100_000]);
    await other.end();
  });

  // A standby that was promoted skips up to 32 values, and its own clock can be behind that of the primary.
  test('ascends when the clock of the machine is set back, and after a failover to one whose clock is behind', async () => {
    const ids = [await draw()];
    const setBack = async () => {
      ids.push(await draw("SELECT next_id($1, clock_timestamp() - interval '1 hour')", [shard(5)]));
    };
    await setBack();
    await setBack();
    await numbers("SELECT setval('id_clock', last_value + 32) FROM id_clock");
    await setBack();
    ids.push(await draw(), await draw("SELECT next_id($1, clock_timestamp() + interval '1 hour')", [shard(5)]));
    expect(ascend(ids)).toBe(true);
    // It waits for the clock of the machine, one quarter of a millisecond for each id.
    const [inOneHour] = ids.slice(-1);
    await setBack();
    expect(timeOfId(ids.at(-1) ?? 0).getTime() - timeOfId(inOneHour ?? 0).getTime()).toBeLessThanOrEqual(1);
    expect(await aheadMs(ids.at(-1) ?? 0)).toBeGreaterThan(3_500_000);
  });

  // The clock of the machine seems to run 50 times as fast, so that the sequence lags behind it again and again.
  test('16 writers get distinct ids, ascending for each, while they move the clock of ids forward', async () => {
    const started = new Date();
    const sql = `INSERT INTO issued SELECT next_id($1, to_timestamp(1900000000) + 50 * (clock_timestamp() - $2::timestamptz))
      FROM generate_series(1, $3::int) RETURNING id`;
    const drawn = await Promise.all(
      Array.from({ length: 16 }, async (_, index) => {
        const writer = await connect();
        const ids: number[] = [];
        for (let round = 0; round < 60; round += 1) {
          ids.push(...(await numbers(sql, [shard(index % 3), started, (round % 8) ** 2], writer)));
        }
        await writer.end();
        return ids;
      }),
    );
    for (const [index, ids] of drawn.entries()) {
      expect(ascend(ids)).toBe(true);
      expect(new Set(ids.map(shardOf))).toEqual(new Set([index % 3]));
      expect(ids.every(Number.isSafeInteger)).toBe(true);
    }
  });
});

test('a time has the same first id in SQL and in TypeScript, and all ids of its millisecond have that time', async () => {
  const time = new Date('2026-11-23T21:30:00.123Z');
  const first = firstIdAt(time);
  expect(await numbers(`SELECT ${firstIdSql('$1::timestamptz')}`, [time])).toEqual([first]);
  expect([first - 1, first, first + 4095].map((id) => timeOfId(id).getTime() - time.getTime())).toEqual([-1, 0, 0]);
  expect(firstIdAt(new Date(0))).toBe(0);
});
