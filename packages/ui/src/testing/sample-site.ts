import type { RequestListener } from 'node:http';

import Koa from 'koa';

import type { Assets } from '../assets.ts';

const picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z" fill="#888"/></svg>';

/** What sample pages take when a browser shows them: the true stylesheet and logo, and one picture for all others. */
export function serveSampleFiles(assets: Assets): RequestListener {
  const koa = new Koa();
  koa.use(async (ctx, next) => {
    await assets.serve(ctx, next);
    // One document after the other takes them: they are asked for once.
    ctx.set('Cache-Control', 'max-age=600');
  });
  koa.use((ctx) => {
    ctx.type = 'image/svg+xml';
    ctx.body = picture;
  });
  // Koa's listener promises to have answered; nobody waits for that here.
  const answer = koa.callback();
  return (request, response) => void answer(request, response);
}
