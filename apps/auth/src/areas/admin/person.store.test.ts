// What operators can do with an account on its page.
import { appealSuspension } from '@linnet/accounts/suspension-store';
import { grantOperator, revokeOperator } from '@linnet/accounts/operators/role-store';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { insertAccount } from '@linnet/test/db/insert-account';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Page } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import { mailTo } from '@linnet/test/auth/mailbox';
import { registerOperator, registerWithApp } from '@linnet/test/auth/operator';
import type { PersonWithApp } from '@linnet/test/auth/operator';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let olga: PersonWithApp;
let ada: PersonWithApp;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  olga = await registerOperator(auth, 'operator_olga');
  ada = await registerWithApp(auth, 'ada_lovelace');
});
afterAll(() => cleanup.disposeAsync());

const open = async (id = ada.id) => await olga.browser.open(`/admin/people/${String(id)}`);

async function act(name: string, reason = 'Ticket 4711', page?: Page): Promise<Page> {
  const shown = page ?? (await open());
  return await olga.browser.submit(shown, shown.formOf(`act-${name}`), { [`reason_${name}`]: reason });
}

async function stateOf(id = ada.id) {
  const { suspendedAt, verified } = await auth.db.prisma.account.findUniqueOrThrow({ where: { id } });
  return { isSuspended: suspendedAt !== null, verified };
}

async function lastEvents(id = ada.id) {
  const events = await auth.db.prisma.auditEvent.findMany({ where: { accountId: id }, orderBy: { id: 'desc' } });
  return events.map(({ event, actor, detail }) => ({ event, actor, detail }));
}

describe('finding people', () => {
  test.each(['ADA_', 'ada_lovelace@exam', 'da Byro', 'the id'])('by %s', async (text) => {
    const q = text === 'the id' ? String(ada.id) : text;
    const page = await olga.browser.open(`/admin/people?${new URLSearchParams({ q }).toString()}`);
    expect(page.html).toContain(`href="/admin/people/${String(ada.id)}"`);
  });

  test.each(['nobody_here', '%', '%00', '💥'])('%s finds nobody', async (q) => {
    const page = await olga.browser.open(`/admin/people?${new URLSearchParams({ q }).toString()}&before=x`);
    expect(page.status).toBe(200);
  });

  test('pages through everybody', async () => {
    for (let count = 0; count < 51; count += 1) await insertAccount(auth.db, `crowd_${String(count)}`);
    const first = await olga.browser.open('/admin/people?q=crowd_');
    expect(first.html.match(/class="row"/g)).toHaveLength(50);
    const second = await olga.browser.open(first.link('Next page'), first);
    expect(second.html.match(/class="row"/g)).toHaveLength(1);
    expect(second.html).not.toContain('rel="next"');
  });

  test.each(['/admin/people/999', '/admin/people/x', '/admin/people/99999999999999999999'])(
    '%s is 404',
    async (path) => {
      expect((await olga.browser.open(path)).status).toBe(404);
    },
  );
});

test('the page shows the account with its sessions, connected apps and events', async () => {
  const app = await connect(auth, ada.browser);
  const page = await open();
  for (const text of ['ada_lovelace@example.org', 'authenticator app', app.clientId, 'session.begun']) {
    expect(page.text).toContain(text);
  }
  expect(page.headers['cache-control']).toBe('no-store');
});

test('one session or one connected app ends, and no other', async () => {
  const cleo = await registerPerson(auth.db, 'cleo_crane');
  const [browser, other] = [createBrowser(auth), createBrowser(auth)];
  await signIn(browser, cleo);
  const [first, second] = [await connect(auth, browser), await connect(auth, browser)];
  await signIn(other, cleo);
  const endOne = async (name: string, target: string, reason = 'Ticket 4712') => {
    const page = await open(cleo.id);
    const form = page.forms.find(
      ({ testIds, fields }) =>
        testIds.includes(`act-${name}`) && fields.some(([field, value]) => field === 'target' && value === target),
    );
    if (form === undefined) throw new Error(`there is no form for ${target}`);
    const field = form.fields.find(([one]) => one.startsWith('reason_'))?.[0] ?? '';
    return await olga.browser.submit(page, form, { [field]: reason });
  };
  const sessions = await auth.db.prisma.session.findMany({
    where: { accountId: cleo.id },
    orderBy: { createdAt: 'asc' },
  });
  const uid = String(sessions.at(-1)?.uid);
  const refused = await endOne('end-session', uid, ' ');
  expect([refused.status, refused.text.includes('Enter a reason.')]).toEqual([422, true]);
  expect((await other.open('/account')).url.pathname).toBe('/account');

  expect((await endOne('end-session', uid)).url.search).toBe('?done=end-session');
  expect((await other.open('/account')).url.pathname).toBe('/login');
  expect((await browser.open('/account')).url.pathname).toBe('/account');
  expect((await endOne('end-grant', first.clientId)).url.search).toBe('?done=end-grant');
  expect((await first.refresh(first.refreshToken)).status).toBe(400);
  expect((await second.refresh(second.refreshToken)).status).toBe(200);
  const detail = { operator: String(olga.id), reason: 'Ticket 4712' };
  const acts = (await lastEvents(cleo.id)).filter(({ actor }) => actor === 'operator');
  expect(acts).toMatchObject([{ detail }, { event: 'session.ended', detail }]);
});

test('a suspension shows the reason for the person and the appeal, until it ends', async () => {
  const shown = await open();
  const suspend = async (text: string) => {
    const values = { reason_suspend: 'Report 7', shown_reason: text };
    return await olga.browser.submit(shown, shown.formOf('act-suspend'), values);
  };
  const refused = await suspend('x'.repeat(501));
  expect([refused.status, refused.text.includes('must be 500 characters or fewer')]).toEqual([422, true]);
  expect(await stateOf()).toMatchObject({ isSuspended: false });
  await suspend(' Advertising,  again ');
  await appealSuspension(auth.db, ada.id, 'It was not me.');
  const { text } = await open();
  expect(text).toContain('Advertising, again');
  expect(text).toContain('It was not me.');
  await act('restore');
  expect((await open()).text).not.toContain('It was not me.');
});

describe('acts', () => {
  interface Row {
    readonly name: string;
    readonly state: { readonly isSuspended: boolean; readonly verified: boolean };
    readonly event: string;
  }
  const rows: readonly Row[] = [
    { name: 'verify', state: { isSuspended: false, verified: true }, event: 'account.verified' },
    { name: 'unverify', state: { isSuspended: false, verified: false }, event: 'account.unverified' },
    { name: 'suspend', state: { isSuspended: true, verified: false }, event: 'account.suspended' },
    { name: 'restore', state: { isSuspended: false, verified: false }, event: 'account.unsuspended' },
    { name: 'limit', state: { isSuspended: false, verified: false }, event: 'account.limited' },
    { name: 'unlimit', state: { isSuspended: false, verified: false }, event: 'account.unlimited' },
    { name: 'delete', state: { isSuspended: false, verified: false }, event: 'account.deleted' },
    { name: 'restore', state: { isSuspended: false, verified: false }, event: 'account.restored' },
    { name: 'end-access', state: { isSuspended: false, verified: false }, event: 'account.signed_out_everywhere' },
    {
      name: 'resend-confirmation',
      state: { isSuspended: false, verified: false },
      event: 'account.confirmation_resent',
    },
    { name: 'reset-factors', state: { isSuspended: false, verified: false }, event: 'factor.removed' },
  ];

  test.each(rows)('$name, with the operator and the reason in the audit log', async ({ name, state, event }) => {
    const page = await act(name, `  Because of   ${name} `);
    expect([page.status, page.url.search]).toEqual([200, `?done=${name}`]);
    expect(await stateOf()).toEqual(state);
    const detail = { operator: String(olga.id), reason: `Because of ${name}` };
    const entry = (await lastEvents()).find((one) => one.event === event);
    expect(entry).toMatchObject({ actor: 'operator', detail });
    expect(page.text).toContain(`reason: Because of ${name}`);
  });

  test('end-access ends sessions and tokens; the person gets a mail about removed factors', async () => {
    const bea = await registerWithApp(auth, 'bea_benz');
    const app = await connect(auth, bea.browser);
    await act('end-access', 'Stolen laptop', await open(bea.id));
    expect((await bea.browser.open('/account')).url.pathname).toBe('/login');
    expect((await app.refresh(app.refreshToken)).status).toBe(400);
    await act('reset-factors', 'Lost phone', await open(bea.id));
    const browser = createBrowser(auth);
    expect((await signIn(browser, bea)).url.pathname).toBe('/');
    await auth.deliverMail();
    const subjects = (await mailTo(auth.mailDirectory, bea.email)).map(({ text }) => text);
    expect(subjects.some((text) => text.includes('authenticator'))).toBe(true);
  });

  test.each([
    ['', 'Enter a reason.'],
    ['   ', 'Enter a reason.'],
    ['too long '.repeat(23), '200 characters or fewer'],
    ['spam by @ada', 'may not contain @'],
  ])('need a reason: %j is refused', async (reason, message) => {
    const before = (await lastEvents()).length;
    const page = await act('suspend', reason);
    expect([page.status, page.text.includes(message)]).toEqual([422, true]);
    expect(await stateOf()).toMatchObject({ isSuspended: false });
    expect(await lastEvents()).toHaveLength(before);
  });

  test('need a factor of the last ten minutes', async () => {
    const shown = await open();
    const loginTs = Math.round(Date.now() / 1000) - 601;
    await auth.db.prisma
      .$executeRaw`UPDATE session SET payload = payload || ${{ loginTs }} WHERE account_id = ${olga.id}`;
    const asked = await act('suspend', 'Too late', shown);
    expect([asked.status, asked.html.includes('confirm-identity')]).toEqual([403, true]);
    expect(await stateOf()).toMatchObject({ isSuspended: false });
    // A password without the code is no proof.
    const { browser, password } = olga;
    const refused = await browser.submit(asked, asked.formOf('confirm-identity'), { password, code: '' });
    expect(refused.status).toBe(422);
    expect(await stateOf()).toMatchObject({ isSuspended: false });
    await auth.db.prisma.$executeRaw`
      UPDATE session SET payload = payload || ${{ loginTs: Math.round(Date.now() / 1000) }} WHERE account_id = ${olga.id}`;
  });

  test('are refused if the account changed in the meantime', async () => {
    const shown = await open();
    await act('suspend', 'First');
    const before = (await lastEvents()).length;
    const page = await act('suspend', 'Second', shown);
    expect([page.status, page.text.includes('nothing was done')]).toEqual([409, true]);
    expect(await lastEvents()).toHaveLength(before);
    await act('restore');
  });

  test('are refused on operators, and by those whose role has just ended', async () => {
    const other = await registerWithApp(auth, 'other_operator');
    const shown = await open(other.id);
    await grantOperator(auth.db, 'other_operator');
    const page = await act('suspend', 'Rivalry', shown);
    expect([page.status, page.text.includes('linnet user revoke-operator other_operator')]).toEqual([409, true]);
    expect((await open(other.id)).forms).toEqual([]);
    const own = await open();
    await revokeOperator(auth.db, 'operator_olga');
    expect((await act('suspend', 'No more', own)).status).toBe(404);
  });
});
