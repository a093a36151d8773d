import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';

import { createApplications } from '../applications.ts';
import { TooManyRegistrations } from '../self-registration/self-registration.ts';
import { createMetadataDocuments } from './metadata-documents.ts';

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

const urlOf = (number: number) => `https://agent-${String(number)}.example/client.json`;

async function store(number: number, max: number): Promise<void> {
  const clientId = urlOf(number);
  const document = { client_id: clientId, redirect_uris: [new URL('/callback', clientId).href] };
  const body = Buffer.from(JSON.stringify(document));
  const documents = createMetadataDocuments(db, { rules: { serviceName: 'linnet' }, max });
  await documents.store(clientId, { document, body, etag: undefined, freshSeconds: 600 });
}

const list = async () => (await createApplications(db).list()).map(({ clientId }) => clientId);

test('beyond the largest number of documents, clients that nobody has authorized give way to new ones', async () => {
  for (const number of [1, 2]) await store(number, 2);
  await store(3, 2);
  expect(await list()).toEqual([urlOf(3)]);
});

test('suspended clients stay, and leave no room', async () => {
  await store(1, 1);
  await createApplications(db).suspend(urlOf(1));
  await expect(store(2, 1)).rejects.toThrow(TooManyRegistrations);
  expect(await list()).toEqual([urlOf(1)]);
});

test('one document that is stored by several processes at once is one client', async () => {
  await Promise.all(Array.from({ length: 8 }, async () => await store(1, 10)));
  expect(await list()).toEqual([urlOf(1)]);
});
