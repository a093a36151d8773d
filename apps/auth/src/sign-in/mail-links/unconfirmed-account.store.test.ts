import { createTestDatabase } from '@linnet/test/db/test-database';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import { tokenOf } from '@linnet/test/auth/developer';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
/** The same service before mail was configured. */
let withoutMail: RunningAuth;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false, smtpUrl: 'smtp://127.0.0.1:9' }));
  withoutMail = cleanup.use(await startAuth(database.url, { rateLimits: false, owner: 'owner_before_mail' }));
});
afterAll(() => cleanup.disposeAsync());

describe('an account with an unconfirmed address', () => {
  test('gets no token that acts as its owner', async () => {
    const ada = await registerPerson(auth.db, 'ada_acts');
    const bot = await auth.register({ owner: ada.username, actAsOwner: true });
    const claimsOf = async (server: RunningAuth) =>
      decodeJwt((await tokenOf(server, bot.clientId, bot.clientSecret ?? '')).json.access_token);
    expect(await claimsOf(auth)).not.toHaveProperty('acct');
    expect(await claimsOf(withoutMail)).toHaveProperty('acct', ada.id);
  });

  test('cannot add a passkey or an authenticator app, and the page says why', async () => {
    const ada = await registerPerson(auth.db, 'ada_adds');
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    const before = createBrowser(withoutMail);
    await signIn(before, ada);
    for (const path of ['/account/security/authenticator', '/account/security/new-passkey']) {
      const page = await browser.open(path);
      expect([page.url.pathname, page.text]).toEqual([
        '/account/security',
        expect.stringContaining('Confirm your e-mail address before you add a passkey'),
      ]);
      expect((await before.open(path)).url.pathname).toBe(path);
    }
    expect((await browser.open('/account/security')).html).not.toMatch(/data-testid="add-(passkey|authenticator)"/);
  });

  test('cannot send a form that adds a factor', async () => {
    const ada = await registerPerson(auth.db, 'ada_sends');
    const setVerified = async (emailVerifiedAt: Date | null) =>
      await auth.db.prisma.account.update({ where: { id: ada.id }, data: { emailVerifiedAt } });
    await setVerified(new Date());
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    const forms: readonly (readonly [path: string, field: string])[] = [
      ['/account/security/authenticator', 'code'],
      ['/account/security/new-passkey', 'name'],
    ];
    for (const [path, field] of forms) {
      await setVerified(new Date());
      const page = await browser.open(path);
      await setVerified(null);
      const sent = await browser.submit(page, page.formWith(field), { [field]: '123456' });
      expect(sent.url.pathname).toBe('/account/security');
    }
  });
});
