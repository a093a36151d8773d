import { join } from 'node:path';

import { linkIn, mailTo } from '@linnet/auth/testing/mailbox';
import type { ReceivedMail } from '@linnet/auth/testing/mailbox';
import { pngImage } from '@linnet/media/testing/images';
import type { Page } from 'playwright-core';
import { describe, expect, inject, test, vi } from 'vitest';

import { openBrowser } from '../../support/open-browser.ts';
import {
  createApplication,
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

/** The status of the answer, and the fields that are marked as wrong. */
async function sendRegistration(page: Page, values: Readonly<Record<string, string>>): Promise<readonly unknown[]> {
  await fill(page, values);
  const [answer] = await Promise.all([page.waitForResponse('**/register'), pressSubmit(page)]);
  const wrong = await page.locator('[aria-invalid=true]').all();
  return [answer.status(), ...(await Promise.all(wrong.map(async (field) => await field.getAttribute('name'))))];
}

async function signInAt(app: SampleApplication, page: Page): Promise<void> {
  await page.goto(app.signInUrl());
  await decide(page, 'allow');
  expect(await page.locator('#account').isVisible()).toBe(true);
}

/** Neither the access token nor the refresh token of the application works any more. */
async function expectRefreshFails(app: SampleApplication, page: Page): Promise<void> {
  const lastSeen = async () => {
    await page.goto(app.home.href);
    return await page.locator('#refused #error').allInnerTexts();
  };
  // The API learns of it within a second.
  await expect.poll(lastSeen).toEqual(['invalid_grant']);
}

describe('registering', () => {
  test('a refused form says what is wrong beside the field and keeps what was typed, never the password', async () => {
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
  test('by username or e-mail address; what fails has one text', async () => {
    const { page } = await openBrowser();
    const person = await register(page);
    await signOut(page);
    const texts: string[] = [];
    for (const login of [person.username, 'nobody_of_that_name']) {
      await page.goto('/login');
      await fill(page, { login, password: 'not the password' });
      const [answer] = await Promise.all([page.waitForResponse('**/login'), pressSubmit(page)]);
      expect(answer.status()).toBeGreaterThanOrEqual(400);
      expect(answer.status()).toBeLessThan(500);
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

  test('leads back to the page that asked for it', async () => {
    const { page } = await openBrowser();
    const person = await register(page);
    await signOut(page);
    await page.goto('/account/sessions');
    await signIn(page, person);
    expect(new URL(page.url()).pathname).toBe('/account/sessions');
  });
});

describe('signing out', () => {
  test('takes the button, not the visit of the page', async () => {
    const { page } = await openBrowser();
    await register(page);
    await page.goto('/logout');
    await expectSignedIn(page, true);
    await signOut(page);
    await expectSignedIn(page, false);
  });
});

describe('an application that asks to sign out', () => {
  test('is asked for by name, and decided by the person', async () => {
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
  test('one browser ends the session of another, and keeps its own', async () => {
    const here = await openBrowser();
    const there = await openBrowser();
    const person = await register(here.page);
    await signIn(there.page, person);
    await here.page.goto('/account/sessions');
    expect(await here.page.getByTestId('end-session').count()).toBe(1);
    await here.page.getByTestId('end-session').click();
    await expect.poll(async () => await here.page.getByTestId('end-session').count()).toBe(0);
    await expectSignedIn(there.page, false);
    await expectSignedIn(here.page, true);
  });

  test('all of them end at once', async () => {
    const here = await openBrowser();
    const there = await openBrowser();
    const person = await register(here.page);
    await signIn(there.page, person);
    await here.page.goto('/account/sessions');
    await here.page.getByTestId('end-all-sessions').click();
    await expectSignedIn(there.page, false);
    await expectSignedIn(here.page, false);
  });
});

describe('connected applications', () => {
  test('one that is disconnected can refresh no more, and asks again', async () => {
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

/** The last message to an address, in the folder of the service. */
async function receive(address: string, subject: string): Promise<ReceivedMail> {
  return await vi.waitFor(
    async () => {
      const mail = await mailTo(join(inject('service').dataDir, 'mail'), address);
      const found = mail.findLast((one) => one.subject.includes(subject));
      if (found === undefined) throw new Error(`no mail about ${subject}`);
      return found;
    },
    { timeout: 15_000, interval: 200 },
  );
}

describe('the password', () => {
  test('one that was forgotten is replaced by the link in a message, with nothing but the mailbox', async () => {
    const { page } = await openBrowser();
    const person = await register(page);
    await signOut(page);
    await page.goto('/login');
    await page.getByRole('link', { name: 'Reset your password' }).click();
    await fill(page, { email: person.email });
    await pressSubmit(page);
    expect(await page.getByRole('status').innerText()).toContain('we sent a link');
    await page.goto(linkIn(await receive(person.email, 'new password')));
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

  test('a new one signs other browsers out, cuts applications off, and is the only one that works', async () => {
    const here = await openBrowser();
    const there = await openBrowser();
    const person = await register(here.page);
    await signIn(there.page, person);
    await using app = await startSampleApplication(here.page);
    await signInAt(app, here.page);

    await here.page.goto('/account/password');
    await fill(here.page, { current_password: 'not the password', new_password: 'seven yellow kites' });
    await here.page.getByTestId('change-password').click();
    await here.page.locator('[name=current_password][aria-invalid=true]').waitFor();
    await fill(here.page, { current_password: person.password, new_password: 'seven yellow kites' });
    await here.page.getByTestId('change-password').click();
    await here.page.locator('[role=status]').waitFor();

    await expectSignedIn(here.page, true);
    await expectSignedIn(there.page, false);
    await expectRefreshFails(app, here.page);
    await signIn(there.page, person);
    await expectSignedIn(there.page, false);
    await signIn(there.page, { ...person, password: 'seven yellow kites' });
    await expectSignedIn(there.page, true);
  });
});

describe('the profile', () => {
  test('name and photo are changed, posts protected and a request approved, without scripts', async () => {
    const { page } = await openBrowser();
    const person = await register(page);
    await page.goto('/account');
    await page.getByRole('link', { name: 'Profile', exact: true }).click();
    await fill(page, { displayName: 'Countess of Lovelace', description: 'Poetical science' });
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
    expect(await page.locator('main').innerText()).toContain('Countess of Lovelace');
  });
});

/** Somebody new asks to follow, with an application of their own. */
async function follow(username: string): Promise<void> {
  const { page } = await openBrowser();
  await register(page);
  const { clientId, clientSecret = '' } = await createApplication(page);
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const form = { grant_type: 'client_credentials' };
  const token = await page.request.post('/oauth/token', { form, headers: { authorization } });
  const { access_token: accessToken } = (await token.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${accessToken}` };
  const shown = await page.request.get(`/api/v2.0/users/show?username=${username}`, { headers });
  const { id } = (await shown.json()) as { id: number };
  const asked = await page.request.post('/api/v2.0/follows/add', { data: { id }, headers });
  expect(asked.status()).toBe(200);
}
