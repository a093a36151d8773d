import { writes } from '../support/api/list-queries.ts';
import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { DatabaseBusy, DatabaseUnavailable, LockTimeout } from '@linnet/db/connection/database-error';
import { insertAccount } from '../support/db/insert-account.ts';
import { findCounterMismatches } from '../support/db/counters.ts';
import { createRelayedConnection } from '../support/db/relayed-connection.ts';
import { createTestDatabase } from '../support/db/test-database.ts';
import type { TestDatabase } from '../support/db/test-database.ts';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';

/** What remains of the calls that share a statement when it fails. `pnpm test:long` kills 1,000 connections. */

const kills = Number(process.env['RACE_ROUNDS'] ?? 20);
const members = 20;

let database: TestDatabase;
let db: Db;
let authors: number[];
const sent: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  db = openDatabase({ url: database.url, poolSize: 10, prepare: true, onStatement: (text) => void sent.push(text) });
  authors = [];
  for (let index = 0; index < members; index += 1) authors.push(await insertAccount(db, `author_${String(index)}`));
  // Makes a post fail, last or lose its connection by its text.
  await run(`CREATE FUNCTION obey_text() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.text = 'fail' THEN RAISE EXCEPTION 'told to'; END IF;
    IF NEW.text = 'last' THEN PERFORM pg_sleep(10); END IF;
    IF NEW.text = 'die' THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
    RETURN NEW;
  END $$`);
  await run('CREATE TRIGGER obey_text BEFORE INSERT ON post FOR EACH ROW EXECUTE FUNCTION obey_text()');
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await run('DELETE FROM post');
  await run('UPDATE account SET posts_count = 0');
  sent.length = 0;
});

async function run(text: string): Promise<void> {
  await database.db.prisma.$executeRawUnsafe(text);
}

async function write(text: string, index = 0, by = db): Promise<number> {
  const row = await writes.post(by, authors[index % members] ?? 0, text);
  if (row === undefined) throw new Error('the author is deleted');
  return row.id;
}

async function textsOf(start = ''): Promise<string[]> {
  const rows = await database.db.query<[string], { text: string }>(
    { name: 'test_texts', text: 'SELECT text FROM post WHERE starts_with(text, $1)' },
    [start],
  );
  return rows.map(({ text }) => text).toSorted();
}

async function expectExactCounters(): Promise<void> {
  expect(await findCounterMismatches(database.db)).toEqual([]);
}

const statusesOf = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  new Set(outcomes.map(({ status }) => status));

test.each([
  ['fails', 'fail', expect.objectContaining({ code: 'P0001' })],
  ['reaches the statement timeout', 'last', expect.any(DatabaseBusy)],
])('if one call %s, the others succeed', async (_, text, reason) => {
  const texts = Array.from({ length: members }, (_one, index) => (index === 7 ? text : `number ${String(index)}`));
  const outcomes = await Promise.allSettled(texts.map((one, index) => write(one, index)));
  expect(outcomes[7]).toEqual({ status: 'rejected', reason });
  expect(statusesOf(outcomes.toSpliced(7, 1))).toEqual(new Set(['fulfilled']));
  expect(await textsOf()).toEqual(texts.toSpliced(7, 1).toSorted());
  expect(sent).toHaveLength(1 + members);
  await expectExactCounters();
});

test('if one call waits too long for a lock, the others succeed', async () => {
  const posts = [await write('locked'), await write('free')];
  const outcomes = await database.db.transaction(async (tx) => {
    await tx.query({ name: 'test_lock', text: 'SELECT FROM post WHERE id = $1 FOR UPDATE' }, [posts[0]]);
    return await Promise.allSettled(
      authors.map((authorId, index) => writes.like(db, authorId, posts[index === 0 ? 0 : 1] ?? 0)),
    );
  });
  expect(outcomes[0]).toEqual({ status: 'rejected', reason: expect.any(LockTimeout) });
  expect(statusesOf(outcomes.slice(1))).toEqual(new Set(['fulfilled']));
  await expectExactCounters();
});

test('a batch whose connection ends is not repeated, and stores nothing', async () => {
  const texts = ['one', 'die', 'two'];
  const outcomes = await Promise.allSettled(texts.map((text, index) => write(text, index)));
  expect(outcomes).toEqual(texts.map(() => ({ status: 'rejected', reason: expect.any(DatabaseUnavailable) })));
  expect(sent).toHaveLength(1);
  expect(await textsOf()).toEqual([]);
  await expectExactCounters();
});

test('a batch whose response is lost is not repeated: its calls fail, and each took effect once', async () => {
  await using relay = await createRelayedConnection(database.url);
  await using relayed = openDatabase({ url: relay.url, poolSize: 1, prepare: true });
  await write('before', 0, relayed);
  relay.dropsResponses = true;
  const texts = Array.from({ length: members }, (_, index) => `number ${String(index)}`);
  const outcomes = await Promise.allSettled(texts.map((text, index) => write(text, index, relayed)));
  expect(statusesOf(outcomes)).toEqual(new Set(['rejected']));
  await expect.poll(async () => await textsOf()).toEqual(['before', ...texts].toSorted());
  await expectExactCounters();
});

test(
  `connections end at random: each call takes effect at most once, and once if it succeeded; ${String(kills)} rounds`,
  { timeout: 60_000 + kills * 5000 },
  async () => {
    for (let round = 0; round < kills; round += 1) {
      const succeeded: string[] = [];
      const calls = Array.from({ length: 200 }, async (_, index) => {
        // In several turns of the event loop.
        for (let turn = 0; turn < index % 8; turn += 1) await new Promise(setImmediate);
        const text = `round ${String(round)} number ${String(index)}`;
        await write(text, index);
        succeeded.push(text);
      });
      const all = Promise.allSettled(calls);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
      await run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%batch(%' AND random() < 0.7`);
      const failures = (await all)
        .filter((outcome) => outcome.status === 'rejected')
        .map(({ reason }) => reason as unknown);
      expect(failures.every((reason) => reason instanceof DatabaseUnavailable)).toBe(true);
      const stored = await textsOf(`round ${String(round)} `);
      expect(new Set(stored).size).toBe(stored.length);
      expect(succeeded.filter((text) => !stored.includes(text))).toEqual([]);
      // What differs once differs to the end.
      if (round % 20 === 19) await expectExactCounters();
    }
    const stored = await textsOf();
    expect(new Set(stored).size).toBe(stored.length);
    await expectExactCounters();
  },
);
