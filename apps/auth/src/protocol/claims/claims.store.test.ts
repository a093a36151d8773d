import { createTestDatabase } from '@linnet/test/db/test-database';
import { decodeJwt } from 'jose';
import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';
import type { ThirdParty } from '@linnet/test/auth/third-party';
import { contextClassOf, contextClasses } from './claims.ts';

/** Claims about a person in ID tokens and userinfo, and the parameter `claims`. */
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let ada: Person;
let browser: Browser;
/** An application that ada has authorized. */
let asking: ThirdParty;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  ada = await registerPerson(auth.db, 'ada_lovelace');
  browser = createBrowser(auth);
  await signIn(browser, ada);
  asking = await registerThirdParty(auth, { scopes: ['users'] });
  await signInTo(asking, { scope: 'openid profile users' });
});
afterAll(() => cleanup.disposeAsync());

type Parameters = Readonly<Record<string, string | undefined>>;

/** Opens the request; on the consent page, authorizes `optional` and the required scopes. */
async function authorize(client: ThirdParty, parameters: Parameters, optional = ['email']): Promise<Page> {
  const page = await client.send(browser, parameters);
  if (page.isElsewhere) return page;
  return await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow', scope: optional });
}

interface SignedIn {
  readonly idToken: JWTPayload;
  readonly userinfo: object;
  readonly scope: unknown;
  readonly refreshToken: string;
}

async function readTokens({ json }: Awaited<ReturnType<ThirdParty['exchange']>>): Promise<SignedIn> {
  const headers = { authorization: `Bearer ${json.access_token}` };
  const userinfo = await auth.send({ path: '/oauth/userinfo', headers });
  expect(userinfo.status).toBe(200);
  return {
    idToken: decodeJwt(String(json['id_token'])),
    userinfo: userinfo.json,
    scope: json['scope'],
    refreshToken: String(json['refresh_token']),
  };
}

async function signInTo(client: ThirdParty, parameters: Parameters, optional?: string[]): Promise<SignedIn> {
  return await readTokens(await client.exchange(await authorize(client, parameters, optional)));
}

const ofSignIn = new Set(['aud', 'auth_time', 'acr', 'amr', 'exp', 'iat', 'iss', 'nonce', 'sid']);

/** The claims about the person. */
function personIn(idToken: JWTPayload): object {
  return Object.fromEntries(Object.entries(idToken).filter(([name]) => !ofSignIn.has(name)));
}

const profile = () => ({
  sub: String(ada.id),
  name: expect.stringMatching(/./),
  given_name: expect.stringMatching(/./),
  family_name: expect.stringMatching(/./),
  preferred_username: 'ada_lovelace',
  picture: expect.stringMatching(`^${auth.baseUrl}/media/avatars/[0-9a-f]{16}\\.png$`),
  profile: `${auth.baseUrl}/@ada_lovelace`,
  locale: 'en',
  updated_at: expect.any(Number),
});
const email = { email: 'ada_lovelace@example.org', email_verified: expect.any(Boolean) };

describe('what every OpenID Connect client requests by default, openid profile email,', () => {
  const scope = 'openid profile email';

  test.each([
    ['registered nothing', {}],
    ['registered email', { scopes: ['email'] }],
    ['is public', { type: 'public' as const }],
  ])('signs a person in with name and address, for an application that %s', async (_, application) => {
    const client = await registerThirdParty(auth, { scopes: [], ...application });
    const page = await client.send(browser, { scope });
    expect(page.text).toContain('See your name');
    expect(page.text).toContain('e-mail address');
    const { idToken, userinfo, scope: granted } = await signInTo(client, { scope });
    expect(granted).toBe(scope);
    expect(userinfo).toEqual({ ...profile(), ...email });
    expect(personIn(idToken)).toEqual(userinfo);
  });

  test('asks a person once: the second request with prompt=none succeeds', async () => {
    const client = await registerThirdParty(auth, { scopes: [] });
    await signInTo(client, { scope });
    const again = await client.send(browser, { scope, prompt: 'none' });
    expect(again.url.searchParams.get('scope')).toBe(scope);
    const { idToken } = await readTokens(await client.exchange(again));
    expect(personIn(idToken)).toEqual({ ...profile(), ...email });
  });

  test('a declined address is in neither the ID token nor userinfo, and the person is not asked again', async () => {
    const client = await registerThirdParty(auth, { scopes: [] });
    const claims = JSON.stringify({ id_token: { email: { essential: true } }, userinfo: { email: null } });
    const first = await signInTo(client, { scope, claims }, []);
    expect(first.scope).toBe('openid profile');
    const again = await client.send(browser, { scope, claims, prompt: 'none' });
    const { idToken, userinfo } = await readTokens(await client.exchange(again));
    for (const found of [first.userinfo, personIn(first.idToken), userinfo, personIn(idToken)]) {
      expect(found).toEqual(profile());
    }
  });

  test('a refresh returns an ID token with the current name', async () => {
    const client = await registerThirdParty(auth, { scopes: [] });
    const { idToken, refreshToken } = await signInTo(client, { scope });
    const before = Number(idToken['updated_at']);
    await auth.db.prisma.account.update({ where: { id: ada.id }, data: { displayName: 'Countess of Lovelace' } });
    const refreshed = await readTokens(await client.refresh(refreshToken));
    expect(refreshed.idToken).toMatchObject({ name: 'Countess of Lovelace', sub: String(ada.id) });
    expect(Number(refreshed.idToken['updated_at'])).toBeGreaterThanOrEqual(before);
    expect(personIn(refreshed.idToken)).toEqual(refreshed.userinfo);
  });
});

test.each([
  ['openid', []],
  ['openid users', []],
  ['openid users:read posts', []],
  ['openid profile', ['profile']],
  ['openid email', ['email']],
])('D108 the scope %j allows the claims of %j', async (scope, expected) => {
  const client = await registerThirdParty(auth, { scopes: ['users', 'posts'] });
  const { idToken, userinfo } = await signInTo(client, { scope });
  const claims = {
    ...(expected.includes('profile') ? profile() : { sub: String(ada.id) }),
    ...(expected.includes('email') ? email : {}),
  };
  expect(userinfo).toEqual(claims);
  expect(personIn(idToken)).toEqual(claims);
});

test('email without openid must be registered', async () => {
  const client = await registerThirdParty(auth, { scopes: ['users'] });
  const page = await client.send(browser, { scope: 'users email' });
  expect(page.url.searchParams.get('error')).toBe('invalid_scope');
});

test('updated_at changes with the profile and with nothing else', async () => {
  const grace = await registerPerson(auth.db, 'grace_hopper');
  const where = { id: grace.id };
  const changedAt = async () => (await auth.db.prisma.account.findUniqueOrThrow({ where })).profileUpdatedAt;
  await auth.db.prisma.account.update({ where, data: { postsCount: 1, lastName: 'Hopper', passwordHash: 'x' } });
  const first = await changedAt();
  await auth.db.prisma.account.update({ where, data: { language: 'de' } });
  const second = await changedAt();
  await auth.db.prisma.account.update({ where, data: { followersCount: 7, language: 'de' } });
  expect(second).not.toEqual(first);
  expect(await changedAt()).toEqual(second);
});

/** Sends a request with `claims` to an application that ada has authorized. */
async function ask(claims: unknown, more: Parameters = {}): Promise<Page> {
  const text = typeof claims === 'string' ? claims : JSON.stringify(claims);
  return await asking.send(browser, { scope: 'openid profile users', prompt: 'none', claims: text, ...more });
}

describe('the parameter claims', () => {
  test('yields nothing that the granted scopes do not allow, without another consent page', async () => {
    const names = ['name', 'email', 'email_verified', 'phone_number', 'acr', 'auth_time', '__proto__', 'constructor'];
    const wanted = `{${names.map((name) => `"${name}":{"essential":true}`).join(',')}}`;
    const callback = await ask(`{"id_token":${wanted},"userinfo":${wanted}}`);
    const { idToken, userinfo, scope } = await readTokens(await asking.exchange(callback));
    expect(scope).toBe('openid profile users');
    expect(Object.keys(userinfo).toSorted()).toEqual(Object.keys(profile()).toSorted());
    expect(Object.keys(personIn(idToken)).toSorted()).toEqual(Object.keys(profile()).toSorted());
    expect(idToken['auth_time']).toEqual(expect.any(Number));
  });

  test.each([
    ['no JSON', '{"id_token":'],
    ['no object', '[]'],
    ['null', 'null'],
    ['no target', '{}'],
    ['a target that is no object', { id_token: [] }],
    ['a member that is text', { userinfo: { name: 'yes' } }],
    ['a list', { id_token: { name: [] } }],
    ['essential that is text', { id_token: { name: { essential: 'true' } } }],
    ['values that are no list', { id_token: { acr: { essential: true, values: 'x' } } }],
    ['a subject that is a number', { id_token: { sub: { value: 1 } } }],
    ['subjects that are numbers', { userinfo: { sub: { values: [1] } } }],
  ])('with %s is invalid_request', async (_, claims) => {
    const page = await ask(claims);
    expect([page.isElsewhere, page.url.searchParams.get('error')]).toEqual([true, 'invalid_request']);
  });

  test('with more than 2 KB is refused unread', async () => {
    expect((await ask({ id_token: { name: { value: 'x'.repeat(2100) } } })).status).toBe(400);
  });

  test('needs openid', async () => {
    const page = await ask({ id_token: { name: null } }, { scope: 'users' });
    expect(page.url.searchParams.get('error')).toBe('invalid_request');
  });

  test.each([
    ['value', { essential: true, value: 'urn:example:high' }],
    ['values', { essential: true, values: ['urn:example:high'] }],
  ])('an essential acr with %s cannot be met, and no page asks for it', async (_, acr) => {
    const page = await ask({ id_token: { acr } }, { prompt: undefined });
    expect(page.url.searchParams.get('error')).toBe('unmet_authentication_requirements');
  });

  test('a sign-in that is weaker than an essential acr ends the request, and is not asked for again', async () => {
    const page = await ask({ id_token: { acr: { essential: true, value: 'phr' } } }, { prompt: undefined });
    const callback = await signIn(browser, ada, page);
    expect(callback.url.searchParams.get('error')).toBe('unmet_authentication_requirements');
  });

  test('an essential acr that the session lacks needs a new sign-in; one that it has does not', async () => {
    const callback = await ask({ id_token: { acr: { essential: true, value: contextClasses[0] } } });
    const { idToken } = await readTokens(await asking.exchange(callback));
    expect([idToken['acr'], idToken['amr']]).toEqual([contextClasses[0], ['pwd']]);
    const silent = await ask({ id_token: { acr: { essential: true, values: ['phr'] } } });
    expect(silent.url.searchParams.get('error')).toBe('login_required');
  });

  test.each([
    [['pwd'], contextClasses[0]],
    [['pwd', 'otp', 'mfa'], contextClasses[1]],
    [['hwk', 'mfa'], 'phr'],
    [['swk'], 'phr'],
  ])('the acr of %j is %s', (methods, acr) => {
    expect(contextClassOf(methods)).toBe(acr);
  });

  test('a voluntary acr and an unknown one are ignored', async () => {
    const page = await ask({ id_token: { acr: { values: ['urn:example:high'] }, sid: null, nonsense: {} } });
    expect(page.url.searchParams.get('code')).toEqual(expect.any(String));
  });
});

describe('a subject that the parameter claims requests', () => {
  const requests = (subject: string) => [
    { id_token: { sub: { value: subject } } },
    { id_token: { sub: { values: [subject] } } },
    { userinfo: { sub: { value: subject } } },
    { userinfo: { sub: { essential: true, values: [subject, '7'] } } },
  ];

  test('must be the person who is signed in', async () => {
    for (const claims of requests(String(ada.id))) {
      expect((await ask(claims)).url.searchParams.get('code')).toEqual(expect.any(String));
    }
    for (const claims of requests('12345')) {
      expect((await ask(claims)).url.searchParams.get('error')).toBe('login_required');
    }
  });

  test('has to sign in if another person is signed in', async () => {
    const grace = await registerPerson(auth.db, 'other_subject');
    const own = createBrowser(auth);
    await signIn(own, ada);
    const claims = JSON.stringify({ id_token: { sub: { value: String(grace.id) } } });
    const page = await asking.send(own, { scope: 'openid', claims });
    expect(page.isElsewhere).toBe(false);
    const asked = await own.submit(page, page.formWith('password'), { login: grace.email, password: grace.password });
    const callback = await own.submit(asked, asked.formWith('decision', 'allow'), { decision: 'allow', scope: [] });
    const { idToken } = await readTokens(await asking.exchange(callback));
    expect(idToken.sub).toBe(String(grace.id));
  });
});

test('a pushed request with malformed claims is rejected at once', async () => {
  const { clientId, redirectUri } = await registerThirdParty(auth, { type: 'public' });
  const form = {
    ...{ client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' },
    ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
    claims: JSON.stringify({ id_token: { sub: { value: 7 } } }),
  };
  const sent = await auth.send({
    method: 'POST',
    path: '/oauth/par',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  expect([sent.status, sent.json['error']]).toEqual([400, 'invalid_request']);
});
