/** What people do on the pages, using the stable names of form fields and `data-testid`s. */
import { randomBytes } from 'node:crypto';

import type { Page } from 'playwright-core';

import { formsOf, readAttribute, readFields } from './html-form.ts';

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
  await fill(page, valuesOf(person));
}

/** By the names of the fields. */
function valuesOf({ firstName, lastName, username, email, password }: Person) {
  return { first_name: firstName, last_name: lastName, username, email, password };
}

/** Registers a person: on the page, if it shows the form. */
export async function register(page: Page, person: Person = newPerson()): Promise<Person> {
  if (await isShown(page, 'first_name')) {
    await fillRegistration(page, person);
    await pressSubmit(page);
  } else {
    await submitUnseen(page, '/register', valuesOf(person));
  }
  return person;
}

/**
 * Sends the form of a page that is not shown, with the cookies of the browser, and returns the next page: a fifth of the time, for
 * what a test does not examine.
 */
async function submitUnseen(page: Page, path: string, values: Readonly<Record<string, string | readonly string[]>>) {
  const html = await (await page.request.get(path)).text();
  const form = formsOf(html).find((one) => Object.keys(values).every((name) => one.includes(`name="${name}"`)));
  if (form === undefined) throw new Error(`no form with ${Object.keys(values).join(', ')}: ${html}`);
  const body = new URLSearchParams(readFields(form));
  for (const [name, value] of Object.entries(values)) {
    body.delete(name);
    for (const one of [value].flat()) body.append(name, one);
  }
  const response = await page.request.post(readAttribute(form, 'action') || path, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    data: body.toString(),
  });
  if (!response.ok()) throw new Error(`${path}: ${String(response.status())} ${await response.text()}`);
  return await response.text();
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

/** The same without showing the pages. */
export async function addApplication(page: Page, typed: Partial<ApplicationForm> = {}): Promise<CreatedApplication> {
  const { name, type, redirectUris, scopes, implicit, optionalPosts, actAsOwner } = { ...usualApplication, ...typed };
  const html = await submitUnseen(page, '/developer/applications/new', {
    ...{ name, type, redirect_uris: redirectUris.join('\n'), scope: scopes },
    ...{ implicit: implicit ? 'on' : [], act_as_owner: actAsOwner && type === 'confidential' ? 'on' : [] },
    ...(optionalPosts === undefined ? {} : { use_posts: 'optional', reason_posts: optionalPosts }),
  });
  const shown = (id: string) => new RegExp(`data-testid="${id}"[^>]*>([^<]+)<`).exec(html)?.[1];
  const clientId = shown('client-id');
  if (clientId === undefined) throw new Error(`no application was created: ${html}`);
  return { clientId, clientSecret: shown('client-secret') };
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
