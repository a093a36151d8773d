import { z } from 'zod';

import { findValues } from './environment-values.ts';
import type { Environment } from './environment-values.ts';
import { databaseUrlVariable } from './environment.ts';

/**
 * DATABASE_REPLICA_URL: replicas of the database, separated by commas. The processes tell each other through the cache who
 * has just written, so it needs CACHE_URL.
 */
export function replicaVariables(env: Environment) {
  const hasCache = findValues(['CACHE_URL'], env).values.has('CACHE_URL');
  return {
    DATABASE_REPLICA_URL: z
      .string()
      .refine(() => hasCache, { error: 'needs CACHE_URL, with which the processes tell each other of writes' })
      .transform((text) => text.split(',').map((url) => url.trim()))
      .pipe(z.array(databaseUrlVariable))
      .optional(),
  };
}
