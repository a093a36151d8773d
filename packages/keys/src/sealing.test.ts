import { Secret } from '@linnet/service/config/secret';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { expect, test } from 'vitest';

import { deriveKey, open, seal } from './sealing.ts';

const secret = new Secret('a key that is long enough for use');
const [text, purpose] = ['text with ü and 🐦', 'test'];
const sealed = seal(text, purpose, [secret]);
const parts = sealed.split('.');
const [header = '', , iv = '', ciphertext = '', tag = ''] = parts;

test('jose decrypts what is sealed', async () => {
  const { plaintext, protectedHeader } = await compactDecrypt(sealed, deriveKey(secret, purpose, 32));
  expect(new TextDecoder().decode(plaintext)).toBe(text);
  expect(protectedHeader).toEqual({ alg: 'dir', enc: 'A256GCM', kid: expect.any(String) });
});

test('opens what jose encrypts', async () => {
  const { protectedHeader } = await compactDecrypt(sealed, deriveKey(secret, purpose, 32));
  const encryption = new CompactEncrypt(Buffer.from(text)).setProtectedHeader({
    ...{ alg: 'dir', enc: 'A256GCM' },
    ...protectedHeader,
  });
  expect(open(await encryption.encrypt(deriveKey(secret, purpose, 32)), purpose, [secret])).toBe(text);
});

const otherHeader = Buffer.from(Buffer.from(header, 'base64url').toString().replace('dir', 'Dir')).toString(
  'base64url',
);
const shortTag = Buffer.from(tag, 'base64url').subarray(0, 4).toString('base64url');
const flipped = (part: string) => `${part.startsWith('A') ? 'B' : 'A'}${part.slice(1)}`;

test.each([
  ['another header', [otherHeader, '', iv, ciphertext, tag]],
  ['another initialization vector', [header, '', flipped(iv), ciphertext, tag]],
  ['another text', [header, '', iv, flipped(ciphertext), tag]],
  ['another tag', [header, '', iv, ciphertext, flipped(tag)]],
  ['a short tag', [header, '', iv, ciphertext, shortTag]],
  ['no tag', [header, '', iv, ciphertext]],
  ['an empty tag', [header, '', iv, ciphertext, '']],
  ['an encrypted key', [header, 'AAAA', iv, ciphertext, tag]],
  ['one part more', [...parts, 'AAAA']],
  ['an empty text', ['']],
])('opens nothing with %s', (_what, changed) => {
  expect(open(changed.join('.'), purpose, [secret])).toBeUndefined();
});

test('opens nothing for another purpose', () => {
  expect(open(sealed, 'another', [secret])).toBeUndefined();
});
