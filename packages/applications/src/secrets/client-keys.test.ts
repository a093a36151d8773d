import { generateKeyPairSync } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { ApplicationRefused } from '../application/application.ts';
import { parseClientKeys } from './client-keys.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const valid = publicKey.export({ format: 'jwk' });
const secret = privateKey.export({ format: 'jwk' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
const edwards = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
const otherCurve = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' });

function problemOf(submitted: Parameters<typeof parseClientKeys>[0], type: 'confidential' | 'native' = 'confidential') {
  try {
    return parseClientKeys(submitted, type);
  } catch (error) {
    if (!(error instanceof ApplicationRefused)) throw error;
    return `${error.problem.field}: ${error.problem.problem}`;
  }
}

test('blank means no keys', () => {
  expect(problemOf({ jwksUri: ' ' }, 'native')).toEqual({ jwksUri: undefined, jwks: undefined });
});

test.each(['https://app.example.com/jwks.json', 'https://app.example.com:443/', 'http://localhost:4000/jwks'])(
  'accepts the JWKS URI %s',
  (uri) => {
    expect(problemOf({ jwksUri: ` ${uri}\n` })).toMatchObject({ jwksUri: uri });
  },
);

test.each([
  'http://app.example.com/jwks.json',
  'https://user@app.example.com/',
  'https://app.example.com:8443/',
  'https://app.example.com/#keys',
  'ftp://app.example.com/',
  'app.example.com',
  'https://app.example.com/a b',
  'file:///etc/passwd',
  `https://app.example.com/${'x'.repeat(2048)}`,
])('rejects the JWKS URI %s', (uri) => {
  expect(problemOf({ jwksUri: uri })).toBe('jwks_uri: bad-address');
});

describe('a key set', () => {
  test('loses members that are not part of a public key', () => {
    expect(problemOf({ jwks: { keys: [{ ...valid, kid: 'one', x5u: 'https://evil.example/' }] } })).toEqual({
      jwksUri: undefined,
      jwks: { keys: [{ ...valid, kid: 'one' }] },
    });
  });

  test.each<[string, unknown, string]>([
    ['with a private key', { keys: [valid, secret] }, 'jwks: private'],
    ['with a symmetric key', { keys: [{ kty: 'oct', k: 'AAAA' }] }, 'jwks: malformed'],
    ['with a short RSA key', { keys: [weak] }, 'jwks: malformed'],
    ['with another curve', { keys: [otherCurve] }, 'jwks: malformed'],
    ['with a point that is not on the curve', { keys: [{ ...valid, x: 'AAAA' }] }, 'jwks: malformed'],
    ['that is empty', { keys: [] }, 'jwks: malformed'],
    ['that is one key', valid, 'jwks: malformed'],
    ['that is text', 'keys', 'jwks: malformed'],
  ])('%s is rejected', (_, jwks, problem) => {
    expect(problemOf({ jwks })).toBe(problem);
  });

  test.each([
    ['P-256', valid, ['ES256']],
    ['RSA', rsa, ['PS256', 'RS256']],
    ['Ed25519', edwards, ['EdDSA']],
  ])('with a key for %s must be for an algorithm of assertions, unless another key is', (_, key, usable) => {
    const named = (alg: string, ...others: object[]) => problemOf({ jwks: { keys: [{ ...key, alg }, ...others] } });
    const all = ['ES256', 'ES384', 'PS256', 'PS512', 'RS256', 'RS512', 'EdDSA', 'Ed25519', 'RSA-OAEP', 'HS256'];
    expect(all.filter((alg) => named(alg) !== 'jwks: malformed')).toEqual(usable);
    expect(all.filter((alg) => named(alg, valid) !== 'jwks: malformed')).toEqual(all);
  });
});

test('rejects both at once, and keys of applications that cannot keep them', () => {
  const jwks = { keys: [valid] };
  expect(problemOf({ jwks, jwksUri: 'https://app.example.com/' })).toBe('jwks: both');
  expect(problemOf({ jwks }, 'native')).toBe('jwks_uri: not-confidential');
});
