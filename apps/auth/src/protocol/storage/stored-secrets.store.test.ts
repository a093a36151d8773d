import { createHash, randomBytes } from 'node:crypto';

import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { dumpDatabase } from '@linnet/test/auth/dump';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { basic, forDevices, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

/** Somebody who reads the database cannot continue what a browser has begun. */
const redirectUri = 'https://app.example.com/callback';
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let browser: Browser;
let seen: Set<string>;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
});
afterAll(() => cleanup.disposeAsync());
beforeEach(() => {
  seen = new Set();
  browser = createBrowser({ ...auth, send: record });
});

/** Remembers every cookie that a response set, also those that a later response removed. */
const record: RunningAuth['send'] = async (request) => {
  const answer = await auth.send(request);
  for (const line of answer.headers['set-cookie'] ?? []) note(/^[^=]+=([^;]*)/.exec(line)?.[1]);
  return answer;
};

const minSecretLength = 16;

/** Values that are short, such as the language, are no secrets. */
function note(...values: readonly (string | undefined | null)[]): void {
  for (const value of values) {
    if ((value ?? '').length >= minSecretLength) seen.add(decodeURIComponent(value ?? ''));
  }
}

/** Remembers the hidden values of the page's forms, and the id in its URL. */
function notePage(page: Page): Page {
  note(...page.url.pathname.split('/'));
  const fields = page.forms.flatMap((form) => form.fields);
  note(...fields.filter(([name]) => name !== 'client_id').map(([, value]) => value));
  for (const name of ['code', 'request_uri']) note(page.url.searchParams.get(name));
  return page;
}

/** What was seen and is stored in clear text, as hex or as base64. */
async function findStored(): Promise<readonly string[]> {
  const dump = await dumpDatabase(auth.db);
  const forms = (value: string) => [value, Buffer.from(value).toString('hex'), Buffer.from(value).toString('base64')];
  return [...seen].filter((value) => forms(value).some((form) => dump.includes(form)));
}

async function push(
  parameters: Readonly<Record<string, string>>,
  application: Awaited<ReturnType<RunningAuth['register']>>,
) {
  const { json } = await auth.send({
    method: 'POST',
    path: '/oauth/par',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...basic(application.clientId, application.clientSecret),
    },
    body: new URLSearchParams(parameters).toString(),
  });
  return String(json['request_uri']);
}

test('no table contains a cookie, an id or a secret of a browser that signs in, authorizes and signs out', async () => {
  const person = await registerPerson(auth.db, 'ada_lovelace');
  const application = await auth.register({ redirectUris: [redirectUri] });
  const { clientId } = application;
  const verifier = randomBytes(32).toString('base64url');
  const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
  const parameters = { client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope: 'users' };
  const pkce = { code_challenge: codeChallenge, code_challenge_method: 'S256' };
  const requestUri = await push({ ...parameters, ...pkce, prompt: 'consent' }, application);
  note(requestUri, requestUri.split(':').at(-1), verifier);
  const address = `/oauth/authorize?${new URLSearchParams({ client_id: clientId, request_uri: requestUri }).toString()}`;

  const login = notePage(await browser.open(address));
  expect(await findStored()).toEqual([]);
  const consent = notePage(await signIn(browser, person, login));
  expect(await findStored()).toEqual([]);
  const callback = notePage(
    await browser.submit(consent, consent.formWith('decision', 'allow'), { decision: 'allow' }),
  );
  expect(callback.url.searchParams.get('code')).not.toBeNull();
  expect(await findStored()).toEqual([]);

  const token = await auth.requestToken(
    {
      grant_type: 'authorization_code',
      code: callback.url.searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
    },
    basic(clientId, application.clientSecret),
  );
  note(token.json.access_token, String(token.json['refresh_token']));
  for (const path of ['/account', '/account/sessions', '/account/applications', '/developer', '/oauth/logout']) {
    const page = notePage(await browser.open(path));
    expect([path, page.status]).toEqual([path, 200]);
    expect([path, await findStored()]).toEqual([path, []]);
  }
  expect(seen.size).toBeGreaterThan(15);
});

test('no table contains the device code, or the ids of the page that authorizes it', async () => {
  const person = await registerPerson(auth.db, 'grace_hopper');
  const { clientId } = await auth.register({
    type: 'native',
    redirectUris: ['http://127.0.0.1/callback'],
    ...forDevices,
  });
  const { status, json } = await auth.send({
    method: 'POST',
    path: '/oauth/device_authorization',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_id: clientId, scope: 'users' }).toString(),
  });
  expect(status).toBe(200);
  note(String(json['device_code']));
  await signIn(browser, person);
  notePage(await browser.open(`/device?user_code=${String(json['user_code'])}`));
  expect(await findStored()).toEqual([]);
});
