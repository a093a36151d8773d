import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

import type { Context } from 'koa';

/** A file kept in gzip form, which almost every client accepts. */
export interface CompressedFile {
  readonly gzipped: Buffer;
  /** Content-Type, including the charset. */
  readonly type: string;
  /** Hash of the content. */
  readonly version: string;
}

const compress = promisify(gzip);
const expand = promisify(gunzip);

export async function compressFile(type: string, content: string | Buffer): Promise<CompressedFile> {
  return { gzipped: await compress(content), type, version: hash('sha256', content).slice(0, 16) };
}

/** Sends the file, or 304 if the client has the current version. */
export async function sendFile(ctx: Context, file: CompressedFile, cacheControl: string): Promise<void> {
  ctx.status = 200;
  ctx.vary('Accept-Encoding');
  ctx.set('Cache-Control', cacheControl);
  ctx.set('Content-Type', file.type);
  // Weak: both encodings are one version of the file (RFC 9110 §8.8.1).
  ctx.set('ETag', `W/"${file.version}"`);
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  if (ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
    ctx.set('Content-Encoding', 'gzip');
    ctx.body = file.gzipped;
  } else {
    ctx.body = await expand(file.gzipped);
  }
  ctx.set('Content-Type', file.type); // koa sets application/octet-stream for a Buffer
}
