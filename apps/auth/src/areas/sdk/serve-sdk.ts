import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { nameRoute } from '@linnet/service/http/request-log';
import type Koa from 'koa';

import { pagePaths } from '../../pages/views/page-paths.ts';

/** The generator of packages/sdk writes them. */
const folder = new URL('../../generated/sdk/', import.meta.url);

const types: Readonly<Record<string, string>> = {
  [pagePaths.sdkArchive]: 'application/gzip',
  [pagePaths.sdkFile]: 'text/javascript; charset=utf-8',
  [pagePaths.sdkWheel]: 'application/zip',
};

interface ServedFile {
  readonly body: Buffer;
  readonly etag: string;
}

/** The SDKs for applications: what `npm install` and `pip install` take, and one file for pages without a bundler, also on other origins. */
export function serveSdk(): Koa.Middleware {
  const files = new Map<string, ServedFile>();
  return async (ctx, next) => {
    const type = types[ctx.path];
    const isWanted = type !== undefined && ['GET', 'HEAD'].includes(ctx.method);
    const file = isWanted ? (files.get(ctx.path) ?? (await readServedFile(ctx.path))) : undefined;
    if (type === undefined || file === undefined) {
      await next();
      return;
    }
    files.set(ctx.path, file);
    nameRoute(ctx, ctx.path);
    ctx.set({
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': 'no-cache',
      ETag: file.etag,
    });
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = type;
    ctx.body = file.body;
  };
}

/** Undefined in a checkout that was not built. */
async function readServedFile(path: string): Promise<ServedFile | undefined> {
  try {
    const body = await readFile(new URL(path.replace(/.*\//, ''), folder));
    return { body, etag: `"${hash('sha256', body).slice(0, 32)}"` };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
