import { setTimeout as delay } from 'node:timers/promises';

import { lookups, writes } from '../support/api/list-queries.ts';
import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '../support/db/test-database.ts';
import type { TestDatabase } from '../support/db/test-database.ts';
import { findCounterMismatches } from '../support/db/counters.ts';
import { insertAccount } from '../support/db/insert-account.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { percentile } from '../support/load-measurement.ts';

/**
 * 128 people of two processes like one post, where a commit takes 3 ms, beside as many who like many posts, and one who
 * likes posts one after the other. The usual run only tries it; `pnpm test:long` measures. What does not depend on how
 * busy the machine is, is in `apps/api/src/endpoints/hot-rows.store.test.ts`.
 */

const isLong = process.env['SCALE_POSTS'] !== undefined;
const durationMs = isLong ? 5000 : 100;
const people = isLong ? 128 : 16;
const readersOfEach = 4;

let database: TestDatabase;
/** Each has a pool and a gate of its own, as a process has. */
let processes: readonly Db[];
const accounts: number[] = [];
const posts: number[] = [];

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  const { url, db } = database;
  processes = [1, 2].map(() => openDatabase({ url, poolSize: 10, prepare: true }));
  for (let index = 0; index < people; index += 1) accounts.push(await insertAccount(db, `person_${String(index)}`));
  for (let index = 0; index < 500; index += 1) {
    posts.push((await writes.post(db, accounts[index % people] ?? 0, 'x'))?.id ?? 0);
  }
  await run(`CREATE FUNCTION commit_slowly() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF current_setting('test.slow_commit', true) IS DISTINCT FROM pg_current_xact_id()::text THEN
      PERFORM set_config('test.slow_commit', pg_current_xact_id()::text, true), pg_sleep(0.003);
    END IF;
    RETURN NULL;
  END $$`);
  await run(`CREATE CONSTRAINT TRIGGER commit_slowly AFTER INSERT OR DELETE ON post_like
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION commit_slowly()`);
});
afterAll(async () => {
  for (const db of processes) await db[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function run(sql: string): Promise<void> {
  await database.db.prisma.$executeRawUnsafe(sql);
}

interface Load {
  readonly likes: number;
  /** Milliseconds of each read, ascending. */
  readonly reads: readonly number[];
}

/** Each person likes and unlikes posts, one after the other. */
async function load(callers: readonly number[], choose: (person: number, round: number) => number): Promise<Load> {
  const until = performance.now() + durationMs;
  const reads: number[] = [];
  let likes = 0;
  const like = async (accountId: number, person: number) => {
    const db = processes[person % processes.length]?.onBehalfOf(accountId);
    if (db === undefined) return;
    for (let round = 0; performance.now() < until; round += 1) {
      const post = posts[choose(person, round) % posts.length] ?? 0;
      await writes.like(db, accountId, post);
      await writes.unlike(db, accountId, post);
      likes += 2;
    }
  };
  const read = async (db: Db, reader: number) => {
    for (let round = 1; performance.now() < until; round += 1) {
      const startedAt = performance.now();
      await lookups.post(db, posts[(reader * 100 + round) % posts.length] ?? 0, null);
      reads.push(performance.now() - startedAt);
      await delay(2);
    }
  };
  const readers = processes.flatMap((db) => Array.from({ length: readersOfEach }, (_, reader) => read(db, reader)));
  await Promise.all([...callers.map(like), ...readers]);
  return { likes, reads: reads.toSorted((a, b) => a - b) };
}

test('a hot post costs readers of other posts little, and gets many times the likes of one connection', async () => {
  const spread = await load(accounts, (person, round) => person * 31 + round);
  const hot = await load(accounts, () => 0);
  const alone = await load(accounts.slice(0, 1), (_, round) => round);
  expect(await findCounterMismatches(database.db)).toEqual([]);
  if (!isLong) return;
  const medians = [spread, hot].map(({ reads }) => percentile(reads, 0.5));
  const measured = JSON.stringify({ spread: spread.likes, hot: hot.likes, alone: alone.likes, medians });
  expect(Number(medians[1]), measured).toBeLessThanOrEqual(1.5 * Number(medians[0]));
  expect(hot.likes, measured).toBeGreaterThanOrEqual(5 * alone.likes);
});
