import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { eventually } from '../support/service.ts';
import type { Run } from './scenario.ts';

const run = promisify(execFile);
/** Fewer than each process has open already. */
const none = 3;
const usual = 4096;
const pauseMs = 20;
const patienceMs = 1000;

/**
 * No new file descriptors for the workers and, in the long form, for the whole service while a worker dies, `size` seconds each.
 * Open connections work, new ones fail, and are accepted again afterwards.
 */
export async function exhaustDescriptors({ world, size, isLong, during, note }: Run): Promise<void> {
  const statuses = new Set<number>();
  const connectFor = async (seconds: number) => {
    const until = performance.now() + seconds * 1000;
    while (performance.now() < until) {
      statuses.add(await connect(world.baseUrl));
      await delay(pauseMs);
    }
  };
  const serviceAccepts = async () => {
    await eventually('new connections are accepted', async () => (await connect(world.baseUrl)) === 200);
  };
  await during(async () => {
    const workers = (await world.findServers()).filter((pid) => pid !== world.service().pid);
    await limitDescriptors(workers, none);
    await connectFor(size);
    await limitDescriptors(workers, usual);
    await serviceAccepts();
  });
  note(`new connections: ${[...statuses].join(', ')}`);
  if (!isLong) return;
  await during(async () => {
    const servers = await world.findServers();
    await limitDescriptors(servers, none);
    await world.kill('worker');
    await connectFor(size);
    await limitDescriptors(servers, usual);
    await serviceAccepts();
  });
}

/** The status of a request on a new connection, 0 without a response. */
async function connect(baseUrl: string): Promise<number> {
  const request = { headers: { connection: 'close' }, signal: AbortSignal.timeout(patienceMs) };
  return await fetch(`${baseUrl}/health/live`, request).then(
    ({ status }) => status,
    () => 0,
  );
}

/** Processes that have exited do not count. */
async function limitDescriptors(pids: readonly number[], limit: number): Promise<void> {
  const soft = `--nofile=${String(limit)}:`;
  for (const pid of pids) await run('prlimit', ['--pid', String(pid), soft]).catch(() => undefined);
}
