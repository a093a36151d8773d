import { expect, test } from 'vitest';

import { generateClientId, isClientId } from './client-id.ts';
import { findSecret, generateClientSecret, hashClientSecret, isLivingSecret } from './client-secret.ts';

const now = 1_000_000;

test('CA3: a secret has 256 bits, in characters that Basic credentials carry unchanged', () => {
  const secret = generateClientSecret();
  expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  expect(generateClientSecret()).not.toBe(secret);
});

test('CA8: a client id cannot be an account id, nor an option of a command', () => {
  const clientId = generateClientId();
  expect(isClientId(clientId)).toBe(true);
  expect(clientId).toMatch(/^[A-Za-z][A-Za-z0-9_-]{15,63}$/);
  expect(generateClientId()).not.toBe(clientId);
});

test.each(['', 'short', 'a'.repeat(65), 'sixteen characters', `${'a'.repeat(16)}\n`, `${'a'.repeat(16)}\0`])(
  '%j is no client id',
  (text) => {
    expect(isClientId(text)).toBe(false);
  },
);

test('CA6: every secret that is alive is good, none that has ended', () => {
  const stored = Object.entries({ ended: now, ending: now + 1, lasting: null }).map(([id, expiresAt]) => {
    return { id, name: null, sha256: hashClientSecret(id), expiresAt };
  });
  const judge = (presented: string) => {
    const secret = findSecret(stored, presented);
    return secret === undefined ? 'unknown' : `${secret.id} ${isLivingSecret(secret, now) ? 'lives' : 'is over'}`;
  };
  expect(['ended', 'ending', 'lasting'].map(judge)).toEqual(['ended is over', 'ending lives', 'lasting lives']);
  expect(['other', hashClientSecret('lasting')].map(judge)).toEqual(['unknown', 'unknown']);
  expect(findSecret([], 'lasting')).toBeUndefined();
});
