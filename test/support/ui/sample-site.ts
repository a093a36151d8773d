import type { RequestListener } from 'node:http';

import Koa from 'koa';

import type { Assets } from '@linnet/ui/assets';

const picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z" fill="#888"/></svg>';

/** Serves the files of sample pages to a browser: the real stylesheet and logo, and one image for everything else. */
export function serveSampleFiles(assets: Assets): RequestListener {
  const koa = new Koa();
  koa.use(async (ctx, next) => {
    await assets.serve(ctx, next);
    // Many sample pages share these files, so the browser may cache them.
    ctx.set('Cache-Control', 'max-age=600');
  });
  koa.use((ctx) => {
    ctx.type = 'image/svg+xml';
    ctx.body = picture;
  });
  // Koa's listener returns a promise, which the HTTP server does not await.
  const listener = koa.callback();
  return (request, response) => void listener(request, response);
}
