import { createApplications } from '@linnet/applications/applications';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import type { JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { introspect, registerOutsideApi } from '@linnet/test/auth/outside-api';
import type { OutsideApiFixture } from '@linnet/test/auth/outside-api';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';
import type { ThirdParty } from '@linnet/test/auth/third-party';

/** Registered APIs (RFC 8707): consent, tokens, introspection and revocation. */
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let browser: Browser;
let ada: Person;
let people = 0;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
});
beforeEach(async () => {
  people += 1;
  browser = createBrowser(auth);
  ada = await registerPerson(auth.db, `ada_${String(people)}`);
  await signIn(browser, ada);
});
afterAll(() => cleanup.disposeAsync());

type Parameters = Readonly<Record<string, string>>;

async function allow(page: Page): Promise<Page> {
  return await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow' });
}

/** Exchanges a code of `authorizationAddress`, whose parameter `resource` can be repeated. */
async function authorize(app: ThirdParty, parameters: Parameters, resources: readonly string[]): Promise<Page> {
  const list = resources.map((resource) => `&resource=${encodeURIComponent(resource)}`).join('');
  const page = await browser.open(app.authorizationAddress(parameters) + list);
  return page.isElsewhere ? page : await allow(page);
}

async function exchange(app: ThirdParty, { url }: Page, form: Parameters = {}): Promise<Answer> {
  const grant = { grant_type: 'authorization_code', code: url.searchParams.get('code') ?? '' };
  const sent = { ...grant, redirect_uri: app.redirectUri, ...form };
  return await auth.requestToken(sent, basic(app.clientId, app.clientSecret));
}

async function refresh(app: ThirdParty, refreshToken: unknown, form: Parameters = {}): Promise<Answer> {
  const sent = { grant_type: 'refresh_token', refresh_token: String(refreshToken), ...form };
  return await auth.requestToken(sent, basic(app.clientId, app.clientSecret));
}

/** Authorizes an application for one API. */
async function connectTo(api: OutsideApiFixture, app: ThirdParty, scope = 'notes:read') {
  const { json } = await exchange(app, await authorize(app, { scope }, [api.identifier]));
  return { accessToken: json.access_token, refreshToken: json['refresh_token'], scope: json.scope };
}

const grantsOf = async ({ clientId }: { readonly clientId: string }) =>
  await auth.db.prisma.grant.findMany({
    where: { clientId, accountId: BigInt(ada.id) },
    orderBy: { createdAt: 'asc' },
  });

describe('a token for a registered API', () => {
  test('D117 has the audience and the scopes of the API, and no others', async () => {
    const [api, app] = [await registerOutsideApi(auth), await registerThirdParty(auth)];
    const connected = await connectTo(api, app, 'openid notes:read');
    expect(connected.scope).toBe('notes:read');
    expect(decodeJwt(connected.accessToken)).toMatchObject({
      iss: auth.baseUrl,
      aud: api.identifier,
      scope: 'notes:read',
      sub: String(ada.id),
      client_id: app.clientId,
    });
    const next = await refresh(app, connected.refreshToken);
    expect(decodeJwt(next.json.access_token)).toMatchObject({ aud: api.identifier, scope: 'notes:read' });
    const other = await refresh(app, next.json['refresh_token'], { resource: `${auth.baseUrl}/api/v2.0` });
    expect(other.json['error']).toBe('invalid_target');
  });

  test('a request without scope asks for all scopes of the API, which the page describes', async () => {
    const [api, app] = [await registerOutsideApi(auth), await registerThirdParty(auth)];
    const page = await app.send(browser, { scope: undefined, resource: api.identifier });
    expect(page.text).toContain('Description of notes:read');
    expect(page.text).toContain('Description of notes:write');
    expect(page.text).toContain(`@${api.owner}`);
    expect(page.text).toContain(api.identifier);
    expect(page.text).toContain('is not part of Linnet');
    expect((await exchange(app, await allow(page))).json.scope).toBe('notes:read notes:write');
    const connected = await browser.open(`/account/applications/${app.clientId}`);
    expect(connected.text).toContain('Description of notes:read');
    expect(connected.text).toContain(`Notes`);
  });

  test('is refused by userinfo', async () => {
    const [api, app] = [await registerOutsideApi(auth), await registerThirdParty(auth)];
    const { accessToken } = await connectTo(api, app, 'openid notes:read');
    const headers = { authorization: `Bearer ${accessToken}` };
    expect((await auth.send({ path: '/oauth/userinfo', headers })).status).toBe(401);
  });

  test('several can be granted together; each token is for one', async () => {
    const [one, other] = [await registerOutsideApi(auth), await registerOutsideApi(auth, { scopes: ['mail:send'] })];
    const app = await registerThirdParty(auth);
    const own = `${auth.baseUrl}/api/v2.0`;
    const scope = 'posts notes:read mail:send';
    const callback = await authorize(app, { scope }, [own, one.identifier, other.identifier]);
    const first = await exchange(app, callback);
    expect(decodeJwt(first.json.access_token)).toMatchObject({ aud: own, scope: 'posts' });
    const second = await refresh(app, first.json['refresh_token'], { resource: other.identifier });
    expect(decodeJwt(second.json.access_token)).toMatchObject({ aud: other.identifier, scope: 'mail:send' });
    const third = await refresh(app, second.json['refresh_token'], { resource: one.identifier });
    expect(decodeJwt(third.json.access_token)).toMatchObject({ aud: one.identifier, scope: 'notes:read' });
    const [grant] = await grantsOf(app);
    expect(grant?.scopes).toEqual(['posts', `${one.identifier}#notes:read`, `${other.identifier}#mail:send`]);
  });

  test('of several without our own API, the token request must name one', async () => {
    const [one, other] = [await registerOutsideApi(auth), await registerOutsideApi(auth)];
    const app = await registerThirdParty(auth);
    const callback = await authorize(app, { scope: 'notes:read' }, [one.identifier, other.identifier]);
    expect((await exchange(app, callback)).json).toMatchObject({
      error: 'invalid_target',
      error_description: expect.stringContaining('Name one of them'),
    });
  });
});

describe('what an API decides', () => {
  test.each(['ES256', 'RS256'] as const)('D109 is signed with %s, as its API has chosen', async (accessTokenAlg) => {
    const [api, app] = [await registerOutsideApi(auth, { accessTokenAlg }), await registerThirdParty(auth)];
    const own = `${auth.baseUrl}/api/v2.0`;
    const scope = 'users notes:read';
    const first = await exchange(app, await authorize(app, { scope }, [own, api.identifier]), { resource: own });
    expect(decodeProtectedHeader(first.json.access_token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
    const { json } = await refresh(app, first.json['refresh_token'], { resource: api.identifier });
    const keys = createLocalJWKSet((await auth.send({ path: '/oauth/jwks' })).json as unknown as JSONWebKeySet);
    const expected = { issuer: auth.baseUrl, audience: api.identifier, typ: 'at+jwt', algorithms: [accessTokenAlg] };
    const { payload } = await jwtVerify(json.access_token, keys, expected);
    expect(payload).toMatchObject({ scope: 'notes:read', client_id: app.clientId });
    expect(await api.introspect(json.access_token)).toMatchObject({ active: true, aud: api.identifier });
    const form = { grant_type: 'client_credentials', resource: api.identifier };
    const alone = await auth.requestToken(form, basic(api.clientId, api.clientSecret));
    expect(decodeProtectedHeader(alone.json.access_token)).toMatchObject({ alg: accessTokenAlg });
    const headers = { authorization: `Bearer ${json.access_token}` };
    expect((await auth.send({ path: '/oauth/userinfo', headers })).status).toBe(401);
  });

  test('every form of its URL is one resource', async () => {
    const bare = await registerOutsideApi(auth, { identifier: 'https://bare.example.com/' });
    const notes = await registerOutsideApi(auth, { identifier: 'https://forms.example.com/notes' });
    const own = `${auth.baseUrl}/api/v2.0`;
    const forms: Readonly<Record<string, readonly string[]>> = {
      [bare.identifier]: ['https://bare.example.com', 'https://BARE.example.com//'],
      [notes.identifier]: ['https://forms.example.com/notes/', 'https://forms.example.com:443/x/../not%65s'],
      [own]: [
        `${own}/`,
        `${auth.baseUrl}/%6Dcp`,
        `${auth.baseUrl}/mcp`,
        `${auth.baseUrl}/mcp/`,
        `${auth.baseUrl.toUpperCase()}/mcp`,
      ],
    };
    const app = await registerThirdParty(auth);
    for (const [aud, [first = '', ...others]] of Object.entries(forms)) {
      const scope = aud === own ? 'users' : 'notes:read';
      const { json } = await exchange(app, await authorize(app, { scope }, [aud, first, ...others]), {
        resource: first,
      });
      let refreshToken = json['refresh_token'];
      for (const resource of others) {
        const next = await refresh(app, refreshToken, { resource });
        expect([resource, decodeJwt(next.json.access_token).aud]).toEqual([resource, aud]);
        refreshToken = next.json['refresh_token'];
      }
      expect(decodeJwt(json.access_token)).toMatchObject({ aud });
    }
  });
});

describe('a request for a registered API', () => {
  test.each([
    ['an unknown resource', 'https://unknown.example.com/', 'is not a registered API'],
    ['an address below this service', 'https://linnet.example/api/other', 'is not a registered API'],
    ['no absolute URI', 'notes', 'absolute URI'],
  ])('%s is invalid_target', async (_, resource, description) => {
    const app = await registerThirdParty(auth);
    const { url } = await app.send(browser, { scope: 'notes:read', resource });
    expect(url.searchParams.get('error')).toBe('invalid_target');
    expect(url.searchParams.get('error_description')).toContain(description);
    const form = { grant_type: 'client_credentials', resource };
    const { json } = await auth.requestToken(form, basic(app.clientId, app.clientSecret));
    expect(json).toMatchObject({ error: 'invalid_target', error_description: expect.stringContaining(description) });
  });

  test('a scope that belongs to none of the resources is invalid_scope', async () => {
    const [api, app] = [await registerOutsideApi(auth), await registerThirdParty(auth)];
    for (const scope of ['posts', 'notes:delete', 'notes:read posts']) {
      const { url } = await app.send(browser, { scope, resource: api.identifier });
      expect(url.searchParams.get('error')).toBe('invalid_scope');
    }
    const { url } = await app.send(browser, { scope: 'notes:read' });
    expect(url.searchParams.get('error')).toBe('invalid_scope');
  });

  test('response_type=token issues none', async () => {
    const [api, app] = [await registerOutsideApi(auth), await registerThirdParty(auth, { implicit: true })];
    const { url } = await app.send(browser, {
      response_type: 'token',
      scope: 'notes:read',
      resource: api.identifier,
    });
    expect(new URLSearchParams(url.hash.slice(1)).get('error')).toBe('invalid_target');
  });

  test('pushed requests can name it', async () => {
    const [api, app] = [await registerOutsideApi(auth), await registerThirdParty(auth)];
    const { clientId, redirectUri } = app;
    const parameters = { client_id: clientId, response_type: 'code', redirect_uri: redirectUri, scope: 'notes:write' };
    const pushed = await auth.send({
      method: 'POST',
      path: '/oauth/par',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...basic(app.clientId, app.clientSecret) },
      body: new URLSearchParams({ ...parameters, resource: api.identifier }).toString(),
    });
    const request = { client_id: app.clientId, request_uri: String(pushed.json['request_uri']) };
    const page = await browser.open(`/oauth/authorize?${new URLSearchParams(request).toString()}`);
    const { json } = await exchange(app, await allow(page));
    expect(decodeJwt(json.access_token)).toMatchObject({ aud: api.identifier, scope: 'notes:write' });
  });

  test('with client_credentials, applications of its owner get one, and no others', async () => {
    const [api, app] = [await registerOutsideApi(auth), await registerThirdParty(auth)];
    const form = { grant_type: 'client_credentials', resource: api.identifier };
    const own = await auth.requestToken(form, basic(api.clientId, api.clientSecret));
    expect(decodeJwt(own.json.access_token)).toMatchObject({ aud: api.identifier, sub: api.clientId });
    expect(await api.introspect(own.json.access_token)).toMatchObject({ active: true, sub: api.clientId });
    const other = await auth.requestToken(form, basic(app.clientId, app.clientSecret));
    expect(other.json).toMatchObject({
      error: 'invalid_target',
      error_description: expect.stringContaining('only applications of the API owner'),
    });
  });

  test('a token request for our own API looks up no other', async () => {
    const app = await registerThirdParty(auth);
    const form = { grant_type: 'client_credentials' };
    await auth.requestToken(form, basic(app.clientId, app.clientSecret));
    auth.statements.length = 0;
    expect((await auth.requestToken(form, basic(app.clientId, app.clientSecret))).status).toBe(200);
    expect(auth.statements.filter((sql) => sql.includes('resource_server'))).toEqual([]);
  });
});

describe('scopes of one name', () => {
  test('are granted for each API by itself: no consent merges into another audience', async () => {
    const [one, other] = [await registerOutsideApi(auth), await registerOutsideApi(auth)];
    const app = await registerThirdParty(auth);
    await exchange(app, await authorize(app, { scope: 'users' }, []));
    await connectTo(one, app, 'notes:read');
    const page = await app.send(browser, { scope: 'notes:write', resource: other.identifier });
    expect(page.isElsewhere).toBe(false);
    const { json } = await exchange(app, await allow(page));
    expect(decodeJwt(json.access_token)).toMatchObject({ aud: other.identifier, scope: 'notes:write' });
    expect((await grantsOf(app)).at(-1)?.scopes.toSorted()).toEqual(
      ['users', `${one.identifier}#notes:read`, `${other.identifier}#notes:write`].toSorted(),
    );
    // The merged grant is remembered for what was granted, and asks for anything else.
    for (const [scope, resource] of [
      ['notes:read', one.identifier],
      ['notes:write', other.identifier],
      ['users', undefined],
    ] as const) {
      expect((await app.send(browser, { scope, resource })).isElsewhere).toBe(true);
    }
    for (const [scope, resource] of [
      ['notes:write', one.identifier],
      ['notes:read', other.identifier],
      ['users posts', undefined],
    ] as const) {
      expect((await app.send(browser, { scope, resource })).isElsewhere).toBe(false);
    }
  });

  test('identity is asked for, although the application has consent for the API', async () => {
    const [api, app] = [await registerOutsideApi(auth), await registerThirdParty(auth)];
    await connectTo(api, app, 'notes:read');
    const page = await app.send(browser, { scope: 'openid profile notes:read', resource: api.identifier });
    expect(page.isElsewhere).toBe(false);
    const { json } = await exchange(app, await allow(page));
    expect(decodeJwt(String(json['id_token']))).toMatchObject({ sub: String(ada.id) });
    expect((await app.send(browser, { scope: 'openid notes:read', resource: api.identifier })).isElsewhere).toBe(true);
  });
});

describe('introspection', () => {
  test('answers the application of the API and the one the token was issued to, and nobody else', async () => {
    const [api, app] = [await registerOutsideApi(auth), await registerThirdParty(auth)];
    const [otherApi, stranger] = [await registerOutsideApi(auth), await registerThirdParty(auth)];
    const { accessToken, refreshToken } = await connectTo(api, app);
    const active = {
      active: true,
      aud: api.identifier,
      client_id: app.clientId,
      scope: 'notes:read',
      sub: String(ada.id),
      username: ada.username,
    };
    expect(await api.introspect(accessToken)).toMatchObject(active);
    expect(await introspect(auth, accessToken, basic(app.clientId, app.clientSecret))).toMatchObject(active);
    const inactive = { active: false };
    expect(await introspect(auth, accessToken, basic(stranger.clientId, stranger.clientSecret))).toEqual(inactive);
    expect(await otherApi.introspect(accessToken)).toEqual(inactive);
    // The API sees neither refresh tokens nor tokens of the same application for others.
    expect(await api.introspect(String(refreshToken))).toEqual(inactive);
    const own = await exchange(app, await authorize(app, { scope: 'users' }, []));
    expect(await api.introspect(own.json.access_token)).toEqual(inactive);
  });

  test('stops for an application that moved to another owner', async () => {
    const [api, app] = [await registerOutsideApi(auth), await registerThirdParty(auth)];
    const { accessToken } = await connectTo(api, app);
    const data = { ownerId: BigInt(auth.ownerId) };
    await auth.db.prisma.application.update({ where: { clientId: api.clientId }, data });
    expect(await api.introspect(accessToken)).toEqual({ active: false });
  });

  const endings: Readonly<Record<string, (one: Ending) => Promise<unknown>>> = {
    'the token is revoked': async ({ app, accessToken }) =>
      await auth.send({
        method: 'POST',
        path: '/oauth/revoke',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...basic(app.clientId, app.clientSecret) },
        body: new URLSearchParams({ token: accessToken }).toString(),
      }),
    'the person disconnects the application': async ({ app }) =>
      await auth.db.prisma.grant.updateMany({ where: { clientId: app.clientId }, data: { revokedAt: new Date() } }),
    'the person is suspended': async () =>
      await auth.db.prisma.account.update({ where: { id: BigInt(ada.id) }, data: { suspendedAt: new Date() } }),
    'the application is suspended': async ({ app }) => await createApplications(auth.db).suspend(app.clientId),
    'the application is deleted': async ({ app }) => await createApplications(auth.db).delete(app.clientId),
    'the API is deleted': async ({ api }) => await api.delete(),
    'the API loses a scope': async ({ api }) => await api.rescope(['notes:write']),
    'the owner of the API is suspended': async ({ api }) =>
      await auth.db.prisma.account.update({ where: { id: BigInt(api.ownerId) }, data: { suspendedAt: new Date() } }),
    'the owner of the API is deleted': async ({ api }) =>
      await auth.db.prisma.account.update({ where: { id: BigInt(api.ownerId) }, data: { deletedAt: new Date() } }),
  };

  interface Ending {
    readonly api: OutsideApiFixture;
    readonly app: ThirdParty;
    readonly accessToken: string;
  }

  test.each(Object.entries(endings))('ends when %s', async (_, end) => {
    const [api, app] = [await registerOutsideApi(auth), await registerThirdParty(auth)];
    const { accessToken } = await connectTo(api, app);
    expect(await api.introspect(accessToken)).toMatchObject({ active: true });
    await end({ api, app, accessToken });
    await expect.poll(async () => (await api.introspect(accessToken))['active']).not.toBe(true);
    await expect
      .poll(async () => (await introspect(auth, accessToken, basic(app.clientId, app.clientSecret)))['active'])
      .not.toBe(true);
  });
});

describe('an API that is deleted', () => {
  test('takes its scopes out of every grant, so that a later API of that identifier inherits nothing', async () => {
    const [api, app] = [await registerOutsideApi(auth), await registerThirdParty(auth)];
    const { accessToken, refreshToken } = await connectTo(api, app);
    await api.delete();
    expect((await grantsOf(app)).map(({ scopes }) => scopes)).toEqual([[]]);
    expect((await refresh(app, refreshToken)).json['error']).toBe('invalid_target');
    const successor = await registerOutsideApi(auth, { identifier: api.identifier });
    expect(await successor.introspect(accessToken)).toEqual({ active: false });
    const page = await app.send(browser, { scope: 'notes:read', resource: api.identifier });
    expect(page.isElsewhere).toBe(false);
  });

  test('a scope that was removed and returns must be granted again', async () => {
    const [api, app] = [await registerOutsideApi(auth), await registerThirdParty(auth)];
    const { refreshToken } = await connectTo(api, app, 'notes:read notes:write');
    await api.rescope(['notes:write']);
    await api.rescope(['notes:read', 'notes:write']);
    const { json } = await refresh(app, refreshToken);
    expect(json.scope).toBe('notes:write');
    const { clientId } = app;
    const events = await auth.db.prisma.auditEvent.findMany({ where: { clientId, event: 'consent.narrowed' } });
    expect(events.map(({ actor }) => actor)).toEqual(['service']);
  });
});
