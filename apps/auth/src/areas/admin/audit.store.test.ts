// The search of the audit log.
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { registerOperator } from '@linnet/test/auth/operator';
import type { PersonWithApp } from '@linnet/test/auth/operator';
import { registerPerson } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let olga: PersonWithApp;
let ada: Person;
let clientId: string;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  olga = await registerOperator(auth, 'operator_olga');
  ada = await registerPerson(auth.db, 'ada_lovelace');
  ({ clientId } = await auth.register());
  const page = await olga.browser.open(`/admin/people/${String(ada.id)}`);
  await olga.browser.submit(page, page.formOf('act-verify'), { reason_verify: 'Saw the passport' });
});
afterAll(() => cleanup.disposeAsync());

const search = async (parameters: Readonly<Record<string, string>>) =>
  await olga.browser.open(`/admin/audit?${new URLSearchParams(parameters).toString()}`);

/** The events of a page, latest first. */
async function find(parameters: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { html } = await search(parameters);
  return [...html.matchAll(/<h3><code>([^<]*)<\/code>/g)].map(([, name = '']) => name);
}

const day = (offsetDays: number) => new Date(Date.now() + offsetDays * 86_400_000).toISOString().slice(0, 10);

test('finds by account, application, operator, event, actor and time, also together', async () => {
  const all = await find({});
  expect(all.slice(0, 3)).toEqual(['account.verified', 'application.created', 'secret.added']);
  expect(await find({ account: 'ADA_lovelace' })).toEqual(['account.verified', 'account.registered']);
  expect(await find({ account: String(ada.id), event: 'account.registered' })).toEqual(['account.registered']);
  expect(await find({ client: clientId })).toEqual(['application.created', 'secret.added']);
  expect(await find({ operator: '@operator_olga' })).toEqual(['account.verified']);
  expect(await find({ operator: '@ada_lovelace' })).toEqual([]);
  expect(await find({ actor: 'operator' })).toEqual(['account.verified']);
  expect(await find({ event: 'account.verified', actor: 'person' })).toEqual([]);
  expect(await find({ from: day(0), to: day(0) })).toEqual(all);
  expect(await find({ to: day(-1) })).toEqual([]);
  expect(await find({ from: day(1) })).toEqual([]);
});

test.each([
  [{ account: 'nobody_here' }, 'There is no account'],
  [{ operator: 'nobody_here' }, 'There is no account'],
  [{ from: 'yesterday' }, 'Enter a day'],
  [{ to: '2026-13-40' }, 'Enter a day'],
])('refuses %j', async (parameters, message) => {
  const page = await search(parameters);
  expect([page.status, page.text.includes(message)]).toEqual([422, true]);
});

test.each([{ event: "'; DROP TABLE" }, { actor: 'nobody' }, { before: 'x' }, { client: '\0' }])(
  'ignores or does not find %j',
  async (parameters) => {
    expect((await search(parameters)).status).toBe(200);
  },
);

test('pages by cursor, without losing or repeating an event', async () => {
  await auth.db.prisma.$executeRaw`
    INSERT INTO audit_event (event, actor, account_id) SELECT 'test.event', 'service', ${ada.id} FROM generate_series(1, 120)`;
  let page = await search({ event: 'test.event' });
  const counts = [page.html.split('test.event<').length - 1];
  while (page.html.includes('rel="next"')) {
    page = await olga.browser.open(page.link('Next page'), page);
    counts.push(page.html.split('test.event<').length - 1);
  }
  expect(counts).toEqual([50, 50, 20]);
});

test('a page reads a bounded number of events, and the next one continues there', async () => {
  await auth.db.prisma.$executeRaw`
    INSERT INTO audit_event (event, actor, account_id) SELECT 'test.flood', 'service', ${ada.id} FROM generate_series(1, 10000)`;
  const first = await search({ account: 'ada_lovelace', event: 'account.registered' });
  expect(first.text).toContain('The next page searches older ones.');
  const second = await olga.browser.open(first.link('Next page'), first);
  expect(second.html).toContain('account.registered</code>');
});
