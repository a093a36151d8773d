import { createHmac } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

import { SignJWT, decodeJwt, exportJWK, exportSPKI, generateKeyPair, importJWK } from 'jose';
import type { CryptoKey } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';

import { createVerificationKeys } from '../keys/verification-keys.ts';
import { createSigner } from '@linnet/test/api/signer';
import type { Signer } from '@linnet/test/api/signer';
import { ApiError } from './api-error.ts';
import { createAuthentication } from './authentication.ts';
import type { Authentication } from './authentication.ts';
import type { Caller } from './caller.ts';
import { apiResource } from './challenges.ts';

const baseUrl = 'https://linnet.example';
let signer: Signer;
let auth: Authentication;

beforeAll(async () => {
  signer = await createSigner(baseUrl);
  auth = authWith(() => Date.now());
});

function authWith(now: () => number, keys = [signer.publicJwk]): Authentication {
  const options = { baseUrl, resource: apiResource, feed: { isRevoked: () => false as const }, now };
  return createAuthentication({
    ...options,
    keys: createVerificationKeys(async () => keys, { onLoadError: () => undefined }),
    rememberProof: () => Promise.resolve(true),
  });
}

async function authenticate(authorization: string, by = auth): Promise<Caller> {
  const request = new IncomingMessage(new Socket());
  request.headers.authorization = authorization;
  return await by.authenticate({ request, path: '/api/v2.0/users/show' }, null);
}

async function refusal(authorization: string): Promise<ApiError> {
  const error: unknown = await authenticate(authorization).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ApiError) return error;
  throw new Error(`expected a refusal, got ${String(error)}`);
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

test('a token of the authorization server identifies the caller', async () => {
  const token = await signer.sign({ acct: 42, scope: 'posts users:read' });
  const caller = await authenticate(`Bearer ${token}`);
  expect(caller).toMatchObject({
    clientId: 'client-0123456789',
    accountId: 42,
    hasConsent: false,
    isIdentified: false,
    scopes: new Set(['posts', 'posts:read', 'posts:propose', 'users:read']),
  });
  const letIn = await signer.sign({ sub: '42', acct: 42, gid: 'grant-1' });
  expect(await authenticate(`Bearer ${letIn}`)).toMatchObject({ hasConsent: true, grantId: 'grant-1' });
});

test('CA8 RS11: the subject of a client token is never an account', async () => {
  const caller = await authenticate(`Bearer ${await signer.sign({ sub: '1' })}`);
  expect(caller.accountId).toBeUndefined();
});

test.each(['bearer', 'BEARER', 'Bearer'])('the scheme is case-insensitive: %s', async (scheme) => {
  await expect(authenticate(`${scheme} ${await signer.sign()}`)).resolves.toBeDefined();
});

test.each(['', 'Basic dXNlcjpwYXNz', 'Bearer', 'Bearer a b', 'Token abc'])(
  'RS9: "%s" has no token and gets a challenge without error=',
  async (authorization) => {
    const error = await refusal(authorization);
    expect(error.code).toBe('token-required');
    expect(error.details.headers?.['WWW-Authenticate']).toMatch(
      /^Bearer resource_metadata="https:\/\/[^"]+", DPoP algs="ES256 PS256 EdDSA", resource_metadata="[^"]+"$/,
    );
  },
);

describe('rejected tokens', () => {
  test.each([
    ['RS1 an ID token', {}, { typ: 'JWT' }],
    ['RS3 another issuer', { iss: 'https://evil.example' }, {}],
    ['RS3 another audience', { aud: 'https://linnet.example' }, {}],
    ['RS3 expired 10 s ago', { exp: Math.floor(Date.now() / 1000) - 10 }, {}],
    ['RS3 not valid for another 10 s', { nbf: Math.floor(Date.now() / 1000) + 10 }, {}],
    ['no expiry', { exp: undefined }, {}],
    ['no client', { client_id: undefined }, {}],
    ['an account that is no id', { acct: '42' }, {}],
    ['an unknown key', {}, { kid: 'other' }],
  ])('%s', async (_name, claims, header) => {
    const token = await signer.sign(claims, header);
    const error = await refusal(`Bearer ${token}`);
    expect(error.code).toBe('invalid_token');
    expect(error.details.headers?.['WWW-Authenticate']).toContain('error="invalid_token"');
  });

  test('RS2 alg none', async () => {
    const [, payload] = (await signer.sign()).split('.');
    const header = encode({ alg: 'none', typ: 'at+jwt', kid: 'key-1' });
    expect((await refusal(`Bearer ${header}.${payload}.`)).code).toBe('invalid_token');
    expect((await refusal(`Bearer ${header}.${payload}.AAAA`)).code).toBe('invalid_token');
  });

  test('RS2 the public key used as an HMAC secret', async () => {
    const [, payload] = (await signer.sign()).split('.');
    const pem = await exportSPKI((await importJWK(signer.publicJwk, 'ES256')) as CryptoKey);
    const signed = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: 'key-1' })}.${payload}`;
    const mac = createHmac('sha256', pem).update(signed).digest('base64url');
    expect((await refusal(`Bearer ${signed}.${mac}`)).code).toBe('invalid_token');
  });

  test('RS2 another algorithm than ES256, although its key is published for ID tokens', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
    const rsa = { ...(await exportJWK(publicKey)), kid: 'rsa-1', alg: 'RS256', use: 'sig' };
    const both = authWith(() => Date.now(), [signer.publicJwk, rsa]);
    const token = await new SignJWT(decodeJwt(await signer.sign()))
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'rsa-1' })
      .sign(privateKey);
    await expect(authenticate(`Bearer ${await signer.sign()}`, both)).resolves.toBeDefined();
    await expect(authenticate(`Bearer ${token}`, both)).rejects.toMatchObject({ code: 'invalid_token' });
  });

  test('RS2 a key inside the token', async () => {
    const stranger = await createSigner(baseUrl);
    const token = await stranger.sign({}, { kid: 'key-1' });
    expect((await refusal(`Bearer ${token}`)).code).toBe('invalid_token');
    const { publicKey } = await generateKeyPair('ES256');
    const [, payload, signature] = token.split('.');
    const header = encode({ alg: 'ES256', typ: 'at+jwt', jwk: await exportJWK(publicKey) });
    expect((await refusal(`Bearer ${header}.${payload}.${signature}`)).code).toBe('invalid_token');
  });

  test('RS5 lax encodings of a valid token', async () => {
    const token = await signer.sign();
    const [header, payload, signature] = token.split('.');
    for (const loose of [`${token}=`, `${header}.${payload}.${signature}\n`, `${header}..${payload}`, `${token}.`]) {
      expect(['invalid_token', 'token-required']).toContain((await refusal(`Bearer ${loose}`)).code);
    }
  });

  test('a token of 9 KB is rejected unparsed', async () => {
    const token = await signer.sign({ scope: 'x'.repeat(9000) });
    expect((await refusal(`Bearer ${token}`)).code).toBe('invalid_token');
  });
});

test('RS3: tolerates 4 s of clock skew in both directions', async () => {
  const seconds = Math.floor(Date.now() / 1000);
  await expect(authenticate(`Bearer ${await signer.sign({ exp: seconds - 3 })}`)).resolves.toBeDefined();
  await expect(authenticate(`Bearer ${await signer.sign({ nbf: seconds + 4 })}`)).resolves.toBeDefined();
});

test('a cached token is rejected once it has expired', async () => {
  let now = Date.now();
  const later = authWith(() => now);
  const authorization = `Bearer ${await signer.sign()}`;
  await authenticate(authorization, later);
  now += 3_606_000;
  await expect(authenticate(authorization, later)).rejects.toMatchObject({ code: 'invalid_token' });
});

test('scope: the plain scope implies its :read form, not vice versa', async () => {
  const narrow = await authenticate(`Bearer ${await signer.sign({ scope: 'posts:read' })}`);
  expect(() => auth.requireScope(narrow, 'posts:read')).not.toThrow();
  expect(() => auth.requireScope(narrow, null)).not.toThrow();
  expect(() => auth.requireScope(narrow, 'posts')).toThrow(ApiError);
  expect(() => auth.requireScope(narrow, 'users:read')).toThrow(
    expect.objectContaining({
      code: 'insufficient_scope',
      details: expect.objectContaining({
        headers: { 'WWW-Authenticate': expect.stringContaining('error="insufficient_scope", scope="users:read"') },
      }),
    }),
  );
});
