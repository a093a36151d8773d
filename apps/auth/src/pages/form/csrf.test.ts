import { Secret } from '@linnet/service/config/secret';
import type { Context } from 'koa';
import { describe, expect, test } from 'vitest';

import { createCsrf, CrossSiteRequest, StaleForm } from './csrf.ts';
import type { Csrf } from './csrf.ts';
import { FormRefused } from './form.ts';
import { readForm } from './read-form.ts';
import { createContext, setCookies } from '@linnet/test/auth/koa-context';

const baseUrl = 'http://localhost:3000';
const key = new Secret('a'.repeat(40));
const otherKey = new Secret('b'.repeat(40));

/** What a browser holds once it has been shown a form. */
interface Shown {
  readonly cookie: string;
  readonly token: string;
}

function showForm(csrf: Csrf, headers: Readonly<Record<string, string>> = {}): Shown {
  const ctx = createContext({ headers });
  const token = csrf.csrfToken(ctx);
  const [name, { value }] = [...setCookies(ctx)][0] ?? ['', { value: '' }];
  return { cookie: `${name}=${value}`, token };
}

function post(headers: Readonly<Record<string, string>>, body: string): Context {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return createContext({ method: 'POST', headers: { ...type, ...headers }, body });
}

async function send(
  csrf: Csrf,
  { cookie, token }: Shown,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const ctx = post({ ...(cookie === '' ? {} : { cookie }), ...headers }, `csrf=${token}`);
  try {
    csrf.requireSameOrigin(ctx, await readForm(ctx));
    return 'passed';
  } catch (error) {
    if (error instanceof CrossSiteRequest || error instanceof StaleForm) return error.name;
    throw error;
  }
}

describe('the origin of a form', () => {
  const csrf = createCsrf({ baseUrl, keys: [key] });
  const own = baseUrl;
  const foreign = 'https://evil.example';
  const cases: readonly (readonly [site: string | undefined, origin: string | undefined, result: string])[] = [
    ['same-origin', own, 'passed'],
    ['same-origin', undefined, 'passed'],
    ['same-origin', 'null', 'passed'],
    ['same-origin', foreign, 'CrossSiteRequest'],
    ['none', own, 'passed'],
    ['none', undefined, 'passed'],
    ['none', 'null', 'CrossSiteRequest'],
    ['none', foreign, 'CrossSiteRequest'],
    ['same-site', own, 'CrossSiteRequest'],
    ['same-site', undefined, 'CrossSiteRequest'],
    ['same-site', 'null', 'CrossSiteRequest'],
    ['cross-site', own, 'CrossSiteRequest'],
    ['cross-site', undefined, 'CrossSiteRequest'],
    ['cross-site', 'null', 'CrossSiteRequest'],
    ['cross-site', foreign, 'CrossSiteRequest'],
    ['same-origin, cross-site', own, 'CrossSiteRequest'],
    ['Same-Origin', own, 'CrossSiteRequest'],
    [undefined, own, 'passed'],
    [undefined, undefined, 'passed'],
    [undefined, 'null', 'CrossSiteRequest'],
    [undefined, foreign, 'CrossSiteRequest'],
    [undefined, 'http://localhost:3001', 'CrossSiteRequest'],
    [undefined, 'https://localhost:3000', 'CrossSiteRequest'],
    [undefined, `${own}/`, 'CrossSiteRequest'],
    [undefined, `${own}.evil.example`, 'CrossSiteRequest'],
  ];

  test.each(cases)('UI3: Sec-Fetch-Site %s with Origin %s: %s', async (site, origin, result) => {
    const headers = {
      ...(site === undefined ? {} : { 'sec-fetch-site': site }),
      ...(origin === undefined ? {} : { origin }),
    };
    expect(await send(csrf, showForm(csrf), headers)).toBe(result);
    // Without a token of this browser nothing passes, wherever it comes from.
    const expected = result === 'passed' ? 'StaleForm' : result;
    expect(await send(csrf, { ...showForm(csrf), token: '' }, headers)).toBe(expected);
  });

  test('Origin: null still requires a token', async () => {
    const strange = { ...showForm(csrf), token: showForm(csrf).token };
    expect(await send(csrf, strange, { origin: 'null', 'sec-fetch-site': 'same-origin' })).toBe('StaleForm');
  });
});

describe('the token', () => {
  const csrf = createCsrf({ baseUrl, keys: [key] });

  test('is valid in one browser only', async () => {
    const mine = showForm(csrf);
    const theirs = showForm(csrf);
    expect(mine.token).not.toBe(theirs.token);
    expect(await send(csrf, { cookie: mine.cookie, token: theirs.token })).toBe('StaleForm');
  });

  test('is rejected without the cookie', async () => {
    expect(await send(csrf, { ...showForm(csrf), cookie: '' })).toBe('StaleForm');
  });

  test.each(['linnet_csrf=', 'linnet_csrf=chosen', 'linnet_csrf=chosen.', 'linnet_csrf=.', 'linnet_csrf=a.b.c'])(
    'is refused with the cookie %s, which nobody signed, and that one is replaced',
    async (cookie) => {
      const ctx = createContext({ headers: { cookie } });
      const token = csrf.csrfToken(ctx);
      expect(setCookies(ctx).has('linnet_csrf')).toBe(true);
      expect(await send(csrf, { cookie, token })).toBe('StaleForm');
    },
  );

  test('differs from the signature in the cookie', async () => {
    const { cookie } = showForm(csrf);
    const signature = cookie.split('.')[1] ?? '';
    expect(signature).not.toBe('');
    expect(await send(csrf, { cookie, token: signature })).toBe('StaleForm');
  });

  test('is the same for all forms of a page, which sets the cookie once', () => {
    const ctx = createContext();
    expect(csrf.csrfToken(ctx)).toBe(csrf.csrfToken(ctx));
    expect(setCookies(ctx).size).toBe(1);
  });

  test('is the same on pages that are open at the same time', async () => {
    const { cookie, token } = showForm(csrf);
    const later = createContext({ headers: { cookie } });
    expect(csrf.csrfToken(later)).toBe(token);
    expect(setCookies(later).size).toBe(0);
    expect(await send(csrf, { cookie, token })).toBe('passed');
  });

  test('must not be repeated', async () => {
    const { cookie, token } = showForm(csrf);
    const ctx = post({ cookie }, `csrf=${token}&csrf=${token}`);
    const form = await readForm(ctx);
    expect(() => csrf.requireSameOrigin(ctx, form)).toThrow(FormRefused);
  });
});

describe('keys', () => {
  test('a form from before a key rotation is still accepted', async () => {
    const shown = showForm(createCsrf({ baseUrl, keys: [key] }));
    expect(await send(createCsrf({ baseUrl, keys: [otherKey, key] }), shown)).toBe('passed');
  });

  test('a form signed with a removed key is stale', async () => {
    const shown = showForm(createCsrf({ baseUrl, keys: [key] }));
    expect(await send(createCsrf({ baseUrl, keys: [otherKey] }), shown)).toBe('StaleForm');
  });

  test('at least one is required', () => {
    expect(() => createCsrf({ baseUrl, keys: [] })).toThrow(RangeError);
  });
});

describe('the cookie', () => {
  test('UI2: on https has the __Host- prefix and is Secure, HttpOnly, SameSite=Lax, for /', () => {
    const ctx = createContext();
    createCsrf({ baseUrl: 'https://linnet.example', keys: [key] }).csrfToken(ctx);
    expect(setCookies(ctx).get('__Host-linnet_csrf')?.flags).toBe('path=/; samesite=lax; secure; httponly');
  });

  test('on http has no prefix and is not Secure', () => {
    const ctx = createContext();
    createCsrf({ baseUrl, keys: [key] }).csrfToken(ctx);
    expect(setCookies(ctx).get('linnet_csrf')?.flags).toBe('path=/; samesite=lax; httponly');
  });

  test('contains a random number only', () => {
    const csrf = createCsrf({ baseUrl, keys: [key] });
    const value = /^linnet_csrf=([\w-]{32})\.([\w-]{43})$/;
    const [first, second] = [showForm(csrf).cookie, showForm(csrf).cookie];
    expect(first).toMatch(value);
    expect(second).toMatch(value);
    expect(first).not.toBe(second);
  });
});
