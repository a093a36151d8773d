import { setTimeout as delay } from 'node:timers/promises';

import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { statement } from '@linnet/db/statement/statement';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';

import { revokeAllGrants } from '@linnet/applications/grants/connected-applications-store';
import { createApplications } from '@linnet/applications/applications';
import { insertAccount } from '@linnet/test/db/insert-account';
import { findGrant, saveGrant } from './grant-store.ts';

let database: TestDatabase;
let accountId: number;
let clientId: string;
let id = '';
beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  accountId = await insertAccount(database.db, 'grant_owner');
  const application = { owner: 'grant_owner', name: 'A', type: 'public', redirectUris: [], scopes: [] } as const;
  clientId = (await createApplications(database.db).create({ ...application, actAsOwner: false })).clientId;
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(() => {
  id = crypto.randomUUID();
});

const save = async () =>
  await saveGrant(database.db, { id, accountId, clientId, scopes: ['users'], payload: {}, seconds: undefined });
const incrementEpoch = statement<readonly [id: number], never>(
  'test_raise',
  'UPDATE account SET epoch = epoch + 1 WHERE id = $1',
);

test('RT8 a consent given during a password change is stored only after the change, when its session has ended', async () => {
  let isSaved = false;
  let saving = Promise.resolve(false);
  await database.db.transaction(async (tx) => {
    await tx.query(incrementEpoch, [accountId]);
    await revokeAllGrants(tx, accountId);
    saving = save().finally(() => (isSaved = true));
    await delay(200);
    expect(isSaved).toBe(false);
  });
  expect(await saving).toBe(true);
});

test('RT8 a password change revokes consents that were given before it', async () => {
  expect(await save()).toBe(true);
  await database.db.transaction(async (tx) => {
    await tx.query(incrementEpoch, [accountId]);
    await revokeAllGrants(tx, accountId);
  });
  expect(await findGrant(database.db, id)).toBeUndefined();
});

test('a suspended account cannot give consent', async () => {
  const where = { id: accountId };
  await database.db.prisma.account.update({ where, data: { suspendedAt: new Date() } });
  expect(await save()).toBe(false);
  await database.db.prisma.account.update({ where, data: { suspendedAt: null } });
  expect(await save()).toBe(true);
});
