import { describe, expect, test } from 'vitest';

import { createCookieJar } from './cookie-jar.ts';

describe('the browser of the tests keeps cookies as browsers do', () => {
  test('by name and path; the longer path goes first', () => {
    const jar = createCookieJar();
    jar.take(['a=1; Path=/', 'a=2; Path=/interaction/x', 'b=3; Path=/', 'a=4; Path=/'], '/login');
    expect(jar.headerFor('/interaction/x/register')).toBe('a=2; b=3; a=4');
    expect(jar.headerFor('/interaction/xy')).toBe('b=3; a=4');
  });

  test('without a path they go to the folder of the request', () => {
    const jar = createCookieJar();
    jar.take(['a=1'], '/account/sessions');
    expect(jar.headerFor('/account')).toBe('a=1');
    expect(jar.headerFor('/login')).toBeUndefined();
  });

  test('until they expire', () => {
    const jar = createCookieJar();
    jar.take(['a=1; Path=/', 'b=1; Path=/', 'c=1; Path=/; Max-Age=60'], '/');
    jar.take(['a=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'b=; Path=/; Max-Age=0'], '/');
    expect(jar.headerFor('/')).toBe('c=1');
  });

  test.each([
    '__Host-a=1; Path=/x; Secure',
    '__Host-a=1; Path=/',
    '__Host-a=1; Path=/; Secure; Domain=x',
    '__Secure-a=1',
  ])('refuses %s', (line) => {
    expect(() => createCookieJar().take([line], '/')).toThrow('browsers refuse');
  });

  test('a copy is independent', () => {
    const jar = createCookieJar();
    jar.take(['a=1; Path=/'], '/');
    const copy = jar.copy();
    jar.remove();
    expect([jar.names, copy.names]).toEqual([[], ['a']]);
  });
});
