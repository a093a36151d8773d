import { createHash, randomBytes } from 'node:crypto';

import { createTestDatabase } from '@linnet/db/test-database';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';

import type { CreatedApplication } from '@linnet/applications/applications';
import { createBrowser } from '../../testing/browser.ts';
import type { Browser, Page } from '../../testing/browser.ts';
import { registerPerson, signIn } from '../../testing/person.ts';
import type { Person } from '../../testing/person.ts';
import { basic, forDevices, startAuth } from '../../testing/running-auth.ts';
import type { Answer, RunningAuth } from '../../testing/running-auth.ts';
import { findFailures } from '../failures/failure-store.ts';

/** The authorization endpoint and the exchange of codes, by rows of the checklist. */

const redirectUri = 'https://app.example.com/callback?keep=1';
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let ada: Person;
let browser: Browser;
let confidential: CreatedApplication;
let publicClient: CreatedApplication;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  ada = await registerPerson(auth.db, 'ada_lovelace');
  const grantTypes = [...forDevices.protocol.grantTypes, 'client_credentials'];
  confidential = await auth.register({ redirectUris: [redirectUri], implicit: true, protocol: { grantTypes } });
  publicClient = await auth.register({ type: 'public', redirectUris: [redirectUri] });
  browser = createBrowser(auth);
  await signIn(browser, ada);
});
afterAll(() => cleanup.disposeAsync());

type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Each of `parameters` replaces the valid one; `undefined` removes it, a list repeats it. */
function address(parameters: Parameters = {}): string {
  const all: Parameters = {
    client_id: confidential.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'users posts',
    ...parameters,
  };
  const pairs = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, one]),
  );
  return `/oauth/authorize?${new URLSearchParams(pairs).toString()}`;
}

/** Opens the request, consents if asked, and returns the page or the callback. */
async function authorize(parameters: Parameters = {}): Promise<Page> {
  const page = await browser.open(address(parameters));
  if (page.isElsewhere || page.status !== 200) return page;
  return await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow', scope: [] });
}

function callbackParameters({ url }: Page): Record<string, string> {
  return Object.fromEntries([...url.searchParams, ...new URLSearchParams(url.hash.slice(1))]);
}

async function exchange(
  code: string | undefined,
  form: Readonly<Record<string, string>> = {},
  client = confidential,
): Promise<Answer> {
  return await auth.requestToken(
    { grant_type: 'authorization_code', code: code ?? '', redirect_uri: redirectUri, ...form },
    client.clientSecret === undefined ? {} : basic(client.clientId, client.clientSecret),
  );
}

describe('AZ3 an unknown application or an unregistered redirect URI gets an error page without a redirect', () => {
  test.each<[string, Parameters]>([
    ['unknown client', { client_id: 'app_nobody_has_this_id' }],
    ['no client', { client_id: undefined }],
    ['no redirect URI with openid', { redirect_uri: undefined, scope: 'openid users' }],
    ['AZ1 another path', { redirect_uri: 'https://app.example.com/callback/?keep=1' }],
    ['AZ1 another host', { redirect_uri: 'https://app.example.com.evil.example/callback?keep=1' }],
    ['AZ1 userinfo', { redirect_uri: 'https://app.example.com@evil.example/callback?keep=1' }],
    ['AZ1 another query', { redirect_uri: 'https://app.example.com/callback' }],
    ['AZ1 encoded slash', { redirect_uri: 'https://app.example.com/..%2Fcallback?keep=1' }],
    ['AZ5 two redirect URIs', { redirect_uri: [redirectUri, 'https://evil.example/'] }],
  ])('%s', async (_, parameters) => {
    const page = await browser.open(address(parameters));
    expect([page.status, page.isElsewhere, page.hops]).toEqual([400, false, []]);
    expect(page.headers['content-type']).toContain('text/html');
  });
});

test('AZ2 only native applications may use any port of a loopback redirect URI', async () => {
  const loopback = 'http://127.0.0.1/callback';
  const native = await auth.register({ type: 'native', redirectUris: [loopback] });
  const web = await auth.register({ redirectUris: [loopback] });
  const pkce = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
  const at = async (client: CreatedApplication, uri: string) =>
    (await browser.open(address({ client_id: client.clientId, redirect_uri: uri, ...pkce }))).status;
  expect(await at(native, 'http://127.0.0.1:49152/callback')).toBe(200);
  expect(await at(web, 'http://127.0.0.1:49152/callback')).toBe(400);
  expect(await at(native, 'http://localhost.evil.example:49152/callback')).toBe(400);
});

test('a native application may use a private scheme without a dot, which the page may redirect to', async () => {
  const uri = 'cursor://anysphere.cursor-mcp/oauth/callback';
  const native = await auth.register({ type: 'native', redirectUris: [uri] });
  const pkce = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
  const page = await browser.open(address({ client_id: native.clientId, redirect_uri: uri, ...pkce }));
  expect(page.headers['content-security-policy']).toContain("form-action 'self' cursor:;");
  const callback = await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow', scope: [] });
  expect(callback.url.href.startsWith(`${uri}?code=`)).toBe(true);
});

test('AZ5 reports a repeated parameter at the callback, ignores unknown ones, and treats empty ones as absent', async () => {
  expect(callbackParameters(await authorize({ scope: ['users', 'posts'] }))).toMatchObject({
    error: 'invalid_request',
  });
  expect(callbackParameters(await authorize({ unknown: 'x', nonce: '', login_hint: '' }))).toMatchObject({
    code: expect.any(String),
  });
});

test('AZ7 AZ8 the callback has the unchanged state, the issuer and the granted scope', async () => {
  const state = `${'aB3+/='.repeat(330)}ü &?#%41`;
  const page = await authorize({ state });
  expect(callbackParameters(page)).toEqual({
    keep: '1',
    code: expect.any(String),
    state,
    iss: auth.baseUrl,
    scope: 'users posts',
  });
  expect(page.hops.map(({ status }) => status).filter((status) => status === 307)).toEqual([]);
  const refused = callbackParameters(await authorize({ state, scope: 'nonsense' }));
  expect(refused).toMatchObject({ keep: '1', error: 'invalid_scope', state, iss: auth.baseUrl });
});

test('D47 the redirect URI may have a state of its own, which the state of the request replaces', async () => {
  const own = `${redirectUri}&state=b3du`;
  expect(callbackParameters(await authorize({ redirect_uri: own }))['state']).toBe('b3du');
  const replaced = await authorize({ redirect_uri: own, state: 'other' });
  expect(replaced.url.searchParams.getAll('state')).toEqual(['other']);
  const code = callbackParameters(replaced)['code'];
  expect((await exchange(code)).json['error']).toBe('invalid_grant');
});

test('the redirect URI may be left out when exactly one is registered, and then at the token endpoint, too', async () => {
  const callback = await authorize({ redirect_uri: undefined });
  expect(callback.url.href.startsWith(`${redirectUri}&code=`)).toBe(true);
  const { code = '' } = callbackParameters(callback);
  const form = { grant_type: 'authorization_code', code };
  const exchanged = await auth.requestToken(form, basic(confidential.clientId, confidential.clientSecret));
  expect(exchanged.status).toBe(200);
  const two = await auth.register({ redirectUris: [redirectUri, 'https://app.example.com/two'] });
  const none = await auth.register();
  for (const { clientId } of [two, none]) {
    const page = await browser.open(address({ client_id: clientId, redirect_uri: undefined }));
    expect([page.status, page.isElsewhere]).toEqual([400, false]);
  }
});

test('the response keeps the octets of the registered redirect URI', async () => {
  const exact = 'https://app.example.com/callback?q=two%20words&tilde=%7e';
  const { clientId } = await auth.register({ redirectUris: [exact], implicit: true });
  const parameters = { client_id: clientId, redirect_uri: exact };
  expect((await authorize(parameters)).url.href.startsWith(`${exact}&code=`)).toBe(true);
  expect((await authorize({ ...parameters, scope: 'nonsense' })).url.href.startsWith(`${exact}&error=`)).toBe(true);
  const token = await authorize({ ...parameters, response_type: 'token' });
  expect(token.url.href.startsWith(`${exact}#access_token=`)).toBe(true);
});

describe('scopes that do not exist', () => {
  const scope = 'openid users offline_access address nonsense';

  test('are ignored beside openid, and reported to the owner of the application', async () => {
    const client = await auth.register({ redirectUris: [redirectUri] });
    const { code, scope: granted } = callbackParameters(await authorize({ client_id: client.clientId, scope }));
    expect(granted).toBe('openid users');
    expect((await exchange(code, {}, client)).json['scope']).toBe('openid users');
    await vi.waitFor(async () => {
      const [failure, ...others] = await findFailures(auth.db, client.clientId, 'ignored_scope');
      expect(failure?.reason).toBe('ignored, because there is no such scope: address nonsense');
      expect(others).toEqual([]);
    }, 50_000);
  });

  test('are ignored in a pushed request and for devices', async () => {
    const credentials = basic(confidential.clientId, confidential.clientSecret);
    const send = async (path: string, form: Readonly<Record<string, string>>) =>
      await auth.send({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...credentials },
        body: new URLSearchParams({ client_id: confidential.clientId, scope, ...form }).toString(),
      });
    const pushed = await send('/oauth/par', { redirect_uri: redirectUri, response_type: 'code' });
    const callback = await authorize({ scope: undefined, request_uri: String(pushed.json['request_uri']) });
    expect(callbackParameters(callback)['scope']).toBe('openid users');
    expect((await send('/oauth/device_authorization', {})).status).toBe(200);
  });

  test('stay invalid_scope without openid, as do existing ones that are not registered', async () => {
    const { clientId } = await auth.register({ redirectUris: [redirectUri], scopes: ['users'] });
    for (const named of ['users nonsense', 'openid posts']) {
      const page = await browser.open(address({ client_id: clientId, scope: named }));
      expect(callbackParameters(page)['error']).toBe('invalid_scope');
    }
    const form = { grant_type: 'client_credentials', scope: 'openid nonsense users' };
    const answer = await auth.requestToken(form, basic(confidential.clientId, confidential.clientSecret));
    expect(answer.json['error']).toBe('invalid_scope');
  });
});

describe('AZ9 response_type=token', () => {
  test('returns a token for ten minutes in the fragment, with state, iss and nonce, and no refresh token', async () => {
    const page = await authorize({ response_type: 'token', state: 'c3RhdGU=', nonce: 'n-1' });
    expect(Object.fromEntries(page.url.searchParams)).toEqual({ keep: '1' });
    expect(Object.fromEntries(new URLSearchParams(page.url.hash.slice(1)))).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: '600',
      scope: 'users posts',
      state: 'c3RhdGU=',
      iss: auth.baseUrl,
      nonce: 'n-1',
    });
  });

  test('is rejected unless the application enabled it', async () => {
    const plain = await auth.register({ redirectUris: [redirectUri] });
    const page = await browser.open(address({ client_id: plain.clientId, response_type: 'token', state: 'c3RhdGU=' }));
    expect([page.isElsewhere, page.url.href.includes('access_token')]).toEqual([true, false]);
    expect(page.url.search).toBe('?keep=1');
    expect(callbackParameters(page)).toMatchObject({ error: 'unauthorized_client', state: 'c3RhdGU=' });
  });

  test.each<[string, Parameters]>([
    ['in the query', { response_type: 'token', response_mode: 'query' }],
    ['by form_post', { response_type: 'token', response_mode: 'form_post' }],
    ['by the internal response mode', { response_type: 'code', response_mode: 'implicit' }],
    ['by the response type none', { response_type: 'none' }],
    ['by the response type none and the internal response mode', { response_type: 'none', response_mode: 'implicit' }],
    ['together with a code', { response_type: 'code token' }],
    ['by a repeated response type', { response_type: ['token', 'token'] }],
  ])('no token is returned %s', async (_, parameters) => {
    const page = await browser.open(address(parameters));
    expect(page.url.href).not.toContain('access_token');
    expect(page.html ?? '').not.toContain('access_token');
  });

  test('a POST is redirected to the same request by GET', async () => {
    const sent = await auth.send({
      method: 'POST',
      path: '/oauth/authorize',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: address({ response_type: 'token' }).split('?')[1] ?? '',
    });
    expect([sent.status, sent.headers.location]).toEqual([303, address({ response_type: 'token' })]);
  });

  test('rejects a POST that is too long for a URL or is not a form', async () => {
    const post = async (type: string, body: string) =>
      (await auth.send({ method: 'POST', path: '/oauth/authorize', headers: { 'content-type': type }, body })).status;
    expect(await post('application/x-www-form-urlencoded', `state=${'s'.repeat(9000)}`)).toBe(413);
    expect(await post('application/json', '{}')).toBe(415);
  });
});

describe('TK an authorization code', () => {
  test('TK6 is valid only for its application and redirect URI', async () => {
    const other = await auth.register({ redirectUris: [redirectUri] });
    const { code } = callbackParameters(await authorize());
    expect((await exchange(code, {}, other)).json['error']).toBe('invalid_grant');
    expect((await exchange(code, { redirect_uri: 'https://app.example.com/callback' })).json['error']).toBe(
      'invalid_grant',
    );
    expect((await exchange(code)).status).toBe(200);
  });

  test('TK8 works once; a second use also revokes the refresh token', async () => {
    const { code } = callbackParameters(await authorize());
    const first = await exchange(code);
    expect((await exchange(code)).json['error']).toBe('invalid_grant');
    const again = await auth.requestToken(
      { grant_type: 'refresh_token', refresh_token: String(first.json['refresh_token']) },
      basic(confidential.clientId, confidential.clientSecret),
    );
    expect(again.json['error']).toBe('invalid_grant');
  });

  test('TK11 has at least 160 bits and expires after 60 seconds', async () => {
    const { code = '' } = callbackParameters(await authorize());
    expect(code).toMatch(/^[\w-]{43}$/);
    const idSha256 = createHash('sha256').update(code).digest();
    const where = { kind_idSha256: { kind: 'AuthorizationCode', idSha256 } };
    const { expiresAt, createdAt } = await auth.db.prisma.oAuthArtifact.findUniqueOrThrow({ where });
    expect(Math.abs(expiresAt.getTime() - createdAt.getTime() - 60_000)).toBeLessThan(2000);
    await auth.db.prisma.oAuthArtifact.update({ where, data: { expiresAt: new Date(Date.now() - 1000) } });
    expect((await exchange(code)).json['error']).toBe('invalid_grant');
  });

  test('D48 the token response has the nonce with and without openid, and an ID token only with openid', async () => {
    const plain = await exchange(callbackParameters(await authorize({ nonce: 'n-2' }))['code']);
    expect(plain.json).toMatchObject({ nonce: 'n-2', app_id: confidential.clientId, scope: 'users posts' });
    expect(plain.json).not.toHaveProperty('id_token');
    const signed = await exchange(
      callbackParameters(await authorize({ nonce: 'n-3', scope: 'openid profile users' }))['code'],
    );
    expect(signed.json).toMatchObject({ nonce: 'n-3', scope: 'openid profile users' });
    const { json } = await auth.send({ path: '/oauth/jwks' });
    const { payload } = await jwtVerify(String(signed.json['id_token']), createLocalJWKSet({ keys: [...json.keys] }), {
      issuer: auth.baseUrl,
      audience: confidential.clientId,
    });
    expect(payload).toMatchObject({ sub: String(ada.id), nonce: 'n-3' });
    const userinfo = await auth.send({
      path: '/oauth/userinfo',
      headers: { authorization: `Bearer ${signed.json.access_token}` },
    });
    expect(userinfo.json).toMatchObject({ sub: String(ada.id), preferred_username: 'ada_lovelace' });
    expect(userinfo.json).not.toHaveProperty('email');
    const withoutOpenid = { authorization: `Bearer ${plain.json.access_token}` };
    expect((await auth.send({ path: '/oauth/userinfo', headers: withoutOpenid })).status).toBe(403);
    expect((await auth.send({ path: '/oauth/userinfo' })).status).toBe(401);
  });
});

describe('PKCE', () => {
  const verifier = randomBytes(48).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };

  test('PK2 is required of public applications', async () => {
    const page = await authorize({ client_id: publicClient.clientId });
    expect(callbackParameters(page)).toMatchObject({ error: 'invalid_request' });
    const { code } = callbackParameters(await authorize({ client_id: publicClient.clientId, ...pkce }));
    expect((await exchange(code, { client_id: publicClient.clientId }, publicClient)).json['error']).toBe(
      'invalid_grant',
    );
  });

  test('PK3 rejects the method plain and a missing method', async () => {
    for (const method of ['plain', undefined]) {
      const parameters = { client_id: publicClient.clientId, code_challenge: verifier, code_challenge_method: method };
      expect(callbackParameters(await authorize(parameters))).toMatchObject({ error: 'invalid_request' });
    }
  });

  test('PK4 the verifier is required exactly if the code has a challenge, and must match it', async () => {
    const guarded = callbackParameters(await authorize(pkce))['code'];
    expect((await exchange(guarded)).json['error']).toBe('invalid_grant');
    const plain = callbackParameters(await authorize())['code'];
    expect((await exchange(plain, { code_verifier: verifier })).json['error']).toBe('invalid_grant');
    for (const malformed of ['x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(42)}%`]) {
      const { code } = callbackParameters(await authorize(pkce));
      expect((await exchange(code, { code_verifier: malformed })).status).toBe(400);
    }
    expect(
      (await exchange(callbackParameters(await authorize(pkce))['code'], { code_verifier: verifier })).status,
    ).toBe(200);
  });
});
