import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { paths } from './request/routes.ts';

/** HT5: which responses pages of other origins may read. */
const redirectUri = 'https://app.example/callback';
const origin = 'https://app.example';
const elsewhere = 'https://elsewhere.example';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
});
afterAll(() => cleanup.disposeAsync());

test.each([
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/oauth/jwks',
  '/oauth/userinfo',
])('every origin can read %s, without credentials of the browser', async (path) => {
  const { headers } = await auth.send({ path, headers: { origin } });
  expect(['*', origin]).toContain(headers['access-control-allow-origin']);
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
});

test.each(['/oauth/authorize', '/oauth/logout', '/login', '/register', '/developer', '/account'])(
  'no other origin can read %s or send a preflight for it',
  async (path) => {
    const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
    const answers = [
      await auth.send({ path, headers: { origin } }),
      await auth.send({ method: 'POST', path, headers: { origin } }),
      await auth.send({ method: 'OPTIONS', path, headers: asked }),
    ];
    for (const { headers } of answers) {
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  },
);

/** Every path of the provider, and the methods that reach it. */
const nullRequests = Object.values({ ...paths, userinfo: '/oauth/userinfo', unknown: '/oauth/nothing' }).flatMap(
  (path) => ['GET', 'POST', 'OPTIONS'].map((method) => [method, path] as const),
);

test.each(nullRequests)('%s %s does not allow the origin null, which sandboxed frames send', async (method, path) => {
  const { headers } = await auth.send({
    method,
    path,
    headers: { origin: 'null', ...(method === 'OPTIONS' && { 'access-control-request-method': 'POST' }) },
  });
  expect(['*', undefined]).toContain(headers['access-control-allow-origin']);
});

describe('/oauth/token', () => {
  const exchange = { grant_type: 'authorization_code', code: 'unknown', redirect_uri: redirectUri };

  async function ask(
    from: string,
    form: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ) {
    const answer = await auth.requestToken(form, { ...headers, origin: from });
    return [answer.json['error'], answer.headers['access-control-allow-origin']];
  }

  test('allows a public application the origins of its redirect URIs only', async () => {
    const { clientId } = await auth.register({ type: 'public', redirectUris: [redirectUri] });
    const form = { ...exchange, client_id: clientId, code_verifier: 'v'.repeat(43) };
    expect(await ask(origin, form)).toEqual(['invalid_grant', origin]);
    expect(await ask(elsewhere, form)).toEqual(['invalid_request', undefined]);
    expect(await ask('null', form)).toEqual(['invalid_request', undefined]);
  });

  test('allows no origin to use the credentials of a confidential application', async () => {
    const { clientId, clientSecret } = await auth.register({ redirectUris: [redirectUri] });
    const credentials = basic(clientId, clientSecret);
    expect(await ask(origin, { grant_type: 'client_credentials' }, credentials)).toEqual([
      'invalid_request',
      undefined,
    ]);
    expect(await ask(elsewhere, exchange, credentials)).toEqual(['invalid_request', undefined]);
  });
});
