import type { Db } from '@linnet/db/database';
import { parseMediaPath } from '@linnet/media/media-address';
import type { AddressedRendition, MediaSignatures } from '@linnet/media/media-address';
import type { MediaStorage, StoredFile } from '@linnet/media/storage/media-storage';
import { nameRoute } from '@linnet/service/http/request-log';
import { findServedMedia } from '@linnet/social/media/media-store';
import { toImageType } from '@linnet/social/media/media-view';
import type { Context, Middleware } from 'koa';

import { ApiError, notFound } from '../http/api-error.ts';

interface Dependencies {
  readonly db: Pick<Db, 'query'>;
  readonly storage: MediaStorage;
  readonly signatures: MediaSignatures;
  /** Whether a CDN fetches public media here: it must get the bytes, not a redirect. */
  readonly hasCdn: boolean;
}

/**
 * Five minutes, then caches ask again with the ETag: the account may become protected or deleted, and then
 * copies in browsers and shared caches must not be shown for long.
 */
const openCacheControl = 'public, max-age=300, must-revalidate';
/** The same, in the cache of its reader alone. */
const signedSeconds = 300;
/** Half the time for which a presigned URL is valid, and only for this client. */
const redirectCacheControl = 'private, max-age=30';

/** How a file may be fetched. */
interface Access {
  readonly isSigned: boolean;
  readonly cacheControl: string;
}

/**
 * Serves media files. One indexed query per request decides whether the record exists and is visible, so
 * that a deletion or a protection takes effect at once. Missing and hidden media both respond 404.
 */
export function serveMedia({ db, storage, signatures, hasCdn }: Dependencies): Middleware {
  /** `undefined` when the media is missing or hidden. */
  async function findAccess(ctx: Context, name: string, rendition: AddressedRendition): Promise<Access | undefined> {
    const signed = signatures.verify(name, ctx.URL.searchParams);
    const access = await findServedMedia(db, { name, rendition, reader: signed?.reader ?? null });
    if (access === 'open') return { isSigned: false, cacheControl: openCacheControl };
    if (access === undefined || signed === undefined) return undefined;
    const seconds = Math.min(signedSeconds, signed.seconds);
    return { isSigned: true, cacheControl: `private, max-age=${String(seconds)}, must-revalidate` };
  }

  return async (ctx, next) => {
    const media = parseMediaPath(ctx.path);
    if (media === undefined) {
      await next();
      return;
    }
    nameRoute(ctx, '/media/:file');
    requireReadMethod(ctx);
    const access = await findAccess(ctx, media.name, media.rendition);
    if (access === undefined) throw notFound('file');
    const file = await storage.open(media.name, media.rendition);
    if (file === undefined) throw notFound('file');
    // A presigned URL is for GET only.
    if (file.presign !== undefined && ctx.method === 'GET' && (access.isSigned || !hasCdn)) {
      redirect(ctx, await file.presign(), access);
      await file[Symbol.asyncDispose]();
      return;
    }
    ctx.set({
      'Accept-Ranges': 'bytes',
      'Cache-Control': access.cacheControl,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      // A name always stands for the same bytes.
      ETag: `"${media.rendition}-${media.name}"`,
    });
    ctx.type = toImageType(media.name);
    await send(ctx, file);
  };
}

/** The permission was checked for this request, so a shared cache must not keep the redirect. */
function redirect(ctx: Context, address: string, { isSigned }: Access): void {
  ctx.redirect(address);
  ctx.set('Cache-Control', isSigned ? 'no-store' : redirectCacheControl);
  // The body of Koa repeats the address.
  ctx.body = null;
  ctx.status = 302;
}

/** Responds 200, 206, 304 or 416. Closes the file, after the body was sent if there is one. */
async function send(ctx: Context, file: StoredFile): Promise<void> {
  ctx.status = 200;
  const range = ctx.fresh ? 'unchanged' : requestedRange(ctx, file.bytes);
  if (range === 'unchanged') ctx.status = 304;
  if (range === 'unsatisfiable') {
    ctx.status = 416;
    ctx.set('Content-Range', `bytes */${String(file.bytes)}`);
    ctx.set('Cache-Control', 'no-store');
  }
  if (typeof range === 'object') setRangeHeaders(ctx, range, file.bytes);
  if (typeof range === 'object' && ctx.method === 'GET') ctx.body = await file.read(range.start, range.end);
  else await file[Symbol.asyncDispose]();
}

function requestedRange(ctx: Context, bytes: number): ByteRange | 'unsatisfiable' {
  const ifRange = ctx.get('if-range');
  const isCurrent = ifRange === '' || ifRange === ctx.response.get('etag');
  return (isCurrent ? readRange(ctx.get('range'), bytes) : undefined) ?? { start: 0, end: bytes - 1 };
}

function setRangeHeaders(ctx: Context, { start, end }: ByteRange, bytes: number): void {
  ctx.length = end - start + 1;
  if (ctx.length === bytes) return;
  ctx.status = 206;
  ctx.set('Content-Range', `bytes ${String(start)}-${String(end)}/${String(bytes)}`);
}

export function requireReadMethod(ctx: Context): void {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return;
  throw new ApiError('method-not-allowed', { detail: 'Use GET or HEAD.', headers: { Allow: 'GET, HEAD' } });
}

/** Bytes `start` to `end` of a file, both inclusive. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Resolves a `Range` header against the length of a file (RFC 9110 §14.2). `undefined` for unknown units and
 * several ranges: a server may ignore Range and send the whole file.
 */
export function readRange(header: string, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? [];
  if (first !== '') return from(Number(first), last === '' ? bytes : Number(last), bytes);
  return last === '' ? undefined : suffix(Number(last), bytes);
}

function from(start: number, last: number, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  if (start >= bytes) return 'unsatisfiable';
  return last < start ? undefined : { start, end: Math.min(last, bytes - 1) };
}

function suffix(length: number, bytes: number): ByteRange | 'unsatisfiable' {
  return length === 0 || bytes === 0 ? 'unsatisfiable' : { start: Math.max(0, bytes - length), end: bytes - 1 };
}
