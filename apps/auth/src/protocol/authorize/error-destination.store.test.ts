import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';
import type { ThirdParty } from '@linnet/test/auth/third-party';

/** RFC 9700 §4.11.2: an error does not lead to another site without a page of this service, while nobody is signed in. */
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let app: ThirdParty;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  app = await registerThirdParty(auth, {
    name: 'Rogue & Sons',
    redirectUris: ['https://rogue.example/callback?keep=1'],
  });
});
afterAll(() => cleanup.disposeAsync());

const invalid: readonly (readonly [string, Readonly<Record<string, string | undefined>>])[] = [
  ['invalid_scope', { scope: 'nonsense' }],
  ['unsupported_response_type', { response_type: 'nonsense' }],
  ['unauthorized_client', { response_type: 'token' }],
  ['invalid_request', { code_challenge: 'x' }],
  ['invalid_request', { max_age: '-1' }],
];

describe.each(invalid)('%s of %o', (error, parameters) => {
  test('D106 shows a visitor a page that names the application and the host, and links to it', async () => {
    const page = await app.send(createBrowser(auth), parameters);
    expect([page.status, page.isElsewhere, page.hops]).toEqual([400, false, []]);
    expect(page.headers.location).toBeUndefined();
    expect(page.text).toContain('Rogue & Sons');
    const target = new URL(page.link('Continue to rogue.example'));
    expect(target.origin).toBe('https://rogue.example');
    const sent = target.href.includes('#') ? new URLSearchParams(target.hash.slice(1)) : target.searchParams;
    expect(sent.get('error')).toBe(error);
    expect([sent.get('state'), sent.get('iss')]).toEqual(['c3RhdGU=', auth.baseUrl]);
  });

  test('redirects with prompt=none, and a client that is no browser', async () => {
    const silent = await app.send(createBrowser(auth), { ...parameters, prompt: 'none' });
    expect(silent.url.origin).toBe('https://rogue.example');
    const answer = await auth.send({ path: app.authorizationAddress(parameters) });
    expect(answer.status).toBe(302);
    expect(answer.headers.location).toContain(`error=${error}`);
  });
});

const webkit15 = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

test.each<[client: string, headers: Readonly<Record<string, string>>, isShown: boolean]>([
  ['WebKit 15 and proxies that remove Sec-Fetch get the page', webkit15, true],
  ['Chromium and Firefox get the page', { ...webkit15, 'sec-fetch-mode': 'navigate' }, true],
  ['a script is redirected', { ...webkit15, 'sec-fetch-mode': 'cors' }, false],
  ['a client that accepts anything is redirected', { accept: '*/*' }, false],
  ['a client that wants JSON is redirected', { accept: 'application/json' }, false],
])('D106 %s', async (_client, headers, isShown) => {
  const path = app.authorizationAddress({ scope: 'nonsense' });
  const { status, text, headers: sent } = await auth.send({ path, headers });
  expect([status, text.includes('Rogue &amp; Sons'), sent.location === undefined]).toEqual(
    isShown ? [400, true, true] : [302, false, false],
  );
});

test('redirects at once if somebody is signed in', async () => {
  const browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, 'ada_lovelace'));
  const page = await app.send(browser, { scope: 'nonsense' });
  expect(page.url.searchParams.get('error')).toBe('invalid_scope');
  expect(page.hops.map(({ status }) => status)).toEqual([302]);
});

test('response_mode=form_post gets a form that names the host, which no script submits', async () => {
  const page = await app.send(createBrowser(auth), { response_mode: 'form_post', scope: 'nonsense' });
  expect([page.status, page.text.includes('Continue to rogue.example')]).toEqual([400, true]);
  const form = page.formOf('continue-to-application');
  expect(form.action).toBe('https://rogue.example/callback?keep=1');
  expect(Object.fromEntries(form.fields)).toEqual({
    error: 'invalid_scope',
    error_description: expect.any(String),
    state: 'c3RhdGU=',
    iss: auth.baseUrl,
  });
  expect(page.html).not.toContain('<script');
  const policy = String(page.headers['content-security-policy']);
  expect(policy).not.toContain('form-action');
  expect(policy).not.toContain('script-src');
});

test('an error that may not go to the application keeps its own page', async () => {
  const page = await app.send(createBrowser(auth), { redirect_uri: 'https://evil.example/', scope: 'nonsense' });
  expect([page.status, page.html.includes('evil.example/')]).toEqual([400, false]);
  expect(page.forms.filter(({ action }) => action.includes('example'))).toEqual([]);
});

test('a native application gets its error through its own scheme', async () => {
  const native = await registerThirdParty(auth, { type: 'native', redirectUris: ['com.example.app:/callback'] });
  const page = await native.send(createBrowser(auth), { scope: 'nonsense' });
  expect(page.link('Continue to com.example.app')).toContain('com.example.app:/callback?error=invalid_scope');
});
