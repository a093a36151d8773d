import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import type { CreatedApplication } from '@linnet/applications/application/application-change';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';

/** AZ20: pushed authorization requests (RFC 9126). */
const redirectUri = 'https://app.example.com/callback';
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let browser: Browser;
let application: CreatedApplication;
let stranger: CreatedApplication;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  application = await auth.register({ redirectUris: [redirectUri], implicit: true });
  stranger = await auth.register({ redirectUris: [redirectUri] });
  browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, 'ada_lovelace'));
});
afterAll(() => cleanup.disposeAsync());

type Form = Readonly<Record<string, string>>;

async function post(form: Form | string, headers: Form = {}): Promise<Answer> {
  return await auth.send({
    method: 'POST',
    path: '/oauth/par',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  });
}

const validRequest = { response_type: 'code', redirect_uri: redirectUri, scope: 'users posts', state: 'c3RhdGU=' };

/** Pushes a valid request with the changes of `form`, as the application. */
async function push(form: Form = {}): Promise<Answer> {
  const { clientId, clientSecret } = application;
  return await post({ ...validRequest, client_id: clientId, ...form }, basic(clientId, clientSecret));
}

async function pushed(form?: Form): Promise<string> {
  const { json } = await push(form);
  return String(json['request_uri']);
}

function address(requestUri: string, form: Form = {}): string {
  const query = new URLSearchParams({ client_id: application.clientId, request_uri: requestUri, ...form });
  return `/oauth/authorize?${query.toString()}`;
}

/** Opens the request and consents if asked. */
async function authorize(requestUri: string, form?: Form): Promise<Page> {
  const page = await browser.open(address(requestUri, form));
  if (page.isElsewhere || page.status !== 200) return page;
  return await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow' });
}

function parametersOf({ url }: Page): Record<string, string> {
  return Object.fromEntries(url.searchParams);
}

async function expire(requestUri: string): Promise<void> {
  const [row] = await auth.db.prisma.$queryRaw<readonly { changed: number }[]>`
    UPDATE oauth_artifact SET payload = jsonb_set(payload, '{exp}', '1') WHERE kind = 'PushedAuthorizationRequest'
       AND id_sha256 = sha256(${requestUri.split(':').at(-1)}::text::bytea) RETURNING 1 AS changed`;
  expect(row).toEqual({ changed: 1 });
}

test('D48 the token response has the nonce even without openid', async () => {
  const { clientId, clientSecret } = application;
  const page = await authorize(await pushed({ nonce: 'n-par', app_nonce: 'made up' }));
  const form = { grant_type: 'authorization_code', code: parametersOf(page)['code'] ?? '', redirect_uri: redirectUri };
  expect(await auth.requestToken(form, basic(clientId, clientSecret))).toMatchObject({
    status: 200,
    json: { nonce: 'n-par' },
  });
});

test('a pushed request yields a code, which can be exchanged for a token', async () => {
  const answer = await push();
  expect([answer.status, answer.json['expires_in']]).toEqual([201, 60]);
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
  const callback = await authorize(String(answer.json['request_uri']));
  expect(parametersOf(callback)).toMatchObject({ state: 'c3RhdGU=', scope: 'users posts', iss: auth.baseUrl });
  const { code = '' } = parametersOf(callback);
  const token = await auth.requestToken(
    { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
    basic(application.clientId, application.clientSecret),
  );
  expect([token.status, token.json.scope]).toEqual([200, 'users posts']);
});

test('the request_uri is a URN with at least 128 random bits', async () => {
  const uris = await Promise.all(Array.from({ length: 20 }, async () => await pushed()));
  expect(new Set(uris).size).toBe(20);
  for (const uri of uris) expect(uri).toMatch(/^urn:ietf:params:oauth:request_uri:[A-Za-z0-9_-]{22,}$/);
});

test('accepts only a POST with a form, and allows preflights from other origins', async () => {
  const refused = await auth.send({ path: '/oauth/par' });
  expect([refused.status, refused.headers.allow]).toEqual([405, 'POST']);
  const headers = { origin: 'https://app.example.com', 'access-control-request-method': 'POST' };
  expect((await auth.send({ method: 'OPTIONS', path: '/oauth/par', headers })).status).toBe(204);
  expect((await auth.send({ method: 'OPTIONS', path: '/oauth/par' })).status).toBe(405);
  const json = { ...basic(application.clientId, application.clientSecret), 'content-type': 'application/json' };
  const asJson = await auth.send({ method: 'POST', path: '/oauth/par', headers: json, body: '{}' });
  expect([asJson.status, asJson.json['error']]).toEqual([400, 'invalid_request']);
});

describe('client authentication', () => {
  test('rejects a missing secret, a wrong one, and one in the query', async () => {
    const { clientId, clientSecret = '' } = application;
    expect((await post({ ...validRequest, client_id: clientId })).status).toBe(401);
    expect((await post({ ...validRequest, client_id: clientId }, basic(clientId, 'wrong'))).json).toMatchObject({
      error: 'invalid_client',
    });
    const query = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
    const answer = await auth.send({ method: 'POST', path: `/oauth/par?${query.toString()}` });
    expect(answer.json).toMatchObject({ error: 'invalid_request' });
  });

  test('a public application sends its client_id and requires PKCE', async () => {
    const publicClient = await auth.register({ type: 'public', redirectUris: [redirectUri] });
    const form = { ...validRequest, client_id: publicClient.clientId };
    expect((await post(form)).json).toMatchObject({ error: 'invalid_request' });
    const challenge = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' };
    expect((await post({ ...form, ...challenge })).status).toBe(201);
  });
});

test('an application cannot push a request for another one', async () => {
  expect((await push({ client_id: stranger.clientId })).status).toBe(400);
});

describe('a request_uri', () => {
  test('is valid only for the application that pushed it', async () => {
    const page = await authorize(await pushed(), { client_id: stranger.clientId });
    expect(page.isElsewhere && 'code' in parametersOf(page)).toBe(false);
  });

  test('yields one code', async () => {
    const uri = await pushed();
    expect(parametersOf(await authorize(uri))).toHaveProperty('code');
    expect(parametersOf(await authorize(uri))).not.toHaveProperty('code');
  });

  test('yields one code to parallel requests', async () => {
    const uri = await pushed({ prompt: 'none' });
    const pages = await Promise.all(Array.from({ length: 10 }, () => createTabOf(browser).open(address(uri))));
    expect(pages.filter((page) => 'code' in parametersOf(page))).toHaveLength(1);
    expect(pages.filter((page) => page.status >= 500)).toEqual([]);
  });

  test('must be opened within 60 seconds; the decision may take longer', async () => {
    const late = await pushed();
    await expire(late);
    expect(parametersOf(await authorize(late))).not.toHaveProperty('code');

    const begun = await pushed({ prompt: 'consent' });
    const page = await browser.open(address(begun));
    await expire(begun);
    const callback = await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow' });
    expect(parametersOf(callback)).toHaveProperty('code');
  });

  test('uses the pushed parameters and ignores those in the URL', async () => {
    const callback = await authorize(await pushed({ scope: 'users' }), { scope: 'users posts email', state: 'other' });
    expect(parametersOf(callback)).toMatchObject({ scope: 'users', state: 'c3RhdGU=' });
  });
});

test('rejects request objects and foreign request_uris, pushed or not', async () => {
  const foreign = { request_uri: 'https://evil.example/request.jwt' };
  const object = { request: 'eyJhbGciOiJub25lIn0.eyJyZXNwb25zZV90eXBlIjoiY29kZSJ9.' };
  expect((await push(foreign)).json).toMatchObject({ error: 'request_uri_not_supported' });
  expect((await push({ request_uri: await pushed() })).json).toMatchObject({ error: 'request_uri_not_supported' });
  expect((await push(object)).json).toMatchObject({ error: 'request_not_supported' });
  for (const form of [foreign, object]) {
    const query = new URLSearchParams({ client_id: application.clientId, ...validRequest, ...form });
    const page = await browser.open(`/oauth/authorize?${query.toString()}`);
    expect(parametersOf(page)).not.toHaveProperty('code');
  }
});

test.each<[string, Form, string]>([
  ['a foreign redirect URI', { redirect_uri: 'https://evil.example/' }, 'invalid_request'],
  ['no redirect URI with openid', { redirect_uri: '', scope: 'openid users' }, 'invalid_request'],
  ['a scope that is not registered', { scope: 'users admin' }, 'invalid_scope'],
  ['plain PKCE', { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
  ['an unknown response type', { response_type: 'code token' }, 'unsupported_response_type'],
])('rejects an invalid request when it is pushed: %s', async (_, form, error) => {
  const answer = await push(form);
  expect([answer.status, answer.json['error']]).toEqual([400, error]);
});

// `none` with the mode `implicit` is the internal form of `response_type=token`.
test.each<[string, Form]>([
  ['response_type=token', { response_type: 'token' }],
  ['the internal response type', { response_type: 'none' }],
  ['the internal response type and mode', { response_type: 'none', response_mode: 'implicit' }],
  ['the internal response mode', { response_mode: 'implicit' }],
])('AZ9 a pushed request cannot obtain an implicit token: %s', async (_, form) => {
  expect((await push(form)).status).toBe(400);
});

test('AZ9 response_type=token beside a request_uri yields no token', async () => {
  const page = await authorize(await pushed(), { response_type: 'token' });
  expect(page.url.href).not.toContain('access_token');
});

test('AZ4 a pushed redirect URI may have a state of its own', async () => {
  const callback = await authorize(await pushed({ redirect_uri: `${redirectUri}?state=YQ==` }));
  expect(parametersOf(callback)).toMatchObject({ state: 'c3RhdGU=', code: expect.any(String) });
});

/** Another tab with the same cookies; new cookies are not shared between the tabs. */
function createTabOf({ cookies }: Browser): Browser {
  const seen = cookies.copy();
  return createBrowser(auth, { cookies: { ...seen, take: () => undefined } });
}
