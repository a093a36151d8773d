import { join } from 'node:path';

import { linkIn, mailTo } from '../../support/auth/mailbox.ts';
import type { ReceivedMail } from '../../support/auth/mailbox.ts';
import { pngImage } from '../../support/media/images.ts';
import type { Page } from 'playwright-core';
import { describe, expect, inject, test, vi } from 'vitest';

import { openBrowser } from '../../support/open-browser.ts';
import {
  addApplication,
  decide,
  fill,
  newPerson,
  pressSubmit,
  register,
  signIn,
  signOut,
} from '../../support/page-steps.ts';
import { startSampleApplication } from '../../support/sample-application.ts';
import type { SampleApplication } from '../../support/sample-application.ts';

/** Registering, signing in and out, and the account area. */

async function expectSignedIn(page: Page, isSignedIn: boolean): Promise<void> {
  await page.goto('/account');
  expect(new URL(page.url()).pathname).toBe(isSignedIn ? '/account' : '/login');
}

/** Returns the status of the response, and the names of invalid fields. */
async function sendRegistration(page: Page, values: Readonly<Record<string, string>>): Promise<readonly unknown[]> {
  await fill(page, values);
  const [response] = await Promise.all([page.waitForResponse('**/register'), pressSubmit(page)]);
  const invalid = await page.locator('[aria-invalid=true]').all();
  return [response.status(), ...(await Promise.all(invalid.map(async (field) => await field.getAttribute('name'))))];
}

async function signInAt(app: SampleApplication, page: Page): Promise<void> {
  await page.goto(app.signInUrl());
  await decide(page, 'allow');
  expect(await page.locator('#account').isVisible()).toBe(true);
}

/** Neither the access token nor the refresh token of the application works. */
async function expectRefreshFails(app: SampleApplication, page: Page): Promise<void> {
  const readErrors = async () => {
    await page.goto(app.home.href);
    return await page.locator('#refused #error').allInnerTexts();
  };
  // The API rejects the token within a second.
  await expect.poll(readErrors).toEqual(['invalid_grant']);
}

describe('registering', () => {
  test('a rejected form shows errors next to fields and keeps its values, except the password', async () => {
    const { page } = await openBrowser();
    const first = await register(page);
    await signOut(page);
    await page.goto('/register');
    const typed = { first_name: 'Grace', last_name: 'Hopper', username: first.username, email: first.email };
    expect(await sendRegistration(page, { ...typed, password: 'abc' })).toEqual([422, 'password']);
    expect(await sendRegistration(page, { password: first.password })).toEqual([422, 'username', 'email']);
    for (const [name, value] of Object.entries(typed)) {
      expect(await page.locator(`[name=${name}]`).inputValue()).toBe(value);
    }
    expect(await page.locator('[name=password]').inputValue()).toBe('');
    const { username, email, password } = newPerson();
    await fill(page, { username, email, password });
    await pressSubmit(page);
    await expectSignedIn(page, true);
  });
});

describe('signing in', () => {
  test('by username or e-mail address; all failures have the same message', async () => {
    const { page } = await openBrowser();
    const person = await register(page);
    await signOut(page);
    const texts: string[] = [];
    for (const login of [person.username, 'nobody_of_that_name']) {
      await page.goto('/login');
      await fill(page, { login, password: 'not the password' });
      const [response] = await Promise.all([page.waitForResponse('**/login'), pressSubmit(page)]);
      expect(response.status()).toBeGreaterThanOrEqual(400);
      expect(response.status()).toBeLessThan(500);
      texts.push(await page.getByRole('alert').innerText());
      expect(await page.locator('[name=login]').inputValue()).toBe(login);
      expect(await page.locator('[name=password]').inputValue()).toBe('');
    }
    expect(texts[0]).toBe(texts[1]);
    await signIn(page, person);
    await expectSignedIn(page, true);
    await signOut(page);
    await signIn(page, { username: person.email, password: person.password });
    await expectSignedIn(page, true);
  });

  test('returns to the page that required it', async () => {
    const { page } = await openBrowser();
    const person = await register(page);
    await signOut(page);
    await page.goto('/account/sessions');
    await signIn(page, person);
    expect(new URL(page.url()).pathname).toBe('/account/sessions');
  });
});

describe('signing out', () => {
  test('needs the button; opening the page is not enough', async () => {
    const { page } = await openBrowser();
    await register(page);
    await page.goto('/logout');
    await expectSignedIn(page, true);
    await signOut(page);
    await expectSignedIn(page, false);
  });
});

describe('an application that requests a sign-out', () => {
  test('is named, and the person decides', async () => {
    const { page } = await openBrowser();
    await register(page);
    await using app = await startSampleApplication(page, { name: 'Postcards' });
    await page.goto(`/oauth/logout?client_id=${app.clientId}`);
    expect(await page.locator('main').innerText()).toContain('Postcards');
    await expectSignedIn(page, true);
    await page.goto(`/oauth/logout?client_id=${app.clientId}`);
    await page.getByTestId('sign-out').click();
    await expectSignedIn(page, false);
  });
});

describe('sessions', () => {
  test('one browser ends the session of another and keeps its own', async () => {
    const first = await openBrowser();
    const second = await openBrowser();
    const person = await register(first.page);
    await signIn(second.page, person);
    await first.page.goto('/account/sessions');
    expect(await first.page.getByTestId('end-session').count()).toBe(1);
    await first.page.getByTestId('end-session').click();
    await expect.poll(async () => await first.page.getByTestId('end-session').count()).toBe(0);
    await expectSignedIn(second.page, false);
    await expectSignedIn(first.page, true);
  });

  test('all of them end at once', async () => {
    const first = await openBrowser();
    const second = await openBrowser();
    const person = await register(first.page);
    await signIn(second.page, person);
    await first.page.goto('/account/sessions');
    await first.page.getByTestId('end-all-sessions').click();
    await expectSignedIn(second.page, false);
    await expectSignedIn(first.page, false);
  });
});

describe('connected applications', () => {
  test('after access is revoked, it cannot refresh, and gets a consent page again', async () => {
    const { page } = await openBrowser();
    await register(page);
    await using app = await startSampleApplication(page, { name: 'Postcards', actAsOwner: false });
    await signInAt(app, page);
    await page.goto('/account/applications');
    expect(await page.locator('main').innerText()).toContain('Postcards');
    await page.getByTestId('revoke-application').click();
    await expect.poll(async () => await page.getByTestId('revoke-application').count()).toBe(0);
    await expectRefreshFails(app, page);
    await page.goto(app.signInUrl());
    expect(await page.locator('button[name=decision][value=allow]').isVisible()).toBe(true);
  });
});

/** The last message to an address, from the mail directory of the service. */
async function receive(address: string, subject: string): Promise<ReceivedMail> {
  return await vi.waitFor(
    async () => {
      const mail = await mailTo(join(inject('service').dataDir, 'mail'), address);
      const found = mail.findLast((one) => one.subject.includes(subject));
      if (found === undefined) throw new Error(`no mail about ${subject}`);
      return found;
    },
    { timeout: 120_000, interval: 200 },
  );
}

describe('the password', () => {
  test('is reset with the link in a message', async () => {
    const { page } = await openBrowser();
    const person = await register(page);
    await signOut(page);
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await fill(page, { email: person.email });
    await pressSubmit(page);
    expect(await page.getByRole('status').innerText()).toContain('we sent a link');
    await page.goto(linkIn(await receive(person.email, 'Reset your')));
    expect(await page.locator('main').innerText()).toContain(person.username);
    await fill(page, { new_password: 'seven forgotten kites' });
    await pressSubmit(page);
    expect(await page.getByRole('status').innerText()).toContain('Password changed');
    await signIn(page, { ...person, password: 'seven forgotten kites' });
    await expectSignedIn(page, true);
    await receive(person.email, 'was changed');
    await page.goto(linkIn(await receive(person.email, 'Confirm')));
    await pressSubmit(page);
    expect(await page.locator('h1').innerText()).toBe('E-mail address confirmed');
  });

  test('changing it signs out other browsers, revokes access of applications, and invalidates the old one', async () => {
    const first = await openBrowser();
    const second = await openBrowser();
    const person = await register(first.page);
    await signIn(second.page, person);
    await using app = await startSampleApplication(first.page);
    await signInAt(app, first.page);

    await first.page.goto('/account/password');
    await fill(first.page, { current_password: 'not the password', new_password: 'seven yellow kites' });
    await first.page.getByTestId('change-password').click();
    await first.page.locator('[name=current_password][aria-invalid=true]').waitFor();
    await fill(first.page, { current_password: person.password, new_password: 'seven yellow kites' });
    await first.page.getByTestId('change-password').click();
    await first.page.locator('[role=status]').waitFor();

    await expectSignedIn(first.page, true);
    await expectSignedIn(second.page, false);
    await expectRefreshFails(app, first.page);
    await signIn(second.page, person);
    await expectSignedIn(second.page, false);
    await signIn(second.page, { ...person, password: 'seven yellow kites' });
    await expectSignedIn(second.page, true);
  });
});

describe('a session that ends while a person types', () => {
  test('leads through the sign-in back to what was typed, which is then sent', async () => {
    const { page, context } = await openBrowser();
    const person = await register(page);
    await page.goto('/account/profile');
    await fill(page, { description: 'Many hours of typing' });
    await signOut(await context.newPage());
    await page.getByTestId('save-profile').click();
    await page.getByText('Your session has ended.').waitFor();
    await signIn(page, person);
    await page.getByText('Check what you typed and send it again.').waitFor();
    expect(await page.locator('[name=description]').inputValue()).toBe('Many hours of typing');
    await page.getByTestId('save-profile').click();
    await page.getByRole('status').waitFor();
    await page.goto('/account/profile');
    expect(await page.locator('[name=description]').inputValue()).toBe('Many hours of typing');
  });
});

describe('the profile', () => {
  test('changes name and photo, protects posts and approves a request, without scripts', async () => {
    const { page } = await openBrowser();
    const person = await register(page);
    await page.goto('/account');
    await page.getByRole('link', { name: 'Profile', exact: true }).click();
    // The guide about searches finds the people who are called Ada Lovelace.
    const names = { displayName: 'Countess Augusta', first_name: 'Augusta', last_name: 'King' };
    await fill(page, { ...names, description: 'Poetical science' });
    await page.getByTestId('save-profile').click();
    await page.locator('[role=status]').waitFor();
    const buffer = await pngImage({ width: 300, height: 300 });
    await page.locator('[name=photo]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
    await page.getByTestId('change-photo').click();
    await page.locator('[role=status]').waitFor();
    await expect.poll(async () => (await page.locator('main .avatar').boundingBox())?.width).toBe(96);
    const source = await page.locator('main .avatar').getAttribute('src');
    expect((await page.request.get(source ?? '')).headers()['content-type']).toBe('image/png');

    await page.getByRole('link', { name: 'Followers', exact: true }).click();
    await page.getByTestId('protect-account').click();
    await page.locator('[role=status]').waitFor();
    await follow(person.username);
    await page.goto('/account/followers');
    await page.getByTestId('approve-request').click();
    await page.locator('[role=status]').waitFor();
    expect(await page.locator('main').innerText()).toContain('1 follower');
    await page.goto(`/@${person.username}`);
    expect(await page.locator('main').innerText()).toContain('Countess Augusta');
  });
});

/** Registers a person who requests to follow, through their own application. */
async function follow(username: string): Promise<void> {
  const { page } = await openBrowser();
  await register(page);
  const { clientId, clientSecret = '' } = await addApplication(page);
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const form = { grant_type: 'client_credentials' };
  const token = await page.request.post('/oauth/token', { form, headers: { authorization } });
  const { access_token: accessToken } = (await token.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${accessToken}` };
  const shown = await page.request.get(`/api/v2.0/users/show?username=${username}`, { headers });
  const { id } = (await shown.json()) as { id: number };
  const response = await page.request.post('/api/v2.0/follows/add', { data: { id }, headers });
  expect(response.status()).toBe(200);
}
