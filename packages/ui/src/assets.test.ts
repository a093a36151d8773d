import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import Koa from 'koa';
import { describe, expect, test } from 'vitest';

import { loadAssets } from './assets.ts';

const assets = loadAssets({ path: '/assets', styles: [] });

interface RequestOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

async function get(url: string, { method = 'GET', headers = {} }: RequestOptions = {}) {
  const request = Object.assign(new IncomingMessage(new Socket()), { url, method, headers });
  const ctx = new Koa().createContext(request, new ServerResponse(request));
  let calledNext = false;
  await assets.serve(ctx, async () => {
    calledNext = true;
  });
  return { ctx, calledNext };
}

describe('assets', () => {
  test.each([
    [assets.addresses.style, 'text/css; charset=utf-8', ':root'],
    [assets.addresses.logo, 'image/svg+xml', '<svg'],
  ])('%s is cached for a year', async (url, type, content) => {
    const { ctx } = await get(url);
    expect(ctx.status).toBe(200);
    expect(ctx.response.get('Content-Type')).toBe(type);
    expect(ctx.response.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(String(ctx.body)).toContain(content);
  });

  test('addresses contain a hash of the content', () => {
    expect(assets.addresses.style).toMatch(/^\/assets\/style\.css\?v=[0-9a-f]{16}$/);
    expect(assets.addresses.logo).toMatch(/^\/assets\/logo\.svg\?v=[0-9a-f]{16}$/);
  });

  test.each(['/assets/style.css', '/assets/style.css?v=0000000000000000'])(
    '%s is not cached, because its version is missing or unknown',
    async (url) => {
      const { ctx } = await get(url);
      expect(ctx.status).toBe(200);
      expect(ctx.response.get('Cache-Control')).toBe('no-cache');
    },
  );

  test('a matching ETag yields 304', async () => {
    const etag = (await get(assets.addresses.style)).ctx.response.get('ETag');
    const { ctx } = await get(assets.addresses.style, { headers: { 'if-none-match': etag } });
    expect(ctx.status).toBe(304);
    expect(ctx.body).toBeUndefined();
  });

  test.each(['/', '/assets/', '/assets/style.css/', '/assets/../assets.ts', '/assets/style/base.css', '/style.css'])(
    '%s is not an asset',
    async (url) => {
      expect((await get(url)).calledNext).toBe(true);
    },
  );

  test('serves GET and HEAD only', async () => {
    expect((await get('/assets/style.css', { method: 'HEAD' })).calledNext).toBe(false);
    expect((await get('/assets/style.css', { method: 'POST' })).calledNext).toBe(true);
  });
});
