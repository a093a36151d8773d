import { createAccounts } from '@linnet/accounts/accounts';
import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { findApplicationFacts } from './application/application-facts-store.ts';
import { createApplications } from './applications.ts';

let database: TestDatabase;
let db: Db;
let clientId: string;
const people: number[] = [];

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  db = openDatabase({ url: database.url, poolSize: 4, prepare: true });
  for (let number = 0; number < 11; number += 1) {
    const username = `person_${String(number)}`;
    const account = await createAccounts(db).registerInTransaction(
      db,
      { username, firstName: 'Any', lastName: 'Body', email: `${username}@example.org`, password: '-' },
      '-',
    );
    people.push(account.id);
  }
  const settings = { type: 'confidential', redirectUris: [], scopes: ['users'], actAsOwner: true } as const;
  ({ clientId } = await createApplications(db).create({ ...settings, owner: 'person_0', name: 'Weather' }));
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

let grants = 0;
async function grant(accountId: number | undefined, changes: { revokedAt?: Date; endsAt?: Date } = {}): Promise<void> {
  grants += 1;
  const id = `grant-${String(grants).padStart(16, '0')}`;
  const row = { id, accountId: BigInt(accountId ?? 0), clientId, scopes: [], payload: {} };
  await db.prisma.grant.create({ data: { ...row, kind: 'consent', ...changes } });
}

const minPeople = async () => (await findApplicationFacts(db, clientId))?.minPeople;

test('people with an active consent count once, in bands', async () => {
  expect(await minPeople()).toBe(0);
  for (const id of people.slice(0, 9)) await grant(id);
  const past = new Date(Date.now() - 60_000);
  await grant(people[0]);
  await grant(people[9], { revokedAt: past });
  await grant(people[10], { endsAt: past });
  expect(await minPeople()).toBe(0);
  await grant(people[9], { endsAt: new Date(Date.now() + 3_600_000) });
  expect(await minPeople()).toBe(10);
});

test('an application is new for seven days', async () => {
  const isNew = async (ageDays: number) => {
    const createdAt = new Date(Date.now() - ageDays * 86_400_000);
    await db.prisma.application.update({ where: { clientId }, data: { createdAt } });
    return (await findApplicationFacts(db, clientId))?.isNew;
  };
  expect([await isNew(0), await isNew(6.9), await isNew(7.1)]).toEqual([true, true, false]);
});

test('an application is verified if an operator says so', async () => {
  expect((await findApplicationFacts(db, clientId))?.isVerified).toBe(false);
  await createApplications(db).verify(clientId);
  expect((await findApplicationFacts(db, clientId))?.isVerified).toBe(true);
});

test('an application that does not exist has no facts', async () => {
  expect(await findApplicationFacts(db, 'app_unknown')).toBeUndefined();
});
