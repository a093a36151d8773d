import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { findProcesses, isPostgres, isWorker } from '../support/processes.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { createApiCaller, createClient, requestToken } from '../support/api-client.ts';
import { applyLoad } from './load.ts';
import type { LoadResult, Target } from './load.ts';
import { usageOfTree } from './process-usage.ts';

/**
 * `pnpm bench`: compares each target with a bare node:http server, measured right before it. R is the CPU time per
 * request of that control, divided by the CPU time per request of the target. Unlike requests per second, it hardly
 * depends on other work of the machine.
 */

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '8' }, rounds: { type: 'string', default: '3' } },
});
const seconds = Number(options.seconds);
const rounds = Number(options.rounds);
const postsOfList = 70;

interface Measured extends LoadResult {
  readonly cpuPerRequest: number;
  readonly postgresCpuPerRequest: number;
  readonly rssMiB: number;
}

async function measure(target: Target, pid: number, postgresPid: number | undefined): Promise<Measured> {
  const before = await Promise.all([usageOfTree(pid), usageOfTree(postgresPid ?? -1)]);
  const result = await applyLoad(target, seconds);
  const after = await Promise.all([usageOfTree(pid), usageOfTree(postgresPid ?? -1)]);
  const perRequest = (index: 0 | 1) => (after[index].cpuMicroseconds - before[index].cpuMicroseconds) / result.requests;
  return {
    ...result,
    cpuPerRequest: perRequest(0),
    postgresCpuPerRequest: perRequest(1),
    rssMiB: after[0].rssBytes / 2 ** 20,
  };
}

async function prepareTargets(service: Service): Promise<Target[]> {
  const client = await createClient(service.env, 'bench_owner');
  const accessToken = String((await requestToken(service.baseUrl, client)).body.access_token);
  const call = createApiCaller(service.baseUrl, accessToken);
  let post: { id: number; user: { id: number } } | undefined;
  for (let index = 0; index < postsOfList; index += 1) {
    const message = `Post ${String(index)} with a #hashtag, an address https://example.org/${String(index)} and some text.`;
    post = (await call('POST /post/create', { message })).body.items;
  }
  if (post === undefined) throw new Error('nothing was posted');
  const api = `${service.baseUrl}/api/v2.0`;
  const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' };
  return [
    {
      name: 'POST /oauth/token',
      url: `${service.baseUrl}/oauth/token`,
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`,
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    },
    { name: 'GET /post/show', url: `${api}/post/show?id=${String(post.id)}`, method: 'GET', headers },
    { name: 'GET /post?count=70', url: `${api}/post?user_id=${String(post.user.id)}&count=70`, method: 'GET', headers },
    {
      name: 'POST /post/create',
      url: `${api}/post/create`,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'A post with a #hashtag and some text.' }),
    },
  ];
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

async function postgresPidOf({ dataDir }: Service): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

async function main(): Promise<void> {
  const controlServer = fork(join(import.meta.dirname, 'control-server.mjs'));
  const [{ port }] = await once(controlServer, 'message');
  const control: Target = { name: 'node:http', url: `http://127.0.0.1:${String(port)}/`, method: 'GET', headers: {} };
  await using service = await startService({ env: { WORKERS: '1', RATE_LIMITS: 'off', DATABASE_POOL: '10' } });
  const processes = await findProcesses(service.dataDir);
  const worker = processes.find(isWorker);
  if (worker === undefined || !processes.some(isPostgres)) {
    throw new Error('the service has no worker or no PostgreSQL');
  }
  const postgresPid = await postgresPidOf(service);

  for (const target of await prepareTargets(service)) {
    await applyLoad(target, 2); // warm-up
    const measured: Measured[] = [];
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const base = await measure(control, controlServer.pid ?? 0, undefined);
      const result = await measure(target, worker.pid, postgresPid);
      measured.push(result);
      ratios.push(base.cpuPerRequest / result.cpuPerRequest);
    }
    const of = (key: keyof Measured) => median(measured.map((one) => one[key]));
    console.log(
      [
        target.name.padEnd(20),
        `R ${median(ratios).toFixed(3)}`,
        `${of('requestsPerSecond').toFixed(0)} requests/s`,
        `CPU ${of('cpuPerRequest').toFixed(0)} µs`,
        `PostgreSQL ${of('postgresCpuPerRequest').toFixed(0)} µs`,
        `p99 ${of('p99Ms').toFixed(0)} ms`,
        `RSS ${of('rssMiB').toFixed(0)} MiB`,
      ].join('  '),
    );
  }
  controlServer.disconnect();
}

await main();
