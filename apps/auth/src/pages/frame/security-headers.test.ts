import { createHash } from 'node:crypto';

import type { Context } from 'koa';
import { describe, expect, test } from 'vitest';

import { formActionSource, hashSource, securityHeaders, setPageHeaders } from './security-headers.ts';
import { createContext } from '@linnet/test/auth/koa-context';

async function answered(): Promise<Context> {
  const ctx = createContext();
  await securityHeaders(ctx, async () => undefined);
  return ctx;
}

describe('every response', () => {
  test('HT3: forbids sniffing, framing, embedding, scripts and referrers', async () => {
    const { response } = await answered();
    expect(response.get('X-Content-Type-Options')).toBe('nosniff');
    expect(response.get('Referrer-Policy')).toBe('no-referrer');
    expect(response.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
    expect(response.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
    expect(response.get('Permissions-Policy')).toMatch(/^(?:[a-z-]+=\((?:self)?\)(?:, |$))+$/);
    expect(response.get('Permissions-Policy')).toContain('camera=()');
    expect(response.get('Permissions-Policy')).toContain('publickey-credentials-get=(self)');
    expect(response.get('Content-Security-Policy')).toBe(
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  });
});

describe('a page', () => {
  test('AZ16, UI4: loads own styles and images, posts to our origin, and is never cached', () => {
    const ctx = createContext();
    setPageHeaders(ctx);
    expect(ctx.response.get('Content-Security-Policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(ctx.response.get('X-Frame-Options')).toBe('DENY');
    expect(ctx.response.get('Cache-Control')).toBe('no-store');
  });

  test('UI4: allows forms to redirect to the application', () => {
    const ctx = createContext();
    setPageHeaders(ctx, { formAction: ['https:', 'com.example.app:'] });
    expect(ctx.response.get('Content-Security-Policy')).toContain("; form-action 'self' https: com.example.app:; ");
  });

  test('AZ16: runs only the script it declares, no other script of our origin', () => {
    const ctx = createContext();
    setPageHeaders(ctx, { script: '/assets/passkeys.js?v=0' });
    expect(ctx.response.get('Content-Security-Policy')).toContain(
      '; script-src http://localhost:3000/assets/passkeys.js; ',
    );
  });

  test('posts an authorization response only to the redirect URI, with an inline script of a known hash', () => {
    const ctx = createContext();
    setPageHeaders(ctx, { onlyFormAction: 'https:', scriptHash: hashSource('go();') });
    const hash = createHash('sha256').update('go();').digest('base64');
    expect(ctx.response.get('Content-Security-Policy')).toContain(
      `; script-src 'sha256-${hash}'; form-action https:; `,
    );
  });

  test.each([
    '',
    '*',
    "'unsafe-inline'",
    'https://*',
    'https://a.example; script-src *',
    'https://a.example b',
    'https://a.example/path',
    'https://a.example,b',
    'javascript:',
    'data:',
    'https://a.example',
    'null',
    'https://a.example\n',
    'https://u@a.example',
  ])('UI4: takes no source %j', (source) => {
    expect(() => setPageHeaders(createContext(), { formAction: [source] })).toThrow(TypeError);
    expect(() => setPageHeaders(createContext(), { onlyFormAction: source })).toThrow(TypeError);
  });
});

describe('the CSP source of a redirect URI', () => {
  test.each([
    ['https://app.example.com/callback?x=1', 'https:'],
    ['https://app.example.com:8443/', 'https:'],
    ['http://localhost:5173/callback', 'http:'],
    ['http://[::1]:49152/', 'http:'],
    ['com.example.app:/callback', 'com.example.app:'],
    ['com.example.app://callback', 'com.example.app:'],
  ])('%s is %s, and the policy takes it', (redirectUri, source) => {
    expect(formActionSource(redirectUri)).toBe(source);
    const ctx = createContext();
    setPageHeaders(ctx, { formAction: [formActionSource(redirectUri)] });
    expect(ctx.response.get('Content-Security-Policy')).toContain(`form-action 'self' ${source};`);
  });
});
