import { hash } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';

import { hashPassword, isOutdated, verifyPassword } from './password-hash.ts';

describe('AC1: passwords are kept as Argon2id', () => {
  test('of the documented cost', async () => {
    expect(await hashPassword('engine')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  });

  test('nothing is cut off: 256 characters that differ in the last are different', async () => {
    const long = '🐦'.repeat(255);
    const passwordHash = await hashPassword(`${long}a`);
    expect(await verifyPassword(`${long}a`, passwordHash)).toBe(true);
    expect(await verifyPassword(`${long}b`, passwordHash)).toBe(false);
    expect(await verifyPassword(long, passwordHash)).toBe(false);
  });

  test('without a hash no password is right, the empty one included', async () => {
    for (const passwordHash of [undefined, '-', '']) {
      for (const password of ['', 'engine', '-']) expect(await verifyPassword(password, passwordHash)).toBe(false);
    }
  });

  test('a hash of another cost is still good, and outdated', async () => {
    const cheap = await hash('engine', { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    expect(await verifyPassword('engine', cheap)).toBe(true);
    expect(isOutdated(cheap)).toBe(true);
    expect(isOutdated(await hashPassword('engine'))).toBe(false);
  });
});
