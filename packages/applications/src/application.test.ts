import { describe, expect, test } from 'vitest';

import { ApplicationRefused, parseApplicationName, parseRedirectUris, parseScopes } from './application.ts';

/** What was refused, as data. */
function problemOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    if (error instanceof ApplicationRefused) return error.problem;
    throw error;
  }
  return undefined;
}

describe('the name of an application', () => {
  test.each([
    'x',
    'Ärger & Söhne',
    '日本語アプリ',
    '👩‍👩‍👧‍👦 Family',
    'نامه‌نگار',
    '<b>bold</b>',
    '\'"`',
    'a'.repeat(60),
    '😀'.repeat(60),
  ])('%j is kept as it is', (name) => {
    expect(parseApplicationName(name)).toBe(name);
  });

  test('loses white space at its ends', () => {
    expect(parseApplicationName('  My app\u3000')).toBe('My app');
  });

  test.each([
    ['', 'blank'],
    [' \t ', 'blank'],
    ['\u200D', 'blank'],
    ['a'.repeat(61), 'too-long'],
    ['😀'.repeat(61), 'too-long'],
    ['a\u0000b', 'unprintable'],
    ['a\nb', 'unprintable'],
    ['a\u001B[31m', 'unprintable'],
    ['a\u2028b', 'unprintable'],
    ['\u202Eppa', 'unprintable'],
    ['a\u200Bb', 'unprintable'],
    ['a\uD800', 'unprintable'],
  ])('%j is refused: %s', (name, problem) => {
    expect(problemOf(() => parseApplicationName(name))).toEqual({ field: 'name', problem });
  });
});

describe('the scopes of an application', () => {
  test('keep their order and lose their doubles', () => {
    expect(parseScopes(['posts', 'users', 'posts', 'openid', 'users:read'])).toEqual([
      'posts',
      'users',
      'openid',
      'users:read',
    ]);
    expect(parseScopes([])).toEqual([]);
  });

  test.each(['admin', '', 'USERS', 'users posts', 'profile', 'offline_access', 'toString'])(
    '%j is no scope',
    (word) => {
      expect(problemOf(() => parseScopes(['users', word]))).toEqual({
        field: 'scope',
        problem: 'unknown',
        value: word,
      });
    },
  );
});

describe('the return addresses of an application', () => {
  test('keep their order and lose their doubles', () => {
    const [b, a] = ['https://b.example/cb', 'https://a.example/cb'];
    expect(parseRedirectUris([b, a, b], 'public')).toEqual([b, a]);
  });

  test('are at most 20', () => {
    const uris = Array.from({ length: 21 }, (_, index) => `https://client.example/${String(index)}`);
    expect(parseRedirectUris(uris.slice(0, 20), 'public')).toHaveLength(20);
    expect(problemOf(() => parseRedirectUris(uris, 'public'))).toEqual({ field: 'redirect_uris', problem: 'too-many' });
  });

  test('are refused with the reason, in words too', () => {
    const uri = 'https://client.example/cb#x';
    expect(problemOf(() => parseRedirectUris([uri], 'public'))).toEqual({
      field: 'redirect_uris',
      problem: 'fragment',
      value: uri,
    });
    expect(() => parseRedirectUris([uri], 'public')).toThrow(
      'The return address "https://client.example/cb#x" has a fragment.',
    );
  });
});
