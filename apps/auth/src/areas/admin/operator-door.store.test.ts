// Who may use the pages for operators.
import { createAccounts } from '@linnet/accounts/accounts';
import { grantOperator, revokeOperator } from '@linnet/accounts/operators/role-store';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import { listPages } from '@linnet/test/auth/listed-pages';
import { addAuthenticator } from '@linnet/test/auth/authenticator';
import { confirm, registerOperator, registerWithApp } from '@linnet/test/auth/operator';
import type { PersonWithApp } from '@linnet/test/auth/operator';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let olga: PersonWithApp;
let stranger: Browser;
let accessToken: string;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  olga = await registerOperator(auth, 'operator_olga');
  ({ accessToken } = await connect(auth, olga.browser));
  stranger = createBrowser(auth);
  await signIn(stranger, await registerPerson(auth.db, 'stranger'));
});
afterAll(() => cleanup.disposeAsync());

const paths = listPages()
  .flatMap((pages) => pages.paths)
  .filter((path) => path.startsWith('/admin'))
  .map((path) => path.replace(/:\w+/, '1'));

/** Without what differs between any two requests. */
function comparable({ headers, status, html }: Awaited<ReturnType<Browser['open']>>) {
  const { date: _date, 'x-request-id': _id, 'set-cookie': _cookie, ...rest } = headers;
  return { status, headers: rest, html: html.replaceAll(/value="[\w.-]{30,}"|[\da-f]{8}(?:-[\da-f]{4,12}){4}/g, '') };
}

test('UI14: the pages are listed', () => {
  expect(paths.length).toBeGreaterThan(3);
});

describe.each(paths)('UI14: %s', (path) => {
  test('D122 is for strangers as a page that does not exist', async () => {
    for (const browser of [stranger, createBrowser(auth)]) {
      const page = await browser.open(path);
      expect(page.status).toBe(404);
      expect(comparable(page)).toEqual(comparable(await browser.open('/no-such-page')));
    }
  });

  test('cannot be reached by the tokens of applications, or by forms of strangers', async () => {
    for (const method of ['GET', 'POST']) {
      const headers = { authorization: `Bearer ${accessToken}`, accept: 'text/html' };
      expect((await auth.send({ path, method, headers })).status).toBe(404);
    }
    const cookie = stranger.cookies.headerFor(path) ?? '';
    expect((await auth.send({ path, method: 'POST', headers: { cookie }, body: 'action=suspend' })).status).toBe(404);
  });
});

describe('UI14: a second factor', () => {
  test('has to be used: the password alone shows nothing', async () => {
    const person = await registerWithApp(auth, 'operator_new');
    await grantOperator(auth.db, 'OPERATOR_new');
    const page = await person.browser.open('/admin/people?q=ada');
    expect([page.url.pathname, page.text.includes('Confirm your identity')]).toEqual(['/admin/confirm', true]);
    const { password } = person;
    const refused = await person.browser.submit(page, page.formOf('confirm-identity'), { password, code: '000000' });
    expect([refused.status, refused.url.pathname]).toEqual([422, '/admin/confirm']);
    const next = await confirm(person, refused);
    expect(`${next.url.pathname}${next.url.search}`).toBe('/admin/people?q=ada');
    expect((await person.browser.open('/')).html).toContain('href="/admin"');
  });

  test('has to exist, and to be older than the role', async () => {
    const person = await registerWithApp(auth, 'operator_thief');
    await grantOperator(auth.db, 'operator_thief');
    await auth.db.prisma.totp.deleteMany({ where: { accountId: person.id } });
    const pageOf = async () => await person.browser.open('/admin/people');
    const without = await pageOf();
    expect([without.status, without.text.includes('Administrators need a passkey')]).toEqual([403, true]);
    expect(without.forms).toEqual([]);
    expect(await grantOperator(auth.db, 'operator_thief')).toBe('refused');
    const { secret } = await addAuthenticator(person.browser);
    const added = await pageOf();
    expect([added.status, added.text.includes('after you became an administrator')]).toEqual([403, true]);
    expect(await grantOperator(auth.db, 'operator_thief')).toBe('granted');
    expect((await confirm({ ...person, secret }, await pageOf())).url.pathname).toBe('/admin/people');
  });

  test('counts for an hour of reading', async () => {
    const { browser, id } = await registerOperator(auth, 'operator_slow');
    const age = async (minutes: number) => {
      const loginTs = Math.round(Date.now() / 1000) - minutes * 60;
      await auth.db.prisma.$executeRaw`UPDATE session SET payload = payload || ${{ loginTs }} WHERE account_id = ${id}`;
      return (await browser.open('/admin/people')).url.pathname;
    };
    expect([await age(59), await age(61)]).toEqual(['/admin/people', '/admin/confirm']);
  });
});

describe('the role ends', () => {
  test.each([
    ['when it is revoked', async (name: string) => await revokeOperator(auth.db, name), true],
    ['with a suspension', async (name: string) => await createAccounts(auth.db).suspend(name), false],
    [
      'with a deletion',
      async (name: string) => {
        const { id, epoch } = await auth.db.prisma.account.findUniqueOrThrow({ where: { usernameCi: name } });
        return await createAccounts(auth.db).delete({ accountId: Number(id), epoch });
      },
      false,
    ],
  ])('%s, at once and for good', async (way, end, isStillSignedIn) => {
    const name = `operator_${way.replaceAll(/\W/g, '_')}`;
    const operator = await registerOperator(auth, name);
    expect((await operator.browser.open('/admin/people')).status).toBe(200);
    expect(await end(name)).toBe(true);
    expect((await operator.browser.open('/admin/people')).status).toBe(404);
    expect((await operator.browser.open('/account')).url.pathname === '/account').toBe(isStillSignedIn);
    await createAccounts(auth.db).restore(name);
    expect(await auth.db.prisma.account.findUnique({ where: { usernameCi: name } })).toMatchObject({
      operatorSince: null,
    });
    const events = await auth.db.prisma.auditEvent.findMany({ where: { accountId: operator.id } });
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['account.operator_granted', 'account.operator_revoked']),
    );
  });

  test('not with a new password, which alone does not lead to the pages', async () => {
    const operator = await registerOperator(auth, 'operator_reset');
    await createAccounts(auth.db).setPassword({ username: 'operator_reset', password: 'another long secret' });
    expect((await operator.browser.open('/admin/people')).status).toBe(404);
    const thief = createBrowser(auth);
    const page = await signIn(thief, { username: 'operator_reset', password: 'another long secret' });
    expect(page.url.pathname).toBe('/login/second-factor');
    expect((await thief.open('/admin/people')).status).toBe(404);
  });
});
