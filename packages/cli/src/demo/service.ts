import { setTimeout as delay } from 'node:timers/promises';

import { createLogger } from '@linnet/service/logger';

import type { Config } from '../config.ts';
import { CommandError } from '../failure.ts';
import { findInstance } from '../instance/instance-lock.ts';
import { runService } from '../start/primary.ts';
import { listenForStop } from '../start/stop-request.ts';

const pollMs = 500;
const maxTries = 60;
const deadlineMs = 5000;

/** Does `work` at the service that runs with this configuration, or at one that runs for as long as it takes. */
export async function withService<Result>(config: Config, work: (baseUrl: string) => Promise<Result>): Promise<Result> {
  if (await findRunning(config)) return await work(config.baseUrl);
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

/** One that is starting is waited for. */
async function findRunning({ baseUrl, dataDir }: Config): Promise<boolean> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    if (await isReady(baseUrl)) return true;
    if ((await findInstance(dataDir)) === undefined) return false;
    await delay(pollMs);
  }
  return false;
}

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    const answer = await fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(deadlineMs) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
