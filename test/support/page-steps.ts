/** What people do on the pages, using the stable names of form fields and `data-testid`s. */
import { randomBytes } from 'node:crypto';

import type { Page } from 'playwright-core';

export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** A person who is not registered yet. */
export function newPerson(): Person {
  const username = `ada_${randomBytes(5).toString('hex')}`;
  return {
    firstName: 'Ada',
    lastName: 'Lovelace',
    username,
    email: `${username}@example.org`,
    password: 'five violet umbrellas',
  };
}

/** Fills in the registration form that `page` shows. */
export async function fillRegistration(page: Page, person: Person): Promise<void> {
  await fill(page, {
    first_name: person.firstName,
    last_name: person.lastName,
    username: person.username,
    email: person.email,
    password: person.password,
  });
}

/** Registers a person; opens the registration page unless `page` shows it. */
export async function register(page: Page, person: Person = newPerson()): Promise<Person> {
  const isAlone = !(await isShown(page, 'first_name'));
  if (isAlone) await page.goto('/register');
  await fillRegistration(page, person);
  await pressSubmit(page);
  if (isAlone) await waitForClient(page);
  return person;
}

/** After registering, people land in the web client. Where scripts run, it signs itself in, by redirects that would interrupt what follows. */
async function waitForClient(page: Page): Promise<void> {
  await page.waitForURL(({ pathname }) => pathname !== '/register');
  if (!new URL(page.url()).pathname.startsWith('/home')) return;
  await page.locator('nav.navigation, noscript a').first().waitFor();
}

/** Signs in; opens the sign-in page unless `page` shows it. */
export async function signIn(page: Page, person: Pick<Person, 'username' | 'password'>): Promise<void> {
  if (!(await isShown(page, 'login'))) await page.goto('/login');
  await fill(page, { login: person.username, password: person.password });
  await pressSubmit(page);
}

export async function signOut(page: Page): Promise<void> {
  await page.goto('/logout');
  await page.getByTestId('sign-out').click();
}

export interface ApplicationForm {
  readonly name: string;
  readonly type: 'confidential' | 'public' | 'native';
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly implicit: boolean;
  /** Makes `posts` optional, with this reason. */
  readonly optionalPosts?: string;
  /** Only for confidential applications. */
  readonly actAsOwner: boolean;
}

export interface CreatedApplication {
  readonly clientId: string;
  /** Only for confidential applications. */
  readonly clientSecret: string | undefined;
}

const usualApplication: ApplicationForm = {
  name: 'Sample application',
  type: 'confidential',
  redirectUris: [],
  scopes: ['users', 'posts'],
  implicit: false,
  actAsOwner: true,
};

/** Creates an application in the developer area and reads its credentials. The person must be signed in. */
export async function createApplication(page: Page, typed: Partial<ApplicationForm> = {}): Promise<CreatedApplication> {
  await page.goto('/developer/applications/new');
  const { type, ...values } = { ...usualApplication, ...typed };
  await page.locator(`[name=type][value=${type}]`).check();
  await unfoldSettings(page);
  await fillApplication(page, values);
  if (type === 'confidential') await page.locator('[name=act_as_owner]').setChecked(values.actAsOwner);
  await pressSubmit(page);
  const clientId = await page.getByTestId('client-id').innerText();
  if (type !== 'confidential') return { clientId, clientSecret: undefined };
  return { clientId, clientSecret: await page.getByTestId('client-secret').innerText() };
}

/** Opens every fold of the form. */
export async function unfoldSettings(page: Page): Promise<void> {
  await page.locator('details.settings').evaluateAll((folds) => {
    for (const fold of folds) fold.setAttribute('open', '');
  });
}

type CommonFields = Pick<ApplicationForm, 'name' | 'redirectUris' | 'scopes' | 'implicit' | 'optionalPosts'>;

/** Fills in the fields that are the same when creating and editing. */
async function fillApplication(page: Page, fields: CommonFields): Promise<void> {
  const { name, redirectUris, scopes, implicit, optionalPosts } = fields;
  await fill(page, { name, redirect_uris: redirectUris.join('\n') });
  for (const box of await page.locator('[name=scope]').all()) {
    await box.setChecked(scopes.includes(await box.inputValue()));
  }
  if (optionalPosts !== undefined) {
    await page.locator('[name=use_posts]').selectOption('optional');
    await fill(page, { reason_posts: optionalPosts });
  }
  await page.locator('[name=implicit]').setChecked(implicit);
}

/** Retires the oldest secret on the page of an application: one press unfolds the confirmation, one confirms. */
export async function retireFirstSecret(page: Page): Promise<void> {
  await page.locator('summary:has(+ form [data-testid=retire-secret])').first().click();
  await page.getByTestId('retire-secret').first().click();
}

/** Presses a button on the consent page. */
export async function decide(page: Page, decision: 'allow' | 'deny'): Promise<void> {
  await page.locator(`button[name=decision][value=${decision}]`).click();
}

/** Fills in fields by name. */
export async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await page.locator(`main [name=${name}]`).fill(value);
}

/** Presses the first button of the page's form. */
export async function pressSubmit(page: Page): Promise<void> {
  await page.locator('main form button').first().click();
}

async function isShown(page: Page, field: string): Promise<boolean> {
  return await page.locator(`main [name=${field}]`).isVisible();
}
