import { nameRoute } from '@linnet/service/http/request-log';
import type Koa from 'koa';

import { pagePaths } from '../../pages/views/page-paths.ts';

const pattern = /^\/logos\/([0-9a-f]{32}\.(png|jpg))$/;
const types: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg' };

/** Serves logos: images that the decoder encoded, with a fixed content type and a CSP that blocks scripts. */
export function serveLogo(findLogo: (name: string) => Promise<Buffer | undefined>): Koa.Middleware {
  return async (ctx, next) => {
    const [, name = '', type = ''] = pattern.exec(ctx.path) ?? [];
    const isLogo = name !== '' && ctx.path === pagePaths.logo(name) && ['GET', 'HEAD'].includes(ctx.method);
    const bytes = isLogo ? await findLogo(name) : undefined;
    if (bytes === undefined) {
      await next();
      return;
    }
    nameRoute(ctx, '/logos/:file');
    ctx.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      // The name is random and never reused.
      ETag: `"${name}"`,
    });
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = types[type] ?? 'application/octet-stream';
    ctx.body = bytes;
  };
}
