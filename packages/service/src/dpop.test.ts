import { hash } from 'node:crypto';

import { SignJWT, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';

import { InvalidProof, checkProof } from './dpop.ts';

const url = 'https://linnet.example/api/v2.0/post/show';
const token = 'an.access.token';
const now = Date.parse('2026-11-20T12:00:00Z');
const seconds = now / 1000;

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;
let keys: Keys;
let boundTo: string;

beforeAll(async () => {
  keys = await generateKeyPair('ES256', { extractable: true });
  boundTo = await calculateJwkThumbprint(await exportJWK(keys.publicKey));
});

interface Made {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

async function makeProof({ claims = {}, header = {} }: Made = {}): Promise<string> {
  const proper = { htm: 'GET', htu: url, jti: 'one', iat: seconds, ath: hash('sha256', token, 'base64url') };
  return await new SignJWT({ ...proper, ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(keys.publicKey), ...header })
    .sign(keys.privateKey);
}

async function check(proof: string) {
  return await checkProof({ proof, method: 'GET', url, token, boundTo }, () => now);
}

test('a proper proof tells its mark and until when it is good', async () => {
  const checked = await check(await makeProof());
  expect(checked.idSha256).toHaveLength(32);
  expect(checked.expiresAt).toEqual(new Date(now + 60_000));
  expect((await check(await makeProof({ claims: { jti: 'two' } }))).idSha256).not.toEqual(checked.idSha256);
});

test.each([
  ['50 s ago', { iat: seconds - 50 }],
  ['50 s ahead', { iat: seconds + 50 }],
  ['with a query in htu', { htu: `${url}?id=1#x` }],
  ['with another case of host', { htu: 'HTTPS://LINNET.example:443/api/v2.0/post/show' }],
])('a proof made %s is taken', async (_, claims) => {
  await expect(check(await makeProof({ claims }))).resolves.toBeDefined();
});

describe('a proof is refused', () => {
  test.each<[string, Made]>([
    ['of another method', { claims: { htm: 'POST' } }],
    ['of the method in small letters', { claims: { htm: 'get' } }],
    ['of another address', { claims: { htu: 'https://linnet.example/api/v2.0/post' } }],
    ['of another host', { claims: { htu: url.replace('linnet', 'evil') } }],
    ['of http', { claims: { htu: url.replace('https', 'http') } }],
    ['of no address', { claims: { htu: 'x' } }],
    ['of another token', { claims: { ath: hash('sha256', 'another', 'base64url') } }],
    ['of no token', { claims: { ath: undefined } }],
    ['that is old', { claims: { iat: seconds - 61 } }],
    ['from the future', { claims: { iat: seconds + 61 } }],
    ['without iat', { claims: { iat: undefined } }],
    ['without jti', { claims: { jti: undefined } }],
    ['with an empty jti', { claims: { jti: '' } }],
    ['with a huge jti', { claims: { jti: 'x'.repeat(300) } }],
    ['of another type', { header: { typ: 'JWT' } }],
    ['without a key', { header: { jwk: undefined } }],
    ['with a key that is none', { header: { jwk: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' } } }],
  ])('%s', async (_, made) => {
    await expect(check(await makeProof(made))).rejects.toThrow(InvalidProof);
  });

  test('with a private key in it', async () => {
    const header = { jwk: await exportJWK(keys.privateKey) };
    await expect(check(await makeProof({ header }))).rejects.toThrow(InvalidProof);
  });

  test('of another key, or signed with another key than it names', async () => {
    const stranger = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(stranger.publicKey);
    await expect(check(await makeProof({ header: { jwk } }))).rejects.toThrow(InvalidProof);
    const own = await new SignJWT({
      htm: 'GET',
      htu: url,
      jti: 'x',
      iat: seconds,
      ath: hash('sha256', token, 'base64url'),
    })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .sign(stranger.privateKey);
    await expect(check(own)).rejects.toThrow('another key');
  });

  test.each(['', 'x', 'a.b.c', 'e30.e30.', 'x'.repeat(9000)])('that is %j', async (proof) => {
    await expect(check(proof)).rejects.toThrow(InvalidProof);
  });

  test('with a symmetric algorithm or none', async () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [, payload = ''] = (await makeProof()).split('.');
    for (const alg of ['none', 'HS256']) {
      const header = encode({ alg, typ: 'dpop+jwt', jwk: { kty: 'oct', k: 'AAAA' } });
      await expect(check(`${header}.${payload}.AAAA`)).rejects.toThrow(InvalidProof);
    }
  });
});
