import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';

import { rows } from '@linnet/test/db/valid-rows';
import type { Row } from '@linnet/test/db/valid-rows';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';

/** The tables whose ids have the shard of another id, and the column that holds it (docs/operations/scale.md). */
const owned = [
  ['post', 'author_id'],
  ['post_like', 'author_id'],
  ['repost', 'account_id'],
  ['bookmark', 'account_id'],
  ['media', 'owner_id'],
  ['follow', 'follower_id'],
  ['follow_request', 'follower_id'],
  ['block', 'blocker_id'],
  ['mute', 'muter_id'],
  ['word_filter', 'account_id'],
  ['hashtag_follow', 'account_id'],
  ['draft', 'account_id'],
  ['account_import', 'account_id'],
  ['comment', 'post_id'],
] as const;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  client = new pg.Client({ connectionString: database.url });
  client.setTypeParser(pg.types.builtins.INT8, Number);
  await client.connect();
  // No foreign keys, and none of the triggers that do not always fire.
  await client.query('SET session_replication_role = replica');
});
beforeEach(async () => {
  await client.query('BEGIN');
  return async () => {
    await client.query('ROLLBACK');
  };
});
afterAll(async () => {
  await client.end();
  await database[Symbol.asyncDispose]();
});

/** Returns the id of the inserted row, or the constraint that rejects it. */
async function insert(table: keyof typeof rows, changes: Row): Promise<number | string | undefined> {
  const { id: _valid, ...valid }: Row = rows[table];
  const values = { ...valid, ...changes };
  const columns = Object.keys(values).join(', ');
  const placeholders = Object.keys(values).map((_name, index) => `$${String(index + 1)}`);
  await client.query('SAVEPOINT before');
  try {
    const sql = `INSERT INTO ${table} (${columns}) VALUES (${placeholders.join(', ')}) RETURNING id`;
    return (await client.query<{ id: number }>(sql, Object.values(values))).rows[0]?.id;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return error.constraint;
  } finally {
    await client.query('ROLLBACK TO before');
  }
}

/** An id in the shard. */
function idIn(shard: number): number {
  return 2 ** 52 + shard * 4 + 1;
}

function shardOf(id: unknown): number {
  return Math.floor(Number(id) / 4) % 1024;
}

test.each(owned)('the id of a %s has the shard of its %s', async (table, column) => {
  const owner = { [column]: idIn(9) };
  expect(shardOf(await insert(table, owner))).toBe(9);
  expect(await insert(table, { ...owner, id: idIn(9) + 2 })).toBe(idIn(9) + 2);
  expect(await insert(table, { ...owner, id: idIn(10) })).toBe(`${table}_shard_check`);
});

test('the ids of the texts of a post have the shard of its author', async () => {
  const post = { author_id: idIn(9), id: idIn(9) };
  expect(await insert('post', { ...post, version_id: idIn(9) + 4096 })).toBe(idIn(9));
  expect(await insert('post', { ...post, version_id: idIn(10) })).toBe('post_shard_check');
  const version = { author_id: idIn(9), post_id: idIn(9) };
  expect(await insert('post_version', { ...version, id: idIn(9) })).toBe(idIn(9));
  expect(await insert('post_version', { ...version, id: idIn(10) })).toBe('post_version_shard_check');
});

test('each constraint has rejected a row above, and holds for all rows', async () => {
  const { rows: constraints } = await client.query<{ name: string; valid: boolean }>(
    `SELECT conname AS name, convalidated AS valid FROM pg_constraint WHERE conname LIKE '%shard_check'`,
  );
  const tables = [...owned.map(([table]) => table), 'post_version'];
  expect(constraints.map(({ name }) => name).toSorted()).toEqual(
    tables.map((name) => `${name}_shard_check`).toSorted(),
  );
  expect(constraints.filter(({ valid }) => !valid)).toEqual([]);
});
