import type { Db } from '@linnet/db/database';
import type { Context, Middleware } from 'koa';

import { parseMediaPath } from '@linnet/media/media-address';
import type { AddressedRendition, MediaSignatures } from '@linnet/media/media-address';
import { findServedMedia } from '@linnet/social/media/media-store';
import { toImageType } from '@linnet/social/media/media-view';
import { ApiError } from '../http/api-error.ts';
import type { MediaStorage, StoredFile } from '@linnet/media/media-storage';
import { readRange } from './byte-range.ts';
import type { ByteRange } from './byte-range.ts';

interface Dependencies {
  readonly db: Pick<Db, 'query'>;
  readonly storage: MediaStorage;
  readonly signatures: MediaSignatures;
}

/**
 * Serves the files of media: one indexed look-up says whether the record is there and who may have it,
 * so a deletion or a protection holds with the next request. An address of media that is not there, or
 * not for this request, answers 404.
 */
export function serveMedia({ db, storage, signatures }: Dependencies): Middleware {
  /** Cache-Control of an answer; `undefined`: there is nothing for this request. */
  async function admit(ctx: Context, name: string, rendition: AddressedRendition): Promise<string | undefined> {
    const access = await findServedMedia(db, name, rendition);
    if (access === 'open') return 'public, max-age=31536000, immutable';
    const seconds = access === undefined ? 0 : signatures.secondsLeft(name, ctx.URL.searchParams);
    return seconds > 0 ? `private, max-age=${String(seconds)}` : undefined;
  }

  return async (ctx, next) => {
    const media = parseMediaPath(ctx.path);
    if (media === undefined) {
      await next();
      return;
    }
    requireRead(ctx);
    const cacheControl = await admit(ctx, media.name, media.rendition);
    if (cacheControl === undefined) throw notThere();
    const file = await storage.open(media.name, media.rendition);
    if (file === undefined) throw notThere();
    ctx.set({
      'Accept-Ranges': 'bytes',
      'Cache-Control': cacheControl,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      // A name is never used for other octets.
      ETag: `"${media.rendition}-${media.name}"`,
    });
    ctx.type = toImageType(media.name);
    await send(ctx, file);
  };
}

/** 200, 206, 304 or 416; the file is closed when it was read, or at once. */
async function send(ctx: Context, file: StoredFile): Promise<void> {
  ctx.status = 200;
  const asked = ctx.fresh ? 'unchanged' : askedRange(ctx, file.bytes);
  if (asked === 'unchanged') ctx.status = 304;
  if (asked === 'unsatisfiable') {
    ctx.status = 416;
    ctx.set('Content-Range', `bytes */${String(file.bytes)}`);
    ctx.set('Cache-Control', 'no-store');
  }
  if (typeof asked === 'object') announce(ctx, asked, file.bytes);
  if (typeof asked === 'object' && ctx.method === 'GET') ctx.body = file.read(asked.start, asked.end);
  else await file[Symbol.asyncDispose]();
}

function askedRange(ctx: Context, bytes: number): ByteRange | 'unsatisfiable' {
  const ifRange = ctx.get('if-range');
  const isAsked = ifRange === '' || ifRange === ctx.response.get('etag');
  return (isAsked ? readRange(ctx.get('range'), bytes) : undefined) ?? { start: 0, end: bytes - 1 };
}

function announce(ctx: Context, { start, end }: ByteRange, bytes: number): void {
  ctx.length = end - start + 1;
  if (ctx.length === bytes) return;
  ctx.status = 206;
  ctx.set('Content-Range', `bytes ${String(start)}-${String(end)}/${String(bytes)}`);
}

function requireRead(ctx: Context): void {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return;
  throw new ApiError('method-not-allowed', { detail: 'Allowed: GET, HEAD.', headers: { Allow: 'GET, HEAD' } });
}

function notThere(): ApiError {
  return new ApiError('not-found', { detail: 'There is no such file.' });
}
