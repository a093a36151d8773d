import type Koa from 'koa';

import { openDocuments } from '../routes.ts';

const header = 'Access-Control-Allow-Origin';

/**
 * Never allows the origin `null`, which sandboxed frames, local files and many other documents share. The provider
 * repeats the Origin header; documents that every page may read get `*` instead.
 */
export const rejectNullOrigin: Koa.Middleware = async (ctx, next) => {
  try {
    await next();
  } finally {
    if (ctx.response.get(header) === 'null') {
      if (openDocuments.has(ctx.path)) ctx.set(header, '*');
      else ctx.remove(header);
    }
  }
};
