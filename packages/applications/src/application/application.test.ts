import { describe, expect, test } from 'vitest';

import { ApplicationRefused, parseApplicationName, parseRedirectUris, parseScopes } from './application.ts';

/** The problem that `work` was refused for. */
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
  ])('%j is accepted unchanged', (name) => {
    expect(parseApplicationName(name)).toBe(name);
  });

  test('is trimmed', () => {
    expect(parseApplicationName('  My app\u3000')).toBe('My app');
  });

  test.each([
    ['', 'blank'],
    [' \t ', 'blank'],
    ['\u200D', 'unprintable'],
    ['a'.repeat(61), 'too-long'],
    ['😀'.repeat(61), 'too-long'],
    ['a\u0000b', 'unprintable'],
    ['a\nb', 'unprintable'],
    ['a\u001B[31m', 'unprintable'],
    ['a\u2028b', 'unprintable'],
    ['\u202Eppa', 'unprintable'],
    ['a\u200Bb', 'unprintable'],
    ['a\uD800', 'unprintable'],
  ])('%j is rejected: %s', (name, problem) => {
    expect(problemOf(() => parseApplicationName(name))).toEqual({ field: 'name', problem });
  });
});

describe('the scopes of an application', () => {
  test('keep their order without duplicates', () => {
    expect(parseScopes(['posts', 'users', 'posts', 'openid', 'users:read'])).toEqual([
      'posts',
      'users',
      'openid',
      'users:read',
    ]);
    expect(parseScopes([])).toEqual([]);
  });

  test.each(['admin', '', 'USERS', 'users posts', 'profile', 'offline_access', 'toString'])(
    '%j is not a scope',
    (name) => {
      expect(problemOf(() => parseScopes(['users', name]))).toEqual({
        field: 'scope',
        problem: 'unknown',
        value: name,
      });
    },
  );
});

describe('the redirect URIs of an application', () => {
  test('keep their order without duplicates', () => {
    const [b, a] = ['https://b.example/cb', 'https://a.example/cb'];
    expect(parseRedirectUris([b, a, b], 'public')).toEqual([b, a]);
  });

  test('are at most 20', () => {
    const uris = Array.from({ length: 21 }, (_, index) => `https://client.example/${String(index)}`);
    expect(parseRedirectUris(uris.slice(0, 20), 'public')).toHaveLength(20);
    expect(problemOf(() => parseRedirectUris(uris, 'public'))).toEqual({ field: 'redirect_uris', problem: 'too-many' });
  });

  test('are rejected with the reason, as data and as text', () => {
    const uri = 'https://client.example/cb#x';
    expect(problemOf(() => parseRedirectUris([uri], 'public'))).toEqual({
      field: 'redirect_uris',
      problem: 'fragment',
      value: uri,
    });
    expect(() => parseRedirectUris([uri], 'public')).toThrow(
      'The redirect URI "https://client.example/cb#x" has a fragment. Remove the # and everything after it.',
    );
  });
});
