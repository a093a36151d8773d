import type { Middleware } from 'koa';

import { drawDefaultAvatar } from '@linnet/social/account/account-view';

/** Serves generated avatars for accounts without a photo. */
export function serveDefaultAvatar(): Middleware {
  return async (ctx, next) => {
    const svg = ctx.method === 'GET' || ctx.method === 'HEAD' ? drawDefaultAvatar(ctx.path) : undefined;
    if (svg === undefined) {
      await next();
      return;
    }
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
    ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
    ctx.type = 'image/svg+xml';
    ctx.body = svg;
  };
}
