import { describe, expect, test } from 'vitest';

import { commonPasswords } from './common-passwords.ts';
import { findPasswordWeakness } from './password-weakness.ts';

const owner = { firstName: 'Grace', lastName: 'Hopper', username: 'amazing_grace', email: 'rear.admiral@navy.example' };

describe('AC1: findPasswordWeakness', () => {
  test.each(['123456', 'password', 'Password', 'QWERTY123', 'iloveyou', 'passwort', ' letmein '])(
    'reports %j as common',
    (password) => {
      expect(findPasswordWeakness(password, owner)).toBe('common');
    },
  );

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

  test.each(['amazing_grace1', 'nanosecond', 'correct horse battery staple', 'gr4ce h0pper', '1234567x'])(
    'accepts %j',
    (password) => {
      expect(findPasswordWeakness(password, owner)).toBeUndefined();
    },
  );

  test('a username that is not chosen yet matches no password', () => {
    expect(findPasswordWeakness('      ', { ...owner, username: undefined })).not.toBe('common');
  });

  test('the list holds lower-case passwords of at least six characters', () => {
    expect(commonPasswords.size).toBeGreaterThanOrEqual(200);
    for (const password of commonPasswords) expect(password).toMatch(/^[^\sA-Z]{6,}$/);
  });
});
