import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';

import { openBrowser } from '../../support/open-browser.ts';
import { decide, register, signIn, signOut } from '../../support/page-steps.ts';
import { startSampleApplication } from '../../support/sample-application.ts';
import type { SampleApplication } from '../../support/sample-application.ts';

/** The consent page, between a sample application and the service. */

async function expectConsentPage(page: Page): Promise<void> {
  await page.locator('button[name=decision][value=allow]').waitFor();
  expect(new URL(page.url()).origin).toBe(inject('service').baseUrl);
}

async function expectSignedInAt(app: SampleApplication, page: Page, username: string): Promise<void> {
  expect(await page.locator('#account').innerText()).toBe(username);
  expect(page.url()).toBe(app.home.href);
}

/** The error code that the application received. */
async function expectError(app: SampleApplication, page: Page, code: string): Promise<void> {
  expect(await page.locator('#error').innerText()).toBe(code);
  expect(new URL(page.url()).host).toBe(app.home.host);
}

describe('signing in at an application', () => {
  test('a developer creates an application, which signs a person in, refreshes and posts', async () => {
    const developer = await openBrowser();
    const owner = await register(developer.page);
    await developer.page.goto('/');
    expect(await developer.page.locator('h1').innerText()).toBe('Welcome, Ada Lovelace');
    const wanted = { name: 'Postcards', scopes: ['users', 'posts', 'openid'] };
    await using app = await startSampleApplication(developer.page, wanted);

    const { page } = await openBrowser();
    const person = await register(page);
    await page.goto(app.home.href);
    await page.getByRole('link', { name: 'Sign in with your account' }).click();
    await expectConsentPage(page);
    const shown = await page.locator('main').innerText();
    for (const text of ['Postcards', `@${owner.username}`, app.home.host, `@${person.username}`]) {
      expect(shown).toContain(text);
    }
    await decide(page, 'allow');
    await expectSignedInAt(app, page, person.username);
    expect(await page.locator('#scope').innerText()).toBe('users posts openid');

    await page.getByRole('button', { name: 'Refresh' }).click();
    await expectSignedInAt(app, page, person.username);
    await page.getByLabel('Message').fill('Hello from a sample application');
    await page.getByRole('button', { name: 'Post' }).click();
    expect(await page.locator('#post').innerText()).toBe('Hello from a sample application');
  });

  test('a person without an account registers on the way', async () => {
    const developer = await openBrowser();
    await register(developer.page);
    await using app = await startSampleApplication(developer.page, { name: 'Postcards' });
    const { page } = await openBrowser();
    await page.goto(app.signInUrl());
    expect(await page.locator('main').innerText()).toContain('Postcards');
    await page.getByRole('link', { name: 'Create an account' }).click();
    expect(await page.locator('main').innerText()).toContain('Postcards');
    const person = await register(page);
    await expectConsentPage(page);
    await decide(page, 'allow');
    await expectSignedInAt(app, page, person.username);
  });
});

describe('the decision', () => {
  test('declining returns an error to the application, and no token', async () => {
    const { page } = await openBrowser();
    await register(page);
    await using app = await startSampleApplication(page);
    await page.goto(app.signInUrl());
    await decide(page, 'deny');
    await expectError(app, page, 'access_denied');
    expect([...new URL(page.url()).searchParams.keys()].toSorted()).toEqual([
      'error',
      'error_description',
      'iss',
      'state',
    ]);
    await page.goto(app.home.href);
    expect(await page.getByRole('link', { name: 'Sign in with your account' }).isVisible()).toBe(true);
  });

  test('the e-mail address is shared only if its box stays checked', async () => {
    const { page } = await openBrowser();
    const person = await register(page);
    await using app = await startSampleApplication(page, { type: 'public', scopes: ['users', 'posts', 'email'] });
    await page.goto(app.signInUrl());
    const email = page.locator('[name=scope][value=email]');
    expect(await email.isChecked()).toBe(true);
    await email.uncheck();
    await decide(page, 'allow');
    expect(await page.locator('#scope').innerText()).toBe('users posts');
    expect(await page.locator('#email').innerText()).toBe('');
    await page.goto(app.signInUrl());
    await decide(page, 'allow');
    expect(await page.locator('#scope').innerText()).toBe('users posts email');
    expect(await page.locator('#email').innerText()).toBe(person.email);
  });

  test('on a narrow screen: for an hour, without the e-mail address; later reduced, then revoked', async () => {
    const { page } = await openBrowser({ width: 360 });
    const person = await register(page);
    await using app = await startSampleApplication(page, {
      scopes: ['users', 'posts', 'email'],
      optionalPosts: 'To send your postcards.',
    });
    await page.goto(app.signInUrl());
    expect(await page.locator('main').innerText()).toContain('To send your postcards.');
    expect(await page.locator('[name=duration][value=until_stopped]').isChecked()).toBe(true);
    await page.getByLabel('After 1 hour').check();
    await page.locator('[name=scope][value=email]').uncheck();
    await decide(page, 'allow');
    await expectSignedInAt(app, page, person.username);
    expect(await page.locator('#scope').innerText()).toBe('users posts');

    await page.goto('/account/applications');
    expect(await page.getByTestId('access-ends').innerText()).toContain('Access expires');
    await page.getByRole('link', { name: 'Change permissions or expiry' }).click();
    await page.locator('[name=scope][value=posts]').uncheck();
    await page.getByTestId('change-application').click();
    expect(await page.locator('[name=scope]').count()).toBe(0);
    await page.goto(app.home.href);
    await page.locator('form[action="/refresh"] button').click();
    expect(await page.locator('#scope').innerText()).toBe('users');

    await page.goto('/account/applications');
    await page.getByTestId('revoke-application').click();
    const readErrors = async () => {
      await page.goto(app.home.href);
      return await page.locator('#error').allInnerTexts();
    };
    // The API rejects the token within a second.
    await expect.poll(readErrors).toEqual(['invalid_grant']);
  });

  test('with another account than the one that is signed in', async () => {
    const other = await openBrowser();
    const somebodyElse = await register(other.page);
    const { page } = await openBrowser();
    await register(page);
    await using app = await startSampleApplication(page);
    await page.goto(app.signInUrl());
    await page.getByRole('button', { name: 'Not you?' }).click();
    await signIn(page, somebodyElse);
    await expectConsentPage(page);
    expect(await page.locator('main').innerText()).toContain(`@${somebodyElse.username}`);
    await decide(page, 'allow');
    await expectSignedInAt(app, page, somebodyElse.username);
  });
});

describe('the second time', () => {
  test('a confidential application gets no consent page until it requests more', async () => {
    const { page } = await openBrowser();
    const person = await register(page);
    await using app = await startSampleApplication(page, { scopes: ['users', 'posts', 'users:read'], asks: 'users' });
    await page.goto(app.signInUrl());
    await decide(page, 'allow');
    await page.goto(app.signInUrl());
    await expectSignedInAt(app, page, person.username);
    await page.goto(app.signInUrl({ scope: 'users posts' }));
    await expectConsentPage(page);
  });

  test('a public application gets a consent page again', async () => {
    const { page } = await openBrowser();
    const person = await register(page);
    await using app = await startSampleApplication(page, { type: 'public' });
    for (const _visit of ['first', 'second']) {
      await page.goto(app.signInUrl());
      await expectConsentPage(page);
      await decide(page, 'allow');
      await expectSignedInAt(app, page, person.username);
    }
  });
});

describe('prompt', () => {
  test('none never shows a page: login_required, consent_required, then the code', async () => {
    const { page } = await openBrowser();
    const person = await register(page);
    await using app = await startSampleApplication(page);
    await page.goto(app.signInUrl({ prompt: 'none' }));
    await expectError(app, page, 'consent_required');
    await page.goto(app.signInUrl());
    await decide(page, 'allow');
    await page.goto(app.signInUrl({ prompt: 'none' }));
    await expectSignedInAt(app, page, person.username);
    await signOut(page);
    await page.goto(app.signInUrl({ prompt: 'none' }));
    await expectError(app, page, 'login_required');
  });

  test('login asks for the password again, consent for the decision', async () => {
    const { page } = await openBrowser();
    const person = await register(page);
    await using app = await startSampleApplication(page);
    await page.goto(app.signInUrl());
    await decide(page, 'allow');
    await page.goto(app.signInUrl({ prompt: 'login', login_hint: person.email }));
    expect(await page.locator('[name=login]').inputValue()).toBe(person.email);
    await signIn(page, person);
    await expectSignedInAt(app, page, person.username);
    await page.goto(app.signInUrl({ prompt: 'consent' }));
    await expectConsentPage(page);
  });
});
