import { createHash } from 'node:crypto';

import type { Context } from 'koa';
import { describe, expect, test } from 'vitest';

import { hashSource, securityHeaders, setPageHeaders } from './security-headers.ts';
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
    expect(ctx.response.get('Referrer-Policy')).toBe('same-origin');
    expect(ctx.response.get('X-Frame-Options')).toBe('DENY');
    expect(ctx.response.get('Cache-Control')).toBe('no-store');
  });

  test('UI4: limits no form that leads to an application', () => {
    const ctx = createContext();
    setPageHeaders(ctx, { leadsOut: true });
    expect(ctx.response.get('Content-Security-Policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
  });

  test('AZ16: runs only the script it declares, no other script of our origin', () => {
    const ctx = createContext();
    setPageHeaders(ctx, { script: '/assets/passkeys.js?v=0' });
    expect(ctx.response.get('Content-Security-Policy')).toContain(
      '; script-src http://localhost:3000/assets/passkeys.js; ',
    );
  });

  test('starts only the worker it declares', () => {
    const ctx = createContext();
    setPageHeaders(ctx, { worker: '/assets/pbkdf2.js?v=0' });
    expect(ctx.response.get('Content-Security-Policy')).toContain(
      '; worker-src http://localhost:3000/assets/pbkdf2.js; ',
    );
  });

  test('runs an inline script of a known hash', () => {
    const ctx = createContext();
    setPageHeaders(ctx, { leadsOut: true, scriptHash: hashSource('go();') });
    const hash = createHash('sha256').update('go();').digest('base64');
    expect(ctx.response.get('Content-Security-Policy')).toContain(`; script-src 'sha256-${hash}'; `);
  });
});
