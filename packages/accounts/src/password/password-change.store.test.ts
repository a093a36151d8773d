import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { statement } from '@linnet/db/statement/statement';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';

import { createAccounts } from '../accounts.ts';
import type { Accounts } from '../accounts.ts';

let database: TestDatabase;
let accounts: Accounts;
let accountId: number;
beforeEach(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  accounts = createAccounts(database.db);
  const ada = { firstName: 'Ada', lastName: 'Lovelace', username: 'ada_l', email: 'ada@example.org' };
  accountId = (await accounts.register({ ...ada, password: 'engine' })).id;
});
afterEach(() => database[Symbol.asyncDispose]());

async function readEpoch(): Promise<number> {
  return (await database.db.prisma.account.findUniqueOrThrow({ where: { id: accountId } })).epoch;
}

const rename = statement<readonly [displayName: string], never>('test_rename', 'UPDATE account SET display_name = $1');

describe('changing a password', () => {
  test('requires the current one and raises the epoch', async () => {
    expect(await accounts.changePassword({ accountId, current: 'engine', next: 'bernoulli' })).toBe(true);
    expect(await accounts.checkCredentials('ada_l', 'engine')).toBeUndefined();
    expect(await accounts.checkCredentials('ada_l', 'bernoulli')).toMatchObject({ id: accountId });
    expect(await readEpoch()).toBe(1);
  });

  test('changes nothing if the current one is wrong or the account does not exist', async () => {
    const inTransaction = () => Promise.reject(new Error('must not run'));
    for (const current of ['', 'Engine', 'engine ']) {
      expect(await accounts.changePassword({ accountId, current, next: 'bernoulli', inTransaction })).toBe(false);
    }
    expect(await accounts.changePassword({ accountId: 1, current: 'engine', next: 'bernoulli' })).toBe(false);
    expect(await accounts.checkCredentials('ada_l', 'engine')).toBeDefined();
    expect(await readEpoch()).toBe(0);
  });

  test('succeeds once when several requests change it at the same time', async () => {
    const candidates = ['number1', 'number2', 'number3', 'number4'];
    const outcomes = await Promise.all(
      candidates.map((next) => accounts.changePassword({ accountId, current: 'engine', next })),
    );
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    const winner = String(candidates[outcomes.indexOf(true)]);
    expect(await accounts.checkCredentials('ada_l', winner)).toBeDefined();
  });

  test('rolls back when `inTransaction` fails', async () => {
    const change = { accountId, current: 'engine', next: 'bernoulli' };
    const inTransaction = async (tx: Parameters<NonNullable<Parameters<Accounts['endSessions']>[1]>>[0]) => {
      await tx.query(rename, ['Countess']);
      throw new Error('no');
    };
    await expect(accounts.changePassword({ ...change, inTransaction })).rejects.toThrow('no');
    await expect(accounts.endSessions(accountId, inTransaction)).rejects.toThrow('no');
    expect(await accounts.findById(accountId)).toMatchObject({ displayName: 'Ada Lovelace' });
    expect(await accounts.checkCredentials('ada_l', 'engine')).toBeDefined();
    expect(await readEpoch()).toBe(0);
  });
});

test('parallel requests each raise the epoch by one', async () => {
  await Promise.all(Array.from({ length: 5 }, () => accounts.endSessions(accountId)));
  expect(await readEpoch()).toBe(5);
});
