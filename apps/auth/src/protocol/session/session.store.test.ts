import { randomBytes } from 'node:crypto';

import { createAccounts } from '@linnet/accounts/accounts';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { addAuthenticator } from '@linnet/test/auth/authenticator';
import { createBrowser } from '@linnet/test/auth/browser';
import { createCookieJar } from '@linnet/test/auth/cookie-jar';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';
import { saveSession } from './session-store.ts';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
});
afterAll(() => cleanup.disposeAsync());

test('a session that the provider destroys is revoked, so that no parallel request can save it again', async () => {
  const person = await registerPerson(auth.db, 'signing_out');
  const browser = createBrowser(auth);
  await signIn(browser, person);
  const page = await browser.open('/oauth/logout');
  await browser.submit(page, page.formOf('sign-out'));
  const sessions = await auth.db.prisma.session.findMany({ where: { accountId: person.id } });
  expect(sessions).toEqual([expect.objectContaining({ revokedAt: expect.any(Date), idSha256: null })]);
});

test.each(['/oauth/authorize', '/oauth/logout'])(
  '%s: a session that ends while its request is answered is a request without a session',
  async (path) => {
    const person = await registerPerson(auth.db, `ends_${path.split('/').at(-1) ?? ''}`);
    const app = await registerThirdParty(auth);
    const address = path === '/oauth/authorize' ? app.authorizationAddress() : path;
    for (let round = 0; round < 10; round += 1) {
      const browser = createBrowser(auth);
      await signIn(browser, person);
      const [page] = await Promise.all([
        browser.open(address),
        auth.db.prisma.session.updateMany({ where: { accountId: person.id }, data: { revokedAt: new Date() } }),
      ]);
      expect(page.status).toBeLessThan(500);
      expect((await browser.open('/account')).url.pathname).toBe('/login');
    }
  },
);

test('parallel requests of one browser all save the session', async () => {
  const session = {
    uid: 'parallel_requests',
    idSha256: randomBytes(32),
    accountId: null,
    payload: {},
    userAgent: '',
    address: '127.0.0.1',
    expiresAt: new Date(Date.now() + 3_600_000),
  };
  expect(await saveSession(auth.db, session)).toBe(true);
  for (let round = 0; round < 100; round += 1) {
    const saves = Array.from({ length: 10 }, () => saveSession(auth.db, session));
    expect(await Promise.all(saves)).not.toContain(false);
  }
});

/** `__Host-`, unless the provider must restrict it to a path: one browser may be in several sign-ins at once. */
const everyCookie = {
  '__Host-linnet_csrf': '/',
  '__Host-linnet_known_browser': '/',
  '__Host-linnet_language': '/',
  '__Host-linnet_restoration': '/',
  '__Host-linnet_second_factor': '/',
  '__Host-linnet_session': '/',
  '__Host-linnet_session.sig': '/',
  '__Secure-linnet_interaction': '/interaction/…',
  '__Secure-linnet_interaction.sig': '/interaction/…',
  '__Secure-linnet_resume': '/oauth/authorize/…',
  '__Secure-linnet_resume.sig': '/oauth/authorize/…',
};

test('UI2 D209 every cookie of the service, also when it is deleted, is for this host or one path, and no script reads it', async () => {
  const person = await registerPerson(auth.db, 'with_all_cookies');
  const app = await registerThirdParty(auth);
  const lines: string[] = [];
  const openBrowser = () => {
    const jar = createCookieJar();
    const take: typeof jar.take = (taken, path) => {
      lines.push(...taken);
      jar.take(taken, path);
    };
    return createBrowser(auth, { cookies: Object.assign(Object.create(jar), { take }) });
  };
  const browser = openBrowser();
  await browser.open('/login?lang=de');
  const consent = await signIn(browser, person, await app.send(browser));
  await browser.submit(consent, consent.formWith('decision'), { decision: 'allow' });
  await addAuthenticator(browser);
  const page = await browser.open('/logout');
  await browser.submit(page, page.formOf('sign-out'));
  await signIn(openBrowser(), person);
  const leaver = await registerPerson(auth.db, 'with_deleted_account');
  await createAccounts(auth.db).delete({ accountId: leaver.id, epoch: 0 });
  await signIn(openBrowser(), leaver);

  const found = lines.map((line) => {
    const [pair = '', ...attributes] = line.split('; ');
    const path = attributes.find((text) => text.startsWith('path=')) ?? '';
    const rest = attributes.filter((text) => !/^(?:path|expires|max-age)=/.test(text)).toSorted();
    expect(rest, line).toEqual(['httponly', 'samesite=lax', 'secure']);
    return [pair.split('=')[0], path.slice('path='.length).replace(/(?<=.\/)[\w-]{20,}$/, '…')];
  });
  expect(lines.some((line) => /expires=Thu, 01 Jan 1970/.test(line))).toBe(true);
  expect(Object.fromEntries(found)).toEqual(everyCookie);
});
