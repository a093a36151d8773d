// The seals of the audit log detect every change (checklist LG2).
import type { Db } from '@linnet/db/database';
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';

import { findLastAuditEvents, followAuditEvents } from './audit-store.ts';
import { createSealer } from './seal-store.ts';
import { verifyAudit as verify } from './verification.ts';
import type { AuditVerification } from './verification.ts';

const going = new AbortController().signal;
const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

async function openEmpty(): Promise<Db> {
  return cleanup.use(await createTestDatabase(inject('databaseServer'))).db;
}

/** No archives here, so no keys are needed. */
async function verifyAudit(db: Queryable, expected?: string): Promise<AuditVerification> {
  return await verify(db, { expected, loadKeys: () => Promise.reject(new Error('keys were read')) });
}

async function run(db: Queryable, sql: string): Promise<void> {
  await db.query(statement<readonly [], never>('', sql), []);
}

/** Inserts events with ids of a minute ago, old enough to be sealed. */
async function addEvents(db: Queryable, count: number): Promise<void> {
  await run(
    db,
    `INSERT INTO audit_event (id, event, actor, account_id, detail)
     SELECT next_id() - (60000::bigint << 12), 'account.renamed', 'person', n, jsonb_build_object('n', n)
       FROM generate_series(1, ${String(count)}) AS n`,
  );
}

/** Runs the job until all but `unsealed` events are sealed. Transactions in other databases can delay it. */
async function sealAllBut(db: Db, unsealed: number, sealer = createSealer(db)): Promise<AuditVerification> {
  return await vi.waitFor(
    async () => {
      await sealer(going);
      const verified = await verifyAudit(db);
      expect(verified.unsealed).toBe(unsealed);
      return verified;
    },
    { timeout: 50_000, interval: 20 },
  );
}

describe('a log of three seals', () => {
  let db: Db;
  let head: string;
  beforeAll(async () => {
    db = await openEmpty();
    await addEvents(db, 2500);
    head = (await sealAllBut(db, 0)).head ?? '';
  });

  class Undone extends Error {}

  /** Verifies a log that the owner of the database changed; the change is rolled back. */
  async function afterTampering(sql: string, expected?: string): Promise<AuditVerification | undefined> {
    let verified: AuditVerification | undefined;
    const tampering = db.transaction(async (tx) => {
      for (const table of ['audit_event', 'audit_seal']) await run(tx, `ALTER TABLE ${table} DISABLE TRIGGER USER`);
      await run(tx, sql);
      verified = await verifyAudit(tx, expected);
      throw new Undone('enough');
    });
    await expect(tampering).rejects.toThrow(Undone);
    return verified;
  }

  test('is intact if it is unchanged', async () => {
    const archived = { archives: 0, seals: 0, events: 0, proven: 0 };
    const whole = { seals: 3, events: 2500, unsealed: 0, broken: undefined, archived };
    expect(await verifyAudit(db)).toEqual({ ...whole, head, knowsExpected: undefined });
    expect(await verifyAudit(db, head)).toEqual({ ...whole, head, knowsExpected: true });
    expect(await verifyAudit(db, 'f'.repeat(64))).toEqual({ ...whole, head, knowsExpected: false });
  });

  const middle = `(SELECT to_id FROM audit_seal WHERE number = 2)`;
  const early = `SELECT min(id) - 1, 'account.renamed', 'person' FROM audit_event`;

  test.each([
    ['a changed account', `UPDATE audit_event SET account_id = 7 WHERE id = ${middle}`, 2, 'changed'],
    ['a changed time', `UPDATE audit_event SET at = at - interval '1 ms' WHERE id = ${middle}`, 2, 'changed'],
    ['a changed actor', `UPDATE audit_event SET actor = 'operator' WHERE id = ${middle}`, 2, 'changed'],
    ['a changed detail', `UPDATE audit_event SET detail = '{}' WHERE id = ${middle}`, 2, 'changed'],
    ['an event that was deleted', `DELETE FROM audit_event WHERE id = ${middle}`, 2, 'events-removed'],
    ['an event that was inserted afterwards', `INSERT INTO audit_event (id, event, actor) ${early}`, 1, 'events-added'],
    ['a seal that was deleted', 'DELETE FROM audit_seal WHERE number = 2', 3, 'seal-removed'],
    ['the first seal deleted', 'DELETE FROM audit_seal WHERE number = 1', 2, 'seal-removed'],
    ['a seal that was replaced', `UPDATE audit_seal SET sha256 = sha256('') WHERE number = 2`, 2, 'changed'],
  ])('detects %s', async (_what, sql, brokenSeal, reason) => {
    expect((await afterTampering(sql))?.broken).toMatchObject({ seal: brokenSeal, reason });
  });

  test('lacks the expected seal if its end was removed with its seal', async () => {
    const cut = `WITH gone AS (DELETE FROM audit_seal WHERE number = 3) DELETE FROM audit_event WHERE id > ${middle}`;
    expect(await afterTampering(cut, head)).toMatchObject({ broken: undefined, knowsExpected: false });
  });

  test.each([
    'UPDATE audit_seal SET events = 1',
    'DELETE FROM audit_seal',
    'TRUNCATE audit_seal',
    'DELETE FROM audit_event',
  ])('only ever grows: %s', async (sql) => {
    await expect(run(db, sql)).rejects.toThrow(/only ever added/);
  });
});

describe('a new seal', () => {
  let db: Db;
  beforeAll(async () => {
    db = await openEmpty();
  });

  test('excludes events of the last moments', async () => {
    expect(await verifyAudit(db)).toMatchObject({ seals: 0, events: 0, unsealed: 0, head: undefined });
    await addEvents(db, 2);
    await run(db, `INSERT INTO audit_event (event, actor) VALUES ('account.renamed', 'person')`);
    expect(await sealAllBut(db, 1)).toMatchObject({ seals: 1, events: 2, broken: undefined });
  });

  test('excludes events until no open transaction can add to them', async () => {
    const sealer = createSealer(db);
    const [began, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = db.transaction(async (tx) => {
      await addEvents(tx, 1);
      began.resolve();
      await slow.promise;
    });
    await began.promise;
    await addEvents(db, 3);
    for (let turn = 0; turn < 3; turn += 1) await sealer(going);
    expect(await verifyAudit(db)).toMatchObject({ events: 2, unsealed: 4 });
    slow.resolve();
    await writing;
    expect(await sealAllBut(db, 1, sealer)).toMatchObject({ events: 6, broken: undefined });
  });

  test('a seal is a SHA-256', async () => {
    const short = `INSERT INTO audit_seal (number, to_id, events, sha256) VALUES (99, 1, 1, '\\x00')`;
    await expect(run(db, short)).rejects.toThrow(/audit_seal_sha256_check/);
  });

  test('includes each event once when many processes seal at once', async () => {
    await addEvents(db, 2500);
    const sealers = Array.from({ length: 8 }, () => createSealer(db));
    const turns = async (stopping: AbortSignal) => void (await Promise.all(sealers.map((sealer) => sealer(stopping))));
    expect(await sealAllBut(db, 1, turns)).toMatchObject({ events: 2506, broken: undefined });
  });
});

test('following the log returns each event once, including those committed late', async () => {
  const db = await openEmpty();
  await addEvents(db, 3);
  const findNew = followAuditEvents(db, await findLastAuditEvents(db, 2));
  expect(await findNew()).toEqual([]);
  const [began, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const insert = `INSERT INTO audit_event (event, actor) VALUES ('account.renamed', 'person')`;
  const late = db.transaction(async (tx) => {
    await run(tx, insert);
    began.resolve();
    await slow.promise;
  });
  await began.promise;
  await run(db, insert);
  expect(await findNew()).toHaveLength(1);
  slow.resolve();
  await late;
  expect(await findNew()).toHaveLength(1);
  expect(await findNew()).toEqual([]);
});
