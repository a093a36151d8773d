// Moving events to an archive file: nothing is lost, whatever happens (checklist LG2).
import { access, copyFile, readFile, writeFile } from 'node:fs/promises';

import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createTestArchives, key, otherKey } from '@linnet/test/audit/archives';
import type { TestArchives } from '@linnet/test/audit/archives';
import { addSealedEvents, countEvents, run, tamper, Undone } from '@linnet/test/audit/sealed-events';

const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());
let archives: TestArchives;

async function openEmpty(): Promise<Db> {
  return cleanup.use(await createTestDatabase(inject('databaseServer'))).db;
}

let db: Db;
beforeAll(async () => {
  archives = cleanup.use(await createTestArchives());
  db = await openEmpty();
  await addSealedEvents(db, 4, 50);
  await addSealedEvents(db, 2, 40);
});

test('does nothing if no event is old enough', async () => {
  expect(await archives.archive(db, 'nothing', { minutes: 60 })).toEqual({ archived: undefined, isRenewed: false });
  await expect(access(archives.path('nothing'))).rejects.toThrow(/ENOENT/);
});

test('refuses an existing file that it did not write, and changes nothing', async () => {
  await writeFile(archives.path('letter'), 'Dear Ada');
  await expect(archives.archive(db, 'letter', { minutes: 35 })).rejects.toMatchObject({ reason: 'file-exists' });
  expect(await readFile(archives.path('letter'), 'utf8')).toBe('Dear Ada');
  expect(await countEvents(db)).toBe(6);
});

test('changes nothing if the file cannot be written', async () => {
  await expect(archives.archive(db, 'missing/file', { minutes: 35 })).rejects.toThrow(/ENOENT: .*missing/);
  expect(await countEvents(db)).toBe(6);
});

test('refuses a log that does not match its seals', async () => {
  const broken = tamper(db, `UPDATE audit_event SET actor = 'operator' WHERE account_id = 2`, async (tx) => {
    const transaction: Db['transaction'] = async (work) => await work({ ...tx, beforeCommit: () => undefined });
    await expect(archives.archive({ ...db, transaction }, 'broken', { minutes: 35 })).rejects.toMatchObject({
      reason: 'log-broken',
    });
  });
  await broken;
  for (const name of ['broken', 'broken.partial']) await expect(access(archives.path(name))).rejects.toThrow(/ENOENT/);
});

test('one of two commands at a time is refused', async () => {
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = db.transaction(async (tx) => {
    await run(tx, `SELECT pg_advisory_xact_lock(hashtextextended('audit-archive', 0))`);
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  await expect(archives.archive(db, 'second', { minutes: 35 })).rejects.toMatchObject({ reason: 'running' });
  release.resolve();
  await holding;
});

test('a run that was interrupted before its commit loses nothing, and the next one replaces its file', async () => {
  const interrupted: Db['transaction'] = async (work) =>
    await db.transaction(async (tx) => {
      await work(tx);
      throw new Undone('the process ended before the commit');
    });
  await expect(archives.archive({ ...db, transaction: interrupted }, 'interrupted', { minutes: 45 })).rejects.toThrow(
    Undone,
  );
  await access(archives.path('interrupted'));
  expect(await countEvents(db)).toBe(6);
  expect(await archives.verify(db)).toMatchObject({ broken: undefined, archived: { archives: 0 } });
  await writeFile(archives.path('interrupted.partial'), 'half a line');
  expect(await archives.archive(db, 'interrupted', { minutes: 45 })).toMatchObject({
    archived: { checkpoint: 1, events: 4 },
  });
  expect(await archives.verify(db, ['interrupted'])).toMatchObject({ broken: undefined, archived: { proven: 1 } });
});

test('never overwrites an archive that the database relies on', async () => {
  await copyFile(archives.path('interrupted'), archives.path('copy'));
  await expect(archives.archive(db, 'copy', { minutes: 35 })).rejects.toMatchObject({ reason: 'file-exists' });
  expect(await archives.archive(db, 'next', { minutes: 35 })).toMatchObject({ archived: { checkpoint: 2, events: 2 } });
  expect(await archives.verify(db, ['interrupted', 'next'])).toMatchObject({
    broken: undefined,
    archived: { proven: 2 },
  });
});

test('repeats the last checkpoint under a new key, which then proves the archives of the old one', async () => {
  expect(await archives.archive(db, 'nothing', { minutes: 35 })).toEqual({ archived: undefined, isRenewed: false });
  const verify = async () => await archives.verify(db, ['interrupted', 'next'], { keys: [otherKey] });
  expect((await verify()).broken).toMatchObject({ reason: 'checkpoint-key-unknown' });
  const renewed = { archived: undefined, isRenewed: true };
  expect(await archives.archive(db, 'nothing', { minutes: 35, keys: [otherKey, key] })).toEqual(renewed);
  expect(await verify()).toMatchObject({ broken: undefined, archived: { archives: 2, proven: 2 } });
});

test('all sealed events can be archived, and later ones continue the chain', async () => {
  await addSealedEvents(db, 3, 0);
  await archives.archive(db, 'all', { minutes: -1, keys: [otherKey] });
  expect(await countEvents(db)).toBe(0);
  await addSealedEvents(db, 3, 0);
  const verified = await archives.verify(db, ['interrupted', 'next', 'all'], { keys: [otherKey] });
  expect(verified).toMatchObject({ broken: undefined, archived: { archives: 3, proven: 3 } });
});
