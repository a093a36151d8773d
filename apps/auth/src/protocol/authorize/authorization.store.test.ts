import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';

import type { CreatedApplication } from '@linnet/applications/application/application-change';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { callbackParameters, createCodeFlow } from '@linnet/test/auth/code-flow';
import type { CodeFlow, Parameters } from '@linnet/test/auth/code-flow';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { basic, forDevices, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { findFailures } from '@linnet/applications/failures/failure-store';

/** The authorization endpoint, by rows of the checklist. `authorization-code.store.test.ts` exchanges its codes. */
const redirectUri = 'https://app.example.com/callback?keep=1';
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let browser: Browser;
let confidential: CreatedApplication;
let flow: CodeFlow;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  const grantTypes = [...forDevices.protocol.grantTypes, 'client_credentials'];
  confidential = await auth.register({ redirectUris: [redirectUri], implicit: true, protocol: { grantTypes } });
  browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, 'ada_lovelace'));
  flow = createCodeFlow({ auth, browser, application: confidential, redirectUri });
});
afterAll(() => cleanup.disposeAsync());

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
    const page = await browser.open(flow.address(parameters));
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
    (await browser.open(flow.address({ client_id: client.clientId, redirect_uri: uri, ...pkce }))).status;
  expect(await at(native, 'http://127.0.0.1:49152/callback')).toBe(200);
  expect(await at(web, 'http://127.0.0.1:49152/callback')).toBe(400);
  expect(await at(native, 'http://localhost.evil.example:49152/callback')).toBe(400);
});

test('a native application may use a private scheme without a dot', async () => {
  const uri = 'cursor://anysphere.cursor-mcp/oauth/callback';
  const native = await auth.register({ type: 'native', redirectUris: [uri] });
  const pkce = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
  const page = await browser.open(flow.address({ client_id: native.clientId, redirect_uri: uri, ...pkce }));
  const callback = await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow', scope: [] });
  expect(callback.url.href.startsWith(`${uri}?code=`)).toBe(true);
});

test('AZ5 reports a repeated parameter at the callback, ignores unknown ones, and treats empty ones as absent', async () => {
  expect(callbackParameters(await flow.authorize({ scope: ['users', 'posts'] }))).toMatchObject({
    error: 'invalid_request',
  });
  expect(callbackParameters(await flow.authorize({ unknown: 'x', nonce: '', login_hint: '' }))).toMatchObject({
    code: expect.any(String),
  });
});

test('D49 AZ7 AZ8 the callback has the unchanged state, the issuer and the granted scope', async () => {
  const state = `${'aB3+/='.repeat(330)}ü &?#%41`;
  const page = await flow.authorize({ state });
  expect(callbackParameters(page)).toEqual({
    keep: '1',
    code: expect.any(String),
    state,
    iss: auth.baseUrl,
    scope: 'users posts',
  });
  expect(page.hops.map(({ status }) => status).filter((status) => status === 307)).toEqual([]);
  const refused = callbackParameters(await flow.authorize({ state, scope: 'nonsense' }));
  expect(refused).toMatchObject({ keep: '1', error: 'invalid_scope', state, iss: auth.baseUrl });
});

test('D47 the redirect URI may have a state of its own, which the state of the request replaces', async () => {
  const own = `${redirectUri}&state=b3du`;
  expect(callbackParameters(await flow.authorize({ redirect_uri: own }))['state']).toBe('b3du');
  const replaced = await flow.authorize({ redirect_uri: own, state: 'other' });
  expect(replaced.url.searchParams.getAll('state')).toEqual(['other']);
  const code = callbackParameters(replaced)['code'];
  expect((await flow.exchange(code)).json['error']).toBe('invalid_grant');
});

test('the redirect URI may be left out when exactly one is registered, and then at the token endpoint, too', async () => {
  const callback = await flow.authorize({ redirect_uri: undefined });
  expect(callback.url.href.startsWith(`${redirectUri}&code=`)).toBe(true);
  const { code = '' } = callbackParameters(callback);
  const form = { grant_type: 'authorization_code', code };
  const exchanged = await auth.requestToken(form, basic(confidential.clientId, confidential.clientSecret));
  expect(exchanged.status).toBe(200);
  const two = await auth.register({ redirectUris: [redirectUri, 'https://app.example.com/two'] });
  const none = await auth.register();
  for (const { clientId } of [two, none]) {
    const page = await browser.open(flow.address({ client_id: clientId, redirect_uri: undefined }));
    expect([page.status, page.isElsewhere]).toEqual([400, false]);
  }
});

describe('RFC 6749 §4.1.3: the token request repeats redirect_uri if the authorization request had it', () => {
  const credentials = () => basic(confidential.clientId, confidential.clientSecret);
  const push = async (form: Readonly<Record<string, string>>) =>
    await auth.send({
      method: 'POST',
      path: '/oauth/par',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...credentials() },
      body: new URLSearchParams({
        client_id: confidential.clientId,
        scope: 'users',
        response_type: 'code',
        ...form,
      }).toString(),
    });
  const named = { redirect_uri: redirectUri };
  test.each<[string, Record<string, string>, Record<string, string>, boolean, [number, string?]]>([
    ['both name it', named, named, false, [200]],
    ['only the first names it', named, {}, false, [400, 'invalid_request']],
    ['the second leaves it empty', named, { redirect_uri: '' }, false, [400, 'invalid_request']],
    ['only the second names it', {}, named, false, [200]],
    ['neither names it', {}, {}, false, [200]],
    ['the first pretends', { ...named, redirect_uri_left_out: 'yes' }, {}, false, [400, 'invalid_request']],
    ['only the pushed one names it', named, {}, true, [400, 'invalid_request']],
    ['neither names it, and one is pushed', {}, {}, true, [200]],
    ['the pushed one pretends', { ...named, redirect_uri_left_out: 'yes' }, {}, true, [400, 'invalid_request']],
  ])('%s', async (_what, first, second, isPushed, [status, error]) => {
    const pushed = isPushed ? await push(first) : undefined;
    const request =
      pushed === undefined
        ? { redirect_uri: undefined, prompt: 'consent', ...first }
        : { redirect_uri: undefined, request_uri: String(pushed.json['request_uri']) };
    const { code = '' } = callbackParameters(await flow.authorize(request));
    const exchange = async (form: object) =>
      await auth.requestToken({ grant_type: 'authorization_code', code, ...form }, credentials());
    const answer = await exchange(second);
    expect([answer.status, answer.json['error']]).toEqual([status, error]);
    // A refused request has not used the code.
    expect(status === 200 ? status : (await exchange(named)).status).toBe(200);
  });
});

test('the response keeps the octets of the registered redirect URI', async () => {
  const exact = 'https://app.example.com/callback?q=two%20words&tilde=%7e';
  const { clientId } = await auth.register({ redirectUris: [exact], implicit: true });
  const parameters = { client_id: clientId, redirect_uri: exact };
  expect((await flow.authorize(parameters)).url.href.startsWith(`${exact}&code=`)).toBe(true);
  expect((await flow.authorize({ ...parameters, scope: 'nonsense' })).url.href.startsWith(`${exact}&error=`)).toBe(
    true,
  );
  const token = await flow.authorize({ ...parameters, response_type: 'token' });
  expect(token.url.href.startsWith(`${exact}#access_token=`)).toBe(true);
});

describe('scopes that do not exist', () => {
  const scope = 'openid users offline_access address nonsense';

  test('are ignored beside openid, and reported to the owner of the application', async () => {
    const client = await auth.register({ redirectUris: [redirectUri] });
    const { code, scope: granted } = callbackParameters(await flow.authorize({ client_id: client.clientId, scope }));
    expect(granted).toBe('openid users');
    expect((await flow.exchange(code, {}, client)).json['scope']).toBe('openid users');
    await vi.waitFor(async () => {
      const { list } = await findFailures(auth.db, client.clientId, { kind: 'ignored_scope' });
      const [failure, ...others] = list;
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
    const callback = await flow.authorize({ scope: undefined, request_uri: String(pushed.json['request_uri']) });
    expect(callbackParameters(callback)['scope']).toBe('openid users');
    expect((await send('/oauth/device_authorization', {})).status).toBe(200);
  });

  test('stay invalid_scope without openid, as do existing ones that are not registered', async () => {
    const { clientId } = await auth.register({ redirectUris: [redirectUri], scopes: ['users'] });
    for (const named of ['users nonsense', 'openid posts']) {
      const page = await browser.open(flow.address({ client_id: clientId, scope: named }));
      expect(callbackParameters(page)['error']).toBe('invalid_scope');
    }
    const form = { grant_type: 'client_credentials', scope: 'openid nonsense users' };
    const answer = await auth.requestToken(form, basic(confidential.clientId, confidential.clientSecret));
    expect(answer.json['error']).toBe('invalid_scope');
  });
});

describe('AZ9 response_type=token', () => {
  test('returns a token for ten minutes in the fragment, with state, iss and nonce, and no refresh token', async () => {
    const page = await flow.authorize({ response_type: 'token', state: 'c3RhdGU=', nonce: 'n-1' });
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
    const page = await browser.open(
      flow.address({ client_id: plain.clientId, response_type: 'token', state: 'c3RhdGU=' }),
    );
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
  ])('D46 no token is returned %s', async (_, parameters) => {
    const page = await browser.open(flow.address(parameters));
    expect(page.url.href).not.toContain('access_token');
    expect(page.html ?? '').not.toContain('access_token');
  });

  test('a POST is redirected to the same request by GET', async () => {
    const sent = await auth.send({
      method: 'POST',
      path: '/oauth/authorize',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: flow.address({ response_type: 'token' }).split('?')[1] ?? '',
    });
    expect([sent.status, sent.headers.location]).toEqual([303, flow.address({ response_type: 'token' })]);
  });

  test('rejects a POST that is too long for a URL or is not a form', async () => {
    const post = async (type: string, body: string) =>
      (await auth.send({ method: 'POST', path: '/oauth/authorize', headers: { 'content-type': type }, body })).status;
    expect(await post('application/x-www-form-urlencoded', `state=${'s'.repeat(9000)}`)).toBe(413);
    expect(await post('application/json', '{}')).toBe(415);
  });
});
