import { inflateSync } from 'node:zlib';

import { createApplications } from '@linnet/applications/applications';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import type { JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { registerOutsideApi } from '@linnet/test/auth/outside-api';
import type { OutsideApiFixture } from '@linnet/test/auth/outside-api';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';
import type { ThirdParty } from '@linnet/test/auth/third-party';

/** The status list of access tokens for registered APIs. */
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let browser: Browser;
let ada: Person;
let people = 0;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
});
beforeEach(async () => {
  people += 1;
  browser = createBrowser(auth);
  ada = await registerPerson(auth.db, `ada_${String(people)}`);
  await signIn(browser, ada);
});
afterAll(() => cleanup.disposeAsync());

interface Issued {
  readonly accessToken: string;
  readonly refreshToken: string;
}

async function connectTo(api: OutsideApiFixture, app: ThirdParty): Promise<Issued> {
  const page = await app.send(browser, { scope: 'notes:read', resource: api.identifier });
  const { url } = page.isElsewhere
    ? page
    : await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow' });
  const code = url.searchParams.get('code') ?? '';
  return await requestToken(app, { grant_type: 'authorization_code', code, redirect_uri: app.redirectUri });
}

async function requestToken(app: ThirdParty, form: Readonly<Record<string, string>>): Promise<Issued> {
  const { json } = await auth.requestToken(form, basic(app.clientId, app.clientSecret));
  return { accessToken: json.access_token, refreshToken: String(json['refresh_token']) };
}

function statusOf(accessToken: string): { readonly idx: number; readonly uri: string } {
  return (decodeJwt(accessToken)['status'] as { status_list: { idx: number; uri: string } }).status_list;
}

async function fetchList(uri: string, headers: Readonly<Record<string, string>> = {}) {
  return await auth.send({ path: new URL(uri).pathname, headers });
}

/** Whether a receiver that verifies the list refuses the token. */
async function isRefused(accessToken: string): Promise<boolean> {
  const { idx, uri } = statusOf(accessToken);
  const { text } = await fetchList(uri);
  const keys = createLocalJWKSet((await auth.send({ path: '/oauth/jwks' })).json as unknown as JSONWebKeySet);
  const { payload } = await jwtVerify(text, keys, { issuer: auth.baseUrl, subject: uri, typ: 'statuslist+jwt' });
  const { bits, lst } = payload['status_list'] as { bits: number; lst: string };
  expect(bits).toBe(1);
  const list = inflateSync(Buffer.from(lst, 'base64url'));
  return (((list[idx >> 3] ?? 0) >> (idx & 7)) & 1) === 1;
}

async function revoke(app: ThirdParty, token: string): Promise<void> {
  await auth.send({
    method: 'POST',
    path: '/oauth/revoke',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...basic(app.clientId, app.clientSecret) },
    body: new URLSearchParams({ token }).toString(),
  });
}

describe('D207 a token for a registered API', () => {
  test('names its place in a signed list, which may be cached for some seconds', async () => {
    const [api, app] = [await registerOutsideApi(auth), await registerThirdParty(auth)];
    const { accessToken } = await connectTo(api, app);
    const { uri } = statusOf(accessToken);
    expect(uri.startsWith(`${auth.baseUrl}/oauth/status/${String(api.id)}/`)).toBe(true);
    const list = await fetchList(uri);
    expect(list.headers).toMatchObject({
      'content-type': 'application/statuslist+jwt',
      'cache-control': 'public, max-age=9',
      'access-control-allow-origin': '*',
    });
    const { iat = 0, exp = 0, ttl, sub } = decodeJwt(list.text);
    expect([exp - iat, ttl, sub]).toEqual([30, 9, uri]);
    expect(list.text.length).toBeLessThan(1000);
    expect(list.headers.etag).toMatch(/^"/);
    expect(await isRefused(accessToken)).toBe(false);
    const own = await auth.requestToken({ grant_type: 'client_credentials' }, basic(app.clientId, app.clientSecret));
    expect(decodeJwt(own.json.access_token)).not.toHaveProperty('status');
    const form = { grant_type: 'client_credentials', resource: api.identifier };
    const ofOwner = await auth.requestToken(form, basic(api.clientId, api.clientSecret));
    expect(await isRefused(ofOwner.json.access_token)).toBe(false);
  });

  test('has a place of its own, from which the next one does not follow', async () => {
    const [api, app] = [await registerOutsideApi(auth), await registerThirdParty(auth)];
    let { accessToken, refreshToken } = await connectTo(api, app);
    const places = [statusOf(accessToken).idx];
    for (let turn = 0; turn < 5; turn += 1) {
      ({ accessToken, refreshToken } = await requestToken(app, {
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      }));
      places.push(statusOf(accessToken).idx);
    }
    expect(new Set(places).size).toBe(6);
    expect(places).not.toEqual(places.toSorted((a, b) => a - b));
  });

  test('is revoked alone at /oauth/revoke', async () => {
    const [api, app] = [await registerOutsideApi(auth), await registerThirdParty(auth)];
    const first = await connectTo(api, app);
    const second = await requestToken(app, { grant_type: 'refresh_token', refresh_token: first.refreshToken });
    await revoke(app, first.accessToken);
    await expect.poll(async () => await isRefused(first.accessToken)).toBe(true);
    expect(await isRefused(second.accessToken)).toBe(false);
  });

  interface Ending {
    readonly api: OutsideApiFixture;
    readonly app: ThirdParty;
    readonly issued: Issued;
  }

  const account = async (id: number, data: { suspendedAt?: Date; deletedAt?: Date; epoch?: { increment: 1 } }) =>
    await auth.db.prisma.account.update({ where: { id: BigInt(id) }, data });
  const endings: Readonly<Record<string, (one: Ending) => Promise<unknown>>> = {
    'the refresh token is revoked': async ({ app, issued }) => await revoke(app, issued.refreshToken),
    'the person disconnects the application': async ({ app }) =>
      await auth.db.prisma.grant.updateMany({ where: { clientId: app.clientId }, data: { revokedAt: new Date() } }),
    'the person signs out everywhere': async () => await account(ada.id, { epoch: { increment: 1 } }),
    'the person is suspended': async () => await account(ada.id, { suspendedAt: new Date() }),
    'the person is deleted': async () => await account(ada.id, { deletedAt: new Date() }),
    'the application is suspended': async ({ app }) => await createApplications(auth.db).suspend(app.clientId),
    'the application is deleted': async ({ app }) => await createApplications(auth.db).delete(app.clientId),
    'the API loses a scope': async ({ api }) => await api.rescope(['notes:write']),
    'the owner of the API is suspended': async ({ api }) => await account(api.ownerId, { suspendedAt: new Date() }),
  };

  test.each(Object.entries(endings))('is refused when %s, and that of another person is not', async (ending, end) => {
    const [api, app] = [await registerOutsideApi(auth), await registerThirdParty(auth)];
    const issued = await connectTo(api, app);
    browser = createBrowser(auth);
    await signIn(browser, await registerPerson(auth.db, `bob_${String(people)}`));
    const other = await connectTo(api, await registerThirdParty(auth));
    expect(await isRefused(issued.accessToken)).toBe(false);
    await end({ api, app, issued });
    await expect.poll(async () => await isRefused(issued.accessToken)).toBe(true);
    expect(await isRefused(other.accessToken)).toBe(/API/.test(ending));
  });

  test('a list that does not exist is not found; with an API that is deleted, its tokens are refused', async () => {
    const [api, app] = [await registerOutsideApi(auth), await registerThirdParty(auth)];
    const { accessToken } = await connectTo(api, app);
    const { uri } = statusOf(accessToken);
    const list = uri.slice(uri.lastIndexOf('/'));
    for (const path of [
      `/999${list}`,
      `/${String(api.id)}/3600000000`,
      `/${String(api.id)}/1`,
      '/x/y',
      `/${String(api.id)}`,
    ]) {
      const { status, json } = await auth.send({ path: `/oauth/status${path}` });
      expect([path, status, json['error']]).toEqual([path, 404, 'invalid_request']);
    }
    expect((await auth.send({ method: 'POST', path: new URL(uri).pathname })).status).toBe(405);
    await api.delete();
    await expect.poll(async () => await isRefused(accessToken)).toBe(true);
  });
});
