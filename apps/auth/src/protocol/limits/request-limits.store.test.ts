// AP10: the OAuth endpoints limit requests by address and by application.
import { oauthLimits } from '@linnet/contract/limits';
import type { OauthLimitName } from '@linnet/contract/limits';
import type { CreatedApplication } from '@linnet/applications/application/application-change';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth, SentRequest } from '@linnet/test/auth/running-auth';
import { ownRoutes, protocolRoutes } from '../request/routes.ts';

/** With this many processes, one of them allows few requests. */
const workers = 200;
const share = (name: OauthLimitName) => Math.ceil(oauthLimits[name].quota / workers);

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let auth: RunningAuth;
let backend: CreatedApplication;
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { trustProxy: 1, workers }));
});
afterAll(() => cleanup.disposeAsync());

let addresses = 0;
/** An address that no other test uses. */
let from: { readonly 'x-forwarded-for': string };
beforeEach(async () => {
  addresses += 1;
  from = { 'x-forwarded-for': `192.0.2.${String(addresses)}` };
  backend = await auth.register();
});

type Headers = Readonly<Record<string, string>>;
type Form = Readonly<Record<string, string>>;

async function post(path: string, form: Form, headers: Headers = from, server = auth): Promise<Answer> {
  return await server.send({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  });
}

const credentials = ({ clientId, clientSecret }: CreatedApplication) => basic(clientId, clientSecret);
const tokenForm = { grant_type: 'client_credentials' };
const requestToken = async (headers: Headers, server = auth) => await post('/oauth/token', tokenForm, headers, server);

async function repeat(count: number, send: () => Promise<Answer>): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let index = 0; index < count; index += 1) answers.push(await send());
  return answers;
}

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);

/** Requests that a stranger can send to every endpoint, with the status that they get. */
const strangers: Readonly<Record<string, SentRequest>> = {
  '/oauth/authorize': { path: '/oauth/authorize?client_id=app_unknown' },
  '/oauth/authorize/{uid}': { path: '/oauth/authorize/abc' },
  '/oauth/token': { method: 'POST', path: '/oauth/token' },
  '/oauth/par': { method: 'POST', path: '/oauth/par' },
  '/oauth/device_authorization': { method: 'POST', path: '/oauth/device_authorization' },
  '/oauth/revoke': { method: 'POST', path: '/oauth/revoke' },
  '/oauth/introspect': { method: 'POST', path: '/oauth/introspect' },
  '/oauth/userinfo': { path: '/oauth/userinfo' },
  '/oauth/logout': { path: '/oauth/logout' },
  '/oauth/register': { path: '/oauth/register' },
};

const limited = [...protocolRoutes].filter(([, { limitedAs }]) => limitedAs !== 'document').map(([path]) => path);

test('every endpoint has a row below', () => {
  const rows = Object.keys(strangers).filter((path) => path !== '/oauth/authorize/{uid}');
  expect(rows.toSorted()).toEqual([...limited, ...ownRoutes.keys()].toSorted());
});

describe.each(Object.entries(strangers))('requests of a stranger to %s', (path, request) => {
  const send = async (server = auth, headers: Headers = from) =>
    await server.send({ ...request, headers: { ...headers, ...request.headers } });

  test('D53 are limited by address, with headers and 429', async () => {
    const quota = share('oauth-address');
    const allowed = await repeat(quota, send);
    expect(statusesOf(allowed)).not.toContain(429);
    expect(allowed[0]?.headers).toMatchObject({
      'ratelimit-policy': expect.stringContaining(`"oauth-address";q=${String(quota)};w=60`),
      ratelimit: expect.stringContaining(`"oauth-address";r=${String(quota - 1)};t=60`),
    });
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['cache-control']).toBe('no-store');
    const isPage = path.startsWith('/oauth/authorize') || path.startsWith('/oauth/logout');
    expect(refused.text).toContain(isPage ? 'Too many attempts' : '"error":"temporarily_unavailable"');
    expect((await send(auth, { 'x-forwarded-for': `198.51.100.${String(addresses)}` })).status).not.toBe(429);
  });

  test('are not limited with RATE_LIMITS=off', async () => {
    const settings = { rateLimits: false, workers: 100_000, owner: `owner_free_${String(addresses)}` };
    await using free = await startAuth(database.url, settings);
    for (const { status, headers } of await repeat(40, async () => await send(free))) {
      expect(status).not.toBe(429);
      expect(headers).not.toHaveProperty('ratelimit');
    }
  });
});

test.each([...protocolRoutes].filter(([, { limitedAs }]) => limitedAs === 'document').map(([path]) => path))(
  'the document %s is served without limit',
  async (path) => {
    const answers = await repeat(share('oauth-address') + 5, async () => await auth.send({ path, headers: from }));
    expect(new Set(statusesOf(answers))).toEqual(new Set([200]));
  },
);

test('an IPv6 subscriber cannot choose another address in the same /64', async () => {
  const send = async (index: number) =>
    await post('/oauth/token', {}, { 'x-forwarded-for': `2001:db8::${String(index)}` });
  for (let index = 1; index <= share('oauth-address'); index += 1) await send(index);
  expect((await send(9999)).status).toBe(429);
});

test('an address can register as many clients in an hour as the operator allows', async () => {
  await using server = await startAuth(database.url, {
    ...{ trustProxy: 1, registrationsPerHour: 3, owner: 'owner_of_registrations' },
  });
  const body = JSON.stringify({ redirect_uris: ['https://app.example/cb'] });
  const headers = { 'content-type': 'application/json', ...from };
  const answers = await repeat(
    4,
    async () => await server.send({ method: 'POST', path: '/oauth/register', headers, body }),
  );
  expect(statusesOf(answers)).toEqual([201, 201, 201, 429]);
  expect(answers[3]?.headers['ratelimit-policy']).toContain('"oauth-register-address";q=3;w=3600');
});

test('concurrent requests are all counted', async () => {
  const quota = share('oauth-address');
  const answers = await Promise.all(Array.from({ length: quota + 20 }, async () => await post('/oauth/token', {})));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
});

test('a browser application can read that it has to wait', async () => {
  const headers = { ...from, origin: 'https://app.example.com' };
  await repeat(share('oauth-address'), async () => await post('/oauth/token', {}, headers));
  const { status, headers: received } = await post('/oauth/token', {}, headers);
  expect([status, received['access-control-allow-origin']]).toEqual([429, '*']);
  expect(received['access-control-expose-headers']).toContain('Retry-After');
});

describe('an application that authenticates', () => {
  test('has a quota of its own, whatever its address has used', async () => {
    const quota = share('oauth-application');
    const headers = { ...from, ...credentials(backend) };
    const answers = await repeat(share('oauth-address') + 20, async () => await requestToken(headers));
    expect(new Set(statusesOf(answers))).toEqual(new Set([200]));
    expect(answers[0]?.headers['ratelimit-policy']).toBe(`"oauth-application";q=${String(quota)};w=60`);
    expect(answers[0]?.headers['ratelimit']).toBe(`"oauth-application";r=${String(quota - 1)};t=60`);
  });

  test('gets 429 above its quota, from every address; other applications do not', async () => {
    const headers = { ...from, ...credentials(backend) };
    await repeat(share('oauth-application'), async () => await requestToken(headers));
    const refused = await requestToken({ ...headers, 'x-forwarded-for': '203.0.113.77' });
    expect(refused).toMatchObject({ status: 429, json: { error: 'temporarily_unavailable' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const other = await auth.register();
    expect((await requestToken({ ...from, ...credentials(other) })).status).toBe(200);
  });

  test('costs no statement for being counted', async () => {
    const headers = { ...from, ...credentials(backend) };
    await requestToken(headers);
    auth.statements.length = 0;
    await requestToken(headers);
    expect(auth.statements.filter((sql) => sql.includes('rate_limit'))).toEqual([]);
  });
});

describe('wrong secrets', () => {
  const failures = oauthLimits['oauth-failures'].quota;
  const wrong = () => ({ ...from, ...basic(backend.clientId, 'wrong') });

  test('300 wrong secrets: 30 × 401, then 429, counted over all processes', async () => {
    await using one = await startAuth(database.url, { trustProxy: 1, owner: 'owner_of_one' });
    await using two = await startAuth(database.url, { trustProxy: 1, owner: 'owner_of_two' });
    const answers = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => await requestToken(wrong(), index % 2 === 0 ? one : two)),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(failures);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(300 - failures);
    const refused = await requestToken(wrong(), one);
    expect(refused).toMatchObject({ status: 429, json: { error: 'temporarily_unavailable' } });
    expect(refused.headers['ratelimit-policy']).toContain(`"oauth-failures";q=${String(failures)};w=60`);
    expect(refused.headers).not.toHaveProperty('www-authenticate');
    one.statements.length = 0;
    await requestToken(wrong(), one);
    expect(one.statements.filter((sql) => sql.includes('rate_limit'))).toEqual([]);
  });

  test('never lock the application out, not even at the same address', async () => {
    await using server = await startAuth(database.url, { trustProxy: 1, owner: 'owner_of_locked' });
    await repeat(failures + 5, async () => await requestToken(wrong(), server));
    for (const address of [from['x-forwarded-for'], '203.0.113.1']) {
      const headers = { 'x-forwarded-for': address, ...credentials(backend) };
      expect((await requestToken(headers, server)).status).toBe(200);
    }
  });
});

test('userinfo counts for the application and its user, not for the address', async () => {
  await using server = await startAuth(database.url, { workers, trustProxy: 0, owner: 'owner_of_userinfo' });
  const browser = createBrowser(server);
  await signIn(browser, await registerPerson(server.db, 'limited_reader'));
  const app = await connect(server, browser);
  const read = async () =>
    await server.send({ path: '/oauth/userinfo', headers: { authorization: `Bearer ${app.accessToken}` } });
  const first = await read();
  expect(first.headers['ratelimit-policy']).toBe(`"oauth-user";q=${String(share('oauth-user'))};w=60`);
  await repeat(share('oauth-user') - 1, read);
  expect((await read()).status).toBe(429);
});
