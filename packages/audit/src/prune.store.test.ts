// Deleting events that an archive contains: only those, and only if the archive proves them (checklist LG2).
import { copyFile, readFile, writeFile } from 'node:fs/promises';

import type { Db } from '@linnet/db/database';
import type { Transactional } from '@linnet/db/statement/transaction';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { pruneAudit } from './prune.ts';
import { createTestArchives, key, otherKey } from '@linnet/test/audit/archives';
import type { TestArchives } from '@linnet/test/audit/archives';
import { addSealedEvents, countEvents, tamper } from '@linnet/test/audit/sealed-events';

const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());
let archives: TestArchives;
let db: Db;
let foreign: Db;

beforeAll(async () => {
  archives = cleanup.use(await createTestArchives());
  ({ db } = cleanup.use(await createTestDatabase(inject('databaseServer'))));
  ({ db: foreign } = cleanup.use(await createTestDatabase(inject('databaseServer'))));
  await addSealedEvents(foreign, 4, 50);
  await archives.archive(foreign, 'other-service', { minutes: 45, keep: true });
  await archives.archive(foreign, 'other-keys', { minutes: 45, keep: true, keys: [otherKey] });
  await addSealedEvents(db, 4, 50);
  await addSealedEvents(db, 2, 40);
  await addSealedEvents(db, 3, 30);
});

const prune = async (name: string, on: Transactional = db) =>
  await pruneAudit(on, { file: archives.path(name), keys: [key] });

test('a kept archive is complete, and the log stays as it is', async () => {
  const kept = await archives.archive(db, 'first', { minutes: 45, keep: true });
  expect(kept.archived).toMatchObject({ checkpoint: undefined, events: 4, firstSeal: 1 });
  expect(await countEvents(db)).toBe(9);
  expect(await archives.verify(db)).toMatchObject({ broken: undefined, archived: { archives: 0 } });
  await archives.archive(db, 'longer', { minutes: 35, keep: true });
});

test.each([
  ['one that was cut off', 'cut', 'damaged'],
  ['one with a changed event', 'edited', 'damaged'],
  ['one without an event', 'without', 'damaged'],
  ['a file that is no archive', 'letter', 'damaged'],
  ['one of another service with the same keys', 'other-service', 'differs'],
  ['one with keys of another service', 'other-keys', 'foreign'],
])('%s is refused, and nothing is deleted', async (_name, file, reason) => {
  const content = await readFile(archives.path('first'));
  await writeFile(archives.path('cut'), content.subarray(0, content.length - 60));
  await archives.edit('first', 'edited', (lines) => lines.map((line) => line.replace('"person"', '"operator"')));
  await archives.edit('first', 'without', (lines) => lines.filter((_line, index) => index !== 2));
  await writeFile(archives.path('letter'), 'Dear Ada');
  await expect(prune(file)).rejects.toMatchObject({ name: 'ArchiveRefused', reason });
  expect(await countEvents(db)).toBe(9);
});

test('a file that is missing is an error of the file', async () => {
  await expect(prune('nowhere')).rejects.toMatchObject({ name: 'ArchiveFileFailed' });
});

test('a log that was changed since the archive is refused', async () => {
  await tamper(db, `UPDATE audit_event SET actor = 'operator' WHERE account_id = 2`, async (tx) => {
    const transaction: Db['transaction'] = async (work) => await work({ ...tx, beforeCommit: () => undefined });
    await expect(prune('first', { ...db, transaction })).rejects.toMatchObject({ reason: 'log-broken' });
  });
  expect(await countEvents(db)).toBe(9);
});

test('a copy of the archive prunes exactly its events, and the chain continues from its last seal', async () => {
  await copyFile(archives.path('first'), archives.path('copy'));
  const checkpoint = await prune('copy');
  expect(checkpoint).toMatchObject({ number: 1, events: 4, firstSeal: 1 });
  expect(await countEvents(db)).toBe(5);
  expect(await archives.verify(db)).toMatchObject({ broken: undefined, archived: { archives: 1 } });
  expect(await archives.verify(db, ['first'])).toMatchObject({ broken: undefined, archived: { proven: 1 } });
  await addSealedEvents(db, 1, 0);
  expect(await archives.verify(db, ['copy'], { expected: checkpoint.sealSha256 })).toMatchObject({
    broken: undefined,
    knowsExpected: true,
  });
});

test('an archive cannot be pruned twice, nor one that begins before or after the log', async () => {
  for (const name of ['first', 'longer']) await expect(prune(name)).rejects.toMatchObject({ reason: 'order' });
  await archives.archive(db, 'second', { minutes: 35, keep: true });
  await archives.archive(db, 'third', { minutes: 35 });
  await expect(prune('second')).rejects.toMatchObject({ reason: 'order' });
  expect(await countEvents(db)).toBe(4);
});

test('of two at the same time, one prunes', async () => {
  await archives.archive(db, 'fourth', { minutes: 25, keep: true });
  const both = await Promise.allSettled([prune('fourth'), prune('fourth')]);
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await countEvents(db)).toBe(1);
  const proven = await archives.verify(db, ['copy', 'third', 'fourth']);
  expect(proven).toMatchObject({ broken: undefined, archived: { archives: 3, proven: 3 } });
});
