// The chain of seals proves the events in the database and in archive files together (checklist LG2).
import { readFile, writeFile } from 'node:fs/promises';

import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createTestArchives, otherKey } from '@linnet/test/audit/archives';
import type { TestArchives } from '@linnet/test/audit/archives';
import { addSealedEvents, countEvents, run, tamper } from '@linnet/test/audit/sealed-events';

const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());
let archives: TestArchives;

async function openEmpty(): Promise<Db> {
  return cleanup.use(await createTestDatabase(inject('databaseServer'))).db;
}

let db: Db;
let firstHead: string;
beforeAll(async () => {
  archives = cleanup.use(await createTestArchives());
  db = await openEmpty();
  for (const minutes of [80, 50, 40, 10, 1]) await addSealedEvents(db, minutes === 50 ? 1500 : 10, minutes);
  firstHead =
    (await run<{ head: string }>(db, `SELECT encode(sha256, 'hex') AS head FROM audit_seal WHERE number = 1`))[0]
      ?.head ?? '';
  await archives.archive(db, 'one', { minutes: 45 });
  await archives.archive(db, 'two', { minutes: 35 });
});

test('keeps the events that are not old enough, and is intact with and without its archives', async () => {
  expect(await countEvents(db)).toBe(20);
  const archived = { archives: 2, seals: 4, events: 1520 };
  const whole = { seals: 2, events: 20, broken: undefined, unsealed: 2 };
  expect(await archives.verify(db)).toMatchObject({ ...whole, archived: { ...archived, proven: 0 } });
  expect(await archives.verify(db, ['one', 'two'])).toMatchObject({ ...whole, archived: { ...archived, proven: 2 } });
});

test('records each archive as an event', async () => {
  const events = await run(
    db,
    `SELECT detail - 'sha256' AS detail FROM audit_event WHERE event = 'audit.archived' ORDER BY id`,
  );
  expect(events).toEqual([
    { detail: { checkpoint: 1, seal: 3, events: 1510 } },
    { detail: { checkpoint: 2, seal: 4, events: 10 } },
  ]);
});

test('finds an expected head in an archive', async () => {
  expect(await archives.verify(db, undefined, { expected: firstHead })).toMatchObject({ knowsExpected: false });
  expect(await archives.verify(db, ['one', 'two'], { expected: firstHead })).toMatchObject({ knowsExpected: true });
});

test.each<[what: string, change: (lines: readonly string[]) => readonly string[], reason: string, seal: number]>([
  ['a changed line', (lines) => lines.with(20, (lines[20] ?? '').replace('"person"', '"operator"')), 'changed', 2],
  ['a missing line', (lines) => lines.toSpliced(20, 1), 'events-removed', 2],
  ['an added line', (lines) => lines.toSpliced(20, 0, lines[20] ?? ''), 'events-added', 2],
  ['a missing seal', (lines) => lines.toSpliced(1, 11), 'seal-removed', 1],
  ['a missing end', (lines) => lines.slice(0, -2), 'cut-off', 4],
  ['a line after the end', (lines) => [...lines, '[]'], 'changed', 4],
])('detects %s in an archive', async (_what, change, reason, seal) => {
  await archives.edit('one', 'edited', change);
  const broken = { reason, seal, archive: archives.path('edited') };
  expect(await archives.verify(db, ['edited', 'two'])).toMatchObject({ broken, archived: { proven: 0 } });
});

test('detects a damaged file', async () => {
  const bytes = await readFile(archives.path('one'));
  await writeFile(archives.path('damaged'), bytes.subarray(0, bytes.length / 2));
  expect((await archives.verify(db, ['damaged', 'two'])).broken).toMatchObject({ reason: 'unreadable' });
});

test('an archive whose seals and counts were all recomputed is not the one of the checkpoint', async () => {
  await archives.edit('one', 'replaced', (lines) =>
    lines.with(0, (lines[0] ?? '').replace('linnet.example', 'x.example')),
  );
  expect((await archives.verify(db, ['replaced', 'two'])).broken).toMatchObject({ reason: 'archive-foreign', seal: 1 });
});

test.each<[what: string, names: readonly string[], reason: string]>([
  ['a missing archive at the end', ['one'], 'archive-missing'],
  ['a missing archive at the start', ['two'], 'archive-order'],
  ['no archive at all', [], 'archive-missing'],
  ['archives in another order', ['two', 'one'], 'archive-order'],
  ['an archive given twice', ['one', 'two', 'one'], 'archive-order'],
])('detects %s', async (_what, names, reason) => {
  expect((await archives.verify(db, names)).broken).toMatchObject({ reason });
});

test('detects an archive of another service', async () => {
  const other = await openEmpty();
  await addSealedEvents(other, 5, 50);
  await archives.archive(other, 'foreign', { minutes: 35, keys: [otherKey] });
  expect((await archives.verify(db, ['foreign', 'two'])).broken).toMatchObject({ reason: 'archive-foreign' });
  const sibling = await openEmpty();
  await addSealedEvents(sibling, 5, 50);
  await archives.archive(sibling, 'sibling', { minutes: 35 });
  expect((await archives.verify(db, ['sibling', 'two'])).broken).toMatchObject({ reason: 'archive-unknown' });
});

const early = `SELECT 5, 'account.renamed', 'person'`;
test.each([
  ['a forged checkpoint', `UPDATE audit_checkpoint SET events = 1 WHERE number = 2`, 'checkpoint-forged'],
  [
    'an earlier forged checkpoint',
    `UPDATE audit_checkpoint SET archive_sha256 = sha256('') WHERE number = 1`,
    'checkpoint-forged',
  ],
  [
    'a checkpoint with another key',
    `UPDATE audit_checkpoint SET key_id = 'x' WHERE number = 2`,
    'checkpoint-key-unknown',
  ],
  ['a removed checkpoint', 'DELETE FROM audit_checkpoint WHERE number = 2', 'changed'],
  ['all checkpoints removed', 'DELETE FROM audit_checkpoint', 'seal-removed'],
  ['the seal of the last checkpoint removed', 'DELETE FROM audit_seal WHERE number = 4', 'changed'],
  ['the seal of the last checkpoint changed', `UPDATE audit_seal SET sha256 = sha256('') WHERE number = 4`, 'changed'],
  ['an event added to the archived ones', `INSERT INTO audit_event (id, event, actor) ${early}`, 'events-added'],
  [
    'rows deleted without a checkpoint',
    `DELETE FROM audit_event WHERE id = (SELECT to_id FROM audit_seal WHERE number = 5)`,
    'events-removed',
  ],
  [
    'rows deleted with their seal',
    'WITH s AS (DELETE FROM audit_seal WHERE number = 5 RETURNING to_id) DELETE FROM audit_event WHERE id <= (SELECT to_id FROM s)',
    'seal-removed',
  ],
])('detects %s', async (_what, sql, reason) => {
  expect((await tamper(db, sql, (tx) => archives.verify(tx)))?.broken).toMatchObject({ reason, archive: undefined });
});

test.each([
  'UPDATE audit_checkpoint SET events = 1',
  'DELETE FROM audit_checkpoint',
  'TRUNCATE audit_checkpoint',
  'DELETE FROM audit_event',
  'DELETE FROM audit_seal WHERE number = 4',
  'UPDATE audit_event SET actor = actor',
  'TRUNCATE audit_event',
])('refuses %s', async (sql) => {
  await expect(run(db, sql)).rejects.toThrow(/only ever added/);
});
