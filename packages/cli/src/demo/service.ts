import { createLogger } from '@linnet/service/logger';

import type { Config } from '../config.ts';
import { CommandError } from '../failure.ts';
import { runService } from '../start/primary.ts';
import { listenForStop } from '../start/stop-request.ts';

/** Does `work` at the service that runs with this configuration, or at one that runs for as long as it takes. */
export async function withService<Result>(config: Config, work: (baseUrl: string) => Promise<Result>): Promise<Result> {
  if (await isReady(config.baseUrl)) return await work(config.baseUrl);
  const stop = listenForStop();
  const ready = Promise.withResolvers<string>();
  const ended = runService({
    config: { ...config, workers: 1, logLevel: 'error' },
    logger: createLogger({ level: 'error', pretty: process.stderr.isTTY, destination: 'stderr' }),
    logDestination: 'stderr',
    stop,
    onReady: ready.resolve,
  });
  try {
    return await work(await Promise.race([ready.promise, ended.then(interrupted)]));
  } finally {
    stop.request('the demo is there');
    await ended;
  }
}

function interrupted(): never {
  throw new CommandError('interrupted', 'The demo is not complete; the same command goes on with it.');
}

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    const answer = await fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(2000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
