// Audit events can be deleted only with a checkpoint that covers them, whichever program does it.
import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createTestArchives } from '@linnet/test/audit/archives';
import type { TestArchives } from '@linnet/test/audit/archives';
import { addSealedEvents, countEvents, run } from '@linnet/test/audit/sealed-events';

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
  for (const minutes of [50, 40]) await addSealedEvents(db, 3, minutes);
});

const covering = `INSERT INTO audit_checkpoint
  (number, from_id, to_id, first_seal, seal, events, seal_sha256, archive_sha256, key_id, mac)
  SELECT 1, 0, to_id, 1, 1, 3, sha256, sha256('file'), 'x', sha256('mac') FROM audit_seal WHERE number = 1`;
const inFirst = 'id <= (SELECT to_id FROM audit_seal WHERE number = 1)';

async function commit(...statements: readonly string[]): Promise<void> {
  await db.transaction(async (tx) => {
    for (const sql of statements) await run(tx, sql);
  });
}

test.each<[what: string, statements: readonly string[], refusedBy: RegExp]>([
  ['events beyond it are deleted', [covering, 'DELETE FROM audit_event'], /only archived audit events/],
  ['seals from its own on are deleted', [covering, 'DELETE FROM audit_seal'], /only archived seals/],
  ['its events stay', [covering], /still in the log/],
  [
    'some of its events stay',
    [covering, `DELETE FROM audit_event WHERE ${inFirst} AND account_id = 2`],
    /still in the log/,
  ],
  ['its number leaves a gap', [covering.replace('SELECT 1,', 'SELECT 2,')], /does not match/],
  ['its count is wrong', [covering.replace('1, 3,', '1, 2,')], /does not match/],
  ['its seal is wrong', [covering.replace(' sha256,', ` sha256('x'),`)], /does not match/],
  ['it names no archive', [covering.replace(`sha256('file')`, 'NULL::bytea')], /audit_checkpoint_archive_check/],
  ['its MAC is short', [covering.replace(`sha256('mac')`, `''::bytea`)], /audit_checkpoint_mac_check/],
])('a checkpoint is refused if %s', async (_what, statements, refusedBy) => {
  await expect(commit(...statements)).rejects.toThrow(refusedBy);
  expect(await countEvents(db)).toBe(6);
});

test('a checkpoint allows deletions in its own transaction only, and without the key it is detected as forged', async () => {
  await commit(covering, `DELETE FROM audit_event WHERE ${inFirst}`);
  await expect(run(db, 'DELETE FROM audit_event')).rejects.toThrow(/only ever added/);
  expect(await countEvents(db)).toBe(3);
  expect((await archives.verify(db)).broken).toMatchObject({ reason: 'checkpoint-key-unknown' });
  await expect(archives.archive(db, 'after-forgery', { minutes: 35 })).rejects.toMatchObject({
    reason: 'checkpoint-key-unknown',
  });
});
