import { randomUUID } from 'node:crypto';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createClient } from '../../support/api-client.ts';
import { openBrowser } from '../../support/open-browser.ts';
import { addressesOf, startOpenidApplication } from '../../support/openid-application.ts';
import type { OpenidApplication } from '../../support/openid-application.ts';
import { decide, register } from '../../support/page-steps.ts';
import { findFreePort } from '../../support/service.ts';

/**
 * Sign-out at the request of an application, with `openid-client`, in Chromium, which applies the content security policy
 * `form-action` to the redirects after a form. A violation fails the test (`openBrowser`).
 */

const cleanup = new AsyncDisposableStack();
let first: OpenidApplication;
let second: OpenidApplication;
beforeAll(async () => {
  const { env, baseUrl, logoutHosts } = inject('service');
  const start = async (host: string, front: string, more: readonly string[]) => {
    const { redirectUri, postLogoutRedirectUri, leaveUri } = addressesOf(host);
    const client = await createClient(env, `logout_${randomUUID().slice(0, 8)}`, [
      ...['--redirect-uri', redirectUri, '--redirect-uri', leaveUri],
      ...['--post-logout-redirect-uri', postLogoutRedirectUri, '--post-logout-redirect-uri', leaveUri],
      ...more,
    ]);
    return cleanup.use(await startOpenidApplication({ issuer: baseUrl, client, host, front }));
  };
  const free = `127.0.0.1:${String(await findFreePort())}`;
  const notified = logoutHosts.browser;
  [first, second] = await Promise.all([
    start(free, notified, []),
    start(notified, free, ['--backchannel-logout-uri', addressesOf(notified).backchannelLogoutUri]),
  ]);
});
afterAll(() => cleanup.disposeAsync());

async function signInTo(page: Page, app: OpenidApplication): Promise<void> {
  await page.goto(new URL('/sign-in', app.home).href);
  await decide(page, 'allow');
  await page.waitForURL(app.home.href);
}

async function personAt(page: Page, app: OpenidApplication): Promise<string> {
  await page.goto(app.home.href);
  return await page.locator('#person').innerText();
}

/** A person who is signed in to the service and to the first application. */
async function openSignedIn(): Promise<Page> {
  const { page } = await openBrowser();
  await register(page);
  await signInTo(page, first);
  return page;
}

const isSignedIn = async (page: Page): Promise<boolean> => {
  await page.goto('/account');
  return new URL(page.url()).pathname !== '/login';
};

test('the person comes back with the state, and the other application receives a logout token', async () => {
  const page = await openSignedIn();
  await signInTo(page, second);
  expect(await personAt(page, second)).toBe('Ada Lovelace');
  await page.goto(first.signOutUrl());
  expect(await page.locator('main').innerText()).toContain('My bot wants to sign you out');
  await page.getByTestId('sign-out').click();
  expect(await page.locator('#bye').innerText()).toBe('Goodbye');
  await expect.poll(async () => await personAt(page, second)).toBe('Nobody');
  expect(await isSignedIn(page)).toBe(false);
});

test('the same with a form of the application, which is sent by POST', async () => {
  const page = await openSignedIn();
  await page.goto(first.formUrl);
  await page.getByRole('button', { name: 'Go' }).click();
  await page.getByTestId('sign-out').click();
  expect(await page.locator('#bye').innerText()).toBe('Goodbye');
  expect(await isSignedIn(page)).toBe(false);
});

test('without a hint the person confirms as well, and may stay signed in', async () => {
  const page = await openSignedIn();
  await page.goto(first.signOutUrl({ id_token_hint: '' }));
  await page.getByRole('button', { name: 'Stay signed in' }).click();
  expect(await page.locator('#bye').innerText()).toBe('Goodbye');
  expect(await isSignedIn(page)).toBe(true);
  await page.goto(first.signOutUrl({ id_token_hint: '' }));
  await page.getByTestId('sign-out').click();
  expect(await page.locator('#bye').innerText()).toBe('Goodbye');
  expect(await isSignedIn(page)).toBe(false);
});

test('a bad hint shows an error and changes nothing; an address that is not registered is never opened', async () => {
  const page = await openSignedIn();
  await page.goto(first.signOutUrl({ id_token_hint: 'eyJhbGciOiJub25lIn0.e30.' }));
  expect(await page.locator('h1').innerText()).toContain('Invalid sign-out request');
  expect(await isSignedIn(page)).toBe(true);

  await page.goto(first.signOutUrl({ post_logout_redirect_uri: new URL('/elsewhere', first.home).href }));
  await page.getByTestId('sign-out').click();
  expect(await page.locator('h1').innerText()).toContain('signed out');
  expect(new URL(page.url()).origin).toBe(inject('service').baseUrl);
});

test('an application may send the person on to another origin, after sign-in and after sign-out', async () => {
  const { page } = await openBrowser();
  await register(page);
  const { leaveUri } = addressesOf(first.home.host);
  await page.goto(new URL(`/sign-in?${new URLSearchParams({ redirect_uri: leaveUri }).toString()}`, first.home).href);
  await decide(page, 'allow');
  expect(page.url()).toBe(second.home.href);
  // The consent is remembered.
  await page.goto(new URL('/sign-in', first.home).href);
  expect(page.url()).toBe(first.home.href);
  await page.goto(first.signOutUrl({ post_logout_redirect_uri: leaveUri }));
  await page.getByTestId('sign-out').click();
  expect(page.url()).toBe(second.home.href);
});
