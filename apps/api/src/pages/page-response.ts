/** How public pages are sent. */
import { createHash } from 'node:crypto';

import type { Context } from 'koa';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** Sends a page, with the status 200 if none is given. */
export type SendPage = (ctx: Context, page: VNode, status?: 200 | 404) => void;

/** `imageSources`: origins of images besides our own. */
export function createPageSender(imageSources: readonly string[]): SendPage {
  const images = ["img-src 'self'", ...imageSources].join(' ');
  const policy = `default-src 'none'; style-src 'self'; ${images}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return (ctx, page, status = 200) => {
    ctx.set('Content-Security-Policy', policy);
    sendHtml(ctx, page, status);
  };
}

function sendHtml(ctx: Context, page: VNode, status: 200 | 404): void {
  const html = `<!DOCTYPE html>\n${renderToString(page)}\n`;
  if (status === 200) {
    sendRevalidated(ctx, 'html', html);
    return;
  }
  ctx.status = status;
  ctx.type = 'html';
  ctx.set('Cache-Control', 'no-cache');
  ctx.body = html;
}

/**
 * Clients ask again on every visit, and get 304 while nothing has changed. There is no Last-Modified: when a post is deleted or
 * hidden, the date of what is left is older.
 */
export function sendRevalidated(ctx: Context, type: string, text: string): void {
  ctx.status = 200;
  ctx.type = type;
  ctx.set('Cache-Control', 'no-cache');
  ctx.etag = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = text;
}
