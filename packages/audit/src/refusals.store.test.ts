// A flood of refusals adds few rows to the audit log, and their number is exact.
import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';

import { findLastAuditEvents } from './audit-store.ts';
import { createRefusalWriter, endRepeats, maxWindows } from './refusal-store.ts';
import type { NewRefusal, RefusalWriter } from './refusal-store.ts';

let database: TestDatabase;
let db: Db;
let last: number;
beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  ({ db } = database);
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  await endWindows();
  last = (await findLastAuditEvents(db, 1)).at(-1)?.id ?? 0;
});

const refusal = (network: string, changes: Partial<NewRefusal> = {}): NewRefusal => ({
  event: 'session.refused',
  actor: 'person',
  accountId: undefined,
  clientId: undefined,
  requestId: 'request-1',
  at: new Date(),
  detail: { reason: 'throttled' },
  network,
  ...changes,
});

const createWriter = () => createRefusalWriter({ db, onLost: (_count, cause) => expect.fail(String(cause)) });

async function endWindows(): Promise<void> {
  // One second ago, not now(): times are rounded to milliseconds and may be rounded up.
  await db.prisma.$executeRaw`UPDATE audit_repeat SET ends_at = now() - interval '1 second'`;
  await endRepeats(db);
}

const readNew = async () => (await findLastAuditEvents(db, 10_000)).filter(({ id }) => id > last);
const numberOf = (detail: Readonly<Record<string, unknown>>) => Number(detail['repeats'] ?? 1);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Waits until all are counted. */
async function settle(expected: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const open = await db.prisma.auditRepeat.findMany();
      expect(open.length + sum(open.map(({ repeats }) => Number(repeats)))).toBe(expected);
    },
    { timeout: 50_000, interval: 50 },
  );
}

test('10,000 refusals over three processes are two rows with the exact number', async () => {
  const writers = [createWriter(), createWriter(), createWriter()];
  for (let index = 0; index < 10_000; index += 1) {
    writers[index % 3]?.add(refusal('192.0.2.1'));
    if (index % 500 === 0) await new Promise(setImmediate);
  }
  await settle(10_000);
  const [first, ...others] = await readNew();
  expect(others).toEqual([]);
  expect(first).toMatchObject({ event: 'session.refused', detail: { reason: 'throttled' }, requestId: 'request-1' });
  await endWindows();
  const events = await readNew();
  expect(events.map(({ detail }) => numberOf(detail))).toEqual([1, 9999]);
  expect(events[1]?.detail).toEqual({
    reason: 'throttled',
    repeats: 9999,
    from: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/),
    to: expect.any(String),
  });
});

test('a single refusal is one row, and nothing is added when its window ends', async () => {
  createWriter().add(refusal('192.0.2.2'));
  await settle(1);
  await endWindows();
  expect(await readNew()).toHaveLength(1);
});

test('different subjects, reasons and networks are counted apart', async () => {
  const writer = createWriter();
  const kinds = [
    refusal('192.0.2.3'),
    refusal('192.0.2.4'),
    refusal('192.0.2.3', { detail: { reason: 'credentials' } }),
    refusal('192.0.2.3', { accountId: 7 }),
    refusal('192.0.2.3', { clientId: 'app_1' }),
    refusal('192.0.2.3', { event: 'code.replayed', actor: 'application' }),
  ];
  for (const kind of [...kinds, ...kinds]) writer.add(kind);
  await settle(12);
  expect(await readNew()).toHaveLength(6);
  await endWindows();
  expect((await readNew()).map(({ detail }) => numberOf(detail))).toEqual(Array.from({ length: 12 }, () => 1));
});

test('a flood from very many networks is counted together beyond a bound, exactly', async () => {
  const writer = createWriter();
  const add = (from: number, to: number, one: RefusalWriter) => {
    for (let index = from; index < to; index += 1) one.add(refusal(`2001:db8:${String(index)}`));
  };
  add(0, maxWindows, writer);
  await settle(maxWindows);
  add(maxWindows, 3 * maxWindows, writer);
  await settle(3 * maxWindows);
  const events = await readNew();
  expect(events.length).toBeLessThanOrEqual(maxWindows + 2);
  await endWindows();
  expect(sum((await readNew()).map(({ detail }) => numberOf(detail)))).toBe(3 * maxWindows);
});

test('the network is not stored', async () => {
  createWriter().add(refusal('203.0.113.99'));
  await settle(1);
  const rows = await db.prisma.$queryRaw`SELECT r::text, e::text FROM audit_repeat r, audit_event e`;
  expect(JSON.stringify(rows)).not.toContain('203.0.113.99');
});

test.each([
  ['a key that is no SHA-256', `'\\x00', 0`, 'audit_repeat_key_check'],
  ['a negative number', `sha256(''), -1`, 'audit_repeat_repeats_check'],
])('the table accepts no counter with %s', async (_what, values, constraint) => {
  const insert = `INSERT INTO audit_repeat (key, repeats, event, actor, detail, first_at, last_at, ends_at)
    VALUES (${values}, 'session.refused', 'person', '{}', now(), now(), now())`;
  await expect(db.prisma.$executeRawUnsafe(insert)).rejects.toThrow(constraint);
});
