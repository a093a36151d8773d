import { totpCode } from '@linnet/auth/sign-in/factors/totp';
import { openDatabase } from '@linnet/db/database';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';

import { openBrowser } from '../../support/open-browser.ts';
import { decide, fill, register, signIn, signOut } from '../../support/page-steps.ts';
import { startSampleApplication } from '../../support/sample-application.ts';

/** Passkeys, with a virtual authenticator of the browser. */

/** Adds an authenticator that stores passkeys and confirms the presence of its user. */
async function addAuthenticator(context: BrowserContext, page: Page) {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verifyOwner: async (isUserVerified: boolean) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
}

async function expectSignedIn(page: Page, isSignedIn: boolean): Promise<void> {
  await page.goto('/account');
  expect(new URL(page.url()).pathname).toBe(isSignedIn ? '/account' : '/login');
}

function openServiceDatabase() {
  return openDatabase({ url: inject('service').env['DATABASE_URL'] ?? '', poolSize: 1, prepare: true });
}

async function expectDeleted(username: string, isDeleted: boolean): Promise<void> {
  await using db = openServiceDatabase();
  const { deletedAt } = await db.prisma.account.findFirstOrThrow({ where: { username } });
  expect(deletedAt !== null).toBe(isDeleted);
}

/** The authentication methods (RFC 8176) of the active sessions. */
async function methodsOf(username: string): Promise<readonly unknown[]> {
  await using db = openServiceDatabase();
  const sessions = await db.prisma.session.findMany({ where: { account: { username }, revokedAt: null } });
  return sessions.map(({ payload }) => Object(payload)['amr']);
}

/** Makes the last confirmation of the identity older than ten minutes. */
async function letTimePass(username: string): Promise<void> {
  await using db = openServiceDatabase();
  await db.prisma.$executeRaw`
    UPDATE session SET payload = payload || jsonb_build_object('loginTs', (payload->>'loginTs')::int - 601)
      FROM account WHERE account.id = session.account_id AND account.username = ${username}`;
}

/** On the page that adds one. */
async function createPasskey(page: Page): Promise<void> {
  await fill(page, { name: 'Blue key' });
  await page.getByTestId('create-passkey').click();
  await page.waitForURL('**/account/security?done=passkey-added');
}

/** Adds an authenticator app to the account that is signed in. */
async function addApp(page: Page): Promise<void> {
  await page.goto('/account/security/authenticator');
  const secret = (await page.getByTestId('setup-key').innerText()).replaceAll(' ', '');
  await fill(page, { code: totpCode(secret, Date.now()) });
  await page.getByTestId('confirm-authenticator').click();
  await page.getByTestId('recovery-codes').waitFor();
}

describe('a passkey', () => {
  test('is added, signs in without a username, also at an application, confirms the identity, and is removed', async () => {
    const { context, page } = await openBrowser({ scripts: true });
    const { username } = await register(page);
    await addAuthenticator(context, page);
    await page.goto('/account/security');
    await page.getByTestId('add-passkey').click();
    await createPasskey(page);
    expect(await page.locator('main').innerText()).toContain('Blue key');
    await using app = await startSampleApplication(page);
    await signOut(page);

    // The browser offers the passkey in the username field; the virtual authenticator accepts.
    const sending = page.waitForRequest((request) => request.method() === 'POST');
    await page.goto('/login?return_to=/account');
    await page.waitForURL(({ pathname }) => pathname === '/account');
    await expectSignedIn(page, true);
    // The same assertion again, in the same browser.
    const sent = await sending;
    const again = await page.request.post('/login', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      data: sent.postData() ?? '',
    });
    expect(again.status()).toBe(422);
    expect(await again.text()).toContain('This passkey was not accepted.');
    await signOut(page);

    // Without conditional mediation, the page has a button.
    await page.addInitScript({ content: 'delete PublicKeyCredential.isConditionalMediationAvailable' });
    await page.goto(app.signInUrl());
    await page.getByTestId('passkey-sign-in').click();
    await page.waitForSelector('[name=decision][value=allow]');
    await decide(page, 'allow');
    expect(await page.locator('#account').isVisible()).toBe(true);

    // Without user verification, the authenticator does not sign.
    expect(await methodsOf(username)).toEqual([['hwk', 'mfa']]);

    // Sensitive actions require it again, and continue afterwards.
    await page.goto('/account/security');
    await letTimePass(username);
    await page.getByTestId('remove-passkey').click();
    await page.getByTestId('use-passkey').click();
    await page.waitForURL('**/account/security?done=passkey-removed');
    expect(await page.locator('main').innerText()).not.toContain('Blue key');
  });

  test('signing in with it undoes a deletion', async () => {
    const { context, page } = await openBrowser({ scripts: true });
    const { username, password } = await register(page);
    await addAuthenticator(context, page);
    await page.goto('/account/security/new-passkey');
    await createPasskey(page);
    await page.goto('/account/delete');
    await page.locator('[name=confirm]').check();
    await fill(page, { password });
    await page.getByTestId('delete-account').click();
    await page.waitForURL(({ pathname }) => pathname !== '/account/delete');
    await expectDeleted(username, true);
    // The account leads to the sign-in page, where the browser offers the passkey at once, before the page has loaded; nothing is
    // restored before the person agrees.
    await page.goto('/account', { waitUntil: 'commit' });
    await page.getByTestId('keep-account').waitFor();
    await expectDeleted(username, true);
    await page.getByTestId('keep-account').click();
    await page.waitForURL(({ pathname }) => pathname === '/account');
    await expectDeleted(username, false);
    expect(await methodsOf(username)).toEqual([['hwk', 'mfa']]);
  });

  test('is not created without user verification; without scripts, the page says so and the password works', async () => {
    const { context, page } = await openBrowser({ scripts: true });
    const person = await register(page);
    const authenticator = await addAuthenticator(context, page);
    await authenticator.verifyOwner(false);
    await page.goto('/account/security/new-passkey');
    await page.getByTestId('create-passkey').click();
    await page.getByText('Your browser did not provide a passkey.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/account/security/new-passkey');

    const { page: plain } = await openBrowser();
    await plain.goto('/login');
    expect(await plain.getByTestId('passkey-sign-in').isVisible()).toBe(false);
    expect(await plain.locator('main').innerText()).toContain('Passkeys require JavaScript');
    await signIn(plain, person);
    await expectSignedIn(plain, true);
  });
});

test('a passkey replaces the code after the password, of its own account only', async () => {
  const { context, page } = await openBrowser({ scripts: true });
  const other = await register(page);
  await addApp(page);
  await signOut(page);
  const person = await register(page);
  await addApp(page);
  await addAuthenticator(context, page);
  await page.goto('/account/security/new-passkey');
  await createPasskey(page);
  await signOut(page);

  // The sign-in page does not offer the passkey by itself.
  await page.addInitScript({ content: 'delete PublicKeyCredential.isConditionalMediationAvailable' });
  const usePasskey = page.getByTestId('use-passkey');
  await signIn(page, person);
  await page.route('**/login/second-factor', (route) => route.fulfill({ status: 204 }), { times: 1 });
  const [sent] = await Promise.all([page.waitForRequest('**/login/second-factor'), usePasskey.click()]);
  // The same browser, after the password of another account.
  await signIn(page, other);
  expect(await usePasskey.count()).toBe(0);
  const refused = await page.request.post('/login/second-factor', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    data: sent.postData() ?? '',
  });
  expect([refused.status(), (await refused.text()).includes('This passkey was not accepted.')]).toEqual([422, true]);
  await expectSignedIn(page, false);

  await signIn(page, person);
  await Promise.all([page.waitForURL(({ pathname }) => !pathname.startsWith('/login')), usePasskey.click()]);
  await expectSignedIn(page, true);
  expect(await methodsOf(person.username)).toEqual([['hwk', 'mfa']]);
});
