import { createHmac } from 'node:crypto';

import { Secret } from '@linnet/service/config/secret';
import { expect, test } from 'vitest';

import { cookieKeys } from './cookie-keys.ts';

const [present, former] = [new Secret('present'), new Secret('former')];
const keys = cookieKeys([present, former]);
const cookie = 'linnet_session=abc';
const signature = keys.sign(cookie);

test('cookies are signed as Keygrip signs them, with the first key', () => {
  const key = createHmac('sha256', 'present').update('cookies').digest('base64url');
  expect(signature).toBe(createHmac('sha1', key).update(cookie).digest('base64url'));
});

test('every key verifies', () => {
  expect(keys.index(cookie, signature)).toBe(0);
  expect(keys.index(cookie, cookieKeys([former]).sign(cookie))).toBe(1);
  expect(keys.verify(cookie, signature)).toBe(true);
});

test.each([
  ['another cookie', `${cookie}d`, signature],
  ['an empty signature', cookie, ''],
  ['a part of the signature', cookie, signature.slice(0, -1)],
  ['a longer signature', cookie, `${signature}=`],
  ['letters beyond ASCII', cookie, `${signature.slice(0, -1)}ü`],
  ['the signature of another key', cookie, cookieKeys([new Secret('other')]).sign(cookie)],
])('rejects %s', (_what, given, signed) => {
  expect(keys.index(given, signed)).toBe(-1);
  expect(keys.verify(given, signed)).toBe(false);
});

test('nothing is signed without a key', () => {
  expect(() => cookieKeys([]).sign(cookie)).toThrow(TypeError);
});
