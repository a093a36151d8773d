import { z } from 'zod';

import { Secret } from '../secret.ts';

/** A server, and at most the number of a database: `redis://:password@cache.example.org:6379/1`. */
function isCacheUrl(text: string): boolean {
  if (!/^rediss?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { hostname, pathname, search, hash } = new URL(text);
  return hostname !== '' && /^\/?\d{0,2}$/.test(pathname) && search === '' && hash === '';
}

/** CACHE_URL: a Valkey or Redis server that the processes of all hosts share. Secret, because it can contain a password. */
export const cacheUrlVariable = z
  .string()
  .refine(isCacheUrl, {
    error: 'must be a URL such as redis://user:password@cache.example.org:6379, or rediss:// for TLS',
  })
  .transform((text) => new Secret(text));
