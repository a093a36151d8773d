import { createTestDatabase } from '../support/db/test-database.ts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createApiCaller, createClient, password, requestToken } from '../support/api-client.ts';
import type { CallApi } from '../support/api-client.ts';
import { createHttpBrowser } from '../support/http-browser.ts';
import type { HttpBrowser } from '../support/http-browser.ts';
import { operate } from '../support/operator.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

/** Every way to give a name, against names that impersonate, on a service that is not called Linnet (decision D107). */

const refused = [
  'Finch',
  'Finch Support',
  'Fіnch',
  'Finch ✔',
  'Administrator 1',
  'Fin\u200Bch fan',
  'Finch\u202Efan',
  'Ada\nFinch',
];
const accepted = ['Linnet', 'Elihu Root', 'Анна Каренина', '山田 太郎'];
const refusedUsernames = ['finch', 'finch_support', 'f1nch', 'administrator1'];
const acceptedUsernames = ['linnet_support_fan', 'elihu_root'];

const cleanup = new AsyncDisposableStack();
let service: Service;
let browser: HttpBrowser;
let callApi: CallApi;
let clientId: string;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  const env = { DATABASE_URL: database.url, RATE_LIMITS: 'off', SERVICE_NAME: 'finch' };
  service = cleanup.use(await startService({ env }));
  const client = await createClient(service.env, 'app_owner');
  clientId = client.id;
  const token = await requestToken(service.baseUrl, client);
  callApi = createApiCaller(service.baseUrl, String(token.body.access_token));
  browser = await signedIn('app_owner');
});
afterAll(async () => await cleanup.disposeAsync());

const at = (path: string) => new URL(path, service.baseUrl);

async function signedIn(login: string): Promise<HttpBrowser> {
  const own = createHttpBrowser([service.baseUrl]);
  await own.submit(await own.open(at('/login')), 'login', { login, password });
  return own;
}

let people = 0;
function newEmail(): string {
  people += 1;
  return `person-${String(people)}@example.org`;
}

async function command(...args: readonly string[]): Promise<boolean> {
  return (await operate(args, service.env)).exitCode === 0;
}

/** Each returns whether the name was accepted. */
const surfaces: Readonly<Record<string, (name: string) => Promise<boolean>>> = {
  'the registration page': async (name) => {
    const own = createHttpBrowser([service.baseUrl]);
    const names = { first_name: name, last_name: name };
    const page = await own.submit(await own.open(at('/register')), 'first_name', {
      ...names,
      email: newEmail(),
      password,
    });
    return !page.html.includes('name="first_name"');
  },
  'POST /auth/register': async (name) => {
    const body = { first_name: name, last_name: name, email: newEmail(), password };
    return (await callApi('POST /auth/register', body)).status === 200;
  },
  'the profile page': async (name) => {
    const page = await browser.submit(await browser.open(at('/account/profile')), 'displayName', { displayName: name });
    return page.url.searchParams.has('done');
  },
  'POST /account/update': async (name) => (await callApi('POST /account/update', { displayName: name })).status === 200,
  'the page that creates an application': async (name) => {
    const page = await browser.open(at('/developer/applications/new'));
    return (await browser.submit(page, 'redirect_uris', { name })).html.includes('data-testid="client-secret"');
  },
  'the page that changes an application': async (name) => {
    const page = await browser.open(at(`/developer/applications/${clientId}/settings`));
    return (await browser.submit(page, 'redirect_uris', { name })).url.searchParams.has('done');
  },
  'linnet user create': async (name) =>
    await command(
      ...['user', 'create', '--email', newEmail(), '--password', password],
      ...['--first-name', name, '--last-name', name],
    ),
  'linnet app create': async (name) =>
    await command('app', 'create', '--owner', 'app_owner', '--type', 'public', '--name', name),
  'linnet app update': async (name) => await command('app', 'update', clientId, '--name', name),
};

describe.each(Object.entries(surfaces))('%s', (_surface, isAccepted) => {
  test.each(refused)('refuses %j', async (name) => {
    expect(await isAccepted(name)).toBe(false);
  });
  test.each(accepted)('accepts %j', async (name) => {
    expect(await isAccepted(name)).toBe(true);
  });
});

const usernameSurfaces: Readonly<Record<string, (name: string) => Promise<boolean>>> = {
  'POST /auth/register': async (username) => {
    const names = { first_name: 'Any', last_name: 'Body', username };
    return (await callApi('POST /auth/register', { ...names, email: newEmail(), password })).status === 200;
  },
  'the username page': async (username) => {
    const own = await signedIn('app_owner');
    const page = await own.submit(await own.open(at('/account/username')), 'username', { username });
    return page.url.searchParams.has('done');
  },
  'linnet user create': async (username) =>
    await command(
      ...['user', 'create', '--email', newEmail(), '--password', password],
      ...['--first-name', 'Any', '--last-name', 'Body', '--username', username],
    ),
};

describe.each(Object.entries(usernameSurfaces))('username: %s', (_surface, isAccepted) => {
  test.each(refusedUsernames)('refuses %s', async (username) => {
    expect(await isAccepted(username)).toBe(false);
  });
});

test.each(acceptedUsernames)('the username %s is accepted', async (username) => {
  expect(await usernameSurfaces['POST /auth/register']?.(username)).toBe(true);
});
