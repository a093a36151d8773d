import { expect } from 'vitest';

/** The suite's conditions on values that must be hard to guess, with the limits that it sets. */

const minimumEntropyBits = 96;
const minimumCodeLength = 22;

/** Shannon's entropy of the characters, as the suite estimates how hard a value is to guess. */
function entropyOf(text: string): number {
  const shares = [...new Set(text)].map((one) => text.split(one).length - 1).map((count) => count / text.length);
  return -text.length * shares.reduce((sum, share) => sum + share * Math.log2(share), 0);
}

/** EnsureMinimumAuthorizationCodeLength, EnsureMinimumAuthorizationCodeEntropy */
export function checkAuthorizationCode(code: string): void {
  expect(code.length).toBeGreaterThanOrEqual(minimumCodeLength);
  expect(entropyOf(code)).toBeGreaterThanOrEqual(minimumEntropyBits);
}

/** EnsureMinimumAccessTokenEntropy, EnsureMinimumRefreshTokenEntropy; the characters of RFC 6749 §A.12 and §A.17. */
export function checkTokenText(token: unknown): void {
  expect(token).toMatch(/^[\x20-\x7e]+$/);
  expect(entropyOf(String(token))).toBeGreaterThanOrEqual(minimumEntropyBits);
}
