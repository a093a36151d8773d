import { Secret } from '@linnet/service/config/secret';
import type { Context } from 'koa';
import { describe, expect, test } from 'vitest';

import { LoginPage } from '../../sign-in/login/login-step.tsx';
import { createCsrf, CrossSiteRequest, StaleForm } from '../form/csrf.ts';
import { FormRefused } from '../form/form.ts';
import { createLanguages } from './language.ts';
import { createFrameFactory } from './page-frame.ts';
import { renderPage, renderRefusal } from './render.tsx';
import { createContext, setCookies } from '@linnet/test/auth/koa-context';

const baseUrl = 'http://localhost:3000';
const createFrame = createFrameFactory({
  serviceName: 'little-bird',
  assets: { addresses: { style: '/assets/style.css', logo: '/assets/logo.svg', extraStyles: {}, scripts: {} } },
  siteLinks: {},
  hasClient: false,
  mayInvite: false,
  csrf: createCsrf({ baseUrl, keys: [new Secret('k'.repeat(40))] }),
  languages: createLanguages(baseUrl),
});

function bodyOf(ctx: Context): string {
  return String(ctx.body);
}

describe('a page', () => {
  test('is HTML with page headers', () => {
    const ctx = createContext({ url: '/login?a=b' });
    renderPage(ctx, <LoginPage frame={createFrame(ctx)} />, { status: 401, leadsOut: true });
    expect(ctx.status).toBe(401);
    expect(ctx.response.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(ctx.response.get('Cache-Control')).toBe('no-store');
    expect(ctx.response.get('Content-Security-Policy')).not.toContain('form-action');
    expect(bodyOf(ctx)).toMatch(/^<!DOCTYPE html>\n<html lang="en">.*<\/html>\n$/s);
  });

  test('shows the service’s name in the reader’s language, with links to the others', () => {
    const ctx = createContext({ url: '/login?a=b', headers: { 'accept-language': 'de' } });
    renderPage(ctx, <LoginPage frame={createFrame(ctx)} />);
    expect(ctx.status).toBe(200);
    expect(bodyOf(ctx)).toContain('<title>Anmelden · Little Bird</title>');
    expect(bodyOf(ctx)).toContain('href="?a=b&amp;lang=en"');
  });

  test('sets the CSRF cookie if it has a form', () => {
    const ctx = createContext();
    const frame = createFrame(ctx, { uiLocales: 'de' });
    expect(setCookies(ctx).size).toBe(0);
    renderPage(ctx, <LoginPage frame={frame} />);
    expect(setCookies(ctx).has('linnet_csrf')).toBe(true);
    expect(bodyOf(ctx)).toContain('lang="de"');
  });
});

describe('errors of checking a form', () => {
  test.each([
    [new StaleForm(), 403, 'This page has expired'],
    [new CrossSiteRequest(), 403, 'Request blocked'],
    [new FormRefused(400, 'not UTF-8'), 400, 'This form could not be read'],
    [new FormRefused(413, 'too long'), 413, 'This form could not be read'],
    [new FormRefused(415, 'JSON'), 415, 'This form could not be read'],
  ])('%s becomes a page with status %i', (error, status, title) => {
    const ctx = createContext({ method: 'POST', headers: { cookie: 'a=b' } });
    expect(renderRefusal(ctx, { frame: createFrame(ctx), error })).toBe(true);
    expect(ctx.status).toBe(status);
    expect(bodyOf(ctx)).toContain(`<h1>${title}</h1>`);
    expect(bodyOf(ctx)).not.toContain(error.message === '' ? '\0' : error.message);
    // A stranger who sends a form from elsewhere cannot make the reader's own open forms stale.
    expect(setCookies(ctx).size).toBe(0);
  });

  test('a stale form without any cookie asks to allow cookies, in every language', () => {
    const titles = ['Cookies are required', 'Cookies werden benötigt', 'Les cookies sont', 'Se necesitan cookies'];
    for (const [index, language] of ['en', 'de', 'fr', 'es'].entries()) {
      const ctx = createContext({ method: 'POST', headers: { 'accept-language': language } });
      renderRefusal(ctx, { frame: createFrame(ctx), error: new StaleForm() });
      expect(bodyOf(ctx)).toContain(`<h1>${titles[index] ?? ''}`);
    }
  });

  test('a stale form links back to its page', () => {
    const ctx = createContext({ method: 'POST', url: '//evil.example/login?a=b' });
    renderRefusal(ctx, { frame: createFrame(ctx), error: new StaleForm() });
    expect(bodyOf(ctx)).toContain('<a class="button" href="?a=b">');
    renderRefusal(ctx, { frame: createFrame(ctx), error: new StaleForm(), continueTo: '/login' });
    expect(bodyOf(ctx)).toContain('<a class="button" href="/login">');
  });

  test('other errors are not handled', () => {
    const ctx = createContext();
    expect(renderRefusal(ctx, { frame: createFrame(ctx), error: new Error('no') })).toBe(false);
    expect(ctx.body).toBeUndefined();
  });
});
