// Finding applications, and what operators can do with one on its page.
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import type { Page } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import type { Connected } from '@linnet/test/auth/connected';
import { registerOperator, registerWithApp } from '@linnet/test/auth/operator';
import type { PersonWithApp } from '@linnet/test/auth/operator';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let olga: PersonWithApp;
let app: Connected;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  olga = await registerOperator(auth, 'operator_olga');
  const ada = await registerWithApp(auth, 'ada_lovelace');
  app = await connect(auth, ada.browser, { name: 'Weather Bird' });
});
afterAll(() => cleanup.disposeAsync());

const open = async () => await olga.browser.open(`/admin/applications/${app.clientId}`);

async function act(name: string, reason = 'Ticket 4711', page?: Page): Promise<Page> {
  const shown = page ?? (await open());
  return await olga.browser.submit(shown, shown.formOf(`act-${name}`), { [`reason_${name}`]: reason });
}

test.each(['WEATHER', 'owner_of', 'client id'])('is found by %s', async (text) => {
  const q = text === 'client id' ? app.clientId.slice(0, 12) : text;
  const page = await olga.browser.open(`/admin/applications?${new URLSearchParams({ q }).toString()}`);
  expect(page.html).toContain(`href="/admin/applications/${app.clientId}"`);
});

test.each(['/admin/applications?q=nothing_like_it&before=x', '/admin/applications?before=%00'])('%s', async (path) => {
  expect((await olga.browser.open(path)).status).toBe(200);
});

test('pages through all of them', async () => {
  await auth.db.prisma.application.createMany({
    data: Array.from({ length: 21 }, (_, number) => ({
      clientId: `crowd_application_${String(number)}`,
      ownerId: auth.ownerId,
      name: 'Crowd',
      type: 'public' as const,
    })),
  });
  const first = await olga.browser.open('/admin/applications?q=crowd_app');
  expect(first.html.match(/class="row"/g)).toHaveLength(20);
  const second = await olga.browser.open(first.link('Next page'), first);
  expect(second.html.match(/class="row"/g)).toHaveLength(1);
});

test.each(['/admin/applications/nobody', '/admin/applications/%00'])('%s is 404', async (path) => {
  expect((await olga.browser.open(path)).status).toBe(404);
});

test('the page shows facts, use and events', async () => {
  const page = await open();
  for (const text of ['Weather Bird', '@owner_of_all', 'application.created', 'posts']) {
    expect(page.text).toContain(text);
  }
  expect(page.html).toContain(`data-copy="true">${app.clientId}</code>`);
});

describe('acts', () => {
  test.each([
    ['verify', { isSuspended: false, isVerified: true }, 'application.verified'],
    ['unverify', { isSuspended: false, isVerified: false }, 'application.unverified'],
    ['suspend', { isSuspended: true, isVerified: false }, 'application.suspended'],
    ['restore', { isSuspended: false, isVerified: false }, 'application.unsuspended'],
    ['end-access', { isSuspended: false, isVerified: false }, 'application.access_ended'],
  ])('%s, with the operator and the reason in the audit log', async (name, state, event) => {
    const before = await open();
    const page = await act(name, `Because of ${name}`, before);
    expect([page.status, page.url.search]).toEqual([200, `?done=${name}`]);
    const { clientId } = app;
    const row = await auth.db.prisma.application.findUniqueOrThrow({ where: { clientId } });
    expect({ isSuspended: row.suspendedAt !== null, isVerified: row.verifiedAt !== null }).toEqual(state);
    const entry = await auth.db.prisma.auditEvent.findFirst({ where: { clientId, event }, orderBy: { id: 'desc' } });
    const detail = { operator: String(olga.id), reason: `Because of ${name}` };
    expect(entry).toMatchObject({ actor: 'operator', detail });
    if (name === 'end-access') return;
    const again = await act(name, 'Again', before);
    expect([again.status, again.text.includes('nothing was done')]).toEqual([409, true]);
  });

  test('end-access ended the tokens, and people can authorize again', async () => {
    expect((await app.refresh(app.refreshToken)).status).toBe(400);
    expect((await open()).text).toContain('consent.ended');
  });

  test('on an application of the operator: the log says that it is their own', async () => {
    const { clientId } = await auth.register({ owner: 'operator_olga' });
    const page = await olga.browser.open(`/admin/applications/${clientId}`);
    expect((await act('verify', 'Checked', page)).status).toBe(200);
    const entry = await auth.db.prisma.auditEvent.findFirst({ where: { clientId, event: 'application.verified' } });
    expect(entry?.detail).toEqual({ operator: String(olga.id), reason: 'Checked', own: true });
  });

  test.each([
    ['nothing visible', '\u200B\u2060', 'character that cannot be displayed'],
    ['a mark of direction', 'Spam\u202Emaps', 'character that cannot be displayed'],
    ['something invisible', 'Spam\u{E0041}', 'character that cannot be displayed'],
    ['a name', 'Spam by @ada', 'may not contain @'],
  ])('need a reason without %s', async (_what, reason, text) => {
    const page = await act('suspend', reason);
    expect([page.status, page.text.includes(text)]).toEqual([422, true]);
  });

  test('need a reason', async () => {
    const page = await act('suspend', '');
    expect([page.status, page.text.includes('Enter a reason.')]).toEqual([422, true]);
  });
});

describe('D197: acts on several applications', () => {
  const choose = async (name: string, ids: readonly string[]) =>
    await olga.browser.open(`/admin/applications/chosen?${toQuery([['act', name], ...ids.map((id) => ['id', id])])}`);

  const confirm = async (page: Page, name: string, reason: string) =>
    await olga.browser.submit(page, page.formOf(`act-${name}`), { [`reason_${name}`]: reason });

  // Another test verifies the default name.
  const register = async () => await auth.register({ name: 'Wave' });

  const toQuery = (pairs: string[][]) => new URLSearchParams(pairs).toString();

  const addressOf = ({ clientId }: { readonly clientId: string }) => encodeURIComponent(clientId);

  function shown({ html }: Page, testId: string): readonly string[] {
    const [, list = ''] = new RegExp(`<ul class="rows" data-testid="${testId}">(.*?)</ul>`, 's').exec(html) ?? [];
    return [...list.matchAll(/href="\/admin\/applications\/([^"]*)"/g)].map(([, id = '']) => id).toSorted();
  }

  test('the list has check boxes, and leads to the page that asks', async () => {
    const page = await olga.browser.open('/admin/applications?q=crowd_app');
    const all = await olga.browser.open(page.link('Select all on this page'), page);
    expect(all.html.match(/<input type="checkbox"[^>]* checked/g)).toHaveLength(20);
    const ids = ['crowd_application_1', 'crowd_application_2'];
    const asked = await choose('suspend', ids);
    expect([asked.status, shown(asked, 'chosen'), shown(asked, 'left-out')]).toEqual([200, ids, []]);
  });

  test.each([
    ['suspend', 'application.suspended', false],
    ['restore', 'application.unsuspended', true],
    ['end-access', 'application.access_ended', false],
  ])('%s shows which ones it is about, and records each: %s', async (name, event, isSuspended) => {
    const both = [await register(), await register()];
    const other = await register();
    const suspendedAt = new Date();
    const suspended = (isSuspended ? both : [other]).map(({ clientId }) => clientId);
    await auth.db.prisma.application.updateMany({ where: { clientId: { in: suspended } }, data: { suspendedAt } });
    const ids = [...both, other].map(({ clientId }) => clientId);
    const page = await choose(name, [...ids, ...ids, 'nobody', '\0']);
    const isAlways = name === 'end-access';
    const chosen = isAlways ? [...both, other] : both;
    const expected = chosen.map(addressOf).toSorted();
    expect([page.status, shown(page, 'chosen')]).toEqual([200, expected]);
    expect(shown(page, 'left-out')).toEqual(isAlways ? [] : [addressOf(other)]);
    const reason = `Wave of ${name}`;
    expect((await confirm(page, name, 'by @ada')).status).toBe(422);
    const done = await confirm(page, name, reason);
    expect([done.url.pathname, done.url.search]).toEqual(['/admin/applications', `?done=${name}`]);
    const where = { event, detail: { path: ['reason'], equals: reason } };
    const events = await auth.db.prisma.auditEvent.findMany({ where });
    expect(events.map((one) => addressOf({ clientId: one.clientId ?? '' })).toSorted()).toEqual(expected);
    if (isAlways) return;
    const again = await confirm(page, name, 'Again');
    expect([again.status, again.text.includes('All others are done.')]).toEqual([409, true]);
  });

  test('a suspension of several has ended their tokens when the page answers', async () => {
    const both = [await register(), await register()];
    await confirm(
      await choose(
        'suspend',
        both.map(({ clientId }) => clientId),
      ),
      'suspend',
      'Wave',
    );
    for (const { clientId, clientSecret = '' } of both) {
      const answer = await auth.requestToken({ grant_type: 'client_credentials' }, basic(clientId, clientSecret));
      expect(answer.status).toBe(401);
    }
  });

  test('those that are done before the role ends have no tokens when the page answers', async () => {
    const both = await Promise.all([register(), register()]);
    const [first, second] = both.toSorted((one, other) => (one.clientId < other.clientId ? -1 : 1));
    const request = async ({ clientId, clientSecret = '' }: (typeof both)[number]) =>
      (await auth.requestToken({ grant_type: 'client_credentials' }, basic(clientId, clientSecret))).status;
    const page = await choose('suspend', [first?.clientId ?? '', second?.clientId ?? '']);
    // The application is cached from here on.
    expect(await Promise.all(both.map(request))).toEqual([200, 200]);
    await auth.db.prisma.$executeRawUnsafe(`CREATE FUNCTION end_role() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN UPDATE account SET operator_since = NULL WHERE id = ${String(olga.id)}; RETURN NULL; END $$`);
    await auth.db.prisma.$executeRaw`CREATE TRIGGER end_role AFTER UPDATE ON application EXECUTE FUNCTION end_role()`;
    const answer = await confirm(page, 'suspend', 'Wave');
    await auth.db.prisma.$executeRaw`DROP FUNCTION end_role CASCADE`;
    await auth.db.prisma.account.update({ where: { id: olga.id }, data: { operatorSince: new Date() } });
    expect([answer.status, first && (await request(first)), second && (await request(second))]).toEqual([
      404, 401, 200,
    ]);
  });

  test.each([
    ['no application', 'suspend', [], 422],
    ['none that exists', 'suspend', ['x'], 200],
    ['an act on one only', 'verify', ['x'], 404],
    ['more than a page', 'suspend', Array.from({ length: 21 }, (_one, index) => `x${String(index)}`), 400],
  ] as const)('%s', async (_what, name, ids, status) => {
    const page = await choose(name, ids);
    expect([page.status, page.html.includes(`act-${name}`)]).toEqual([status, false]);
  });
});
