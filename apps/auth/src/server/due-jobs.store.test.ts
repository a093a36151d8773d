import { isGrantDue } from '@linnet/applications/grants/consent-change-store';
import { isRepeatDue } from '@linnet/audit/refusal-store';
import { isSealDue } from '@linnet/audit/seal-store';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { isMailDue } from '../mail/mail-store.ts';
import { isLogoutDue } from '../protocol/session/logout-store.ts';
import { isDispatchDue } from '../webhooks/dispatch-store.ts';
import { isDeliveryDue } from '../webhooks/delivery-store.ts';

/** Each host checks up to five times a second whether a job has something to do. What is done, or due later, must not make that dearer. */
const rows = 30_000;
const numbers = `generate_series(1, ${String(rows)}) n`;
const later = `now() + interval '1 day'`;

/** What exists while a job has nothing to do. */
const cases: Readonly<Record<string, { readonly due: string; readonly fill: readonly string[] }>> = {
  grants: {
    due: isGrantDue,
    fill: [
      `INSERT INTO "grant" (id, account_id, client_id, kind, scopes, ends_at) SELECT 'g' || n, n, 'app', 'consent', '{}', ${later} FROM ${numbers}`,
    ],
  },
  mail: {
    due: isMailDue,
    fill: [`INSERT INTO mail (kind, recipient, due_at) SELECT 'reset_password', 'a@b.c', ${later} FROM ${numbers}`],
  },
  logouts: {
    due: isLogoutDue,
    fill: [
      `INSERT INTO backchannel_logout (client_id, account_id, sid, due_at) SELECT 'app', n, 'sid', ${later} FROM ${numbers}`,
    ],
  },
  'repeated events': {
    due: isRepeatDue,
    fill: [
      `INSERT INTO audit_repeat (key, event, actor, detail, repeats, first_at, last_at, ends_at)
        SELECT sha256(n::text::bytea), 'token.refused', 'person', '{}', 2, now(), now(), ${later} FROM ${numbers}`,
    ],
  },
  seals: {
    due: isSealDue,
    fill: [
      `INSERT INTO audit_event (id, event, actor) SELECT n, 'session.created', 'person' FROM ${numbers}`,
      `INSERT INTO audit_seal (number, to_id, events, sha256) SELECT n, n * 10, 10, sha256('') FROM generate_series(1, ${String(rows / 10)}) n`,
    ],
  },
  'dispatch of webhooks': {
    due: isDispatchDue,
    fill: [
      `INSERT INTO event (position, kind, actor_id, created_at) SELECT n, 'like.created', 1, now() FROM ${numbers}`,
      `UPDATE webhook_cursor SET position = ${String(rows)}`,
    ],
  },
  'delivery of webhooks': {
    due: isDeliveryDue,
    fill: [
      `INSERT INTO webhook_delivery (endpoint_id, account_id, object, position, kind, actor_id, happened_at, state)
        SELECT n % 3, 1, 'post', n, 'like.created', 1, now(), 'delivered' FROM ${numbers}`,
    ],
  },
};

let database: TestDatabase;

beforeAll(async () => (database = await createTestDatabase(inject('databaseServer'))));
afterAll(async () => await database[Symbol.asyncDispose]());

test.each(Object.entries(cases))('the check for due %s reads a few pages', async (_, { due, fill }) => {
  const { prisma } = database.db;
  const steps = ['SET LOCAL session_replication_role = replica', ...fill, 'ANALYZE'];
  await prisma.$transaction(steps.map((sql) => prisma.$executeRawUnsafe(sql)));
  expect(await prisma.$queryRawUnsafe(`SELECT ${due} AS due`)).toEqual([{ due: false }]);
  const [explained] = await prisma.$queryRawUnsafe<Record<string, [{ Plan: Record<string, number> }]>[]>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT ${due}`,
  );
  const plan = Object.values(explained ?? {})[0]?.[0].Plan;
  expect((plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)).toBeLessThan(20);
});
