/** What people do on the pages, by the names that docs/operations.md keeps stable. */
import { randomBytes } from 'node:crypto';

import type { Page } from 'playwright-core';

export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** Somebody who is not registered yet. */
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

/** Fills in the registration that `page` shows. */
export async function fillRegistration(page: Page, person: Person): Promise<void> {
  await fill(page, {
    first_name: person.firstName,
    last_name: person.lastName,
    username: person.username,
    email: person.email,
    password: person.password,
  });
}

/** Registers on the page that `page` shows, or opens it. */
export async function register(page: Page, person: Person = newPerson()): Promise<Person> {
  if (!(await isShown(page, 'first_name'))) await page.goto('/register');
  await fillRegistration(page, person);
  await pressSubmit(page);
  return person;
}

/** Fills in the sign-in that `page` shows, or opens it. */
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
  /** Why it asks for `posts`, which people may then leave out. */
  readonly optionalPosts?: string;
  /** Offered to confidential applications. */
  readonly actAsOwner: boolean;
}

export interface CreatedApplication {
  readonly clientId: string;
  /** Confidential applications have one. */
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

/** From the empty form to the credentials. Somebody has to be signed in. */
export async function createApplication(page: Page, typed: Partial<ApplicationForm> = {}): Promise<CreatedApplication> {
  await page.goto('/developer/applications/new');
  const { type, ...values } = { ...usualApplication, ...typed };
  await page.locator(`[name=type][value=${type}]`).check();
  await fillApplication(page, values);
  if (type === 'confidential') await page.locator('[name=act_as_owner]').setChecked(values.actAsOwner);
  await pressSubmit(page);
  const clientId = await page.getByTestId('client-id').innerText();
  if (type !== 'confidential') return { clientId, clientSecret: undefined };
  return { clientId, clientSecret: await page.getByTestId('client-secret').innerText() };
}

type CommonFields = Pick<ApplicationForm, 'name' | 'redirectUris' | 'scopes' | 'implicit' | 'optionalPosts'>;

/** The fields that creating and editing share. */
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

/** Presses a button of the consent page. */
export async function decide(page: Page, decision: 'allow' | 'deny'): Promise<void> {
  await page.locator(`button[name=decision][value=${decision}]`).click();
}

/** Types into fields by their names. */
export async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await page.locator(`main [name=${name}]`).fill(value);
}

/** The first button of the page's form. */
export async function pressSubmit(page: Page): Promise<void> {
  await page.locator('main form button').first().click();
}

async function isShown(page: Page, field: string): Promise<boolean> {
  return await page.locator(`main [name=${field}]`).isVisible();
}
