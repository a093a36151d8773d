import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { makeCommonPasswordFilter, readCommonPasswords } from '../../generator/common-password-filter.ts';
import { isCommonPassword, findPasswordWeakness } from './password-weakness.ts';

const owner = { firstName: 'Grace', lastName: 'Hopper', username: 'amazing_grace', email: 'rear.admiral@navy.example' };

describe('AC1: findPasswordWeakness', () => {
  test.each([
    '123456',
    'password',
    'Password',
    'QWERTY123',
    'iloveyou',
    'passwort',
    ' letmein ',
    'secret12',
    'hunter22',
  ])('reports %j as common', (password) => {
    expect(findPasswordWeakness(password, owner)).toBe('common');
  });

  test.each([
    'amazing_grace',
    'Amazing_Grace',
    'Grace Hopper',
    'gracehopper',
    'hopper.grace',
    'HOPPER',
    'rear.admiral',
    'rear.admiral@navy.example',
    'REAR.ADMIRAL@NAVY.EXAMPLE',
  ])('reports %j as a name of the account', (password) => {
    expect(findPasswordWeakness(password, owner)).toBe('same-as-name');
  });

  test.each(['amazing_grace1', 'nanosecond', 'correct horse battery staple', 'gr4ce h0pper', '1234567 x'])(
    'accepts %j',
    (password) => {
      expect(findPasswordWeakness(password, owner)).toBeUndefined();
    },
  );

  test('a username that is not chosen yet matches no password', () => {
    expect(findPasswordWeakness('      ', { ...owner, username: undefined })).not.toBe('common');
  });
});

describe('AC1: the filter of common passwords', () => {
  const passwords = readCommonPasswords();

  test('contains each of the 200,000 most common passwords', () => {
    expect(passwords.length).toBeGreaterThan(200_000);
    expect(passwords.filter((password) => !isCommonPassword(password))).toEqual([]);
  });

  test('is the one that its generator makes', () => {
    const file = readFileSync(new URL('../../data/common-passwords.bloom', import.meta.url));
    expect(file.equals(makeCommonPasswordFilter())).toBe(true);
  });

  test('mistakes at most one of ten thousand random passwords for a common one', () => {
    const random = Array.from({ length: 10_000 }, () => randomBytes(9).toString('base64url'));
    expect(random.filter(isCommonPassword).length).toBeLessThanOrEqual(1);
  });

  test('takes less than a tenth of a millisecond', () => {
    const start = process.cpuUsage();
    for (let index = 0; index < 10_000; index += 1) isCommonPassword(`correct horse ${String(index)}`);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 10_000).toBeLessThan(100);
  });
});
