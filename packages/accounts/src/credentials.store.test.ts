import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createAccounts } from './accounts.ts';
import type { Accounts } from './accounts.ts';

let database: TestDatabase;
let accounts: Accounts;
beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  accounts = createAccounts(database.db);
  await accounts.register({
    firstName: 'Ada',
    lastName: 'Lovelace',
    username: 'Ada_L',
    email: 'Ada@Example.org',
    password: 'engine',
  });
});
afterAll(() => database[Symbol.asyncDispose]());

async function readHash(): Promise<string> {
  const row = await database.db.prisma.account.findUniqueOrThrow({ where: { usernameCi: 'ada_l' } });
  return row.passwordHash;
}

describe('checkCredentials', () => {
  test.each(['Ada_L', 'ada_l', 'Ada@Example.org', 'ADA@EXAMPLE.ORG', ' ada_l '])(
    'accepts the login %j with the right password',
    async (login) => {
      expect(await accounts.checkCredentials(login, 'engine')).toMatchObject({
        username: 'Ada_L',
        email: 'Ada@Example.org',
      });
    },
  );

  test.each([
    ['Ada_L', 'Engine'],
    ['Ada_L', 'engine '],
    ['Ada_L', ''],
    ['', 'engine'],
    ['@', 'engine'],
    ['Ada_', 'engine'],
    ['Ada_L%', 'engine'],
    ['x'.repeat(60_000), 'engine'],
  ])('rejects the login %j with the password %j', async (login, password) => {
    expect(await accounts.checkCredentials(login, password)).toBeUndefined();
  });

  test('accepts an address with an international domain in both of its forms', async () => {
    const grace = {
      firstName: 'Grace',
      lastName: 'Hopper',
      email: 'grace@xn--bcher-kva.example',
      password: 'nanosecond',
    };
    const { id } = await accounts.register(grace);
    for (const login of ['grace@bücher.example', ' Grace@BÜCHER.example', 'grace@xn--bcher-kva.example']) {
      expect(await accounts.checkCredentials(login, 'nanosecond')).toMatchObject({ id });
    }
  });

  test('does not return the password hash', async () => {
    expect(await accounts.checkCredentials('Ada_L', 'engine')).not.toHaveProperty('passwordHash');
  });
});

describe('AC1: rehash on parameter change', () => {
  test('replaces a hash of another cost when the password is right, and only then', async () => {
    const cheap = await hash('engine', { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await database.db.prisma.account.update({ where: { usernameCi: 'ada_l' }, data: { passwordHash: cheap } });
    await accounts.checkCredentials('ada_l', 'wrong');
    expect(await readHash()).toBe(cheap);
    expect(await accounts.checkCredentials('ada_l', 'engine')).toBeDefined();
    const rehashed = await readHash();
    expect(rehashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await accounts.checkCredentials('ada_l', 'engine')).toBeDefined();
    expect(await readHash()).toBe(rehashed);
  });
});
