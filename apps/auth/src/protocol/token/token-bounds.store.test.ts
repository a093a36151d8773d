// The operator's bounds of token lifetimes: ACCESS_TOKEN_MAX_SECONDS and the others.
import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import type { Connected } from '@linnet/test/auth/connected';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const bounds = { accessToken: 120, refreshToken: 600, refreshTokenTotal: 900, refreshTokenRepeat: 10 };

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let ada: Person;
let browser: Browser;
let app: Connected;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { tokenBounds: bounds }));
  ada = await registerPerson(auth.db, 'ada_lovelace');
  browser = createBrowser(auth);
  await signIn(browser, ada);
});
afterAll(() => cleanup.disposeAsync());

beforeEach(async () => {
  const protocol = { accessTokenLifetime: ['3600'], refreshTokenLifetime: ['31536000'] };
  app = await connect(auth, browser, { owner: ada.username, protocol });
});

function lifetimeOf(token: string): number {
  const { exp = 0, iat = 0 } = decodeJwt(token);
  return exp - iat;
}

const refreshStatement = statement<readonly [clientId: string], { seconds: number }>(
  'test_refresh_lifetime',
  `SELECT EXTRACT(EPOCH FROM expires_at - now())::int AS seconds FROM oauth_artifact
    WHERE kind = 'RefreshToken' AND payload ->> 'clientId' = $1 ORDER BY expires_at DESC`,
);
const longestRefreshToken = async () => (await auth.db.query(refreshStatement, [app.clientId]))[0]?.seconds;

test('an application that has chosen a longer lifetime gets the bound, for every token', async () => {
  expect(lifetimeOf(app.accessToken)).toBe(120);
  const own = await auth.requestToken({ grant_type: 'client_credentials' }, basic(app.clientId, app.clientSecret));
  expect(own.json['expires_in']).toBe(120);
  expect(await longestRefreshToken()).toBeLessThanOrEqual(600);
  const { json } = await app.refresh(app.refreshToken);
  expect(json['expires_in']).toBe(120);
  expect(await longestRefreshToken()).toBeLessThanOrEqual(600);
});

test('a shorter lifetime is kept, and so is the choice of the application', async () => {
  app = await connect(auth, browser, { protocol: { accessTokenLifetime: ['60'], refreshTokenLifetime: ['300'] } });
  expect(lifetimeOf(app.accessToken)).toBe(60);
  expect(await longestRefreshToken()).toBeLessThanOrEqual(300);
});

test('the default is shortened, too', async () => {
  app = await connect(auth, browser);
  expect(lifetimeOf(app.accessToken)).toBe(120);
  expect(await longestRefreshToken()).toBeLessThanOrEqual(600);
});

test('refreshing does not go beyond the total', async () => {
  const earlier = statement<readonly [clientId: string, seconds: number], never>(
    'test_issued_earlier',
    `UPDATE oauth_artifact SET payload = jsonb_set(payload, '{iiat}', to_jsonb((payload ->> 'iiat')::int - $2))
      WHERE kind = 'RefreshToken' AND payload ->> 'clientId' = $1`,
  );
  await auth.db.query(earlier, [app.clientId, 700]);
  expect((await app.refresh(app.refreshToken)).status).toBe(200);
  const successor = statement<readonly [clientId: string], { seconds: number }>(
    'test_successor_lifetime',
    `SELECT EXTRACT(EPOCH FROM expires_at - now())::int AS seconds FROM oauth_artifact
      WHERE kind = 'RefreshToken' AND payload ->> 'clientId' = $1 AND consumed_at IS NULL`,
  );
  const [row] = await auth.db.query(successor, [app.clientId]);
  expect(row?.seconds).toBeGreaterThan(100);
  expect(row?.seconds).toBeLessThanOrEqual(200);
});

test('D183 a refresh is repeated for ten seconds only', async () => {
  app = await connect(auth, browser);
  const { json } = await app.refresh(app.refreshToken);
  const pass = statement<readonly [clientId: string, seconds: number], never>(
    'test_pass',
    `UPDATE oauth_artifact SET consumed_at = consumed_at - make_interval(secs => $2) WHERE payload ->> 'clientId' = $1`,
  );
  await auth.db.query(pass, [app.clientId, 11]);
  for (const ended of [app.refreshToken, String(json['refresh_token'])]) {
    expect((await app.refresh(ended)).json['error']).toBe('invalid_grant');
  }
});

test('the pages of the developer show the bound beside the setting', async () => {
  for (const path of [`/developer/applications/${app.clientId}/settings`, '/developer/applications/new']) {
    const { text } = await browser.open(path);
    expect(text).toContain('at most 120 seconds');
    expect(text).toContain('at most 600 seconds');
  }
  const { text } = await browser.open(`/developer/applications/${app.clientId}/settings`);
  expect(text).toContain('No token lasts longer');
});
