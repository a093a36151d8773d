// Events know where they came from: the whole address for 7 days, then its network, without a change of the chain.
import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { findLastAuditEvents, insertAuditEvents, shortenAuditAddresses } from './audit-store.ts';
import { createSealer } from './seal-store.ts';
import { verifyAudit } from './verification.ts';

const cleanup = new AsyncDisposableStack();
let db: Db;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  db = cleanup.use(openDatabase({ url: database.url, poolSize: 2, prepare: true, actor: 'service' }));
});
afterAll(() => cleanup.disposeAsync());

const run = async (sql: string) => await db.query(statement<readonly [], never>('', sql), []);
const addresses = async () => (await findLastAuditEvents(db, 100)).map(({ address }) => address);

test('a job shortens addresses, and the sealed events stay as they were', async () => {
  const given = ['192.0.2.77', '2001:db8:1:2:3:4:5:6', undefined];
  const event = {
    event: 'session.refused',
    actor: 'person',
    detail: {},
    accountId: undefined,
    clientId: undefined,
  } as const;
  const at = new Date();
  await insertAuditEvents(
    db,
    given.map((address) => ({ ...event, requestId: 'one', at, address })),
  );
  expect(await addresses()).toEqual(['192.0.2.77', '2001:db8:1:2:3:4:5:6', null]);

  const seal = createSealer(db);
  await expect
    .poll(async () => {
      await seal(new AbortController().signal);
      return (await verifyAudit(db, { loadKeys: async () => [] })).events;
    })
    .toBe(3);
  const { head } = await verifyAudit(db, { loadKeys: async () => [] });

  await run(`UPDATE audit_address SET at = now() - interval '6 days 23 hours'`);
  await shortenAuditAddresses(db);
  expect(await addresses()).toEqual(['192.0.2.77', '2001:db8:1:2:3:4:5:6', null]);
  await run(`UPDATE audit_address SET at = now() - interval '7 days 1 hour'`);
  await shortenAuditAddresses(db);
  await shortenAuditAddresses(db);
  expect(await addresses()).toEqual(['192.0.2.0/24', '2001:db8:1::/48', null]);
  expect(await verifyAudit(db, { loadKeys: async () => [] })).toMatchObject({ broken: undefined, head });
});

test.each([
  ['192.0.2.9', '192.0.2.9'],
  ['', null],
  ['not an address', null],
])('a sign-in from "%s" has the address %s', async (address, expected) => {
  await run(`INSERT INTO account (id, username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name)
    VALUES (1, 'alice', 'alice', 'a@b.cd', 'a@b.cd', '-', 'A', 'B', 'A B') ON CONFLICT DO NOTHING`);
  await run(`INSERT INTO session (uid, account_id, login_epoch, payload, address, expires_at)
    VALUES (gen_random_uuid(), 1, 0, '{}', '${address}', now() + interval '1 day')`);
  const [last] = (await findLastAuditEvents(db, 1)).map(({ event, address: found }) => ({ event, found }));
  expect(last).toEqual({ event: 'session.begun', found: expected });
});
