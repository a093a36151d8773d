import { setImmediate } from 'node:timers/promises';

import { Secret } from '@linnet/service/config/secret';
import { calculateJwkThumbprint, decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';

import { SecretKeysChanged, generateSigningKey, openSigningKey, sealSigningKey, toPublicJwk } from './signing-key.ts';

const former = new Secret('the former key, long enough for use');
const present = new Secret('the present key, long enough for use');

test('KY2: the id of a key is its RFC 7638 thumbprint, and its public half has no private member', async () => {
  const key = await generateSigningKey('ES256');
  expect(key.kid).toBe(await calculateJwkThumbprint(key));
  expect(Object.keys(toPublicJwk(key)).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  expect(toPublicJwk(key)).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
});

test('KY2: an RSA key has 2048 bits, and its public half has no private member', async () => {
  const key = await generateSigningKey('RS256');
  expect(key.kid).toBe(await calculateJwkThumbprint(key));
  expect(Object.keys(toPublicJwk(key)).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  expect(toPublicJwk(key)).toMatchObject({ kty: 'RSA', e: 'AQAB', alg: 'RS256', use: 'sig' });
  expect(key.alg === 'RS256' && Buffer.from(key.n, 'base64url').length * 8).toBe(2048);
  expect(await openSigningKey(key.kid, sealSigningKey(key, [present]), [present])).toEqual(key);
});

test('the event loop keeps running while an RSA key is generated', async () => {
  const state = { isDone: false, turns: 0 };
  const generated = generateSigningKey('RS256').finally(() => (state.isDone = true));
  while (!state.isDone) {
    await setImmediate();
    state.turns += 1;
  }
  await generated;
  expect(state.turns).toBeGreaterThan(10);
});

test('a sealed key is decrypted with its key of SECRET_KEYS, at any position', async () => {
  const key = await generateSigningKey('ES256');
  const jwe = sealSigningKey(key, [former]);
  expect(await openSigningKey(key.kid, jwe, [former])).toEqual(key);
  expect(await openSigningKey(key.kid, jwe, [present, former])).toEqual(key);
});

test('the first of SECRET_KEYS encrypts', async () => {
  const key = await generateSigningKey('ES256');
  const jwe = sealSigningKey(key, [present, former]);
  expect(await openSigningKey(key.kid, jwe, [present])).toEqual(key);
  await expect(openSigningKey(key.kid, jwe, [former])).rejects.toThrow(SecretKeysChanged);
});

test('CA3: the JWE reveals neither the private key nor the secret', async () => {
  const key = await generateSigningKey('ES256');
  const jwe = sealSigningKey(key, [present]);
  expect(decodeProtectedHeader(jwe)).toMatchObject({ alg: 'dir', enc: 'A256GCM' });
  const decoded = jwe.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
  for (const canary of [key.d, Buffer.from(key.d, 'base64url').toString('latin1'), present.reveal()]) {
    expect([jwe, ...decoded].join('\n')).not.toContain(canary);
  }
});

test('reports keys that no secret decrypts as changed SECRET_KEYS, and says how to recover', async () => {
  const key = await generateSigningKey('ES256');
  const jwe = sealSigningKey(key, [former]);
  const refused = openSigningKey(key.kid, jwe, [present]);
  await expect(refused).rejects.toThrow(SecretKeysChanged);
  await expect(refused).rejects.toThrow(
    /^SECRET_KEYS: no key of it opens the signing key .*SECRET_KEYS=<new>,<former>$/,
  );
});

test('rejects a JWE that was tampered with', async () => {
  const key = await generateSigningKey('ES256');
  const jwe = sealSigningKey(key, [present]);
  const [header, encryptedKey, iv, ciphertext = '', tag] = jwe.split('.');
  const changed = `${ciphertext.startsWith('A') ? 'B' : 'A'}${ciphertext.slice(1)}`;
  const forged = [header, encryptedKey, iv, changed, tag].join('.');
  await expect(openSigningKey(key.kid, forged, [present])).rejects.toThrow(SecretKeysChanged);
});

test('rejects a sealed key under the id of another key', async () => {
  const [one, other] = [await generateSigningKey('ES256'), await generateSigningKey('ES256')];
  const jwe = sealSigningKey(one, [present]);
  await expect(openSigningKey(other.kid, jwe, [present])).rejects.toThrow('holds another key');
});
