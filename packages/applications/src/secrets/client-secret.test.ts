import { expect, test } from 'vitest';

import { generateClientId, isClientId } from '../application/application.ts';
import { findSecret, generateClientSecret, hashClientSecret, isActiveSecret } from './client-secret.ts';

const now = 1_000_000;

test('CA3: a secret has 256 bits, in characters that Basic credentials need not encode', () => {
  const secret = generateClientSecret();
  expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  expect(generateClientSecret()).not.toBe(secret);
});

test('CA8: a client id cannot be an account id or a command-line option', () => {
  const clientId = generateClientId();
  expect(isClientId(clientId)).toBe(true);
  expect(clientId).toMatch(/^[A-Za-z][A-Za-z0-9_-]{15,63}$/);
  expect(generateClientId()).not.toBe(clientId);
});

test.each(['', 'short', 'a'.repeat(65), 'sixteen characters', `${'a'.repeat(16)}\n`, `${'a'.repeat(16)}\0`])(
  '%j is not a client id',
  (text) => {
    expect(isClientId(text)).toBe(false);
  },
);

test('CA6: every active secret is accepted, and no expired one', () => {
  const stored = Object.entries({ expired: now, expiring: now + 1, permanent: null }).map(([id, expiresAt]) => {
    return { id, name: null, sha256: hashClientSecret(id), expiresAt };
  });
  const statusOf = (presented: string) => {
    const secret = findSecret(stored, presented);
    return secret === undefined ? 'unknown' : `${secret.id} ${isActiveSecret(secret, now) ? 'active' : 'expired'}`;
  };
  expect(['expired', 'expiring', 'permanent'].map(statusOf)).toEqual([
    'expired expired',
    'expiring active',
    'permanent active',
  ]);
  expect(['other', hashClientSecret('permanent')].map(statusOf)).toEqual(['unknown', 'unknown']);
  expect(findSecret([], 'permanent')).toBeUndefined();
});
