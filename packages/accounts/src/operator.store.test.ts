import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createAccounts } from './accounts.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  db = openDatabase({ url: database.url, poolSize: 2, prepare: true });
  await createAccounts(db).register({
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.org',
    password: 'engine',
    username: 'Ada_L',
  });
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

test('D7 setVerified finds the account by its username in any case', async () => {
  const accounts = createAccounts(db);
  expect(await accounts.setVerified('ADA_L', true)).toBe(true);
  expect(await accounts.findByUsername('ada_l')).toMatchObject({ verified: true });
  expect(await accounts.setVerified('ada_l', false)).toBe(true);
  expect(await accounts.findByUsername('ada_l')).toMatchObject({ verified: false });
  expect(await accounts.setVerified('nobody_here', true)).toBe(false);
});

test('setPassword replaces the password and ends every session of the account', async () => {
  const accounts = createAccounts(db);
  expect(await accounts.setPassword({ username: 'ADA_L', password: 'bernoulli' })).toBe(true);
  expect(await accounts.checkCredentials('ada_l', 'engine')).toBeUndefined();
  expect(await accounts.checkCredentials('ada_l', 'bernoulli')).toBeDefined();
  const { epoch } = await db.prisma.account.findUniqueOrThrow({ where: { usernameCi: 'ada_l' } });
  expect(epoch).toBe(1);
  expect(await accounts.setPassword({ username: 'nobody_here', password: 'bernoulli' })).toBe(false);
});

test('hasAny is false for an empty table only', async () => {
  await using empty = await createTestDatabase(inject('databaseServer'));
  await using other = openDatabase({ url: empty.url, poolSize: 1, prepare: true });
  expect([await createAccounts(db).hasAny(), await createAccounts(other).hasAny()]).toEqual([true, false]);
});
