import { Secret } from '@linnet/service/config/secret';
import { expect, test, vi } from 'vitest';

import { challengeSeconds, createChallenges } from './challenge.ts';
import { findStep, generateRecoveryCodes, generateTotpSecret, hashRecoveryCode, totpCode } from './totp.ts';

const key = new Secret('a key of the tests, long enough for use');
const formerKey = new Secret('the former key, long enough for use');
const scope = { act: 'show', browser: 'token' };

/** An in-memory replacement of the store. */
function challengesOf(...keys: [Secret, ...Secret[]]) {
  const used = new Set<string>();
  return createChallenges(keys, async (issuer, id) => {
    const isNew = !used.has(`${issuer} ${id}`);
    used.add(`${issuer} ${id}`);
    return await Promise.resolve(isNew);
  });
}

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

test('a challenge is valid for its purpose and browser, under any key of SECRET_KEYS', () => {
  const challenge = toText(challengesOf(formerKey).create(scope));
  expect(challengesOf(key, formerKey).isValid(challenge, scope)).toBe(true);
  expect(challengesOf(key).isValid(challenge, scope)).toBe(false);
  expect(challengesOf(formerKey).isValid(challenge, { ...scope, browser: 'other' })).toBe(false);
  expect(challengesOf(formerKey).isValid(challenge, { ...scope, act: 'add 1' })).toBe(false);
});

test('rejects a challenge with a changed or added byte', () => {
  const challenges = challengesOf(key);
  const challenge = challenges.create(scope);
  for (const index of challenge.keys()) {
    const changed = Uint8Array.from(challenge, (byte, at) => (at === index ? byte ^ 1 : byte));
    expect(challenges.isValid(toText(changed), scope)).toBe(false);
  }
  for (const text of ['', 'x', `${toText(challenge)}AAAA`, 'A'.repeat(72)]) {
    expect(challenges.isValid(text, scope)).toBe(false);
  }
});

test('a challenge expires and works once', async () => {
  vi.useFakeTimers();
  try {
    const challenges = challengesOf(key);
    const challenge = toText(challenges.create(scope));
    vi.advanceTimersByTime(challengeSeconds * 1000 - 1);
    expect(challenges.isValid(challenge, scope)).toBe(true);
    vi.advanceTimersByTime(1);
    expect(challenges.isValid(challenge, scope)).toBe(false);
    expect([await challenges.use(challenge), await challenges.use(challenge)]).toEqual([true, false]);
    // Base64url has more than one text for the same bytes.
    expect(await challenges.use(`${challenge}==`)).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

test('RFC 6238: accepts codes of the current time step and the adjacent ones', () => {
  const secret = generateTotpSecret();
  const now = 1_800_000_015_000;
  const step = now / 30_000 - 0.5;
  const found = (seconds: number) => findStep(secret, totpCode(secret, now + seconds * 1000), now);
  expect([-30, 0, 30].map(found)).toEqual([step - 1, step, step + 1]);
  expect([-60, 60, 3600].map(found)).toEqual([undefined, undefined, undefined]);
  const code = totpCode(secret, now);
  expect(findStep(secret, ` ${code.slice(0, 3)} ${code.slice(3)} `, now)).toBe(step);
  for (const text of ['', '12345', '1234567', `${code}0`, '１２３４５６', 'abcdef']) {
    expect(findStep(secret, text, now)).toBeUndefined();
  }
});

test('RFC 6238 appendix B: computes the codes of the test vectors', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  expect([59, 1111111109, 20000000000].map((seconds) => totpCode(secret, seconds * 1000))).toEqual([
    '287082',
    '081804',
    '353130',
  ]);
});

test('recovery codes are accepted however they are typed', () => {
  const codes = generateRecoveryCodes();
  for (const code of codes) {
    expect(code).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    const typed = code.toUpperCase().replaceAll('0', 'O').replaceAll('1', 'l').replaceAll('-', ' ');
    expect(hashRecoveryCode(typed)).toEqual(hashRecoveryCode(code));
  }
  expect(new Set(codes.map((code) => hashRecoveryCode(code)?.toString('hex'))).size).toBe(10);
  for (const text of ['', '1234', 'u'.repeat(16), '0'.repeat(17), 'é'.repeat(16)]) {
    expect(hashRecoveryCode(text)).toBeUndefined();
  }
});
