import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';

import { DatabaseImpaired } from './database-error.ts';
import { openDatabase } from '../database.ts';
import type { Db } from '../database.ts';
import { describeDatabaseProblem } from './startup-problem.ts';
import { statement } from '../statement/statement.ts';
import { createSmallDisk } from '@linnet/test/db/small-disk';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';

let database: TestDatabase;
let now: number;

beforeEach(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  now = 1_000_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(async () => await database[Symbol.asyncDispose]());

/** The next check writes again. */
function passFiveSeconds(): void {
  now += 5000;
}

const note = statement<readonly [key: string], never>(
  'test_note',
  `INSERT INTO rate_limit (key, points) VALUES ($1, 1)`,
);
const count = statement<readonly [], { readonly count: number }>('test_count', 'SELECT count(*) FROM account');

async function setReadOnly(isReadOnly: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const name = pg.escapeIdentifier(new URL(database.url).pathname.slice(1));
  await client.query('SET default_transaction_read_only = off');
  await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
  await client.end();
}

test('writes at most every five seconds, and only if somebody asks', async () => {
  const sent: string[] = [];
  await using db = openDatabase({
    url: database.url,
    poolSize: 2,
    prepare: true,
    onStatement: (text) => sent.push(text),
  });
  const writes = () => sent.filter((text) => text.startsWith('INSERT')).length;
  expect(await Promise.all(Array.from({ length: 20 }, async () => await db.checkWrites()))).toEqual(
    Array.from({ length: 20 }, () => ({ ok: true })),
  );
  await expect.poll(writes).toBe(1);
  now += 4999;
  await db.checkWrites();
  expect(writes()).toBe(1);
  now += 1;
  await db.checkWrites();
  await expect.poll(writes).toBe(2);
});

describe('a read-only database', () => {
  async function expectReadOnly(db: Db): Promise<void> {
    const expected = { name: 'DatabaseImpaired', outage: 'read-only', cause: expect.anything() };
    await expect(db.query(note, ['one'])).rejects.toMatchObject(expected);
    await expect(db.transaction(async (tx) => await tx.query(note, ['two']))).rejects.toMatchObject(expected);
    await expect(db.prisma.rateLimit.create({ data: { key: 'three' } })).rejects.toMatchObject(expected);
    expect(await db.query(count, [])).toEqual([{ count: 0 }]);
    await expect.poll(async () => await db.checkWrites()).toEqual({ ok: false, reason: 'read-only' });
  }

  test('writes fail with the reason, reads succeed, and the check notices when writes succeed again', async () => {
    await setReadOnly(true);
    {
      await using db = openDatabase({ url: database.url, poolSize: 2, prepare: true });
      await expectReadOnly(db);
    }
    await setReadOnly(false);
    await using db = openDatabase({ url: database.url, poolSize: 2, prepare: true });
    await expect.poll(async () => await db.checkWrites()).toEqual({ ok: true });
  });

  test('a write that fails between two checks counts at once', async () => {
    const fail = statement<readonly [], never>('test_fail', `SELECT pg_temp.fail()`);
    const raise = async (code: string) => {
      await using other = openDatabase({ url: database.url, poolSize: 1, prepare: true });
      await other.checkWrites();
      now += 1;
      // The pool has one connection, so this follows the check.
      await other.prisma.$executeRawUnsafe(
        `CREATE FUNCTION pg_temp.fail() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE 'no' USING ERRCODE = '${code}'; END $$`,
      );
      await expect(other.query(fail, [])).rejects.toBeInstanceOf(DatabaseImpaired);
      const failing = await other.checkWrites();
      passFiveSeconds();
      await expect.poll(async () => await other.checkWrites()).toEqual({ ok: true });
      return failing;
    };
    expect(await raise('53100')).toEqual({ ok: false, reason: 'disk-full' });
    expect(await raise('53200')).toEqual({ ok: false, reason: 'out-of-memory' });
    expect(await raise('25006')).toEqual({ ok: false, reason: 'read-only' });
  });
});

test('a full disk: the check fails although no request wrote, reads succeed, and it recovers when there is space', async () => {
  await using disk = await createSmallDisk(inject('databaseServer'));
  if (disk === undefined) {
    process.stdout.write('NOTE: no file system can be mounted here, so the full disk was not tested\n');
    return;
  }
  const { db } = disk;
  await expect.poll(async () => await db.checkWrites()).toEqual({ ok: true });
  await disk.fill();
  passFiveSeconds();
  await expect.poll(async () => await db.checkWrites()).toEqual({ ok: false, reason: 'disk-full' });
  expect(await db.query(count, [])).toEqual([{ count: 0 }]);
  const large = db.prisma.$executeRawUnsafe(
    `INSERT INTO rate_limit SELECT 'key ' || n, 1 FROM generate_series(1, 5000) AS n`,
  );
  const error: unknown = await large.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'DatabaseImpaired', outage: 'disk-full' });
  expect(describeDatabaseProblem(error)).toMatch(/^DATABASE_URL: The disk of the database server is full\. \(/);
  passFiveSeconds();
  await expect.poll(async () => await db.checkWrites()).toEqual({ ok: false, reason: 'disk-full' });
  await disk.free();
  passFiveSeconds();
  await expect.poll(async () => await db.checkWrites()).toEqual({ ok: true });
});

test('a database that cannot be reached says nothing about writes', async () => {
  await using away = openDatabase({ url: 'postgresql://nobody@127.0.0.1:1/none', poolSize: 1, prepare: true });
  await expect.poll(async () => await away.checkWrites()).toEqual({ ok: true });
});
