import { generateKeyPairSync } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { ApplicationRefused } from './application.ts';
import { parseClientKeys } from './client-keys.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const good = publicKey.export({ format: 'jwk' });
const secret = privateKey.export({ format: 'jwk' });
const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
const otherCurve = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' });

function problemOf(asked: Parameters<typeof parseClientKeys>[0], type: 'confidential' | 'native' = 'confidential') {
  try {
    return parseClientKeys(asked, type);
  } catch (error) {
    if (!(error instanceof ApplicationRefused)) throw error;
    return `${error.problem.field}: ${error.problem.problem}`;
  }
}

test('nothing asks for no keys', () => {
  expect(problemOf({ jwksUri: ' ' }, 'native')).toEqual({ jwksUri: undefined, jwks: undefined });
});

test.each(['https://app.example.com/jwks.json', 'https://app.example.com:8443/', 'http://localhost:4000/jwks'])(
  'the address %s is taken',
  (address) => {
    expect(problemOf({ jwksUri: ` ${address}\n` })).toMatchObject({ jwksUri: address });
  },
);

test.each([
  'http://app.example.com/jwks.json',
  'https://user@app.example.com/',
  'https://app.example.com/#keys',
  'ftp://app.example.com/',
  'app.example.com',
  'https://app.example.com/a b',
  'file:///etc/passwd',
  `https://app.example.com/${'x'.repeat(2048)}`,
])('the address %s is refused', (address) => {
  expect(problemOf({ jwksUri: address })).toBe('jwks_uri: bad-address');
});

describe('a key set', () => {
  test('is kept without what is no part of a public key', () => {
    expect(problemOf({ jwks: { keys: [{ ...good, kid: 'one', x5u: 'https://evil.example/' }] } })).toEqual({
      jwksUri: undefined,
      jwks: { keys: [{ ...good, kid: 'one' }] },
    });
  });

  test.each<[string, unknown, string]>([
    ['that holds a private key', { keys: [good, secret] }, 'jwks: private'],
    ['of a symmetric key', { keys: [{ kty: 'oct', k: 'AAAA' }] }, 'jwks: malformed'],
    ['of a short RSA key', { keys: [weak] }, 'jwks: malformed'],
    ['of another curve', { keys: [otherCurve] }, 'jwks: malformed'],
    ['of a point that is on no curve', { keys: [{ ...good, x: 'AAAA' }] }, 'jwks: malformed'],
    ['that is empty', { keys: [] }, 'jwks: malformed'],
    ['that is one key', good, 'jwks: malformed'],
    ['that is text', 'keys', 'jwks: malformed'],
  ])('%s is refused', (_, jwks, problem) => {
    expect(problemOf({ jwks })).toBe(problem);
  });
});

test('one or the other, and for an application that can keep them', () => {
  const jwks = { keys: [good] };
  expect(problemOf({ jwks, jwksUri: 'https://app.example.com/' })).toBe('jwks: both');
  expect(problemOf({ jwks }, 'native')).toBe('jwks_uri: not-confidential');
});
