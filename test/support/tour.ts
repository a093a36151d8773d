import type { Page } from 'playwright-core';

import type { OpenBrowser } from './open-browser.ts';
import { createApplication, decide, fill, newPerson, pressSubmit, register, signIn, signOut } from './page-steps.ts';
import type { Person } from './page-steps.ts';
import { startSampleApplication } from './sample-application.ts';

/** Looks at the page that the browser shows. */
export type Look = (name: string) => Promise<void>;

const shortName = 'Weather';
const longName = 'Postcards from the Mountains, with a Rather Long Name';
const sampleName = 'Sample application';

/** What the person of a tour types, whatever the language. */
export const typedNames = [shortName, longName, sampleName, 'Ada Lovelace'];

/** Every page in every state that looks different, by one new person, in whatever language the browser asks for. */
export async function walkEveryPage(browser: OpenBrowser, look: Look): Promise<void> {
  const person = await visitDoor(browser, look);
  await visitDeveloperArea(browser, look);
  await authorize(browser, look);
  await visitAccountArea(browser, look, person);
  await makeMistakes(browser, look);
  await leave(browser, look, person);
}

async function visitDoor({ page }: OpenBrowser, look: Look): Promise<Person> {
  await page.goto('/login');
  await look('login');
  await signIn(page, { username: 'nobody_of_that_name', password: 'not the password' });
  await look('login-refused');
  await page.goto('/password/forgot');
  await look('forgot-password');
  await fill(page, { email: 'nobody@example.org' });
  await pressSubmit(page);
  await look('forgot-password-sent');
  await page.goto('/password/reset?token=none');
  await look('link-is-gone');
  await page.goto('/register');
  await look('register');
  await fill(page, { first_name: 'Ada', username: 'x', email: 'ada', password: 'abc' });
  await pressSubmit(page);
  await look('register-refused');
  const person = newPerson();
  await register(page, person);
  await look('my-applications-empty');
  return person;
}

async function visitDeveloperArea({ page }: OpenBrowser, look: Look): Promise<void> {
  await page.goto('/developer/applications/new');
  await look('create-application');
  await fill(page, { redirect_uris: 'http://example.com/callback\nhttps://example.com/#here' });
  await pressSubmit(page);
  await look('create-application-refused');
  await createApplication(page, { name: longName, type: 'public' });
  await look('created-public');
  const { clientId } = await createApplication(page, {
    name: shortName,
    redirectUris: ['https://weather.example/back'],
  });
  await look('created');
  await page.goto('/developer');
  await look('my-applications');
  const address = `/developer/applications/${clientId}`;
  await page.goto(address);
  await look('application');
  for (const name of ['usage', 'history', 'appearance']) {
    await page.goto(`${address}/${name}`);
    await look(`application-${name}`);
  }
  await visitPlayground(page, look, address);
  await page.goto(address);
  await page.getByTestId('add-secret').click();
  await look('secret-added');
  await page.goto(address);
  await look('application-two-secrets');
  await page.getByTestId('retire-secret').first().click();
  await look('secret-retired');
  await fill(page, { confirm: 'another name' });
  await page.getByTestId('delete-application').click();
  await look('delete-refused');
  await fill(page, { confirm: shortName });
  await page.getByTestId('delete-application').click();
  await look('application-deleted');
}

/** A refused form, a refused consent, a call that was made; folded parts open. */
async function visitPlayground(page: Page, look: Look, address: string): Promise<void> {
  await page.goto(`${address}/playground`);
  await look('playground');
  await page.locator('[name=secret_source][value=paste]').check();
  await page.getByTestId('playground-begin').click();
  await look('playground-refused');
  for (const decision of ['deny', 'allow'] as const) {
    await page.goto(`${address}/playground`);
    if (decision === 'allow') await look('playground-denied');
    await page.getByTestId('playground-begin').click();
    await unfold(page);
    if (decision === 'allow') await look('playground-waiting');
    await page.getByTestId('playground-authorize').click();
    await decide(page, decision);
  }
  await page.goto(`${address}/playground?call=account-update`);
  await fill(page, { p_country: 'Scotland' });
  await page.getByTestId('playground-call').click();
  await unfold(page);
  await look('playground-called');
  await page.goto('/developer/playground/callback');
  await look('playground-answer');
}

async function unfold(page: Page): Promise<void> {
  for (const summary of await page.locator('summary').all()) await summary.click();
}

async function authorize({ page }: OpenBrowser, look: Look): Promise<void> {
  const scopes = ['users', 'posts', 'email', 'openid'];
  await using app = await startSampleApplication(page, { name: sampleName, scopes, implicit: true });
  const { clientId, redirectUri } = app;
  await page.goto(app.signInUrl());
  const interaction = page.url();
  await look('consent');
  await decide(page, 'allow');
  await page.goto(interaction);
  await look('interaction-ended');
  const request = {
    response_type: 'token',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'posts',
    prompt: 'consent',
  };
  await page.goto(`/oauth/authorize?${new URLSearchParams(request).toString()}`);
  await look('consent-implicit');
  await page.goto(app.signInUrl({ prompt: 'login' }));
  await look('login-again');
  await page.goto(app.signInUrl({ redirect_uri: 'https://elsewhere.example/callback' }));
  await look('bad-redirect-uri');
}

async function visitAccountArea({ page }: OpenBrowser, look: Look, person: Person): Promise<void> {
  await page.goto('/account');
  await look('account');
  await visitOwnPages(page, look);
  await page.goto('/account/applications');
  await unfold(page);
  await look('connected-applications');
  await page.getByTestId('revoke-application').first().click();
  await look('application-disconnected');
  await page.goto('/account/sessions');
  await look('sessions');
  await page.goto('/account/security');
  await look('security');
  await page.getByTestId('add-passkey').click();
  await look('new-passkey');
  await page.goto('/account/security/authenticator');
  await look('authenticator');
  await fill(page, { code: 'not a code' });
  await page.getByTestId('confirm-authenticator').click();
  await look('authenticator-refused');
  await page.goto('/account/email');
  await look('email');
  await fill(page, { email: 'ada' });
  await page.getByTestId('change-email').click();
  await look('email-refused');
  await page.goto('/account/password');
  await look('password');
  await fill(page, { current_password: 'not the password', new_password: 'abc' });
  await page.getByTestId('change-password').click();
  await look('password-refused');
  await fill(page, { current_password: person.password, new_password: person.password });
  await page.getByTestId('change-password').click();
  await look('password-changed');
}

/** What the person says of herself, and who may see it. */
async function visitOwnPages(page: Page, look: Look): Promise<void> {
  await page.goto('/account/profile');
  await look('profile');
  await fill(page, { displayName: '', language: 'no tag!' });
  await page.getByTestId('save-profile').click();
  await look('profile-refused');
  await page.goto('/account/username');
  await look('username');
  await fill(page, { username: 'abc' });
  await page.getByTestId('change-username').click();
  await look('username-refused');
  await page.goto('/account/followers');
  await look('followers');
  await page.getByTestId('protect-account').click();
  await look('followers-protected');
  await page.getByTestId('open-account').click();
  await page.goto('/account/export');
  await look('export');
  await page.getByTestId('export-account').click();
  await look('export-refused');
  await page.goto('/account/delete');
  await look('delete-account');
  await page.getByTestId('delete-account').click();
  await look('delete-account-refused');
}

async function makeMistakes({ page, context }: OpenBrowser, look: Look): Promise<void> {
  await page.goto('/nothing/here');
  await look('not-found');
  await page.goto('/account/password');
  await context.clearCookies({ name: /csrf/ });
  await page.getByTestId('change-password').click();
  await look('stale-form');
}

async function leave({ page }: OpenBrowser, look: Look, person: Person): Promise<void> {
  await using app = await startSampleApplication(page, { name: longName });
  await page.goto('/logout');
  await look('logout');
  await page.goto(`/oauth/logout?client_id=${app.clientId}`);
  await look('logout-for-application');
  await signOut(page);
  await look('signed-out');
  await page.goto(app.signInUrl());
  await look('login-for-application');
  await page.goto(`${page.url()}/register`);
  await look('register-for-application');
  await page.goto(app.signInUrl());
  await signIn(page, person);
  await look('consent-plain');
  await decide(page, 'deny');
}
