import { createTestDatabase } from '@linnet/db/test-database';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { loadKeyRing } from '@linnet/keys/key-ring';
import { basic, baseUrl, secretKeys, startAuth } from '../../testing/running-auth.ts';
import type { Answer, RunningAuth } from '../../testing/running-auth.ts';

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

/** The token of an application that registered `scopes`, asked for with `scope`. */
async function requestScope(scopes: readonly string[], scope?: string): Promise<Answer> {
  const { clientId, clientSecret } = await auth.register({ scopes });
  return await auth.requestToken(scope === undefined ? form : { ...form, scope }, basic(clientId, clientSecret));
}

/** Verified as the API does: with the published keys. */
async function verify(accessToken: string) {
  const { json } = await auth.send({ path: '/oauth/jwks' });
  return await jwtVerify(accessToken, createLocalJWKSet({ keys: [...json.keys] }), {
    issuer: baseUrl,
    audience: `${baseUrl}/api/v2.0`,
    typ: 'at+jwt',
    algorithms: ['ES256'],
  });
}

test('TK14: the answer has the members of the specification and no others', async () => {
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

test('TK5: the answer is not stored by anybody', async () => {
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
  expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: current.kid });
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

test('a revoked grant does not act', async () => {
  const { clientId, clientSecret } = await auth.register({ actAsOwner: true });
  await auth.db.prisma.grant.updateMany({ where: { clientId }, data: { revokedAt: new Date() } });
  const { json } = await auth.requestToken(form, basic(clientId, clientSecret));
  const { payload } = await verify(json.access_token);
  expect(payload).not.toHaveProperty('acct');
  expect(payload).not.toHaveProperty('gid');
});

describe('scopes', () => {
  test('D44: without a scope, what is registered is granted, in its order', async () => {
    expect((await requestScope(['email', 'posts:read', 'users'])).json.scope).toBe('email posts:read users');
  });

  test('openid is never part of the answer', async () => {
    expect((await requestScope(['openid', 'users'])).json.scope).toBe('users');
    const asked = await requestScope(['openid', 'users'], 'openid users');
    expect(asked.json).toMatchObject({ error: 'invalid_scope' });
  });

  test('what is asked is granted, in the order asked and each once', async () => {
    const { json } = await requestScope(['users', 'posts', 'email'], 'email users email');
    expect(json.scope).toBe('email users');
    expect((await verify(json.access_token)).payload['scope']).toBe('email users');
  });

  test('D19: the narrower scope that a registered one implies may be asked for, and is all that is granted', async () => {
    expect((await requestScope(['users', 'posts'], 'posts:read')).json.scope).toBe('posts:read');
    expect((await requestScope(['users:read'], 'users')).json).toMatchObject({ error: 'invalid_scope' });
  });

  test.each([
    ['an unknown scope', 'zzz'],
    ['a scope that is not registered', 'email'],
    ['one bad scope among good ones', 'users zzz'],
    ['a narrower scope of one that is not registered', 'email:read'],
    ['another case', 'Users'],
    ['two blanks', 'users  posts'],
    ['a character that scopes cannot have', 'users"'],
  ])('TK13: %s is refused with invalid_scope', async (_name, scope) => {
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

  test('RFC 8707: the API may be named as the resource; another resource is refused', async () => {
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

describe('what a token request asks the database', () => {
  test('one statement when the application is new to the process, none when it is known', async () => {
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

  test('what cannot be a client id asks nothing', async () => {
    await auth.requestToken(form, basic('1', 'x'));
    expect(auth.statements).toEqual([]);
  });
});
