import { probeCache } from '@linnet/service/cache/probe';
import { isLoopbackHost } from '@linnet/service/config/environment';

import type { Config } from '../config.ts';
import { CheckFailed, runCheck } from './check.ts';
import type { Check } from './check.ts';

/** With CACHE_URL, its server must count for us. */
export async function checkCacheServer({ cacheUrl, serviceName }: Config): Promise<readonly Check[]> {
  if (cacheUrl === undefined) return [];
  const { host, hostname, protocol } = new URL(cacheUrl.reveal());
  const check = await runCheck('cache', async () => {
    await probeCache(cacheUrl, serviceName).catch((error: unknown) => {
      throw new CheckFailed(
        `CACHE_URL: the server ${host} cannot be used (${error instanceof Error ? error.message : String(error)})`,
        'Check that Valkey or Redis runs and that this machine reaches it, and correct host, port, user and password of CACHE_URL. Its user needs the commands EVAL, EVALSHA, SET, MGET, INCRBY, PTTL, EXPIRE, INFO, HELLO and CLIENT.',
        { cause: error },
      );
    });
    const detail = `the server ${host} counts`;
    if (protocol === 'rediss:' || isLoopbackHost(hostname)) return detail;
    return {
      detail: `${detail}; the connection is not encrypted`,
      warning: true,
      remedy: 'Use rediss:// in CACHE_URL, unless only trusted machines are on that network.',
    };
  });
  return [check];
}
