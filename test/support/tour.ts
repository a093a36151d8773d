import type { Page } from 'playwright-core';

import type { OpenBrowser } from './open-browser.ts';
import {
  createApplication,
  decide,
  fill,
  newPerson,
  pressSubmit,
  register,
  retireFirstSecret,
  signIn,
  signOut,
} from './page-steps.ts';
import type { Person } from './page-steps.ts';
import { startSampleApplication } from './sample-application.ts';

/** Called for each page, with a name for its state. */
export type Visit = (name: string) => Promise<void>;

const shortName = 'Weather';
const longName = 'Postcards from the Mountains, with a Rather Long Name';
const sampleName = 'Sample application';

/** Names that the person of a tour enters, in every language. */
export const enteredNames = [shortName, longName, sampleName, 'Ada Lovelace'];

/** Visits every page in every distinct state as one new person, in the language of the browser. */
export async function tourEveryPage(browser: OpenBrowser, visit: Visit): Promise<void> {
  const person = await visitSignIn(browser, visit);
  await visitDeveloperArea(browser, visit);
  await authorize(browser, visit);
  await visitAccountArea(browser, visit, person);
  await makeMistakes(browser, visit);
  await signOutAndIn(browser, visit, person);
}

async function visitSignIn({ page }: OpenBrowser, visit: Visit): Promise<Person> {
  await page.goto('/');
  await visit('landing');
  await page.goto('/login');
  await visit('login');
  await signIn(page, { username: 'nobody_of_that_name', password: 'not the password' });
  await visit('login-refused');
  await page.goto('/password/forgot');
  await visit('forgot-password');
  await fill(page, { email: 'nobody@example.org' });
  await pressSubmit(page);
  await visit('forgot-password-sent');
  await page.goto('/password/reset?token=none');
  await visit('link-is-gone');
  await page.goto('/register');
  await visit('register');
  await fill(page, { first_name: 'Ada', username: 'x', email: 'ada', password: 'abc' });
  await pressSubmit(page);
  await visit('register-refused');
  const person = newPerson();
  await register(page, person);
  await page.waitForURL('**/home');
  await page.getByRole('link', { name: 'Back to Linnet' }).click();
  await page.waitForURL('**/');
  await visit('home');
  await page.goto('/developer');
  await visit('my-applications-empty');
  return person;
}

async function visitDeveloperArea({ page }: OpenBrowser, visit: Visit): Promise<void> {
  await page.goto('/developer/applications/new');
  await visit('create-application');
  await fill(page, { redirect_uris: 'http://example.com/callback\nhttps://example.com/#here' });
  await pressSubmit(page);
  await visit('create-application-refused');
  await createApplication(page, { name: longName, type: 'public' });
  await visit('created-public');
  const { clientId } = await createApplication(page, {
    name: shortName,
    redirectUris: ['https://weather.example/back'],
  });
  await visit('created');
  await page.goto('/developer');
  await visit('my-applications');
  const address = `/developer/applications/${clientId}`;
  await page.goto(address);
  await visit('application');
  for (const name of ['credentials', 'settings', 'activity', 'usage', 'history', 'appearance', 'danger']) {
    await page.goto(`${address}/${name}`);
    await visit(`application-${name}`);
  }
  await visitPlayground(page, visit, address);
  await page.goto(address);
  await page.getByTestId('add-secret').click();
  await visit('secret-added');
  await page.goto(`${address}/credentials`);
  await visit('application-two-secrets');
  await retireFirstSecret(page);
  await visit('secret-retired');
  await page.goto(`${address}/danger`);
  await fill(page, { confirm: 'another name' });
  await page.getByTestId('delete-application').click();
  await visit('delete-refused');
  await fill(page, { confirm: shortName });
  await page.getByTestId('delete-application').click();
  await visit('application-deleted');
}

/** A rejected form, a declined consent and a request, with everything expanded. */
async function visitPlayground(page: Page, visit: Visit, address: string): Promise<void> {
  await page.goto(`${address}/playground`);
  await visit('playground');
  await page.locator('[name=secret_source][value=paste]').check();
  await page.getByTestId('playground-begin').click();
  await visit('playground-refused');
  for (const decision of ['deny', 'allow'] as const) {
    await page.goto(`${address}/playground`);
    if (decision === 'allow') await visit('playground-denied');
    await page.getByTestId('playground-begin').click();
    await expandAll(page);
    if (decision === 'allow') await visit('playground-waiting');
    await page.getByTestId('playground-authorize').click();
    await decide(page, decision);
  }
  await page.goto(`${address}/playground?call=account-update`);
  await fill(page, { p_country: 'Scotland' });
  await page.getByTestId('playground-call').click();
  await expandAll(page);
  await visit('playground-called');
  await page.goto('/developer/playground/callback');
  await visit('playground-answer');
}

async function expandAll(page: Page): Promise<void> {
  for (const summary of await page.locator('summary').all()) await summary.click();
}

async function authorize({ page }: OpenBrowser, visit: Visit): Promise<void> {
  const scopes = ['users', 'posts', 'email', 'openid'];
  await using app = await startSampleApplication(page, { name: sampleName, scopes, implicit: true });
  const { clientId, redirectUri } = app;
  await page.goto(app.signInUrl());
  const interaction = page.url();
  await visit('consent');
  await decide(page, 'allow');
  await page.goto(interaction);
  await visit('interaction-ended');
  const request = {
    response_type: 'token',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'posts',
    prompt: 'consent',
  };
  await page.goto(`/oauth/authorize?${new URLSearchParams(request).toString()}`);
  await visit('consent-implicit');
  await page.goto(app.signInUrl({ prompt: 'login' }));
  await visit('login-again');
  await page.goto(app.signInUrl({ redirect_uri: 'https://elsewhere.example/callback' }));
  await visit('bad-redirect-uri');
}

async function visitAccountArea({ page }: OpenBrowser, visit: Visit, person: Person): Promise<void> {
  await page.goto('/account');
  await visit('account');
  await visitOwnPages(page, visit);
  await page.goto('/account/applications');
  await expandAll(page);
  await visit('connected-applications');
  await page.getByTestId('revoke-application').first().click();
  await visit('application-disconnected');
  await page.goto('/account/sessions');
  await visit('sessions');
  await page.goto('/account/security');
  await visit('security');
  await page.getByTestId('add-passkey').click();
  await visit('new-passkey');
  await page.goto('/account/security/authenticator');
  await visit('authenticator');
  await fill(page, { code: 'not a code' });
  await page.getByTestId('confirm-authenticator').click();
  await visit('authenticator-refused');
  await page.goto('/account/activity');
  await visit('activity');
  await page.goto('/account/activity/not-me');
  await visit('not-me');
  await page.goto('/account/email');
  await visit('email');
  await fill(page, { email: 'ada' });
  await page.getByTestId('change-email').click();
  await visit('email-refused');
  await page.goto('/account/password');
  await visit('password');
  await fill(page, { current_password: 'not the password', new_password: 'abc' });
  await page.getByTestId('change-password').click();
  await visit('password-refused');
  await fill(page, { current_password: person.password, new_password: person.password });
  await page.getByTestId('change-password').click();
  await visit('password-changed');
}

/** Profile, username, followers, export and deletion. */
async function visitOwnPages(page: Page, visit: Visit): Promise<void> {
  await page.goto('/account/profile');
  await visit('profile');
  await fill(page, { displayName: '', language: 'no tag!' });
  await page.getByTestId('save-profile').click();
  await visit('profile-refused');
  await page.goto('/account/username');
  await visit('username');
  await fill(page, { username: 'abc' });
  await page.getByTestId('change-username').click();
  await visit('username-refused');
  await page.goto('/account/followers');
  await visit('followers');
  await page.getByTestId('protect-account').click();
  await visit('followers-protected');
  await page.getByTestId('open-account').click();
  await page.goto('/account/export');
  await visit('export');
  await page.getByTestId('export-account').click();
  await visit('export-refused');
  await page.goto('/account/delete');
  await visit('delete-account');
  await page.getByTestId('delete-account').click();
  await visit('delete-account-refused');
}

async function makeMistakes({ page, context }: OpenBrowser, visit: Visit): Promise<void> {
  await page.goto('/nothing/here');
  await visit('not-found');
  await page.goto('/account/password');
  await context.clearCookies({ name: /csrf/ });
  await page.getByTestId('change-password').click();
  await visit('stale-form');
}

async function signOutAndIn({ page }: OpenBrowser, visit: Visit, person: Person): Promise<void> {
  await using app = await startSampleApplication(page, { name: longName });
  await page.goto('/logout');
  await visit('logout');
  await page.goto(`/oauth/logout?client_id=${app.clientId}`);
  await visit('logout-for-application');
  await signOut(page);
  await visit('signed-out');
  await page.goto(app.signInUrl());
  await visit('login-for-application');
  await page.goto(`${page.url()}/register`);
  await visit('register-for-application');
  await page.goto(app.signInUrl());
  await signIn(page, person);
  await visit('consent-plain');
  await decide(page, 'deny');
}
