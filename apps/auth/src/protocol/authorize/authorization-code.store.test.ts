import { createHash, randomBytes } from 'node:crypto';

import { createTestDatabase } from '@linnet/test/db/test-database';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import type { CreatedApplication } from '@linnet/applications/application/application-change';
import { createBrowser } from '@linnet/test/auth/browser';
import { callbackParameters, createCodeFlow } from '@linnet/test/auth/code-flow';
import type { CodeFlow } from '@linnet/test/auth/code-flow';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';

/** The exchange of authorization codes, by rows of the checklist. */
const redirectUri = 'https://app.example.com/callback?keep=1';
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let ada: Person;
let confidential: CreatedApplication;
let publicClient: CreatedApplication;
let flow: CodeFlow;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  ada = await registerPerson(auth.db, 'ada_lovelace');
  confidential = await auth.register({ redirectUris: [redirectUri] });
  publicClient = await auth.register({ type: 'public', redirectUris: [redirectUri] });
  const browser = createBrowser(auth);
  await signIn(browser, ada);
  flow = createCodeFlow({ auth, browser, application: confidential, redirectUri });
});
afterAll(() => cleanup.disposeAsync());

describe('TK an authorization code', () => {
  test('TK6 is valid only for its application and redirect URI', async () => {
    const other = await auth.register({ redirectUris: [redirectUri] });
    const { code } = callbackParameters(await flow.authorize());
    expect((await flow.exchange(code, {}, other)).json['error']).toBe('invalid_grant');
    expect((await flow.exchange(code, { redirect_uri: 'https://app.example.com/callback' })).json['error']).toBe(
      'invalid_grant',
    );
    expect((await flow.exchange(code)).status).toBe(200);
  });

  test('TK8 works once; another use also revokes the refresh tokens', async () => {
    const { code } = callbackParameters(await flow.authorize());
    const refresh = async ({ json }: Answer) =>
      await auth.requestToken(
        { grant_type: 'refresh_token', refresh_token: String(json['refresh_token']) },
        basic(confidential.clientId, confidential.clientSecret),
      );
    const second = await refresh(await flow.exchange(code));
    expect((await flow.exchange(code)).json['error']).toBe('invalid_grant');
    expect((await refresh(second)).json['error']).toBe('invalid_grant');
  });

  test('TK11 has at least 160 bits and expires after 60 seconds', async () => {
    const { code = '' } = callbackParameters(await flow.authorize());
    expect(code).toMatch(/^[\w-]{43}$/);
    const idSha256 = createHash('sha256').update(code).digest();
    const where = { kind_idSha256: { kind: 'AuthorizationCode', idSha256 } };
    const { expiresAt, createdAt } = await auth.db.prisma.oAuthArtifact.findUniqueOrThrow({ where });
    expect(Math.abs(expiresAt.getTime() - createdAt.getTime() - 60_000)).toBeLessThan(2000);
    await auth.db.prisma.oAuthArtifact.update({ where, data: { expiresAt: new Date(Date.now() - 1000) } });
    expect((await flow.exchange(code)).json['error']).toBe('invalid_grant');
  });

  test('D108 D48 the token response has the nonce with and without openid, and an ID token only with openid', async () => {
    const plain = await flow.exchange(callbackParameters(await flow.authorize({ nonce: 'n-2' }))['code']);
    expect(plain.json).toMatchObject({ nonce: 'n-2', app_id: confidential.clientId, scope: 'users posts' });
    expect(plain.json).not.toHaveProperty('id_token');
    const signed = await flow.exchange(
      callbackParameters(await flow.authorize({ nonce: 'n-3', scope: 'openid profile users' }))['code'],
    );
    expect(signed.json).toMatchObject({ nonce: 'n-3', scope: 'openid profile users' });
    const { json } = await auth.send({ path: '/oauth/jwks' });
    const { payload } = await jwtVerify(String(signed.json['id_token']), createLocalJWKSet({ keys: [...json.keys] }), {
      issuer: auth.baseUrl,
      audience: confidential.clientId,
    });
    expect(payload).toMatchObject({ sub: String(ada.id), nonce: 'n-3' });
    const userinfo = await auth.send({
      path: '/oauth/userinfo',
      headers: { authorization: `Bearer ${signed.json.access_token}` },
    });
    expect(userinfo.json).toMatchObject({ sub: String(ada.id), preferred_username: 'ada_lovelace' });
    expect(userinfo.json).not.toHaveProperty('email');
    const withoutOpenid = { authorization: `Bearer ${plain.json.access_token}` };
    expect((await auth.send({ path: '/oauth/userinfo', headers: withoutOpenid })).status).toBe(403);
    expect((await auth.send({ path: '/oauth/userinfo' })).status).toBe(401);
  });
});

describe('PKCE', () => {
  const verifier = randomBytes(48).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };

  test('PK2 is required of public applications', async () => {
    const page = await flow.authorize({ client_id: publicClient.clientId });
    expect(callbackParameters(page)).toMatchObject({ error: 'invalid_request' });
    const { code } = callbackParameters(await flow.authorize({ client_id: publicClient.clientId, ...pkce }));
    expect((await flow.exchange(code, { client_id: publicClient.clientId }, publicClient)).json['error']).toBe(
      'invalid_grant',
    );
  });

  test('PK3 rejects the method plain and a missing method', async () => {
    for (const method of ['plain', undefined]) {
      const parameters = { client_id: publicClient.clientId, code_challenge: verifier, code_challenge_method: method };
      expect(callbackParameters(await flow.authorize(parameters))).toMatchObject({ error: 'invalid_request' });
    }
  });

  test('PK4 the verifier is required exactly if the code has a challenge, and must match it', async () => {
    const guarded = callbackParameters(await flow.authorize(pkce))['code'];
    expect((await flow.exchange(guarded)).json['error']).toBe('invalid_grant');
    const plain = callbackParameters(await flow.authorize())['code'];
    expect((await flow.exchange(plain, { code_verifier: verifier })).json['error']).toBe('invalid_grant');
    for (const malformed of ['x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(42)}%`]) {
      const { code } = callbackParameters(await flow.authorize(pkce));
      expect((await flow.exchange(code, { code_verifier: malformed })).status).toBe(400);
    }
    expect(
      (await flow.exchange(callbackParameters(await flow.authorize(pkce))['code'], { code_verifier: verifier })).status,
    ).toBe(200);
  });
});
