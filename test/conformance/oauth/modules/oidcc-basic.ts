import { setTimeout as delay } from 'node:timers/promises';

import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { expect } from 'vitest';

import { retryUnavailable } from '../../../support/service.ts';
import { basic, parametersOf } from './module.ts';
import type { ServerResponse, Modules, Stage } from './module.ts';

/** `oidcc-basic-certification-test-plan`, in its order. */

async function signIn(
  stage: Stage,
  changes: Readonly<Record<string, string | undefined>> = {},
): Promise<ServerResponse> {
  const { code } = await stage.authorize(stage.world.web, changes);
  const response = await stage.exchange(stage.world.web, code);
  expect(response.status).toBe(200);
  return response;
}

const claimsOf = ({ json }: ServerResponse) => decodeJwt(String(json['id_token']));

async function verify({ world, metadata }: Stage, { json }: ServerResponse) {
  const keys = createRemoteJWKSet(new URL(String(metadata['jwks_uri'])));
  return await jwtVerify(String(json['id_token']), keys, { issuer: world.issuer, audience: world.web.id });
}

/** The parameter does not affect the sign-in. */
const succeedsWith =
  (changes: Readonly<Record<string, string | undefined>>) =>
  async (stage: Stage): Promise<void> => {
    const response = await signIn(stage, changes);
    expect(await verify(stage, response)).toMatchObject({ payload: { nonce: 'any nonce' } });
  };

const withScope =
  (scope: string, claims: readonly string[]) =>
  async (stage: Stage): Promise<void> => {
    const { world } = stage;
    const app = await world.register([
      '--type',
      'confidential',
      '--redirect-uri',
      world.redirectUri,
      '--scope',
      'email',
    ]);
    const { code } = await stage.authorize(app, { scope });
    const { json } = await stage.exchange(app, code);
    const { status, json: found } = await stage.userinfo(json['access_token']);
    expect(status).toBe(200);
    expect(Object.keys(found)).toEqual(expect.arrayContaining(['sub', ...claims]));
  };

const refusedAs =
  (changes: Readonly<Record<string, string>>, error: string) =>
  async (stage: Stage): Promise<void> => {
    const { world, visitor } = stage;
    const url = await visitor.consent(stage.address(world.web, changes));
    expect(url.href.startsWith(world.redirectUri)).toBe(true);
    expect(parametersOf(url)).toMatchObject({ error, state: 'any state' });
  };

const sub = async (stage: Stage, init: RequestInit, token: unknown) => {
  const headers = init.body === undefined ? { authorization: `Bearer ${String(token)}` } : undefined;
  const endpoint = String(stage.metadata['userinfo_endpoint']);
  const response = await retryUnavailable(async () => await fetch(endpoint, { ...init, ...(headers && { headers }) }));
  return { status: response.status, sub: Reflect.get(Object(await response.json()), 'sub') };
};

const asksForPassword = async (stage: Stage, changes: Readonly<Record<string, string>>) =>
  (await stage.visitor.open(stage.address(stage.world.web, changes))).html.includes('name="password"');

export const oidccBasic: Modules = {
  'oidcc-server': async (stage) => {
    const { world } = stage;
    const callback = await stage.authorize(world.web);
    expect(callback).toMatchObject({ state: 'any state', iss: world.issuer });
    const response = await stage.exchange(world.web, callback['code']);
    expect(response.json).toMatchObject({ token_type: 'Bearer', expires_in: expect.any(Number) });
    const { payload } = await verify(stage, response);
    expect(payload).toMatchObject({ nonce: 'any nonce', iat: expect.any(Number), exp: expect.any(Number) });
    expect((await stage.userinfo(response.json['access_token'])).json).toMatchObject({ sub: payload.sub });
  },
  'oidcc-response-type-missing': async (stage) => {
    const url = await stage.visitor.consent(stage.address(stage.world.web, { response_type: undefined }));
    expect(parametersOf(url)['error']).toMatch(/^(invalid_request|unsupported_response_type)$/);
  },
  'oidcc-idtoken-signature': async (stage) => {
    const response = await signIn(stage);
    const header = decodeProtectedHeader(String(response.json['id_token']));
    expect(header).toMatchObject({ alg: 'RS256', kid: expect.any(String) });
    await verify(stage, response);
  },
  'oidcc-idtoken-unsigned': 'ID tokens are always signed; the suite skips this module for registered clients',
  'oidcc-userinfo-get': async (stage) => {
    const { json, ...rest } = await signIn(stage);
    const { sub: subject } = claimsOf({ json, ...rest });
    expect(await sub(stage, {}, json['access_token'])).toEqual({ status: 200, sub: subject });
  },
  'oidcc-userinfo-post-header': async (stage) => {
    const { json, ...rest } = await signIn(stage);
    const { sub: subject } = claimsOf({ json, ...rest });
    expect(await sub(stage, { method: 'POST' }, json['access_token'])).toEqual({ status: 200, sub: subject });
  },
  'oidcc-userinfo-post-body': async (stage) => {
    const { json, ...rest } = await signIn(stage);
    const { sub: subject } = claimsOf({ json, ...rest });
    const body = new URLSearchParams({ access_token: String(json['access_token']) });
    expect(await sub(stage, { method: 'POST', body }, undefined)).toEqual({ status: 200, sub: subject });
  },
  'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': async (stage) => {
    expect(claimsOf(await signIn(stage, { nonce: undefined }))).not.toHaveProperty('nonce');
  },
  'oidcc-scope-profile': withScope('openid profile', ['name', 'preferred_username']),
  'oidcc-scope-email': withScope('openid email', ['email', 'email_verified']),
  'oidcc-scope-address': 'accounts have no postal address; `scopes_supported` does not list the scope',
  'oidcc-scope-phone': 'accounts have no phone number; `scopes_supported` does not list the scope',
  'oidcc-scope-all': withScope('openid profile email', ['name', 'email']),
  'oidcc-alternate-happy-flow': withScope('email openid', ['email']),
  'oidcc-display-page': succeedsWith({ display: 'page' }),
  'oidcc-display-popup': succeedsWith({ display: 'popup' }),
  'oidcc-prompt-login': async (stage) => {
    const before = claimsOf(await signIn(stage, { max_age: '10000' }));
    await delay(1100);
    expect(await asksForPassword(stage, { prompt: 'login' })).toBe(true);
    const after = claimsOf(await signIn(stage, { prompt: 'login' }));
    expect(after.sub).toBe(before.sub);
    expect(Number(after['auth_time'])).toBeGreaterThan(Number(before['auth_time']));
  },
  'oidcc-prompt-none-not-logged-in': async (stage) => {
    const { url } = await stage.world.visitor().open(stage.address(stage.world.web, { prompt: 'none' }));
    expect(parametersOf(url)).toMatchObject({ error: 'login_required', state: 'any state' });
  },
  'oidcc-prompt-none-logged-in': async (stage) => {
    const before = claimsOf(await signIn(stage, { max_age: '10000' }));
    const after = claimsOf(await signIn(stage, { prompt: 'none', max_age: '10000' }));
    expect([after.sub, after['auth_time']]).toEqual([before.sub, before['auth_time']]);
  },
  'oidcc-max-age-1': async (stage) => {
    const before = claimsOf(await signIn(stage, { max_age: '10000' }));
    await delay(2100);
    expect(await asksForPassword(stage, { max_age: '1' })).toBe(true);
    const after = claimsOf(await signIn(stage, { max_age: '1' }));
    expect(Number(after['auth_time'])).toBeGreaterThan(Number(before['auth_time']));
  },
  'oidcc-max-age-10000': async (stage) => {
    const before = claimsOf(await signIn(stage, { max_age: '10000' }));
    expect(await asksForPassword(stage, { max_age: '10000' })).toBe(false);
    expect(claimsOf(await signIn(stage, { max_age: '10000' }))['auth_time']).toBe(before['auth_time']);
  },
  'oidcc-ensure-request-with-unknown-parameter-succeeds': succeedsWith({ extra: 'foobar' }),
  'oidcc-id-token-hint': async (stage) => {
    const { json } = await signIn(stage);
    await succeedsWith({ prompt: 'none', id_token_hint: String(json['id_token']) })(stage);
  },
  'oidcc-login-hint': succeedsWith({ login_hint: 'buffy@vampireslayer.example' }),
  'oidcc-ui-locales': succeedsWith({ ui_locales: 'se de' }),
  'oidcc-claims-locales': succeedsWith({ claims_locales: 'se' }),
  'oidcc-ensure-request-with-acr-values-succeeds': succeedsWith({ acr_values: '1 2' }),
  'oidcc-codereuse': async (stage) => {
    const { code } = await stage.authorize(stage.world.web);
    expect(await stage.exchange(stage.world.web, code)).toMatchObject({ status: 200 });
    expect(await stage.exchange(stage.world.web, code)).toMatchObject({
      status: 400,
      json: { error: 'invalid_grant' },
    });
  },
  // The suite waits 30 s; a code is valid for 60 s, and its use is remembered for a day.
  'oidcc-codereuse-30seconds': async (stage) => {
    const { code } = await stage.authorize(stage.world.web);
    const { json } = await stage.exchange(stage.world.web, code);
    expect((await stage.userinfo(json['access_token'])).status).toBe(200);
    expect((await stage.exchange(stage.world.web, code)).status).toBe(400);
    await delay(1000);
    expect((await stage.userinfo(json['access_token'])).status).toBe(401);
  },
  'oidcc-ensure-registered-redirect-uri': async (stage) => {
    const { world, visitor } = stage;
    const { url, html } = await visitor.open(stage.address(world.web, { redirect_uri: `${world.redirectUri}/x` }));
    expect(url.origin).toBe(new URL(world.issuer).origin);
    expect(html).toContain('redirect_uri');
  },
  'oidcc-ensure-post-request-succeeds': async (stage) => {
    const { world, visitor } = stage;
    const [endpoint = '', query = ''] = stage.address(world.web).split('?');
    const response = await fetch(endpoint, { method: 'POST', body: new URLSearchParams(query), redirect: 'manual' });
    expect(response.status).toBe(303);
    const { code } = parametersOf(await visitor.consent(new URL(response.headers.get('location') ?? '', endpoint)));
    expect(await stage.exchange(world.web, code)).toMatchObject({ status: 200 });
  },
  'oidcc-server-client-secret-post': async (stage) => {
    const { web, redirectUri } = stage.world;
    const { code } = await stage.authorize(web);
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: stage.verifier };
    const response = await stage.post('/oauth/token', { ...form, client_id: web.id, client_secret: web.secret });
    expect(response.status).toBe(200);
    await verify(stage, response);
  },
  'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported': refusedAs(
    { request_uri: 'https://app.example.com/request.jwt' },
    'request_uri_not_supported',
  ),
  'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported': refusedAs(
    { request: 'eyJhbGciOiJub25lIn0.e30.' },
    'request_not_supported',
  ),
  'oidcc-claims-essential': async (stage) => {
    await signIn(stage, { scope: 'openid profile', claims: '{"userinfo":{"name":{"essential":true}}}' });
  },
  'oidcc-ensure-request-object-with-redirect-uri': refusedAs(
    { request: 'eyJhbGciOiJub25lIn0.eyJyZWRpcmVjdF91cmkiOiJodHRwczovL2FwcC5leGFtcGxlLmNvbS9lbHNlIn0.' },
    'request_not_supported',
  ),
  'oidcc-refresh-token': async (stage) => {
    const { web, signing } = stage.world;
    const first = await signIn(stage, { scope: 'openid profile' });
    const form = { grant_type: 'refresh_token', refresh_token: String(first.json['refresh_token']) };
    const other = await stage.world.register(['--type', 'confidential', '--redirect-uri', stage.world.redirectUri]);
    expect(other.id).not.toBe(signing.id);
    expect(await stage.post('/oauth/token', form, basic(other))).toMatchObject({
      status: 400,
      json: { error: 'invalid_grant' },
    });
    const second = await stage.post('/oauth/token', form, basic(web));
    expect(second.status).toBe(200);
    expect(claimsOf(second)).toMatchObject({ sub: claimsOf(first).sub, iss: stage.world.issuer, aud: web.id });
  },
  'oidcc-ensure-request-with-valid-pkce-succeeds': succeedsWith({}),
};
