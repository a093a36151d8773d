import type { Context } from 'koa';
import { describe, expect, test } from 'vitest';

import { createLanguages } from './language.ts';
import { createContext, setCookies } from '@linnet/test/auth/koa-context';

const languages = createLanguages('http://localhost:3000');

interface Reader {
  readonly url?: string;
  readonly cookie?: string;
  readonly accept?: string;
  readonly uiLocales?: string;
}

function request({ url = '/login', cookie, accept }: Reader): Context {
  const headers = {
    ...(cookie === undefined ? {} : { cookie: `linnet_language=${cookie}` }),
    ...(accept === undefined ? {} : { 'accept-language': accept }),
  };
  return createContext({ url, headers });
}

function languageFor(reader: Reader): string {
  return languages.messagesFor(request(reader), reader.uiLocales).language;
}

describe('D59: the language', () => {
  test.each<[expected: string, reader: Reader]>([
    ['en', {}],
    ['de', { accept: 'de' }],
    ['de', { accept: 'de-AT' }],
    ['de', { accept: 'DE-ch;q=0.8, it;q=0.9' }],
    ['fr', { accept: 'fr-CA' }],
    ['es', { accept: 'es-419, en;q=0.9' }],
    ['en', { accept: 'it' }],
    ['en', { accept: 'it, en;q=0.5, de;q=0.4' }],
    ['de', { accept: 'it, en;q=0.4, de;q=0.5' }],
    ['en', { accept: 'de;q=0' }],
    ['en', { accept: '*' }],
    ['en', { accept: ';;q=,,\u00E4' }],
    ['de', { cookie: 'de', accept: 'en' }],
    ['en', { cookie: 'xx' }],
    ['de', { cookie: '__proto__', accept: 'de' }],
    ['de', { uiLocales: 'de', cookie: 'en', accept: 'en' }],
    ['de', { uiLocales: 'it-IT de-CH en' }],
    ['de', { uiLocales: 'it', cookie: 'de' }],
    ['en', { uiLocales: '', accept: 'en' }],
    ['en', { url: '/login?lang=en', uiLocales: 'de', cookie: 'de', accept: 'de' }],
    ['de', { url: '/login?lang=xx', accept: 'de' }],
    ['de', { url: '/login?lang=en&lang=en', accept: 'de' }],
    ['en', { url: '/login?lang=constructor' }],
  ])('is %s for %j', (expected, reader) => {
    expect(languageFor(reader)).toBe(expected);
  });

  test('of ui_locales also applies to later pages of the same request', () => {
    const ctx = request({});
    expect(languages.messagesFor(ctx, 'de').language).toBe('de');
    expect(languages.messagesFor(ctx).language).toBe('de');
    expect(languages.messagesFor(request({})).language).toBe('en');
  });
});

describe('links to the other languages', () => {
  test('keep the other query parameters', () => {
    const links = languages.linksFor(request({ url: '/login?return_to=%2Fdeveloper%3Fa%3D1&lang=de' }));
    expect(links).toEqual([
      { language: 'en', name: 'English', href: '?return_to=%2Fdeveloper%3Fa%3D1&lang=en' },
      { language: 'de', name: 'Deutsch', href: '?return_to=%2Fdeveloper%3Fa%3D1&lang=de' },
      { language: 'fr', name: 'Français', href: '?return_to=%2Fdeveloper%3Fa%3D1&lang=fr' },
      { language: 'es', name: 'Español', href: '?return_to=%2Fdeveloper%3Fa%3D1&lang=es' },
    ]);
  });

  test('stay on the same page, whatever the path', () => {
    for (const url of ['//evil.example', '//evil.example/?x', 'https://evil.example/', '/\\evil.example']) {
      for (const { href } of languages.linksFor(request({ url }))) expect(href).toMatch(/^\?/);
    }
  });

  test('use the given path', () => {
    expect(languages.linksFor(request({ url: '/a?b=c' }), '/d').map(({ href }) => href)).toEqual([
      '/d?lang=en',
      '/d?lang=de',
      '/d?lang=fr',
      '/d?lang=es',
    ]);
  });
});

describe('remembering', () => {
  async function remember(url: string, { method = 'GET', baseUrl = 'http://localhost:3000' } = {}) {
    const ctx = createContext({ url, method });
    let passed = false;
    await createLanguages(baseUrl).rememberLanguage(ctx, async () => {
      passed = true;
    });
    expect(passed).toBe(true);
    return setCookies(ctx);
  }

  test('sets the cookie for a year', async () => {
    const cookie = (await remember('/login?lang=de')).get('linnet_language');
    expect(cookie?.value).toBe('de');
    expect(cookie?.flags).toMatch(/^path=\/; expires=.*; samesite=lax; httponly$/);
  });

  test('on https uses the __Host- prefix and Secure', async () => {
    const cookies = await remember('/login?lang=de', { baseUrl: 'https://linnet.example' });
    expect(cookies.get('__Host-linnet_language')?.flags).toContain('secure');
  });

  test('accepts known languages only, and only from GET requests', async () => {
    expect((await remember('/login?lang=it')).size).toBe(0);
    expect((await remember('/login?lang=de%0d%0aSet-Cookie:x')).size).toBe(0);
    expect((await remember('/login')).size).toBe(0);
    expect((await remember('/login?lang=de', { method: 'POST' })).size).toBe(0);
  });
});
