import { setTimeout as delay } from 'node:timers/promises';

import { openDatabase } from '@linnet/db/database';
import type { Db, Queryable } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/db/test-database';
import type { TestDatabase } from '@linnet/db/test-database';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';

import { insertAccount } from './account-store.ts';
import { giveUsername } from './username-store.ts';

/** Two transactions side by side, the second begun while the first is not finished. */

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
  first = (await insert(db, named('first')))?.id ?? 0;
  second = (await insert(db, named('second')))?.id ?? 0;
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

/** Does `later` while `earlier` is done and not committed; answers what `later` gives. */
async function meanwhile<Result>(earlier: (tx: Queryable) => Promise<unknown>, later: () => Promise<Result>) {
  const { promise: done, resolve: isDone } = Promise.withResolvers<void>();
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const transaction = db.transaction(async (tx) => {
    await earlier(tx);
    isDone();
    await mayEnd;
  });
  await done;
  const waiting = later();
  await Promise.race([waiting.catch(() => undefined), delay(200)]);
  end();
  await transaction;
  return await waiting;
}

test('AC4 of two that want a free name the second is told that it is taken', async () => {
  const outcome = await meanwhile(
    (tx) => giveUsername(tx, first, named('wanted')),
    () => giveUsername(db, second, named('Wanted')),
  );
  expect(outcome).toMatchObject({ isTaken: true, username: named('second') });
});

test('a registration does not get a name that is being taken', async () => {
  const outcome = await meanwhile(
    (tx) => giveUsername(tx, first, named('wanted')),
    () => insert(db, named('wanted')),
  );
  expect(outcome).toBeUndefined();
});

test('a name that is being registered is taken', async () => {
  const outcome = await meanwhile(
    (tx) => insert(tx, named('wanted')),
    () => giveUsername(db, second, named('wanted')),
  );
  expect(outcome).toMatchObject({ isTaken: true, username: named('second') });
});

test('a name that is being given up is reserved the moment it is free', async () => {
  const give = (tx: Queryable) => giveUsername(tx, first, named('elsewhere'));
  expect(await meanwhile(give, () => insert(db, named('first')))).toBeUndefined();
});

test('a name that is being given up is never another’s by renaming', async () => {
  const give = (tx: Queryable) => giveUsername(tx, first, named('elsewhere'));
  expect(await meanwhile(give, () => giveUsername(db, second, named('first')))).toMatchObject({
    isTaken: true,
    username: named('second'),
  });
});

test('a name that is given up and not after all stays its owner’s', async () => {
  const undone = db.transaction(async (tx) => {
    await giveUsername(tx, first, named('elsewhere'));
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await giveUsername(db, second, named('elsewhere'))).toMatchObject({ isTaken: false });
  expect(await giveUsername(db, second, named('first'))).toMatchObject({ isTaken: true });
});
