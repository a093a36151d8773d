import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { AccountTaken } from '../account.ts';
import { createAccounts } from '../accounts.ts';
import type { Accounts } from '../accounts.ts';
import { NameRefused } from './name-rules.ts';
import { readDigits, toNameKey } from './skeleton.ts';

const usernameKeyStatement = statement<readonly [name: string], { key: string }>(
  'test_username_key',
  'SELECT username_key($1) AS key',
);

let database: TestDatabase;
let db: Db;
let accounts: Accounts;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  db = openDatabase({ url: database.url, poolSize: 8, prepare: true });
  accounts = createAccounts(db);
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Without the cost of hashing a password. */
async function register(username: string | undefined, names: { firstName?: string; lastName?: string } = {}) {
  const email = `${crypto.randomUUID()}@example.org`;
  const registration = { firstName: 'Any', lastName: 'Body', email, password: '-', username, ...names };
  return await accounts.registerInTransaction(db, registration, '-');
}

async function isVerified(username: string): Promise<boolean | undefined> {
  return (await accounts.findByUsername(username))?.verified;
}

test('D107 a username that looks like that of a verified account is taken, for registration, renaming and checks', async () => {
  await register('Marie_Curie1');
  const stranger = await register('some_stranger');
  await register('rnarie_Curie_1');
  expect(await accounts.setVerified('marie_curie1', true)).toBe(true);
  for (const name of [
    'rnariecurie1',
    'MARIE_CURIEL',
    'mar1e_curiel',
    'm_a_r_i_e_curie1',
    'M4rie_Curie1',
    'mari3curi3l',
  ]) {
    await expect(register(name), name).rejects.toThrow(AccountTaken);
    expect(await accounts.isUsernameTaken(name)).toBe(true);
    expect((await accounts.rename({ accountId: stranger.id, username: name }))?.isTaken, name).toBe(true);
  }
  expect(await accounts.isUsernameTaken('marie_curie22')).toBe(false);
  await accounts.setVerified('marie_curie1', false);
  expect(await accounts.isUsernameTaken('mariecurie1')).toBe(false);
});

test('the database compares usernames by the same key as the service', async () => {
  for (const name of [
    'Ada_Lovelace',
    'MIMI_0101',
    'l1I_O0o',
    '_____',
    'rnm_MRN_w',
    'abcdefghijklmnopqrstuvwxyz_01234',
    'B0b_5t34m7_8269',
  ]) {
    const [row] = await db.query(usernameKeyStatement, [name]);
    expect(row?.key).toBe(readDigits(toNameKey(name)));
  }
});

test('a display name that looks like that of a verified account is refused; the same name is not', async () => {
  await register('smith_john', { firstName: 'Jöhn', lastName: 'Smith' });
  await accounts.setVerified('smith_john', true);
  const { id } = await register('other_john', { firstName: 'jöhn', lastName: 'SMITH' });
  for (const displayName of ['John Smith', 'J0hn Srnith', 'JohnSmith', 'Jöhn  Smith ⭐']) {
    await expect(accounts.updateProfile({ accountId: id, displayName }), displayName).rejects.toThrow(NameRefused);
  }
  await expect(register(undefined, { firstName: 'J0hn', lastName: 'Smith' })).rejects.toThrow(NameRefused);
  expect(await accounts.updateProfile({ accountId: id, displayName: 'Jöhn Smith' })).toBe(true);
  expect(await accounts.updateProfile({ accountId: id, displayName: 'John Smithson' })).toBe(true);
});

test.each([
  {
    change: 'username',
    apply: (id: number) => accounts.rename({ accountId: id, username: `renamed_${String(id).slice(-6)}` }),
  },
  {
    change: 'case of the username',
    apply: (id: number) => accounts.rename({ accountId: id, username: 'VERIFIED_CASE' }),
    username: 'verified_case',
  },
  {
    change: 'display name',
    apply: (id: number) => accounts.updateProfile({ accountId: id, displayName: 'Any Other' }),
  },
  { change: 'first name', apply: (id: number) => accounts.updateProfile({ accountId: id, firstName: 'Other' }) },
  { change: 'last name', apply: (id: number) => accounts.updateProfile({ accountId: id, lastName: 'Other' }) },
])('a new $change ends the verification, and the audit log says so', async ({ apply, username }) => {
  const account = await register(username);
  await accounts.setVerified(account.username, true);
  await accounts.updateProfile({ accountId: account.id, displayName: account.displayName, description: 'New' });
  expect((await accounts.findById(account.id))?.verified).toBe(true);
  await apply(account.id);
  expect((await accounts.findById(account.id))?.verified).toBe(false);
  const events = await db.prisma.auditEvent.findMany({ where: { accountId: account.id }, orderBy: { id: 'asc' } });
  expect(events.map(({ event }) => event).filter((event) => event.includes('verified'))).toEqual([
    'account.verified',
    'account.unverified',
  ]);
});

test(
  'verifying and renaming at once never leaves the mark on a name that was not verified',
  { timeout: 60_000 },
  async () => {
    for (let round = 0; round < 30; round += 1) {
      const before = `race_before_${String(round)}`;
      const { id } = await register(before);
      const [wasVerified] = await Promise.all([
        accounts.setVerified(before, true),
        round % 2 === 0
          ? accounts.rename({ accountId: id, username: `race_after_${String(round)}` })
          : accounts.updateProfile({ accountId: id, displayName: `Other ${String(round)}` }),
      ]);
      const account = await accounts.findById(id);
      // Verified after a new display name, under that one; never after a new username.
      expect([false, round % 2 === 1 && wasVerified]).toContain(account?.verified);
      const key = await db.prisma.account.findUnique({ where: { id }, select: { displayNameKey: true } });
      expect(key?.displayNameKey).toBe(account?.verified === true ? toNameKey(account.displayName) : null);
    }
  },
);

test(
  'after an account is verified, a look-alike of the same moment either exists or never will',
  { timeout: 60_000 },
  async () => {
    for (let round = 0; round < 20; round += 1) {
      const name = `famous_${String(round)}_x`;
      await register(name);
      const stranger = await register(`strange_${String(round)}_y`);
      const lookAlike = name.replace('m', 'rn');
      await Promise.all([
        accounts.setVerified(name, true),
        accounts.rename({ accountId: stranger.id, username: lookAlike }),
        register(name.replaceAll('_', '')).catch((error: unknown) => error),
      ]);
      expect(await isVerified(name)).toBe(true);
      const newcomer = await register(`new_${String(round)}_z`);
      for (const username of [lookAlike, name.replaceAll('_', ''), name.replace('o', '0')]) {
        expect((await accounts.rename({ accountId: newcomer.id, username }))?.isTaken, username).toBe(true);
      }
    }
  },
);

test('a name without a skeleton of its own can be verified', async () => {
  const { id } = await register('just_emoji');
  await accounts.updateProfile({ accountId: id, displayName: '🐦' });
  expect(await accounts.setVerified('just_emoji', true)).toBe(true);
});
