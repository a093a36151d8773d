import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { codeAt } from '../../support/authenticator-code.ts';
import { emailOf, findDex, startDex } from '../../support/dex.ts';
import type { DexPerson } from '../../support/dex.ts';
import { connectBrowser, openBrowser } from '../../support/open-browser.ts';
import { fill, pressSubmit } from '../../support/page-steps.ts';
import { findFreePort, runLinnet, startService } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';

/** Sign-in with dex as the provider, in Chromium. */

const grace: DexPerson = { username: 'grace_hopper', groups: ['staff', 'admins'] };
const ada: DexPerson = { username: 'ada_lovelace' };
const eve: DexPerson = { username: 'eve_unproven', isEmailVerified: false };
const password = 'five violet umbrellas';

const dex = await findDex();

const cleanup = new AsyncDisposableStack();
let issuer = '';
let service: Service;
beforeAll(async () => {
  if (dex === undefined) return;
  const [port, dexPort] = [String(await findFreePort()), await findFreePort()];
  const client = {
    id: 'linnet',
    secret: 'a secret',
    redirectUri: `http://localhost:${port}/sign-in/with/dex/callback`,
  };
  ({ issuer } = cleanup.use(await startDex(dex, { port: dexPort, client, people: [grace, ada, eve] })));
  const provider = {
    ...{ id: 'dex', name: 'Example', issuer, client_id: client.id, client_secret: client.secret },
    ...{ scopes: ['openid', 'email', 'profile', 'groups'], operators: { claim: 'groups', value: 'admins' } },
  };
  service = cleanup.use(await startService({ env: { PORT: port, SIGN_IN_PROVIDERS: JSON.stringify([provider]) } }));
  const names = ['--first-name', 'Ada', '--last-name', 'Lovelace', '--username', ada.username];
  await runLinnet(['user', 'create', '--email', emailOf(ada), '--password', password, ...names], service.env);
  const operator = ['--first-name', 'Joan', '--last-name', 'Clarke', '--username', 'joan_clarke'];
  await runLinnet(['user', 'create', '--email', 'joan@example.org', '--password', password, ...operator], service.env);
});
afterAll(() => cleanup.disposeAsync());

/** From a page with a button to the question of dex whether it may pass on who the person is. */
async function signInThere(page: Page, person: DexPerson, button = 'with-dex'): Promise<void> {
  await page.getByTestId(button).click();
  await page.waitForURL(`${issuer}/**`);
  await page.locator('[name=login]').fill(emailOf(person));
  await page.locator('[name=password]').fill('password');
  await page.locator('#submit-login').click();
}
const allowThere = async (page: Page) => await page.getByRole('button', { name: 'Grant Access' }).click();
const whoIs = async (page: Page) => {
  await page.goto('/account');
  return new URL(page.url()).pathname;
};

describe.skipIf(dex === undefined)(`with dex ${dex?.version ?? '(not installed, skipped)'}`, () => {
  test('the first time, the person chooses names; then dex leads to the account, and to where they wanted to go', async () => {
    const { page } = await openBrowser({ baseUrl: service.baseUrl });
    await page.goto('/login');
    await signInThere(page, grace);
    await allowThere(page);
    await page.waitForURL('**/login/provider');
    expect(await page.locator('main').innerText()).toContain(`You signed in with Example as ${emailOf(grace)}`);
    await fill(page, { first_name: 'Grace', last_name: 'Hopper', username: grace.username });
    await pressSubmit(page);
    expect(await whoIs(page)).toBe('/account');

    const again = await openBrowser({ baseUrl: service.baseUrl });
    await again.page.goto('/login?return_to=%2Faccount%2Fsecurity');
    await signInThere(again.page, grace);
    await allowThere(again.page);
    await again.page.waitForURL('**/account/security');
    expect(await again.page.locator('main').innerText()).toContain('Example');
  });

  test('an account with the address is linked after its password', async () => {
    const { page } = await openBrowser({ baseUrl: service.baseUrl });
    await page.goto('/login');
    await signInThere(page, ada);
    await allowThere(page);
    await page.waitForURL('**/login/provider');
    expect(await page.locator('h1').innerText()).toBe('Is this your account?');
    await fill(page, { password });
    await pressSubmit(page);
    expect(await whoIs(page)).toBe('/account');
    const again = await openBrowser({ baseUrl: service.baseUrl });
    await again.page.goto('/login');
    await signInThere(again.page, ada);
    await allowThere(again.page);
    expect(await whoIs(again.page)).toBe('/account');
  });

  test('who signs in differently links it on the security page', async () => {
    const { page } = await openBrowser({ baseUrl: service.baseUrl });
    await page.goto('/login');
    await fill(page, { login: 'joan_clarke', password });
    await pressSubmit(page);
    await page.goto('/account/security');
    await signInThere(page, eve, 'link-dex');
    await allowThere(page);
    await page.waitForURL('**/account/security?*');
    expect(await page.locator('main').innerText()).toContain('Linked. You can now sign in with it.');
    await page.getByTestId('remove-identity').click();
    expect(await page.locator('main').innerText()).toContain('Link removed.');
  });

  test('an address that dex has not verified gives no account', async () => {
    const { page } = await openBrowser({ baseUrl: service.baseUrl });
    await page.goto('/login');
    await signInThere(page, eve);
    await allowThere(page);
    await page.waitForURL('**/login/provider');
    expect(await page.locator('main').innerText()).toContain('not verified');
    expect(await whoIs(page)).toBe('/login');
  });

  // dex shows an error page of its own with status 500 and does not lead back.
  test('who refuses at dex is not signed in, and can start again', async () => {
    await using opened = await connectBrowser({ baseUrl: service.baseUrl });
    const { page, faults } = opened;
    await page.goto('/login');
    await signInThere(page, grace);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Approval rejected').waitFor();
    expect(await whoIs(page)).toBe('/login');
    await signInThere(page, grace);
    await allowThere(page);
    expect(await whoIs(page)).toBe('/account');
    expect(faults.filter((fault) => !fault.includes(issuer))).toEqual([]);
  });

  test('the group gives the role of an operator to an account with a factor', async () => {
    const { page } = await openBrowser({ baseUrl: service.baseUrl });
    await page.goto('/login');
    await signInThere(page, grace);
    await allowThere(page);
    expect((await page.goto('/admin'))?.status()).toBe(404);
    await page.goto('/account/security/authenticator');
    const key = await page.getByTestId('setup-key').innerText();
    await fill(page, { code: codeAt(key, 0) });
    await page.getByTestId('confirm-authenticator').click();
    const again = await openBrowser({ baseUrl: service.baseUrl });
    await again.page.goto('/login');
    await signInThere(again.page, grace);
    await allowThere(again.page);
    await again.page.waitForURL('**/login/second-factor');
    await fill(again.page, { code: codeAt(key, 30) });
    await pressSubmit(again.page);
    expect((await again.page.goto('/admin'))?.status()).toBe(200);
  });
});
