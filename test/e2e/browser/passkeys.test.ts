import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { openBrowser } from '../../support/open-browser.ts';
import { decide, fill, register, signIn, signOut } from '../../support/page-steps.ts';
import { startSampleApplication } from '../../support/sample-application.ts';

/** Passkeys, by an authenticator that the browser plays. */

/** One that holds passkeys, and that somebody touches when it is asked. */
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

describe('a passkey', () => {
  test('is added, signs in without a name and once per question, also for an application, until it is removed', async () => {
    const { context, page } = await openBrowser({ scripts: true });
    await register(page);
    await addAuthenticator(context, page);
    await page.goto('/account/security');
    await page.getByTestId('add-passkey').click();
    await fill(page, { name: 'Blue key' });
    await page.getByTestId('create-passkey').click();
    await page.waitForURL('**/account/security?done=passkey-added');
    expect(await page.locator('main').innerText()).toContain('Blue key');
    await using app = await startSampleApplication(page);
    await signOut(page);

    // The browser offers it in the field of the name; this one takes what it offers.
    const sending = page.waitForRequest((request) => request.method() === 'POST');
    await page.goto('/login?return_to=/account');
    await page.waitForURL(({ pathname }) => pathname === '/account');
    await expectSignedIn(page, true);
    // The same answer once more, in the same browser.
    const sent = await sending;
    const again = await page.request.post('/login', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      data: sent.postData() ?? '',
    });
    expect(again.status()).toBe(422);
    expect(await again.text()).toContain('This passkey was not accepted.');
    await signOut(page);

    // A browser that offers nothing by itself has the button.
    await page.addInitScript({ content: 'delete PublicKeyCredential.isConditionalMediationAvailable' });
    await page.goto(app.signInUrl());
    await page.getByTestId('passkey-sign-in').click();
    await page.waitForSelector('[name=decision][value=allow]');
    await decide(page, 'allow');
    expect(await page.locator('#account').isVisible()).toBe(true);

    await page.goto('/account/security');
    await page.getByTestId('remove-passkey').click();
    await page.waitForURL('**/account/security?done=passkey-removed');
    expect(await page.locator('main').innerText()).not.toContain('Blue key');
  });

  test('that nobody unlocked is not made; without scripts the page says so, and the password works', async () => {
    const { context, page } = await openBrowser({ scripts: true });
    const person = await register(page);
    const authenticator = await addAuthenticator(context, page);
    await authenticator.verifyOwner(false);
    await page.goto('/account/security/new-passkey');
    await page.getByTestId('create-passkey').click();
    await page.getByText('The browser gave no passkey.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/account/security/new-passkey');

    const { page: plain } = await openBrowser();
    await plain.goto('/login');
    expect(await plain.getByTestId('passkey-sign-in').isVisible()).toBe(false);
    expect(await plain.locator('main').innerText()).toContain('Passkeys need JavaScript');
    await signIn(plain, person);
    await expectSignedIn(plain, true);
  });
});
