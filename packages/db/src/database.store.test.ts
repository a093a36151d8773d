import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { DatabaseUnavailable, UniqueViolation } from './database-error.ts';
import { openDatabase } from './database.ts';
import type { Queryable } from './database.ts';
import { statement } from './statement.ts';
import { createTestDatabase } from './testing/test-database.ts';
import type { TestDatabase } from './testing/test-database.ts';

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
  test('int8 and its arrays arrive as numbers, exactly up to 2^53 - 1', async () => {
    const select = statement<readonly [], Record<string, unknown>>(
      'test_int8',
      `SELECT 9007199254740991::bigint AS id, ARRAY[1, 9007199254740991]::bigint[] AS ids, '{}'::bigint[] AS none,
              count(*) AS count, NULL::bigint AS nothing, '{"a": 1}'::jsonb AS json FROM account WHERE false`,
    );
    expect(await database.db.query(select, [])).toEqual([
      { id: 9007199254740991, ids: [1, 9007199254740991], none: [], count: 0, nothing: null, json: { a: 1 } },
    ]);
  });

  test('a moment written by Prisma is the same moment in SQL', async () => {
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
  test('a taken name is a UniqueViolation with the name of the index, raw and through Prisma', async () => {
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

  test('another refusal of the database stays what it is', async () => {
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

  test('a connection that is cut off: DatabaseUnavailable, and the next statement has a new one', async () => {
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

  test('no connection free within two seconds: DatabaseUnavailable', async () => {
    await using db = openDatabase({ url: database.url, poolSize: 1, prepare: true });
    const { promise: finish, resolve } = Promise.withResolvers<void>();
    const holder = db.transaction(async () => await finish);
    await expect(db.query(insertAccount, ['waiting', 'w@example.com'])).rejects.toBeInstanceOf(DatabaseUnavailable);
    resolve();
    await holder;
  });

  test('a statement that takes more than three seconds is ended: DatabaseUnavailable', async () => {
    const sleep = statement<readonly [], unknown>('test_sleep', 'SELECT pg_sleep(10)');
    const startedAt = performance.now();
    await expect(database.db.query(sleep, [])).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(performance.now() - startedAt).toBeLessThan(4500);
  });

  test('a lock that another transaction keeps is not waited for for ever: DatabaseUnavailable', async () => {
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

  test('an error rolls everything back and is handed on', async () => {
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

  test('the result is handed on and everything is kept', async () => {
    const { id } = await newAccount('committed');
    const result = await database.db.transaction(async (tx) => {
      await tx.query(bump, [id]);
      return 'done';
    });
    expect(result).toBe('done');
    expect(await postsCount(id)).toBe(1);
  });

  test('work that goes on after a failed statement is not reported as kept', async () => {
    const { id } = await newAccount('went_on');
    const result = database.db.transaction(async (tx) => {
      await tx.query(bump, [id]);
      await tx.query(insertAccount, ['went_on', 'another@example.com']).catch(() => undefined);
      return 'done';
    });
    await expect(result).rejects.toThrow('the transaction was rolled back');
    expect(await postsCount(id)).toBe(0);
  });

  test('two transactions that deadlock both succeed', async () => {
    const [first, second] = [await newAccount('deadlock_a'), await newAccount('deadlock_b')];
    const attempts = { count: 0 };
    const bothHoldOne = barrier(2);
    const bumpInOrder = async (ids: readonly number[]) =>
      await database.db.transaction(async (tx) => {
        attempts.count += 1;
        await tx.query(bump, [ids[0] ?? 0]);
        await bothHoldOne();
        await tx.query(bump, [ids[1] ?? 0]);
      });
    await Promise.all([bumpInOrder([first.id, second.id]), bumpInOrder([second.id, first.id])]);
    expect(attempts.count).toBeGreaterThan(2); // one of them was the victim
    expect([await postsCount(first.id), await postsCount(second.id)]).toEqual([2, 2]);
  });

  test('what cannot be serialized four times over: DatabaseUnavailable', async () => {
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

  test('what is kept back goes with COMMIT, and decides with it', async () => {
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

  test('the same statement several times at once', async () => {
    const { id } = await newAccount('several');
    await using db = openDatabase({ url: database.url, poolSize: 1, prepare: true });
    await db.transaction(async (tx) => {
      await Promise.all([tx.query(bump, [id]), tx.query(bump, [id]), tx.query(bump, [id])]);
    });
    expect(await postsCount(id)).toBe(3);
  });
});

describe('a statement on its own', () => {
  test('that deadlocks with another succeeds, as that does', async () => {
    const [first, second] = [await newAccount('single_a'), await newAccount('single_b')];
    // Locks one account, waits, then wants the other.
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
    await expect.poll(deadlocks, { timeout: 5000 }).toBeGreaterThan(before);
  });

  /** How many PostgreSQL has found in this database. */
  async function deadlocks(): Promise<number> {
    const [row] = await database.db.query(
      statement<readonly [], { readonly deadlocks: number }>(
        'test_deadlocks',
        'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
      ),
      [],
    );
    return row?.deadlocks ?? 0;
  }
});

describe('statements', () => {
  test('have names on the connection, Prisma’s too', async () => {
    expect(await preparedNames(true)).toEqual(
      expect.arrayContaining([insertAccount.name, expect.stringMatching(/^prisma_\d+$/)]),
    );
  });

  test('have no names with prepare: false', async () => {
    expect(await preparedNames(false)).toEqual([]);
  });

  test('are counted, those of Prisma and of transactions included', async () => {
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
    await insertSomebody(db);
    await db.prisma.account.findFirst({ where: { username: 'somebody' } });
    const rows = await db.prisma.$queryRawUnsafe<readonly { readonly name: string }[]>(
      'SELECT name FROM pg_prepared_statements',
    );
    return rows.map(({ name }) => name);
  }
});

test('too much to do is told from a database that is away', async () => {
  await using db = openDatabase({ url: database.url, poolSize: 1, prepare: true });
  const leave = Promise.withResolvers<void>();
  const holder = db.transaction(async () => await leave.promise);
  await expect(insertSomebody(db)).rejects.toMatchObject({ name: 'DatabaseBusy' });
  leave.resolve();
  await holder;

  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const port = String(Reflect.get(Object(silent.address()), 'port'));
  await using away = openDatabase({ url: `postgresql://a@127.0.0.1:${port}/b`, poolSize: 1, prepare: true });
  const outcomes = await Promise.allSettled([insertSomebody(away), insertSomebody(away)]);
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

async function insertSomebody(db: Queryable): Promise<void> {
  counter.value += 1;
  await db.query(insertAccount, [`somebody_${String(counter.value)}`, `somebody_${String(counter.value)}@example.com`]);
}

async function newAccount(username: string): Promise<{ readonly id: number }> {
  const [account] = await database.db.query(insertAccount, [username, `${username}@example.com`]);
  if (account === undefined) throw new Error('no row');
  return account;
}

async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linnet-empty-'));
  await rm(directory, { recursive: true });
  return directory;
}

/** Every caller waits until `parties` of them wait; later callers pass. */
function barrier(parties: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  return async () => {
    waiting += 1;
    if (waiting >= parties) resolve();
    await promise;
  };
}
