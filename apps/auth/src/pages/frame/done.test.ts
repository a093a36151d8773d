import { describe, expect, test } from 'vitest';

import { createContext } from '@linnet/test/auth/koa-context';
import { findDone, redirectTo } from './render.tsx';

describe('a successful form', () => {
  test('redirects to a page with 303', () => {
    const ctx = createContext({ method: 'POST' });
    redirectTo(ctx, '/account');
    expect(ctx.status).toBe(303);
    expect(ctx.response.get('Location')).toBe('/account');
    redirectTo(ctx, '/account', 'a b');
    expect(ctx.response.get('Location')).toBe('/account?done=a+b');
  });

  test.each([
    ['/?done=saved', {}, 'saved'],
    ['/?done=saved&lang=de', { 'sec-fetch-site': 'same-origin' }, 'saved'],
    ['/?done=saved', { 'sec-fetch-site': 'cross-site' }, undefined],
    ['/?done=saved', { 'sec-fetch-site': 'same-site' }, undefined],
    ['/?done=saved', { 'sec-fetch-site': 'none' }, undefined],
    ['/?done=constructor', {}, undefined],
    ['/?done=saved&done=deleted', {}, undefined],
    ['/', {}, undefined],
  ])('the page at %s with %j reports it, or not', (url, headers, done) => {
    expect(findDone(createContext({ url, headers }), ['saved', 'deleted'])).toBe(done);
  });
});
