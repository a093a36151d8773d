// Finding applications, and what operators can do with one on its page.
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import type { Page } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import type { Connected } from '@linnet/test/auth/connected';
import { registerOperator, registerWithApp } from '@linnet/test/auth/operator';
import type { PersonWithApp } from '@linnet/test/auth/operator';
import { startAuth } from '@linnet/test/auth/running-auth';
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
    data: Array.from({ length: 51 }, (_, number) => ({
      clientId: `crowd_application_${String(number)}`,
      ownerId: auth.ownerId,
      name: 'Crowd',
      type: 'public' as const,
    })),
  });
  const first = await olga.browser.open('/admin/applications?q=crowd_app');
  expect(first.html.match(/class="row"/g)).toHaveLength(50);
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
