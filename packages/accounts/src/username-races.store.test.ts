import { setTimeout as delay } from 'node:timers/promises';

import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import type { Queryable } from '@linnet/db/statement/transaction';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';

import { insertAccount } from './account-store.ts';
import { changeUsername } from './username-store.ts';

/** Each test runs two transactions; the second starts before the first commits. */

let database: TestDatabase;
let db: Db;
let round = 0;
let first: number;
let second: number;
const named = (name: string) => `${name}_${String(round)}`;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  db = openDatabase({ url: database.url, poolSize: 4, prepare: true });
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  round += 1;
  first = await insertNew(named('first'));
  second = await insertNew(named('second'));
});

async function insert(on: Queryable, username: string) {
  const email = `${crypto.randomUUID()}@example.org`;
  return await insertAccount(on, {
    username,
    email,
    passwordHash: '-',
    firstName: 'A',
    lastName: 'B',
    displayName: 'A B',
  });
}

async function insertNew(username: string): Promise<number> {
  const account = await insert(db, username);
  if (account === undefined) throw new Error(`${username} is taken`);
  return account.id;
}

/** Runs `later` while the transaction of `earlier` has not committed. Returns the result of `later`. */
async function overlap<Result>(earlier: (tx: Queryable) => Promise<unknown>, later: () => Promise<Result>) {
  const { promise: written, resolve: reportWritten } = Promise.withResolvers<void>();
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
  const transaction = db.transaction(async (tx) => {
    await earlier(tx);
    reportWritten();
    await mayCommit;
  });
  await written;
  const waiting = later();
  await Promise.race([waiting.catch(() => undefined), delay(200)]);
  commit();
  await transaction;
  return await waiting;
}

test('AC4 when two accounts change to the same free name, the second one finds it taken', async () => {
  const outcome = await overlap(
    (tx) => changeUsername(tx, first, named('wanted')),
    () => changeUsername(db, second, named('Wanted')),
  );
  expect(outcome).toMatchObject({ isTaken: true, username: named('second') });
});

test('a registration fails if a concurrent rename takes its name', async () => {
  const outcome = await overlap(
    (tx) => changeUsername(tx, first, named('wanted')),
    () => insert(db, named('wanted')),
  );
  expect(outcome).toBeUndefined();
});

test('a rename finds a name taken that is being registered', async () => {
  const outcome = await overlap(
    (tx) => insert(tx, named('wanted')),
    () => changeUsername(db, second, named('wanted')),
  );
  expect(outcome).toMatchObject({ isTaken: true, username: named('second') });
});

test('an old name is reserved against a registration during the rename', async () => {
  const rename = (tx: Queryable) => changeUsername(tx, first, named('elsewhere'));
  expect(await overlap(rename, () => insert(db, named('first')))).toBeUndefined();
});

test('an old name is reserved against another rename during the rename', async () => {
  const rename = (tx: Queryable) => changeUsername(tx, first, named('elsewhere'));
  expect(await overlap(rename, () => changeUsername(db, second, named('first')))).toMatchObject({
    isTaken: true,
    username: named('second'),
  });
});

test('a rename that is rolled back keeps the old name', async () => {
  const failing = db.transaction(async (tx) => {
    await changeUsername(tx, first, named('elsewhere'));
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect(await changeUsername(db, second, named('elsewhere'))).toMatchObject({ isTaken: false });
  expect(await changeUsername(db, second, named('first'))).toMatchObject({ isTaken: true });
});
