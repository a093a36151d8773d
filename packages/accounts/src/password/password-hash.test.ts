import { hash } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';

import { hashPassword, isOutdated, verifyPassword } from './password-change.ts';

describe('AC1: passwords are hashed with Argon2id', () => {
  test('at the documented cost', async () => {
    expect(await hashPassword('engine')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  });

  test('without truncation: passwords of 256 characters may differ in the last one only', async () => {
    const long = '🐦'.repeat(255);
    const passwordHash = await hashPassword(`${long}a`);
    expect(await verifyPassword(`${long}a`, passwordHash)).toBe(true);
    expect(await verifyPassword(`${long}b`, passwordHash)).toBe(false);
    expect(await verifyPassword(long, passwordHash)).toBe(false);
  });

  test.each([
    ['é as one character or two', 'caf\u00e9 1', 'cafe\u0301 1'],
    ['Hangul as syllables or letters', '한국어 비밀', '한국어 비밀'.normalize('NFD')],
    ['Vietnamese marks in another order', 'o\u0323\u0302123456', 'o\u0302\u0323123456'],
    ['the Ångström sign', '\u212bngstrom', '\u00c5ngstrom'],
    ['wide letters', 'ｐａｓｓｗｏｒｄ', 'password'],
    ['spaces of keyboards', 'correct\u00a0horse', 'correct horse'],
  ])('whatever way a keyboard writes it: %s', async (_what, one, other) => {
    expect(one).not.toBe(other);
    expect(await verifyPassword(other, await hashPassword(one))).toBe(true);
    expect(await verifyPassword(one, await hashPassword(other))).toBe(true);
    expect(await verifyPassword(`${one}x`, await hashPassword(one))).toBe(false);
  });

  test('no password matches an account without a hash', async () => {
    for (const passwordHash of [undefined, '-', '']) {
      for (const password of ['', 'engine', '-']) expect(await verifyPassword(password, passwordHash)).toBe(false);
    }
  });

  test('a hash of another cost still verifies and is outdated', async () => {
    const cheap = await hash('engine', { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    expect(await verifyPassword('engine', cheap)).toBe(true);
    expect(isOutdated(cheap)).toBe(true);
    expect(isOutdated(await hashPassword('engine'))).toBe(false);
  });
});
