import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

import type { Secret } from '@linnet/service/secret';

/** The stored image, the one that pages show, and a small one. */
export type AddressedRendition = 'full' | 'display' | 'thumb';

const prefixes = { full: '/media/', display: '/media/display/', thumb: '/media/thumb/' } as const;
const pathPattern = /^\/media\/(?:(display|thumb)\/)?([0-9a-f]{32}\.(?:png|jpg))$/;

export function mediaPath(rendition: AddressedRendition, name: string): string {
  return prefixes[rendition] + name;
}

/** What a path names; `undefined` for every other path, however it is spelt. */
export function parseMediaPath(
  path: string,
): { readonly rendition: AddressedRendition; readonly name: string } | undefined {
  const [, folder, name] = pathPattern.exec(path) ?? [];
  if (name === undefined) return undefined;
  return { rendition: folder === 'display' || folder === 'thumb' ? folder : 'full', name };
}

/** Lets those in who were shown the address of media of a protected account (decisions, Details 13). */
export interface MediaSignatures {
  /** The query of an address, `?` included; it holds for half an hour to an hour. */
  sign(name: string): string;
  /** Seconds for which the query still opens the media; 0 when it does not. */
  secondsLeft(name: string, query: URLSearchParams): number;
}

const halfHourSeconds = 1800;

/** The first key signs, all verify; one signature opens all renditions of a name. */
export function createMediaSignatures(
  secretKeys: readonly Secret[],
  nowSeconds: () => number = () => Math.floor(Date.now() / 1000),
): MediaSignatures {
  const keys = secretKeys.map((key) => Buffer.from(hkdfSync('sha256', key.reveal(), '', 'linnet media address', 32)));
  const [signingKey] = keys;
  if (signingKey === undefined) throw new Error('there is no key to sign addresses with');
  return {
    sign: (name) => {
      // Equal for half an hour, so that caches of browsers are of use.
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
