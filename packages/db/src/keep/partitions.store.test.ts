import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';

import { maintainPartitions, readSecondsAhead } from './partitions.ts';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';

const readings = { table: 'reading', width: '3 hours', newest: '24 hours' };
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

beforeEach(async () => {
  await client.query('DROP TABLE IF EXISTS reading');
  await client.query(
    `CREATE TABLE reading (at timestamptz NOT NULL, value text, PRIMARY KEY (at)) PARTITION BY RANGE (at)`,
  );
});

/** As the first job, or a migration, did it so long ago. */
async function createSince(age: string, until: string): Promise<void> {
  await client.query(`SELECT create_partitions('reading', '3 hours', now() - $1::interval, now() - $2::interval)`, [
    age,
    until,
  ]);
}

async function partitions() {
  const found = await client.query<{ name: string; ended: boolean; hours: number }>(
    `SELECT name, ends_at <= now() AS ended, extract(epoch FROM ends_at - starts_at)::int / 3600 AS hours
       FROM table_partition WHERE parent = 'reading' ORDER BY ends_at`,
  );
  return found.rows;
}

async function tables(): Promise<number> {
  return (await client.query(`SELECT FROM pg_class WHERE relname ~ '^reading_\\d+$'`)).rowCount ?? 0;
}

test('after weeks without a run, the next partitions are there, and the old ones are dropped with their rows', async () => {
  await createSince('21 days', '19 days');
  await client.query(
    `INSERT INTO reading SELECT now() - interval '20 days' + n * interval '1 minute' FROM generate_series(1, 100) n`,
  );
  expect(await readSecondsAhead(database.db, readings)).toBeLessThan(0);
  await maintainPartitions(database.db, readings);
  const left = await partitions();
  expect(left.filter(({ ended }) => ended)).toEqual([]);
  expect(new Set(left.map(({ hours }) => hours))).toEqual(new Set([3]));
  expect(await tables()).toBe(left.length);
  expect((await client.query('SELECT FROM reading')).rowCount).toBe(0);
  const seconds = (await readSecondsAhead(database.db, readings)) ?? 0;
  expect(seconds).toBeGreaterThanOrEqual(36 * 3600 - 5);
  await client.query(
    `INSERT INTO reading SELECT now() + interval '24 hours' + n * interval '1 hour' FROM generate_series(0, 35) n`,
  );
});

test('a second run changes nothing, nor do two at the same time', async () => {
  await createSince('5 minutes', '0 minutes'); // a partition that ended is not due yet, at any time of the day
  await Promise.all([maintainPartitions(database.db, readings), maintainPartitions(database.db, readings)]);
  const before = await partitions();
  await maintainPartitions(database.db, readings);
  expect(await partitions()).toEqual(before);
});

test('before the first partition exists, the job creates none', async () => {
  await maintainPartitions(database.db, readings);
  expect([await partitions(), await readSecondsAhead(database.db, readings)]).toEqual([[], undefined]);
});

test('a partition stays for ten minutes after its end', async () => {
  await client.query(`DO $$ BEGIN EXECUTE format('CREATE TABLE reading_2026010100 PARTITION OF reading FOR VALUES FROM (%L) TO (%L)',
    now() - interval '3 hours', now() - interval '9 minutes'); END $$`);
  await maintainPartitions(database.db, readings);
  expect((await partitions()).filter(({ ended }) => ended)).toHaveLength(1);
});

test('while a statement reads the table, its partitions stay, and other requests wait no longer than for the lock timeout', async () => {
  await createSince('2 days', '1 day');
  const before = (await partitions()).filter(({ ended }) => ended).length;
  const reader = new pg.Client({ connectionString: database.url });
  await reader.connect();
  await reader.query('BEGIN');
  await reader.query('SELECT FROM reading');
  const states: string[] = [];
  const maintaining = maintainPartitions(database.db, readings).then(() => states.push('maintained'));
  // Until the job waits for the reader, or has given up.
  for (;;) {
    const { rowCount } = await client.query(
      `SELECT FROM pg_stat_activity WHERE query ~ 'detach_partition' AND wait_event_type = 'Lock'`,
    );
    if (rowCount === 1 || states.length > 0) break;
    await delay(1);
  }
  await client.query('SET lock_timeout = 1500'); // of the service
  await client.query(`INSERT INTO reading VALUES (now() + interval '25 hours')`);
  await maintaining;
  expect((await partitions()).filter(({ ended }) => ended)).toHaveLength(before);
  await reader.query('COMMIT');
  await reader.end();
  await maintainPartitions(database.db, readings);
  expect((await partitions()).filter(({ ended }) => ended)).toEqual([]);
});

test('what was detached by a job that died is dropped by the next one', async () => {
  await createSince('2 days', '1 day');
  await client.query(`SELECT detach_partition('reading', now())`);
  expect(await tables()).toBe((await partitions()).length + 1);
  await maintainPartitions(database.db, readings);
  expect(await tables()).toBe((await partitions()).length);
});
