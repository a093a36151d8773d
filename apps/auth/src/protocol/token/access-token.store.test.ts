import { createTestDatabase } from '@linnet/test/db/test-database';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { loadKeyRing } from '@linnet/keys/key-ring';
import { basic, baseUrl, secretKeys, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';

const form = { grant_type: 'client_credentials' };

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
});
afterAll(() => cleanup.disposeAsync());
beforeEach(() => {
  auth.statements.length = 0;
});

/** Requests a token with `scope` for a new application that registered `scopes`. */
async function requestScope(scopes: readonly string[], scope?: string): Promise<Answer> {
  const { clientId, clientSecret } = await auth.register({ scopes });
  return await auth.requestToken(scope === undefined ? form : { ...form, scope }, basic(clientId, clientSecret));
}

/** Verifies a token as the API does, with the published keys. */
async function verify(accessToken: string) {
  const { json } = await auth.send({ path: '/oauth/jwks' });
  return await jwtVerify(accessToken, createLocalJWKSet({ keys: [...json.keys] }), {
    issuer: baseUrl,
    audience: `${baseUrl}/api/v2.0`,
    typ: 'at+jwt',
    algorithms: ['ES256'],
  });
}

test('D18 TK14: the response has exactly the members of the specification', async () => {
  const { clientId, clientSecret } = await auth.register();
  const answer = await auth.requestToken(form, {
    ...basic(clientId, clientSecret),
    accept: 'application/json',
    'accept-language': 'de',
  });
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'users posts email',
    app_id: clientId,
  });
});

test('TK5: the response must not be cached', async () => {
  const { headers } = await requestScope(['users']);
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    pragma: 'no-cache',
    'content-type': 'application/json; charset=utf-8',
  });
});

test('the access token is a JWT for the API (RFC 9068), signed by the current key', async () => {
  const { clientId, clientSecret } = await auth.register();
  const { json } = await auth.requestToken(form, basic(clientId, clientSecret));
  const { payload, protectedHeader } = await verify(json.access_token);
  const { current } = await loadKeyRing(auth.db, secretKeys);
  expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: current.ES256.kid });
  expect(payload).toEqual({
    iss: baseUrl,
    sub: clientId,
    aud: `${baseUrl}/api/v2.0`,
    client_id: clientId,
    ce: 0,
    scope: 'users posts email',
    jti: expect.any(String),
    iat: expect.any(Number),
    exp: (payload.iat ?? 0) + 3600,
  });
});

test('D45, CA8: a token that acts as the owner names the grant and the account; its subject stays the application', async () => {
  const { clientId, clientSecret } = await auth.register({ actAsOwner: true });
  const { json } = await auth.requestToken(form, basic(clientId, clientSecret));
  const { payload } = await verify(json.access_token);
  const grant = await auth.db.prisma.grant.findFirstOrThrow({ where: { clientId } });
  expect(payload).toMatchObject({ sub: clientId, acct: auth.ownerId, gid: grant.id, ge: 0, ae: 0, ce: 0 });
});

test('a token under a revoked grant names neither grant nor account', async () => {
  const { clientId, clientSecret } = await auth.register({ actAsOwner: true });
  await auth.db.prisma.grant.updateMany({ where: { clientId }, data: { revokedAt: new Date() } });
  const { json } = await auth.requestToken(form, basic(clientId, clientSecret));
  const { payload } = await verify(json.access_token);
  expect(payload).not.toHaveProperty('acct');
  expect(payload).not.toHaveProperty('gid');
});

describe('scopes', () => {
  test('D44: a request without scope gets the registered scopes in their order', async () => {
    expect((await requestScope(['email', 'posts:read', 'users'])).json.scope).toBe('email posts:read users');
  });

  test('openid is never granted to client credentials', async () => {
    expect((await requestScope(['openid', 'users'])).json.scope).toBe('users');
    const asked = await requestScope(['openid', 'users'], 'openid users');
    expect(asked.json).toMatchObject({ error: 'invalid_scope' });
  });

  test('the requested scopes are granted in the requested order, each once', async () => {
    const { json } = await requestScope(['users', 'posts', 'email'], 'email users email');
    expect(json.scope).toBe('email users');
    expect((await verify(json.access_token)).payload['scope']).toBe('email users');
  });

  test('D19: an application can request the narrower form of a registered scope, and gets only that', async () => {
    expect((await requestScope(['users', 'posts'], 'posts:read')).json.scope).toBe('posts:read');
    expect((await requestScope(['users:read'], 'users')).json).toMatchObject({ error: 'invalid_scope' });
  });

  test.each([
    ['an unknown scope', 'zzz'],
    ['a scope that is not registered', 'email'],
    ['one invalid scope among valid ones', 'users zzz'],
    ['a narrower scope of one that is not registered', 'email:read'],
    ['another case', 'Users'],
    ['a character that scopes cannot have', 'users"'],
  ])('TK13: %s is rejected with invalid_scope', async (_name, scope) => {
    const answer = await requestScope(['users', 'posts'], scope);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: 'invalid_scope' });
  });

  test('an application without any scope gets a token without scope', async () => {
    for (const scopes of [[], ['openid']]) {
      const { json } = await requestScope(scopes);
      expect(json).not.toHaveProperty('scope');
      expect((await verify(json.access_token)).payload).not.toHaveProperty('scope');
    }
    expect((await requestScope([], 'users')).json).toMatchObject({ error: 'invalid_scope' });
  });

  test('RFC 8707: accepts the API as the resource and rejects any other', async () => {
    const { clientId, clientSecret } = await auth.register({ scopes: ['users'] });
    const ask = (resource: string) => auth.requestToken({ ...form, resource }, basic(clientId, clientSecret));
    expect((await ask(`${baseUrl}/api/v2.0`)).json.scope).toBe('users');
    expect((await ask('https://elsewhere.example')).json).toMatchObject({ error: 'invalid_target' });
  });

  test('naming the resource does not widen the scope', async () => {
    const { clientId, clientSecret } = await auth.register({ scopes: ['users'] });
    const wide = { ...form, resource: `${baseUrl}/api/v2.0`, scope: 'users posts' };
    expect((await auth.requestToken(wide, basic(clientId, clientSecret))).json).toMatchObject({
      error: 'invalid_scope',
    });
  });
});

describe('the statements of a token request', () => {
  test('are one for an application that is not cached, and none for a cached one', async () => {
    const { clientId, clientSecret } = await auth.register({
      actAsOwner: true,
      redirectUris: ['https://client.example/cb'],
    });
    auth.statements.length = 0;
    expect((await auth.requestToken(form, basic(clientId, clientSecret))).status).toBe(200);
    expect(auth.statements).toHaveLength(1);
    auth.statements.length = 0;
    expect((await auth.requestToken(form, basic(clientId, clientSecret))).status).toBe(200);
    expect(auth.statements).toEqual([]);
  });

  test('are none for a malformed client id', async () => {
    await auth.requestToken(form, basic('1', 'x'));
    expect(auth.statements).toEqual([]);
  });
});
