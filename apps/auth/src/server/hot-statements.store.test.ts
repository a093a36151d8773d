import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import type { Connected } from '@linnet/test/auth/connected';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

/**
 * How many statements the hot endpoints of the authorization server send, once the process knows the application and its
 * keys. Those of the API have the same test, apps/api/src/endpoints/statements.store.test.ts.
 */

let database: TestDatabase;
let auth: RunningAuth;
let browser: Browser;
let app: Connected;
let openId: Connected;
let bot: { readonly clientId: string; readonly clientSecret: string; readonly token: string };
/** The latest of the family. */
let refreshToken: string;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  auth = await startAuth(database.url, { rateLimits: false });
  const person = await registerPerson(auth.db, 'signed_in');
  browser = createBrowser(auth);
  await signIn(browser, person);
  app = await connect(auth, browser);
  openId = await connect(auth, browser, { scopes: ['openid', 'users'] });
  refreshToken = app.refreshToken;
  const { clientId, clientSecret = '' } = await auth.register({ owner: person.username, actAsOwner: true });
  bot = { clientId, clientSecret, token: (await requestToken(clientId, clientSecret)).json.access_token };
});
afterAll(async () => {
  await auth[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function requestToken(clientId: string, clientSecret: string) {
  return await auth.requestToken({ grant_type: 'client_credentials' }, basic(clientId, clientSecret));
}

async function introspect(token: string) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...basic(bot.clientId, bot.clientSecret) };
  const body = new URLSearchParams({ token }).toString();
  return await auth.send({ method: 'POST', path: '/oauth/introspect', headers, body });
}

async function sendSignedIn(path: string) {
  return await auth.send({ path, headers: { cookie: browser.cookies.headerFor(path) ?? '', accept: 'text/html' } });
}

/** What runs before the statements are counted, and the request. It returns the status. */
type Case = () => Promise<() => Promise<number>>;

const simple =
  (send: () => Promise<{ readonly status: number }>): Case =>
  () =>
    Promise.resolve(async () => (await send()).status);

/** A row for each endpoint that `pnpm bench` measures: the statements of a request, and the request. */
const cases: Readonly<Record<string, readonly [statements: number, status: number, request: Case]>> = {
  'POST /oauth/token, client credentials': [0, 200, simple(() => requestToken(bot.clientId, bot.clientSecret))],
  'POST /oauth/introspect': [0, 200, simple(() => introspect(bot.token))],
  'GET /oauth/jwks': [0, 200, simple(() => auth.send({ path: '/oauth/jwks' }))],
  'GET /.well-known/openid-configuration': [
    0,
    200,
    simple(() => auth.send({ path: '/.well-known/openid-configuration' })),
  ],
  'GET /oauth/authorize, signed in and granted': [6, 302, simple(() => sendSignedIn(app.authorizationAddress()))],
  'POST /oauth/token, code': [
    5,
    200,
    async () => {
      const callback = await app.authorize(browser);
      return async () => (await app.exchange(callback)).status;
    },
  ],
  'POST /oauth/token, refresh': [
    5,
    200,
    simple(async () => {
      const response = await app.refresh(refreshToken);
      refreshToken = String(response.json['refresh_token']);
      return response;
    }),
  ],
  'GET /interaction/…, consent page': [
    5,
    200,
    async () => {
      const page = await app.send(browser, { prompt: 'consent' });
      return async () => (await sendSignedIn(page.url.pathname)).status;
    },
  ],
  'GET /oauth/userinfo': [
    1,
    200,
    simple(() => auth.send({ path: '/oauth/userinfo', headers: { authorization: `Bearer ${openId.accessToken}` } })),
  ],
};

/** Other work of the process may send a statement at the same time, so the least of several requests counts. */
const repetitions = 4;

test.each(Object.entries(cases))('%s', async (_name, [statements, status, prepare]) => {
  const counts: (readonly string[])[] = [];
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const send = await prepare();
    auth.statements.length = 0;
    expect(await send()).toBe(status);
    counts.push([...auth.statements]);
  }
  const [least = []] = counts.toSorted((one, other) => one.length - other.length);
  expect([least.length, least]).toEqual([statements, least]);
});
