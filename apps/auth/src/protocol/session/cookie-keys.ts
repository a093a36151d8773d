import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import type { Secret } from '@linnet/service/config/secret';

/** Signs and verifies cookies, like Keygrip. */
export interface CookieKeys {
  sign(cookie: string): string;
  verify(cookie: string, signature: string): boolean;
  /** The index of the key that made the signature, or -1. */
  index(cookie: string, signature: string): number;
}

/**
 * Keys derived for cookies only: the first signs, all verify. They do what Keygrip does, whose comparison is slow: it hashes both
 * signatures with a new random key.
 */
export function cookieKeys(secretKeys: readonly Secret[]): CookieKeys {
  const keys = secretKeys.map((key) =>
    createSecretKey(createHmac('sha256', key.reveal()).update('cookies').digest('base64url'), 'utf8'),
  );
  const index = (cookie: string, signature: string) =>
    keys.findIndex((key) => isEqual(signCookie(cookie, key), signature));
  return {
    sign: (cookie: string) => {
      const [first] = keys;
      if (first === undefined) throw new TypeError('a cookie cannot be signed without a key');
      return signCookie(cookie, first);
    },
    index,
    verify: (cookie: string, signature: string) => index(cookie, signature) >= 0,
  };
}

function signCookie(cookie: string, key: KeyObject): string {
  return createHmac('sha1', key).update(cookie).digest('base64url');
}

function isEqual(expected: string, given: string): boolean {
  const [ours, theirs] = [Buffer.from(expected), Buffer.from(given)];
  return ours.length === theirs.length && timingSafeEqual(ours, theirs);
}
