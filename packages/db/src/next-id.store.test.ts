import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { firstIdAt, firstIdSql, timeOfId } from './id-time.ts';
import { createTestDatabase } from './testing/test-database.ts';
import type { TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database[Symbol.asyncDispose]();
});

describe('next_id()', () => {
  async function draw(count: number): Promise<number[]> {
    const own = new pg.Client({ connectionString: database.url });
    await own.connect();
    try {
      const ids: number[] = [];
      for (let index = 0; index < count; index += 1) {
        const result = await own.query<{ id: string }>('SELECT next_id() AS id');
        ids.push(Number(result.rows[0]?.id));
      }
      return ids;
    } finally {
      await own.end();
    }
  }

  test('returns distinct safe integers on parallel connections, ascending on each', async () => {
    const drawn = await Promise.all(Array.from({ length: 8 }, async () => await draw(300)));
    const all = drawn.flat();
    expect(new Set(all).size).toBe(8 * 300);
    expect(all.every(Number.isSafeInteger)).toBe(true);
    for (const ids of drawn) expect(milliseconds(ids)).toEqual(milliseconds(ids).toSorted((a, b) => a - b));
  });

  test('returns distinct ids within a statement, with the milliseconds since 2026', async () => {
    const { rows: drawn } = await client.query<{ id: string }>('SELECT next_id() AS id FROM generate_series(1, 20000)');
    const ids = drawn.map(({ id }) => Number(id));
    expect(new Set(ids).size).toBe(20_000);
    expect(Math.abs(Date.now() - timeOfId(ids[0] ?? 0).getTime())).toBeLessThan(60_000);
  });

  test('a time has the same first id in SQL and in TypeScript, and all ids of its millisecond have that time', async () => {
    const time = new Date('2026-11-23T21:30:00.123Z');
    const { rows } = await client.query<{ id: string }>(`SELECT ${firstIdSql('$1::timestamptz')} AS id`, [time]);
    const first = firstIdAt(time);
    expect(rows).toEqual([{ id: String(first) }]);
    expect([first - 1, first, first + 4095].map((id) => timeOfId(id).getTime() - time.getTime())).toEqual([-1, 0, 0]);
    expect(firstIdAt(new Date(0))).toBe(0);
  });

  function milliseconds(ids: readonly number[]): number[] {
    return ids.map((id) => timeOfId(id).getTime());
  }
});
