// The filters of the list of people, and acts on several accounts.
import { createBrowser } from '@linnet/test/auth/browser';
import type { Page } from '@linnet/test/auth/browser';
import { registerOperator } from '@linnet/test/auth/operator';
import type { PersonWithApp } from '@linnet/test/auth/operator';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { insertAccount } from '@linnet/test/db/insert-account';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let olga: PersonWithApp;

/** Spammers, another operator and somebody else. */
const people = {
  wave_one: { email: 'one@spam.example', createdAt: new Date('2026-01-31T23:59:59Z') },
  wave_two: { email: 'two@mail.spam.example', createdAt: new Date('2026-02-01T00:00:00Z') },
  wave_boss: { email: 'boss@spam.example' },
  honest: { email: 'spam.example@notspam.example', createdAt: new Date('2026-01-01T00:00:00Z') },
};
type Name = keyof typeof people;
const ids = { wave_one: 0, wave_two: 0, wave_boss: 0, honest: 0 };

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  olga = await registerOperator(auth, 'operator_olga');
  for (const name of Object.keys(people) as readonly Name[]) {
    const { email } = people[name];
    ids[name] = await insertAccount(auth.db, name);
    const data = { ...people[name], emailCi: email };
    await auth.db.prisma.account.update({ where: { id: ids[name] }, data });
  }
});
beforeEach(async () => {
  const data = {
    ...{ suspendedAt: null, suspendedBy: null, suspensionReason: null },
    ...{ limitedAt: null, limitedBy: null, limitReason: null, deletedAt: null, operatorSince: null },
  };
  await auth.db.prisma.account.updateMany({ where: { id: { in: Object.values(ids).map(BigInt) } }, data });
  await auth.db.prisma.account.update({ where: { id: ids.wave_boss }, data: { operatorSince: new Date() } });
});
afterAll(() => cleanup.disposeAsync());

const find = async (query: Readonly<Record<string, string>>) =>
  await olga.browser.open(`/admin/people?${new URLSearchParams(query).toString()}`);

/** The people on a page, or in a part of it. */
function shown({ html }: Page, testId: string): readonly string[] {
  const [, list = ''] = new RegExp(`<ul class="rows" data-testid="${testId}">(.*?)</ul>`, 's').exec(html) ?? [];
  return Object.entries(ids).flatMap(([name, id]) => (list.includes(`/admin/people/${String(id)}"`) ? [name] : []));
}

describe('filters', () => {
  test.each([
    [{ domain: 'SPAM.example' }, ['wave_one', 'wave_two', 'wave_boss']],
    [{ domain: 'mail.spam.example' }, ['wave_two']],
    [{ q: 'wave_', since: '2026-02-01' }, ['wave_two', 'wave_boss']],
    [{ q: 'wave_', state: 'suspended' }, []],
    [{ domain: 'spam.example', state: 'active' }, ['wave_one', 'wave_two', 'wave_boss']],
    [{ q: 'wave_', network: '203.0.113.0/24' }, ['wave_one']],
  ])('%j: %j', async (query, names) => {
    await auth.db.prisma.$executeRaw`
      WITH e AS (INSERT INTO audit_event (event, actor, account_id) VALUES ('session.begun', 'person', ${ids.wave_one}) RETURNING id)
      INSERT INTO audit_address (event_id, address) SELECT id, '203.0.113.9' FROM e`;
    const page = await find(query);
    expect([page.status, shown(page, 'people')]).toEqual([200, names]);
    if (names.length === 0) return;
    const all = await olga.browser.open(page.link('Select everyone on this page'), page);
    expect(all.html.match(/<input type="checkbox"[^>]* checked/g)).toHaveLength(names.length);
  });

  test.each([
    ['domain', 'not a domain', 'Enter a domain'],
    ['network', '10.0.0.0/2', 'Enter a network'],
    ['since', '2026-02-31x', 'Enter a day'],
  ])('a wrong %s is refused, and kept', async (name, value, message) => {
    const page = await find({ [name]: value });
    expect([page.status, page.text.includes(message), page.html.includes(`value="${value}"`)]).toEqual([
      422,
      true,
      true,
    ]);
  });
});

const choose = async (act: string, chosen: readonly (number | string)[], browser = olga.browser) =>
  await browser.open(`/admin/people/chosen?act=${act}${chosen.map((id) => `&id=${String(id)}`).join('')}`);

async function confirm(page: Page, act: string, reason = 'Ticket 4711'): Promise<Page> {
  return await olga.browser.submit(page, page.formOf(`act-${act}`), { [`reason_${act}`]: reason });
}

async function events(event: string) {
  const found = await auth.db.prisma.auditEvent.findMany({
    where: { event, actor: 'operator' },
    orderBy: { id: 'asc' },
  });
  return found.map(({ accountId, detail }) => ({ id: Number(accountId), detail }));
}

describe('D188: acts', () => {
  test.each([
    ['limit', 'account.limited', {}],
    ['unlimit', 'account.unlimited', { limitedAt: new Date() }],
    ['suspend', 'account.suspended', {}],
    ['restore', 'account.unsuspended', { suspendedAt: new Date() }],
    ['delete', 'account.deleted', {}],
  ])('%s shows whom it is about, and records each: %s', async (act, event, data) => {
    const both = [ids.wave_one, ids.wave_two];
    await auth.db.prisma.account.updateMany({ where: { id: { in: both.map(BigInt) } }, data });
    const before = await events(event);
    const page = await choose(act, [...both, olga.id, ids.wave_boss, ids.wave_one, 999_999]);
    expect([page.status, shown(page, 'chosen'), shown(page, 'left-out')]).toEqual([
      ...[200, ['wave_one', 'wave_two']],
      ['wave_boss'],
    ]);
    expect(page.text).toContain('2 accounts left out');
    expect(await events(event)).toEqual(before);
    const refused = await confirm(page, act, 'by @ada');
    expect([refused.status, shown(refused, 'chosen')]).toEqual([422, ['wave_one', 'wave_two']]);
    expect(await events(event)).toEqual(before);
    const done = await confirm(page, act);
    expect([done.url.pathname, done.url.search]).toEqual(['/admin/people', `?done=${act}`]);
    const detail = expect.objectContaining({ operator: String(olga.id), reason: 'Ticket 4711' });
    expect((await events(event)).slice(before.length)).toEqual(both.map((id) => ({ id, detail })));
  });

  test('leave out who changed after the page was shown, and say so', async () => {
    const page = await choose('suspend', [ids.wave_one, ids.wave_two, ids.honest]);
    await confirm(await choose('suspend', [ids.wave_one]), 'suspend', 'First');
    await auth.db.prisma.account.update({ where: { id: ids.honest }, data: { operatorSince: new Date() } });
    const before = await events('account.suspended');
    const answer = await confirm(page, 'suspend', 'Second');
    expect([answer.status, shown(answer, 'chosen'), shown(answer, 'left-out')]).toEqual([
      ...[409, []],
      ['wave_one', 'honest'],
    ]);
    expect(answer.text).toContain('All others are done.');
    const after = await events('account.suspended');
    expect(after.slice(before.length)).toMatchObject([{ id: ids.wave_two, detail: { reason: 'Second' } }]);
  });

  test('never act on operators or oneself, whatever the form says', async () => {
    const page = await choose('suspend', [ids.wave_one]);
    const form = page.formOf('act-suspend');
    const fields = form.fields.map(([name, value]) => [name, name === 'id' ? String(ids.wave_boss) : value] as const);
    const own = form.fields.map(([name, value]) => [name, name === 'id' ? String(olga.id) : value] as const);
    for (const forged of [fields, own]) {
      const answer = await olga.browser.submit(page, { ...form, fields: forged }, { reason_suspend: 'Rivalry' });
      expect(answer.status).toBe(409);
    }
    expect(await auth.db.prisma.account.count({ where: { suspendedAt: { not: null } } })).toBe(0);
  });

  test('the person is shown the reason that is written for them', async () => {
    const page = await choose('suspend', [ids.wave_one]);
    const values = { reason_suspend: 'Ticket 4711', shown_reason: 'Advertising' };
    await olga.browser.submit(page, page.formOf('act-suspend'), values);
    const account = await auth.db.prisma.account.findUnique({ where: { id: ids.wave_one } });
    expect(account?.suspensionReason).toBe('Advertising');
  });

  test.each([
    ['no account', 'suspend', [], 422],
    ['no account that exists', 'suspend', ['x', '0', '999999'], 200],
    ['an unknown act', 'verify', ['1'], 404],
    ['more than a page', 'suspend', Array.from({ length: 51 }, (_one, index) => index + 1), 400],
  ] as const)('%s', async (_what, act, chosen, status) => {
    const page = await choose(act, chosen);
    expect([page.status, page.html.includes(`act-${act}`)]).toEqual([status, false]);
  });

  test('need the role, and a factor of the last ten minutes', async () => {
    const stranger = createBrowser(auth);
    await signIn(stranger, await registerPerson(auth.db, 'ada_lovelace'));
    expect((await choose('suspend', [ids.wave_one], stranger)).status).toBe(404);
    const page = await choose('suspend', [ids.wave_one]);
    const setTime = async (loginTs: number) =>
      await auth.db.prisma
        .$executeRaw`UPDATE session SET payload = payload || ${{ loginTs }} WHERE account_id = ${olga.id}`;
    const now = Math.round(Date.now() / 1000);
    await setTime(now - 601);
    const asked = await confirm(page, 'suspend');
    expect([asked.status, asked.html.includes('confirm-identity')]).toEqual([403, true]);
    expect(await auth.db.prisma.account.count({ where: { suspendedAt: { not: null } } })).toBe(0);
    await setTime(now);
  });
});
