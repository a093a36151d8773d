// Every request gets the same response and leaves the same traces, whether the direct path is on or off.
import type { CreatedApplication } from '@linnet/applications/application/application-change';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { askDirectly, describeTraces, wasDirect } from '@linnet/test/auth/direct-comparison';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
/** The same database, with the direct path and without. */
let direct: RunningAuth;
let complete: RunningAuth;
let applications: Readonly<Record<ApplicationName, CreatedApplication>>;

type ApplicationName = keyof typeof settings;

const settings = {
  plain: {},
  acting: { actAsOwner: true },
  scopeless: { scopes: [] },
  brief: { protocol: { accessTokenLifetime: ['300'] } },
  'without the grant': {
    protocol: { grantTypes: ['authorization_code', 'refresh_token'] },
    redirectUris: ['https://app.example/cb'],
  },
  bound: { protocol: { dpopBoundAccessTokens: ['yes'] } },
  public: { type: 'public', redirectUris: ['https://app.example/cb'] },
} as const;

beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  direct = cleanup.use(await startAuth(database.url, { directPath: true }));
  complete = cleanup.use(await startAuth(database.url, { directPath: false, owner: 'owner_of_complete' }));
  const created = Object.entries(settings).map(async ([name, given]) => [name, await direct.register(given)] as const);
  // The names are those of the table.
  applications = Object.fromEntries(await Promise.all(created)) as typeof applications;
});
afterAll(() => cleanup.disposeAsync());

interface Row {
  readonly as?: ApplicationName;
  /** Added to the form. */
  readonly form?: string;
  /** Credentials in the form instead of the header. */
  readonly inForm?: boolean;
  readonly secret?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
  /** The whole form. */
  readonly body?: string | readonly string[];
}

const formType = 'application/x-www-form-urlencoded';

/** Requests that the direct path answers. */
const ordinary: Readonly<Record<string, Row>> = {
  'credentials in the header': {},
  'credentials in the form': { inForm: true },
  'the client in header and form': { form: '&client_id=$ID' },
  'a media type with a charset': { headers: { 'content-type': `${formType}; charset=utf-8` } },
  'a scope': { form: '&scope=posts' },
  'scopes in another order': { form: '&scope=email+users' },
  'a scope twice': { form: '&scope=posts%20posts%20users' },
  'a scope that another one contains': { form: '&scope=users:read' },
  offline_access: { form: '&scope=offline_access' },
  'offline_access and a scope': { form: '&scope=offline_access+users' },
  'an application that acts as its owner': { as: 'acting' },
  'an application without scopes': { as: 'scopeless' },
  'an application with a lifetime of its own': { as: 'brief' },
  'a client that accepts pages': { headers: { accept: 'text/html' } },
};

/** Requests that it leaves to the provider, whether they succeed or not. */
const unusual: Readonly<Record<string, Row>> = {
  'a wrong secret': { secret: 'wrong' },
  'a wrong secret in the form': { secret: 'wrong', inForm: true },
  'an empty secret': { secret: '' },
  'a secret that is not valid text': { secret: '%00' },
  'a scope that is not registered': { form: '&scope=followers' },
  'a scope that does not exist': { form: '&scope=nothing' },
  'openid and a scope that does not exist': { form: '&scope=openid+nothing' },
  'a scope with two spaces': { form: '&scope=users++posts' },
  'an empty scope': { form: '&scope=' },
  'two scopes': { form: '&scope=users&scope=posts' },
  'an unknown parameter': { form: '&unknown=1' },
  'a resource': { form: '&resource=https%3A%2F%2Flinnet.example%2Fapi%2Fv2.0' },
  'another resource': { form: '&resource=https%3A%2F%2Fother.example' },
  'another client in the form': { form: '&client_id=app_other' },
  'two methods': { form: '&client_secret=$SECRET' },
  'another grant type': { body: 'grant_type=password' },
  'no grant type': { body: 'scope=users' },
  'two grant types': { form: '&grant_type=refresh_token' },
  'an origin': { headers: { origin: 'https://app.example' } },
  'its own origin': { headers: { origin: 'https://linnet.example' } },
  'a DPoP proof that is no JWT': { headers: { dpop: 'proof' } },
  'a client attestation': { headers: { 'oauth-client-attestation': 'x' } },
  'another media type': { headers: { 'content-type': 'application/json' } },
  'another charset': { headers: { 'content-type': `${formType}; charset=iso-8859-1` } },
  'a scheme in lower case': { headers: { authorization: 'basic $PAIR' } },
  'another scheme': { headers: { authorization: 'Bearer $PAIR' } },
  'Base64 that is cut off': { headers: { authorization: 'Basic $PAI' } },
  'a query': { path: '/oauth/token?a=1' },
  'credentials in the query': { path: '/oauth/token?client_id=app_x' },
  'a path in upper case': { path: '/oauth/TOKEN' },
  'another host': { headers: { host: 'other.example' } },
  'a proxy that is not trusted': { headers: { 'x-forwarded-for': '192.0.2.1' } },
  'a chunked body': { body: ['grant_type=', 'client_credentials'] },
  'no body': { body: '' },
  'a long body': { form: `&scope=${'users+'.repeat(500)}users` },
  'an application without the grant type': { as: 'without the grant' },
  'an application whose tokens are bound': { as: 'bound' },
  'a public application': { as: 'public' },
  'a public application with a secret': { as: 'public', secret: 'any' },
};

const toPair = (id: string, secret: string) => Buffer.from(`${id}:${secret}`).toString('base64');

async function ask(server: RunningAuth, row: Row): Promise<Answer> {
  const { clientId, clientSecret = '' } = applications[row.as ?? 'plain'];
  const { inForm = false, secret = clientSecret } = row;
  const fill = (text: string) =>
    text.replace('$ID', clientId).replace('$SECRET', secret).replace('$PAIR', toPair(clientId, secret));
  const inBody = inForm ? '&client_id=$ID&client_secret=$SECRET' : '';
  const headers = Object.entries({ ...(inForm ? {} : { authorization: 'Basic $PAIR' }), ...row.headers });
  return await server.send({
    method: 'POST',
    path: row.path ?? '/oauth/token',
    headers: { 'content-type': formType, ...Object.fromEntries(headers.map(([name, value]) => [name, fill(value)])) },
    body: row.body ?? fill(`grant_type=client_credentials${inBody}${row.form ?? ''}`),
  });
}

/** Verifies the token; its id and times differ between two tokens. */
async function describeToken(server: RunningAuth, token: string): Promise<object> {
  const { json } = await server.send({ path: '/oauth/jwks' });
  const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet({ keys: [...json.keys] }));
  const { jti, iat = 0, exp = 0, ...claims } = payload;
  expect(jti).toMatch(/^[\w-]{43}$/);
  expect(Math.abs(iat - Date.now() / 1000)).toBeLessThan(60);
  const names = [Object.keys(payload), Object.keys(protectedHeader)];
  return { names, protectedHeader, claims, seconds: exp - iat };
}

async function describeAnswer(server: RunningAuth, answer: Answer): Promise<object> {
  const { access_token: token } = answer.json;
  if (typeof token !== 'string') return await describeTraces(server, answer);
  return { ...(await describeTraces(server, answer, token)), token: await describeToken(server, token) };
}

describe('an ordinary request is answered directly, as the provider would', () => {
  test.each(Object.entries(ordinary))('%s', async (_case, row) => {
    const answer = await askDirectly(direct, () => ask(direct, row));
    const expected = await ask(complete, row);
    expect(expected.status).toBe(200);
    expect(await describeAnswer(direct, answer)).toEqual(await describeAnswer(complete, expected));
  });
});

describe('any other request is left to the provider', () => {
  test.each(Object.entries(unusual))('%s', async (_case, row) => {
    // Now the application is cached.
    await ask(direct, { as: row.as ?? 'plain' });
    const answer = await ask(direct, row);
    expect(wasDirect(direct, answer)).toBe(false);
    const expected = await ask(complete, row);
    expect(await describeAnswer(direct, answer)).toEqual(await describeAnswer(complete, expected));
  });
});

test('uses of secrets and issued tokens are counted', async () => {
  const { clientId, clientSecret } = await direct.register();
  const credentials = basic(clientId, clientSecret);
  const sent = 12;
  const answers: Answer[] = [];
  for (let index = 0; index < sent; index += 1) {
    answers.push(await direct.requestToken({ grant_type: 'client_credentials' }, credentials));
  }
  expect(answers.some((answer) => wasDirect(direct, answer))).toBe(true);
  await direct.runJob('usage');
  const { prisma } = direct.db;
  expect(await prisma.applicationSecret.findMany({ where: { clientId }, select: { uses: true } })).toEqual([
    { uses: BigInt(sent) },
  ]);
  const usage = await prisma.applicationUsage.findMany({ where: { clientId }, select: { tokens: true } });
  expect(usage.reduce((sum, { tokens }) => sum + Number(tokens), 0)).toBe(sent);
});

test('every id of a token is another one', async () => {
  const ids = new Set<unknown>();
  for (let index = 0; index < 300; index += 1) {
    const { json } = await ask(direct, {});
    ids.add(JSON.parse(Buffer.from(String(json.access_token.split('.')[1]), 'base64url').toString()).jti);
  }
  expect(ids.size).toBe(300);
});

describe.each([true, false])('rate limits, with the direct path: %s', (directPath) => {
  /** One process then allows an application 5 requests, and an address 1. */
  const workers = 12_000;
  const start = async () =>
    await startAuth(database.url, { directPath, workers, owner: `owner_${crypto.randomUUID().slice(0, 8)}` });

  test('count a request once, and concurrent requests exactly', async () => {
    await using server = await start();
    const { clientId, clientSecret } = await server.register();
    const request = async () =>
      await server.requestToken({ grant_type: 'client_credentials' }, basic(clientId, clientSecret));
    const first = [await request(), await request()];
    expect(first.map(({ headers }) => String(headers['ratelimit']).replace(/;t=\d+/, ''))).toEqual([
      '"oauth-application";r=4',
      '"oauth-application";r=3',
    ]);
    const more = await Promise.all(Array.from({ length: 20 }, request));
    expect(more.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(more.filter(({ status }) => status === 429)).toHaveLength(17);
  });

  test('a request of an application does not count for its address, but a blocked address stays blocked', async () => {
    await using server = await start();
    const { clientId, clientSecret } = await server.register();
    const request = async (credentials = basic(clientId, clientSecret)) =>
      (await server.requestToken({ grant_type: 'client_credentials' }, credentials)).status;
    expect([await request(), await request(), await request()]).toEqual([200, 200, 200]);
    expect([await request({ authorization: 'x' }), await request({ authorization: 'x' })]).toEqual([400, 429]);
    expect(await request()).toBe(429);
  });
});
