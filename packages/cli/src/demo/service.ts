import { setTimeout as delay } from 'node:timers/promises';

import type { Config } from '../config.ts';
import { CommandError } from '../failure.ts';
import { findInstance } from '../instance/instance-lock.ts';
import { runService } from '../start/primary.ts';
import { listenForStop } from '../start/stop-request.ts';

const pollMs = 500;
const maxTries = 60;
const deadlineMs = 5000;

/** Runs `work` against the running service, or against one that is started for it and stopped afterwards. */
export async function withService<Result>(config: Config, work: (baseUrl: string) => Promise<Result>): Promise<Result> {
  if (await findRunning(config)) return await work(config.baseUrl);
  const stop = listenForStop();
  const ready = Promise.withResolvers<string>();
  const ended = runService({
    progress: () => undefined,
    variables: { WORKERS: '1', LOG_LEVEL: 'error' },
    logDestination: 'stderr',
    stop,
    onReady: ready.resolve,
  });
  try {
    return await work(await Promise.race([ready.promise, ended.then(interrupted)]));
  } finally {
    stop.request('demo data added');
    await ended;
  }
}

function interrupted(): never {
  throw new CommandError('interrupted', 'The demo data is incomplete. Run the command again to finish it.');
}

/** Waits for a service that is starting. */
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
    const response = await fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(deadlineMs) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
