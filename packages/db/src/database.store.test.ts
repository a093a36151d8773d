import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { DatabaseUnavailable, UniqueViolation } from './connection/database-error.ts';
import { openDatabase } from './database.ts';
import type { Queryable } from './statement/transaction.ts';
import { requireRow, statement } from './statement/statement.ts';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
});

afterAll(async () => await database[Symbol.asyncDispose]());

const insertAccount = statement<readonly [username: string, email: string], { readonly id: number }>(
  'test_insert_account',
  `INSERT INTO account (username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name)
   VALUES ($1::text, lower($1::text), $2::text, lower($2::text), '-', 'First', 'Last', 'First Last') RETURNING id`,
);

const accountData = (username: string, email: string) => ({
  username,
  usernameCi: username.toLowerCase(),
  email,
  emailCi: email.toLowerCase(),
  passwordHash: '-',
  firstName: 'First',
  lastName: 'Last',
  displayName: 'First Last',
});

describe('types', () => {
  test('D10 int8 and int8[] are parsed as numbers, exact up to 2^53 - 1', async () => {
    const select = statement<readonly [], Record<string, unknown>>(
      'test_int8',
      `SELECT 9007199254740991::bigint AS id, ARRAY[1, 9007199254740991, -7, 0]::bigint[] AS ids, '{}'::bigint[] AS none,
              count(*) AS count, NULL::bigint AS nothing, '{"a": 1}'::jsonb AS json FROM account WHERE false`,
    );
    expect(await database.db.query(select, [])).toEqual([
      { id: 9007199254740991, ids: [1, 9007199254740991, -7, 0], none: [], count: 0, nothing: null, json: { a: 1 } },
    ]);
  });

  test('a timestamp written by Prisma is the same instant in SQL', async () => {
    const createdAt = new Date('2026-01-02T03:04:05.678Z');
    const { id } = await database.db.prisma.account.create({
      data: { ...accountData('clockwork', 'clock@example.com'), createdAt },
    });
    const select = statement<readonly [id: number], { readonly iso: string; readonly at: Date }>(
      'test_moment',
      `SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') AS iso, created_at AS at FROM account WHERE id = $1`,
    );
    expect(await database.db.query(select, [Number(id)])).toEqual([{ iso: '2026-01-02 03:04:05.678', at: createdAt }]);
  });
});

describe('errors', () => {
  test('a duplicate is a UniqueViolation that names the index, raw and through Prisma', async () => {
    await database.db.query(insertAccount, ['Taken_Name', 'taken@example.com']);
    for (const [username, email, constraint] of [
      ['taken_NAME', 'free@example.com', 'account_username_ci_key'],
      ['free_name', 'TAKEN@example.com', 'account_email_ci_key'],
    ] as const) {
      const expected = expect.objectContaining({ name: 'UniqueViolation', constraint });
      await expect(database.db.query(insertAccount, [username, email])).rejects.toEqual(expected);
      await expect(database.db.prisma.account.create({ data: accountData(username, email) })).rejects.toEqual(expected);
      await expect(
        database.db.transaction(async (tx) => await tx.query(insertAccount, [username, email])),
      ).rejects.toEqual(expected);
    }
  });

  test('a UniqueViolation keeps the driver’s error as its cause', async () => {
    await database.db.query(insertAccount, ['caused', 'caused@example.com']);
    const error = await database.db
      .query(insertAccount, ['caused', 'other@example.com'])
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UniqueViolation);
    expect(error).toHaveProperty('cause.code', '23505');
  });

  test('other errors of the database are not translated', async () => {
    await expect(database.db.query(insertAccount, ['no', 'short@example.com'])).rejects.toHaveProperty(
      'constraint',
      'account_username_check',
    );
    await expect(
      database.db.prisma.account.create({ data: accountData('no', 'short@example.com') }),
    ).rejects.not.toBeInstanceOf(UniqueViolation);
  });

  test.each([
    [
      'no socket',
      async () => `postgresql://postgres@localhost/linnet?host=${encodeURIComponent(await emptyDirectory())}`,
    ],
    ['no listener', async () => await Promise.resolve('postgresql://postgres@127.0.0.1:1/linnet')],
    ['no such host', async () => await Promise.resolve('postgresql://postgres@database.invalid/linnet')],
  ])('%s: DatabaseUnavailable, raw, in a transaction and through Prisma', async (_, url) => {
    await using away = openDatabase({ url: await url(), poolSize: 2, prepare: true });
    await expect(away.query(insertAccount, ['somebody', 's@example.com'])).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(
      away.transaction(async (tx) => await tx.query(insertAccount, ['somebody', 's@example.com'])),
    ).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(away.prisma.account.count()).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(away.prisma.$transaction([away.prisma.account.count()])).rejects.toBeInstanceOf(DatabaseUnavailable);
  });

  test('a lost connection is DatabaseUnavailable, and the next statement gets a new connection', async () => {
    const kill = statement<readonly [], unknown>('test_kill', 'SELECT pg_terminate_backend(pg_backend_pid())');
    await using db = openDatabase({
      url: database.url,
      poolSize: 1,
      prepare: true,
      onConnectionError: () => undefined,
    });
    await expect(db.query(kill, [])).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(db.prisma.$queryRawUnsafe(kill.text)).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(db.transaction(async (tx) => await tx.query(kill, []))).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await db.prisma.account.count()).toBeTypeOf('number');
  });

  test('no free connection within two seconds is DatabaseUnavailable', async () => {
    await using db = openDatabase({ url: database.url, poolSize: 1, prepare: true });
    const { promise: finish, resolve } = Promise.withResolvers<void>();
    const holder = db.transaction(async () => await finish);
    await expect(db.query(insertAccount, ['waiting', 'w@example.com'])).rejects.toBeInstanceOf(DatabaseUnavailable);
    resolve();
    await holder;
  });

  test('a statement that takes more than three seconds is DatabaseUnavailable', async () => {
    const sleep = statement<readonly [], unknown>('test_sleep', 'SELECT pg_sleep(50)');
    await expect(database.db.query(sleep, [])).rejects.toBeInstanceOf(DatabaseUnavailable);
  });

  test('a lock that another transaction holds for too long is a LockTimeout', async () => {
    const { id } = await newAccount('locked');
    const lock = statement<readonly [id: number], unknown>(
      'test_lock',
      'SELECT 1 FROM account WHERE id = $1 FOR UPDATE',
    );
    await database.db.transaction(async (tx) => {
      await tx.query(lock, [id]);
      await expect(database.db.query(lock, [id])).rejects.toMatchObject({
        name: 'LockTimeout',
        cause: { code: '55P03' },
      });
    });
  });
});

describe('transactions', () => {
  const bump = statement<readonly [id: number], unknown>(
    'test_bump',
    'UPDATE account SET posts_count = posts_count + 1 WHERE id = $1',
  );

  test('an error rolls back and is rethrown', async () => {
    const { id } = await newAccount('rolled_back');
    const reason = new Error('changed our mind');
    await expect(
      database.db.transaction(async (tx) => {
        await tx.query(bump, [id]);
        throw reason;
      }),
    ).rejects.toBe(reason);
    expect(await postsCount(id)).toBe(0);
  });

  test('commits and returns the result', async () => {
    const { id } = await newAccount('committed');
    const result = await database.db.transaction(async (tx) => {
      await tx.query(bump, [id]);
      return 'done';
    });
    expect(result).toBe('done');
    expect(await postsCount(id)).toBe(1);
  });

  test('fails if the work ignored a failed statement', async () => {
    const { id } = await newAccount('went_on');
    const result = database.db.transaction(async (tx) => {
      await tx.query(bump, [id]);
      await tx.query(insertAccount, ['went_on', 'another@example.com']).catch(() => undefined);
      return 'done';
    });
    await expect(result).rejects.toThrow('The transaction was rolled back');
    expect(await postsCount(id)).toBe(0);
  });

  test('retries after a deadlock until both transactions succeed', async () => {
    const [first, second] = [await newAccount('deadlock_a'), await newAccount('deadlock_b')];
    const attempts = { count: 0 };
    const bothHoldOne = barrier(2);
    const bumpInOrder = async (one: number, other: number) =>
      await database.db.transaction(async (tx) => {
        attempts.count += 1;
        await tx.query(bump, [one]);
        await bothHoldOne();
        await tx.query(bump, [other]);
      });
    await Promise.all([bumpInOrder(first.id, second.id), bumpInOrder(second.id, first.id)]);
    expect(attempts.count).toBeGreaterThan(2); // one of them was the victim
    expect([await postsCount(first.id), await postsCount(second.id)]).toEqual([2, 2]);
  });

  test('gives up after four serialization failures: DatabaseUnavailable', async () => {
    const refuse = statement<readonly [], unknown>(
      'test_refuse',
      `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '40001'; END $$`,
    );
    await expect(database.db.query(refuse, [])).rejects.toMatchObject({
      name: 'DatabaseUnavailable',
      cause: { code: '40001' },
    });
    const attempts = { count: 0 };
    const refused = database.db.transaction(async (tx) => {
      attempts.count += 1;
      await tx.query(refuse, []);
    });
    await expect(refused).rejects.toMatchObject({ name: 'DatabaseUnavailable', cause: { code: '40001' } });
    expect(attempts.count).toBe(4);
  });

  test('a statement of beforeCommit is committed with the others; if it fails, nothing is', async () => {
    const { id } = await newAccount('kept_back');
    const taken = database.db.transaction(async (tx) => {
      await tx.query(bump, [id]);
      tx.beforeCommit(insertAccount, ['kept_back', 'another@example.com']);
    });
    await expect(taken).rejects.toMatchObject({ name: 'UniqueViolation' });
    expect(await postsCount(id)).toBe(0);
    await database.db.transaction(async (tx) => {
      tx.beforeCommit(bump, [id]);
      await tx.query(bump, [id]);
    });
    expect(await postsCount(id)).toBe(2);
  });

  test('sends the same statement several times in parallel', async () => {
    const { id } = await newAccount('several');
    await using db = openDatabase({ url: database.url, poolSize: 1, prepare: true });
    await db.transaction(async (tx) => {
      await Promise.all([tx.query(bump, [id]), tx.query(bump, [id]), tx.query(bump, [id])]);
    });
    expect(await postsCount(id)).toBe(3);
  });
});

describe('a statement outside a transaction', () => {
  test('is retried after a deadlock', async () => {
    const [first, second] = [await newAccount('single_a'), await newAccount('single_b')];
    // Locks one account, waits, then locks the other.
    const bumpBoth = statement<readonly [number, number], unknown>(
      'test_bump_both',
      `WITH one AS MATERIALIZED (SELECT id FROM account WHERE id = $1 FOR UPDATE),
         slept AS MATERIALIZED (SELECT id, pg_sleep(0.3) FROM one),
         other AS MATERIALIZED (SELECT a.id FROM account a, slept WHERE a.id = $2 AND slept.id = $1 FOR UPDATE OF a)
       UPDATE account SET posts_count = posts_count + 1 WHERE id IN (SELECT id FROM one UNION ALL SELECT id FROM other)`,
    );
    const before = await deadlocks();
    await Promise.all([
      database.db.query(bumpBoth, [first.id, second.id]),
      database.db.query(bumpBoth, [second.id, first.id]),
    ]);
    expect([await postsCount(first.id), await postsCount(second.id)]).toEqual([2, 2]);
    await expect.poll(deadlocks).toBeGreaterThan(before);
  });

  const countDeadlocks = statement<readonly [], { readonly deadlocks: number }>(
    'test_deadlocks',
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );

  async function deadlocks(): Promise<number> {
    return requireRow(await database.db.query(countDeadlocks, []), countDeadlocks).deadlocks;
  }
});

describe('statements', () => {
  test('are prepared under their names, Prisma’s too', async () => {
    expect(await preparedNames(true)).toEqual(
      expect.arrayContaining([insertAccount.name, expect.stringMatching(/^prisma_\d+$/)]),
    );
  });

  test('are not prepared with prepare: false', async () => {
    expect(await preparedNames(false)).toEqual([]);
  });

  test('are reported to onStatement, including those of Prisma and of transactions', async () => {
    const texts: string[] = [];
    await using db = openDatabase({
      url: database.url,
      poolSize: 1,
      prepare: true,
      onStatement: (text) => texts.push(text),
    });
    await db.query(insertAccount, ['counted_a', 'counted_a@example.com']);
    expect(texts).toEqual([insertAccount.text]);
    await db.prisma.account.count();
    expect(texts).toHaveLength(2);
    expect(texts[1]).toMatch(/^SELECT COUNT/);
    await db.transaction(async (tx) => await tx.query(insertAccount, ['counted_b', 'counted_b@example.com']));
    expect(texts.slice(2)).toEqual(['BEGIN', insertAccount.text, 'COMMIT']);
  });

  async function preparedNames(prepare: boolean): Promise<readonly string[]> {
    await using db = openDatabase({ url: database.url, poolSize: 1, prepare });
    await insertAny(db);
    await db.prisma.account.findFirst({ where: { username: 'somebody' } });
    const rows = await db.prisma.$queryRawUnsafe<readonly { readonly name: string }[]>(
      'SELECT name FROM pg_prepared_statements',
    );
    return rows.map(({ name }) => name);
  }
});

test('distinguishes an overloaded database from an unreachable one', async () => {
  await using db = openDatabase({ url: database.url, poolSize: 1, prepare: true });
  const leave = Promise.withResolvers<void>();
  const holder = db.transaction(async () => await leave.promise);
  await expect(insertAny(db)).rejects.toMatchObject({ name: 'DatabaseBusy' });
  leave.resolve();
  await holder;

  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const port = String(Reflect.get(Object(silent.address()), 'port'));
  await using away = openDatabase({ url: `postgresql://a@127.0.0.1:${port}/b`, poolSize: 1, prepare: true });
  const outcomes = await Promise.allSettled([insertAny(away), insertAny(away)]);
  expect(outcomes).toMatchObject([
    { reason: { name: 'DatabaseUnavailable' } },
    { reason: { name: 'DatabaseUnavailable' } },
  ]);
  silent.close();
});

test('disposal closes the connections', async () => {
  const db = openDatabase({ url: database.url, poolSize: 3, prepare: true });
  const own = await db.prisma.$queryRawUnsafe<readonly { readonly pid: number }[]>('SELECT pg_backend_pid() AS pid');
  await db[Symbol.asyncDispose]();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await expect
    .poll(async () => (await client.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [own[0]?.pid])).rowCount)
    .toBe(0);
  await client.end();
});

async function postsCount(id: number): Promise<number | undefined> {
  return (await database.db.prisma.account.findUnique({ where: { id } }))?.postsCount;
}

const counter = { value: 0 };

async function insertAny(db: Queryable): Promise<void> {
  counter.value += 1;
  await db.query(insertAccount, [`somebody_${String(counter.value)}`, `somebody_${String(counter.value)}@example.com`]);
}

async function newAccount(username: string): Promise<{ readonly id: number }> {
  return requireRow(await database.db.query(insertAccount, [username, `${username}@example.com`]), insertAccount);
}

async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linnet-empty-'));
  await rm(directory, { recursive: true });
  return directory;
}

/** Each caller waits until `parties` of them have called; later callers do not wait. */
function barrier(parties: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  return async () => {
    waiting += 1;
    if (waiting >= parties) resolve();
    await promise;
  };
}
