import { createPublicKey } from 'node:crypto';

import { CompactSign, compactVerify, importJWK } from 'jose';
import { beforeAll, expect, test } from 'vitest';

import { createEs256Signer, createEs256Verifier } from './es256.ts';
import { generateSigningKey, toPublicJwk } from './signing-key.ts';
import type { PrivateEs256Jwk, PublicEs256Jwk } from './signing-key.ts';

let key: PrivateEs256Jwk;
beforeAll(async () => {
  key = (await generateSigningKey('ES256')) as PrivateEs256Jwk;
});

function createTextSigner(): (text: string) => string {
  const sign = createEs256Signer(key);
  return (text) => sign(Buffer.from(text)).toString('base64url');
}

const header = Buffer.from('{"alg":"ES256"}').toString('base64url');
/** Integers with leading zeros are rare: about one signature in 128 has one. */
const rounds = 2000;

test('jose accepts every signature', async () => {
  const sign = createTextSigner();
  const publicKey = createPublicKey({ key: toPublicJwk(key), format: 'jwk' });
  for (let round = 0; round < rounds; round += 1) {
    const text = `${header}.${Buffer.from(`payload ${String(round)}`).toString('base64url')}`;
    const { payload } = await compactVerify(`${text}.${sign(text)}`, publicKey);
    expect(Buffer.from(payload).toString()).toBe(`payload ${String(round)}`);
  }
});

test('accepts every signature of jose', async () => {
  const verify = createEs256Verifier(toPublicJwk(key) as PublicEs256Jwk);
  const privateKey = await importJWK(key);
  for (let round = 0; round < rounds; round += 1) {
    const jws = await new CompactSign(Buffer.from(String(round))).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
    const [protectedHeader = '', payload = '', signature = ''] = jws.split('.');
    expect(verify(`${protectedHeader}.${payload}`, signature)).toBe(true);
  }
});

test('refuses a signature of other text or another length, and zeros', () => {
  const sign = createTextSigner();
  const verify = createEs256Verifier(toPublicJwk(key) as PublicEs256Jwk);
  const signature = sign('text');
  expect(verify('text', signature)).toBe(true);
  expect(verify('other text', signature)).toBe(false);
  expect(verify('text', signature.slice(0, -4))).toBe(false);
  expect(verify('text', `${signature}AAAA`)).toBe(false);
  expect(verify('text', '')).toBe(false);
  expect(verify('text', Buffer.alloc(64).toString('base64url'))).toBe(false);
});
