import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

import type { Secret } from '@linnet/service/config/secret';

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

/** Signs the URLs of media of protected accounts, so that they work only for people to whom they were shown (decisions, Details 13). */
export interface MediaSignatures {
  /** Returns the query of a signed URL, including `?`. It is valid for 30 to 60 minutes. */
  sign(name: string): string;
  /** Returns for how many more seconds the query is valid; 0 if it is not. */
  secondsLeft(name: string, query: URLSearchParams): number;
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
    sign: (name) => {
      // URLs change every half hour, so that browsers can cache them in between.
      const expires = (Math.floor(nowSeconds() / halfHourSeconds) + 2) * halfHourSeconds;
      return `?expires=${String(expires)}&signature=${digest(signingKey, name, expires).toString('base64url')}`;
    },
    secondsLeft: (name, query) => {
      const expires = Number(/^\d{1,12}$/.exec(query.get('expires') ?? '')?.[0] ?? 0);
      const given = Buffer.from(query.get('signature') ?? '', 'base64url');
      const isGenuine = keys.some((key) => isEqual(digest(key, name, expires), given));
      return isGenuine ? Math.max(0, expires - nowSeconds()) : 0;
    },
  };
}

function digest(key: Buffer, name: string, expires: number): Buffer {
  return createHmac('sha256', key)
    .update(`${name} ${String(expires)}`)
    .digest();
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
