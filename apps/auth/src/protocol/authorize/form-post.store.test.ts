import { createHash, randomBytes } from 'node:crypto';

import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import type { CreatedApplication } from '@linnet/applications/application/application-change';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { callbackParameters, createCodeFlow } from '@linnet/test/auth/code-flow';
import type { CodeFlow, Parameters } from '@linnet/test/auth/code-flow';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

/** `response_mode=form_post` (OAuth 2.0 Form Post Response Mode). */
const redirectUri = 'https://app.example.com/signin?keep=1';
const formPost = { response_mode: 'form_post', state: 'c3RhdGU=' };
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let browser: Browser;
let application: CreatedApplication;
let flow: CodeFlow;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  application = await auth.register({ redirectUris: [redirectUri], implicit: true });
  browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, 'ada_lovelace'));
  flow = createCodeFlow({ auth, browser, application, redirectUri });
});
afterAll(() => cleanup.disposeAsync());

/** Opens the request, and consents if asked. */
async function authorize(parameters: Parameters = {}): Promise<Page> {
  const page = await browser.open(flow.address({ ...formPost, ...parameters }));
  if (page.isElsewhere || !page.html.includes('name="decision"')) return page;
  return await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow', scope: [] });
}

function responseOf(page: Page): Record<string, string> {
  return Object.fromEntries(page.formOf('continue-to-application').fields);
}

async function push(form: Readonly<Record<string, string>>) {
  const { clientId, clientSecret } = application;
  const valid = { client_id: clientId, response_type: 'code', redirect_uri: redirectUri, scope: 'users posts' };
  return await auth.send({
    method: 'POST',
    path: '/oauth/par',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...basic(clientId, clientSecret) },
    body: new URLSearchParams({ ...valid, ...form }).toString(),
  });
}

describe('the page', () => {
  test('posts the code to the redirect URI, where it can be exchanged', async () => {
    const page = await authorize();
    expect([page.status, page.title]).toEqual([200, expect.stringMatching(/^Returning to .+ · Linnet$/)]);
    const form = page.formOf('continue-to-application');
    expect([form.method, form.action, form.html.includes('autocomplete="off"')]).toEqual(['POST', redirectUri, true]);
    const { code, ...rest } = responseOf(page);
    expect(rest).toEqual({ state: 'c3RhdGU=', iss: auth.baseUrl, scope: 'users posts' });
    expect((await flow.exchange(code)).status).toBe(200);
  });

  test('D114 allows only its own script, by hash, and is not stored', async () => {
    const { headers, html } = await authorize();
    const [, script = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'self'; img-src 'self'; script-src 'sha256-${hash}'; ` +
        "base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['referrer-policy']).toBe('same-origin');
    expect(html).not.toContain('name="csrf"');
  });

  test('a hostile state stays a value', async () => {
    const state = '"><script>alert(1)</script>\'&amp;&#x3c;';
    const page = await authorize({ state });
    expect(page.html.match(/<script/g)).toHaveLength(1);
    expect(responseOf(page)['state']).toBe(state);
  });

  test('shows after consent that the request has ended if it is loaded again', async () => {
    const page = await authorize({ prompt: 'consent' });
    expect(responseOf(page)['code']).toMatch(/./);
    const again = await browser.open(page.url.href);
    expect(again.status).toBe(400);
    expect(again.forms).toEqual([]);
    expect(again.title).toContain('expired');
  });

  test('has the language of ui_locales, and no links that would load it again', async () => {
    const page = await authorize({ ui_locales: 'de' });
    expect(page.text).toContain('Weiter');
    expect(page.html).not.toContain('hreflang');
  });

  test('says no if the person declines', async () => {
    const asked = await browser.open(flow.address({ ...formPost, prompt: 'consent' }));
    const page = await browser.submit(asked, asked.formWith('decision', 'deny'), { decision: 'deny' });
    expect(page.status).toBe(200);
    expect(responseOf(page)).toEqual({
      error: 'access_denied',
      error_description: expect.any(String),
      state: 'c3RhdGU=',
      iss: auth.baseUrl,
    });
  });

  test.each([
    ['invalid_scope', { scope: 'nonsense' }],
    ['unsupported_response_type', { response_type: 'code token' }],
    ['login_required', { prompt: 'none', max_age: '0', scope: 'openid users' }],
  ])('posts the error %s', async (error, parameters) => {
    const page = await authorize({ ...parameters });
    expect(page.formOf('continue-to-application').action).toBe(redirectUri);
    expect(responseOf(page)).toMatchObject({ error, state: 'c3RhdGU=', iss: auth.baseUrl });
    expect(page.html).toContain('<script>');
  });

  test('never posts to a redirect URI that is not registered', async () => {
    for (const wrong of ['https://evil.example/', 'javascript:alert(1)']) {
      const page = await authorize({ redirect_uri: wrong });
      expect([page.status, page.forms]).toEqual([400, []]);
      expect(page.html).not.toContain('<script');
    }
  });
});

describe('a pushed request', () => {
  test('keeps the mode, whatever the URL says', async () => {
    const { json } = await push(formPost);
    const query = new URLSearchParams({
      client_id: application.clientId,
      request_uri: String(json['request_uri']),
      response_mode: 'query',
    });
    const page = await browser.open(`/oauth/authorize?${query.toString()}`);
    expect(page.isElsewhere).toBe(false);
    const { code } = responseOf(page);
    expect((await flow.exchange(code)).status).toBe(200);
    const again = await browser.open(page.url.href);
    expect(again.html).not.toContain('name="code"');
  });

  test('cannot ask for a token by form', async () => {
    expect((await push({ ...formPost, response_type: 'token' })).json).toMatchObject({
      error: expect.stringMatching(/^(?:invalid_request|unsupported_response_type)$/),
    });
  });
});

describe('refused with an error in the default mode', () => {
  test('response_type=token', async () => {
    const page = await browser.open(flow.address({ ...formPost, response_type: 'token' }));
    expect([page.isElsewhere, page.url.host]).toEqual([true, 'app.example.com']);
    expect(Object.fromEntries(new URLSearchParams(page.url.hash.slice(1)))).toEqual({
      error: 'invalid_request',
      error_description: 'response_mode=form_post works with response_type=code only',
      state: 'c3RhdGU=',
      iss: auth.baseUrl,
    });
  });

  test.each([
    ['named', 'com.example.app:/callback'],
    ['left out', undefined],
  ])('a private-use scheme that is %s', async (_, named) => {
    const native = await auth.register({ type: 'native', redirectUris: ['com.example.app:/callback'] });
    const challenge = createHash('sha256').update(randomBytes(48).toString('base64url')).digest('base64url');
    const page = await browser.open(
      flow.address({
        ...formPost,
        client_id: native.clientId,
        redirect_uri: named,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }),
    );
    expect([page.isElsewhere, page.url.protocol]).toEqual([true, 'com.example.app:']);
    expect(callbackParameters(page)).toMatchObject({
      error: 'invalid_request',
      error_description: 'response_mode=form_post needs an http or https redirect URI',
    });
  });

  test('a private-use scheme, for an error that is found before', async () => {
    const native = await auth.register({ type: 'native', redirectUris: ['com.example.app:/callback'] });
    const page = await browser.open(
      flow.address({
        ...formPost,
        client_id: native.clientId,
        redirect_uri: 'com.example.app:/callback',
        prompt: ['login', 'consent'],
      }),
    );
    expect([page.isElsewhere, page.url.protocol]).toEqual([true, 'com.example.app:']);
    expect(callbackParameters(page)).toMatchObject({ error: 'invalid_request', state: 'c3RhdGU=' });
  });
});

/** Microsoft.AspNetCore.Authentication.OpenIdConnect: `UsePkce`, `response_mode=form_post`, a state over 300 bytes. */
test('what ASP.NET Core sends by default works', async () => {
  const verifier = randomBytes(32).toString('base64url');
  const state = `CfDJ8${randomBytes(300).toString('base64url')}`;
  const page = await authorize({
    response_type: 'code',
    scope: 'openid profile',
    nonce: '638993.YmE1ZDg2',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state,
    'x-client-SKU': 'ID_NET9_0',
    'x-client-ver': '8.0.1.0',
  });
  const { code, ...rest } = responseOf(page);
  expect(rest).toEqual({ state, iss: auth.baseUrl, scope: 'openid profile' });
  const { clientId, clientSecret } = application;
  const answer = await auth.requestToken({
    grant_type: 'authorization_code',
    client_id: clientId,
    client_secret: String(clientSecret),
    code: String(code),
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  expect(answer.json).toMatchObject({ token_type: 'Bearer', id_token: expect.any(String), nonce: '638993.YmE1ZDg2' });
});
