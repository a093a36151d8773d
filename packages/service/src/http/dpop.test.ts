import { hash } from 'node:crypto';

import { SignJWT, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';

import { InvalidProof, checkProof, findProofFault } from './dpop.ts';

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

interface ProofOptions {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

async function makeProof({ claims = {}, header = {} }: ProofOptions = {}): Promise<string> {
  const valid = { htm: 'GET', htu: url, jti: 'one', iat: seconds, ath: hash('sha256', token, 'base64url') };
  return await new SignJWT({ ...valid, ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(keys.publicKey), ...header })
    .sign(keys.privateKey);
}

async function check(proof: string) {
  return await checkProof({ proof, method: 'GET', url, token, boundTo }, () => now);
}

test('returns the digest and the expiry of a valid proof', async () => {
  const checked = await check(await makeProof());
  expect(checked.idSha256).toHaveLength(32);
  expect(checked.expiresAt).toEqual(new Date(now + 60_000));
  expect((await check(await makeProof({ claims: { jti: 'two' } }))).idSha256).not.toEqual(checked.idSha256);
});

test.each([
  ['an iat 50 s ago', { iat: seconds - 50 }],
  ['an iat 50 s in the future', { iat: seconds + 50 }],
  ['a query in htu', { htu: `${url}?id=1#x` }],
  ['a scheme and host in upper case', { htu: 'HTTPS://LINNET.example:443/api/v2.0/post/show' }],
])('D68 accepts a proof with %s', async (_, claims) => {
  await expect(check(await makeProof({ claims }))).resolves.toBeDefined();
});

describe('rejects a proof', () => {
  test.each<[string, ProofOptions]>([
    ['for another method', { claims: { htm: 'POST' } }],
    ['with the method in lower case', { claims: { htm: 'get' } }],
    ['for another path', { claims: { htu: 'https://linnet.example/api/v2.0/post' } }],
    ['for another host', { claims: { htu: url.replace('linnet', 'evil') } }],
    ['for http', { claims: { htu: url.replace('https', 'http') } }],
    ['with an invalid URL', { claims: { htu: 'x' } }],
    ['for another token', { claims: { ath: hash('sha256', 'another', 'base64url') } }],
    ['without ath', { claims: { ath: undefined } }],
    ['that is too old', { claims: { iat: seconds - 61 } }],
    ['from the future', { claims: { iat: seconds + 61 } }],
    ['without iat', { claims: { iat: undefined } }],
    ['without jti', { claims: { jti: undefined } }],
    ['with an empty jti', { claims: { jti: '' } }],
    ['with a huge jti', { claims: { jti: 'x'.repeat(300) } }],
    ['of another type', { header: { typ: 'JWT' } }],
    ['without a key', { header: { jwk: undefined } }],
    ['with an invalid key', { header: { jwk: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' } } }],
  ])('%s', async (_, options) => {
    await expect(check(await makeProof(options))).rejects.toThrow(InvalidProof);
  });

  test('with a private key', async () => {
    const header = { jwk: await exportJWK(keys.privateKey) };
    await expect(check(await makeProof({ header }))).rejects.toThrow(InvalidProof);
  });

  test('of another key, or signed with another key than that in its header', async () => {
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
    await expect(check(own)).rejects.toThrow('bound to another key');
  });

  test.each(['', 'x', 'a.b.c', 'e30.e30.', 'x'.repeat(9000)])('with the text %j', async (proof) => {
    await expect(check(proof)).rejects.toThrow(InvalidProof);
  });

  test('with a symmetric algorithm or without a signature', async () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [, payload = ''] = (await makeProof()).split('.');
    for (const alg of ['none', 'HS256']) {
      const header = encode({ alg, typ: 'dpop+jwt', jwk: { kty: 'oct', k: 'AAAA' } });
      await expect(check(`${header}.${payload}.AAAA`)).rejects.toThrow(InvalidProof);
    }
  });
});

test.each<[string, ProofOptions]>([
  ['typ must be dpop+jwt', { header: { typ: 'JWT' } }],
  ['jwk must be the public key of the proof', { header: { jwk: undefined } }],
  ['htm must be GET', { claims: { htm: 'POST' } }],
  [`htu must be ${url}`, { claims: { htu: 'https://linnet.example/other' } }],
  ['iat must be within 60 seconds of the server', { claims: { iat: seconds - 61 } }],
  ['jti must have 1 to 256 characters', { claims: { jti: '' } }],
  ['nonce must be absent', { claims: { nonce: 'n' } }],
  ['the signature does not verify', {}],
])('names the fault of a refused proof: %s', async (expected, options) => {
  expect(findProofFault({ proof: await makeProof(options), method: 'GET', url }, () => now)).toContain(expected);
});
