// What a host without requests costs: docs/evidence/performance.md, "An idle host".
import { startApi } from './api/running-api.ts';
import { startAuth } from './auth/running-auth.ts';
import type { RunningAuth } from './auth/running-auth.ts';
import { createDueCheck } from '@linnet/db/statement/run-exclusively';
import { createTestDatabase } from './db/test-database.ts';
import { rows } from './db/valid-rows.ts';
import type { Row, Table } from './db/valid-rows.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

type Job = RunningAuth['jobs'][number];

const cleanup = new AsyncDisposableStack();
let client: pg.Client;
let statements: string[];
let jobs: readonly Job[];
let findDue: () => Promise<ReadonlySet<string>>;

beforeAll(async () => {
  const { url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  const api = cleanup.use(await startApi(url));
  const auth = cleanup.use(await startAuth(url));
  client = new pg.Client({ connectionString: url });
  await client.connect();
  cleanup.defer(async () => await client.end());
  await client.query('SET session_replication_role = replica');
  for (const table of ['account', 'application'] as const) await insert(table);
  for (const table of ['mail', 'outbox', 'timeline_change', 'audit_event']) await client.query(`DELETE FROM ${table}`);
  jobs = [...api.app.jobs, ...auth.jobs];
  findDue = createDueCheck(api.db, jobs.filter(isQueueJob));
  // Both servers count into the same list.
  ({ statements } = api);
  auth.statements.push = (...texts) => statements.push(...texts);
});
afterAll(() => cleanup.disposeAsync());

const isQueueJob = (job: Job): job is Job & { readonly due: string } => job.due !== undefined;

async function insert(table: Table, changes: Row = {}): Promise<void> {
  const row: Row = { ...rows[table], ...changes };
  const columns = Object.keys(row).map((name) => pg.escapeIdentifier(name));
  const values = columns.map((_, index) => `$${String(index + 1)}`);
  const into = `${pg.escapeIdentifier(table)} (${columns.join(', ')})`;
  await client.query(`INSERT INTO ${into} VALUES (${values.join(', ')}) ON CONFLICT DO NOTHING`, Object.values(row));
}

async function count(work: () => Promise<unknown>): Promise<number> {
  statements.length = 0;
  await work();
  return statements.length;
}

test('a host with two workers and no requests sends at most four statements a second', async () => {
  const [checksPerSecond, pollsPerSecond] = [2 + 1 / 10, 2 / 5];
  expect([await count(findDue), [...(await findDue())]]).toEqual([1, []]);
  let perSecond = checksPerSecond + pollsPerSecond;
  for (const job of jobs.filter((one) => !isQueueJob(one))) {
    const sent = await count(async () => await job.run(new AbortController().signal));
    // The second worker runs the jobs of the host a twentieth as often.
    perSecond += (sent * 1000 * (job.isOfProcess === true ? 2 : 1 + 1 / 20)) / job.everyMs;
  }
  expect(perSecond).toBeLessThan(4);
});

const queues: readonly (readonly [job: string, table: Table, changes?: Row])[] = [
  ['mail', 'mail'],
  ['imports', 'account_import'],
  ['backchannel-logout', 'backchannel_logout'],
  ['webhook-deliveries', 'webhook_delivery'],
  ['event-order', 'outbox'],
  ['scheduled-drafts', 'draft', { status: 'scheduled', publish_at: '2026-11-20' }],
  ['timelines', 'timeline_change'],
  ['webhook-dispatch', 'event'],
  ['push', 'push_subscription'],
  ['grants-due', 'grant', { kind: 'consent', ends_at: '2026-01-01', created_at: '2025-01-01' }],
  ['media-removed', 'removed_media_file'],
  ['link-cards', 'link_card', { due_at: '2026-01-01' }],
  ['audit-seal', 'audit_event'],
  ['audit-repeats', 'audit_repeat', { ends_at: '2026-01-01' }],
];

test.each(queues.map(([job, table, changes]) => ({ job, table, changes })))(
  'the check finds that $job has something to do when there is a row in $table',
  async ({ job, table, changes }) => {
    await insert('webhook_endpoint');
    expect(await findDue()).not.toContain(job);
    await insert(table, changes);
    // A time that is due now is rounded, by half a millisecond at most.
    await expect.poll(findDue).toContain(job);
  },
);

test('these are all jobs that have a queue', () => {
  const names = jobs.filter(isQueueJob).map(({ name }) => name);
  expect(names.toSorted()).toEqual(queues.map(([name]) => name).toSorted());
});
