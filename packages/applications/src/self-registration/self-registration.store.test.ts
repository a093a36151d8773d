import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { insertAccount } from '@linnet/test/db/insert-account';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';

import { createApplications } from '../applications.ts';
import { createSelfRegistrations, TooManyRegistrations } from './self-registration.ts';

const names = { serviceName: 'linnet' };
const document = {
  client_name: 'Agent',
  redirect_uris: ['https://agent.example/callback'],
  token_endpoint_auth_method: 'none',
};

let database: TestDatabase;
let db: Db;
beforeEach(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  db = openDatabase({ url: database.url, poolSize: 8, prepare: true });
});
afterEach(async () => {
  await db[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const countStatement = statement<readonly [], { count: number }>(
  'test_count_self_registered',
  'SELECT count(*) AS count FROM application WHERE owner_id IS NULL',
);
const count = async () => (await db.query(countStatement, []))[0]?.count;

describe('the largest number of registrations', () => {
  test('is not exceeded by concurrent registrations', async () => {
    const registrations = createSelfRegistrations(db, names, 3);
    const attempts = Array.from({ length: 12 }, async () => await registrations.register(document));
    const results = await Promise.allSettled(attempts);
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(refused).toHaveLength(9);
    expect(refused.every((error) => error instanceof TooManyRegistrations)).toBe(true);
    expect(await count()).toBe(3);
  });

  test('leaves existing registrations manageable, and a deleted one makes room', async () => {
    const registrations = createSelfRegistrations(db, names, 1);
    const { metadata, token } = await registrations.register(document);
    const clientId = String(metadata['client_id']);
    await expect(registrations.register(document)).rejects.toThrow(TooManyRegistrations);
    const changed = { ...document, client_id: clientId, client_name: 'Renamed' };
    expect(await registrations.update({ clientId, token }, changed)).toMatchObject({ client_name: 'Renamed' });
    expect(await registrations.delete({ clientId, token })).toBe('deleted');
    await registrations.register(document);
    expect(await count()).toBe(1);
  });

  test('does not count applications of people', async () => {
    await insertAccount(db, 'ada_lovelace');
    const settings = { name: 'Owned', type: 'public', redirectUris: [], scopes: [], actAsOwner: false } as const;
    await createApplications(db).create({ ...settings, owner: 'ada_lovelace' });
    await createSelfRegistrations(db, names, 1).register(document);
    expect(await count()).toBe(1);
  });
});

test('an update that cannot store the links stores none of the settings', async () => {
  const registrations = createSelfRegistrations(db, names);
  const { metadata, token } = await registrations.register({ ...document, client_uri: 'https://agent.example/' });
  const clientId = String(metadata['client_id']);
  const failing = statement<readonly [], never>(
    'test_failing_links',
    `ALTER TABLE application ADD CONSTRAINT test_links CHECK (website_uri <> 'https://unlucky.example/')`,
  );
  await db.query(failing, []);
  const before = await registrations.read({ clientId, token });
  const change = {
    ...document,
    client_id: clientId,
    client_name: 'Renamed',
    redirect_uris: ['https://agent.example/other'],
    client_uri: 'https://unlucky.example/',
  };
  await expect(registrations.update({ clientId, token }, change)).rejects.toThrow('test_links');
  expect(await registrations.read({ clientId, token })).toEqual(before);
});
