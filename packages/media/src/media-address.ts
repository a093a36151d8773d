import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

import type { Secret } from '@linnet/service/config/secret';
import type { MediaSettings } from '@linnet/service/config/variables';

/** The renditions that have a URL: full size, the size that pages display, and the thumbnail. */
export type AddressedRendition = 'full' | 'display' | 'thumb';

const prefixes = { full: '/media/', display: '/media/display/', thumb: '/media/thumb/' } as const;
const pathPattern = /^\/media\/(?:(display|thumb)\/)?([0-9a-f]{32}\.(?:png|jpg))$/;

/** Returns the path of a file of media. */
export function mediaPath(rendition: AddressedRendition, name: string): string {
  return prefixes[rendition] + name;
}

/** Parses a path of `mediaPath`. `undefined`: any other path, including other spellings of the same path. */
export function parseMediaPath(
  path: string,
): { readonly rendition: AddressedRendition; readonly name: string } | undefined {
  const [, folder, name] = pathPattern.exec(path) ?? [];
  if (name === undefined) return undefined;
  return { rendition: folder === 'display' || folder === 'thumb' ? folder : 'full', name };
}

/** What a signed URL says. */
interface SignedFor {
  /** The account to which the URL was shown. */
  readonly reader: number;
  /** For how much longer it is valid. */
  readonly seconds: number;
}

/**
 * Signs the URLs of media of protected accounts for the account to which they are shown (decisions D96). Whether it may still see
 * the media is checked at each request.
 */
export interface MediaSignatures {
  /** Returns the query of a signed URL, including `?`. It is valid for 30 to 60 minutes. */
  sign(name: string, reader: number): string;
  /** Returns for whom the query is signed. `undefined`: it is not genuine, or has expired. */
  verify(name: string, query: URLSearchParams): SignedFor | undefined;
}

const halfHourSeconds = 1800;

/**
 * Creates signatures from SECRET_KEYS: the first key signs, all keys verify. A signature is valid for all renditions.
 * @throws Error without keys
 */
export function createMediaSignatures(
  secretKeys: readonly Secret[],
  nowSeconds: () => number = () => Math.floor(Date.now() / 1000),
): MediaSignatures {
  const keys = secretKeys.map((key) => Buffer.from(hkdfSync('sha256', key.reveal(), '', 'linnet media address', 32)));
  const [signingKey] = keys;
  if (signingKey === undefined) throw new Error('at least one secret key is required');
  return {
    sign: (name, reader) => {
      // URLs change every half hour, so that browsers can keep copies in between.
      const expires = (Math.floor(nowSeconds() / halfHourSeconds) + 2) * halfHourSeconds;
      const signature = digest(signingKey, { name, reader, expires }).toString('base64url');
      return `?reader=${String(reader)}&expires=${String(expires)}&signature=${signature}`;
    },
    verify: (name, query) => {
      const [reader, expires] = [toNumber(query.get('reader')), toNumber(query.get('expires'))];
      const given = Buffer.from(query.get('signature') ?? '', 'base64url');
      const isGenuine = keys.some((key) => isEqual(digest(key, { name, reader, expires }), given));
      const seconds = expires - nowSeconds();
      return isGenuine && seconds > 0 ? { reader, seconds } : undefined;
    },
  };
}

function toNumber(text: string | null): number {
  return Number(/^\d{1,16}$/.exec(text ?? '')?.[0] ?? 0);
}

interface Signed {
  readonly name: string;
  readonly reader: number;
  readonly expires: number;
}

function digest(key: Buffer, { name, reader, expires }: Signed): Buffer {
  return createHmac('sha256', key)
    .update(`${name} ${String(reader)} ${String(expires)}`)
    .digest();
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The origins besides our own from which browsers load images of our pages, as CSP sources. */
export function findImageSources({ bucket, url }: MediaSettings): readonly string[] {
  const sources = url === undefined ? [] : [url];
  if (bucket?.reads !== 'presigned') return sources;
  const origin = new URL(bucket.endpoint);
  if (!bucket.isPathStyle) origin.host = `${bucket.bucket}.${origin.host}`;
  return [...sources, origin.origin];
}
