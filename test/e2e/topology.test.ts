import { setTimeout as delay } from 'node:timers/promises';

import { startFaultProxy } from '../support/media/fault-proxy.ts';
import type { FaultProxy } from '../support/media/fault-proxy.ts';
import { pngImage } from '../support/media/images.ts';
import { startObjectStore } from '../support/media/object-store.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { callsPerDay } from '../benchmark/capacity.ts';
import { readStored } from '../benchmark/results.ts';
import { describeSimulation, simulate } from '../benchmark/simulation.ts';
import { connectWorld } from '../benchmark/world.ts';
import type { World } from '../benchmark/world.ts';
import { watchAnswers } from '../chaos/answers.ts';
import type { Answers } from '../chaos/answers.ts';
import { openCalls } from '../chaos/calls.ts';
import { findDifferences, findForgotten, openLedger } from '../chaos/ledger.ts';
import type { Ledger } from '../chaos/ledger.ts';
import { startLoad } from '../chaos/load.ts';
import { createApiCaller, createClient, requestToken } from '../support/api-client.ts';
import type { CallApi, Client } from '../support/api-client.ts';
import { findMissingPrograms } from '../support/failover/programs.ts';
import { eventually } from '../support/service.ts';
import { serverNames, startTopology } from '../support/topology.ts';
import type { Topology } from '../support/topology.ts';

/** Everything on several hosts: part of `pnpm test:long`, which also runs the conformance suite through it (`TOPOLOGY=on`). */
const missing = findMissingPrograms();
const isLong = process.env['TOPOLOGY'] !== undefined;
const title = missing.length === 0 ? 'all parts' : `not installed, skipped: ${missing.join(', ')}`;
const databaseHosts = ['db1', 'db2'] as const;
const others = { db1: 'db2', db2: 'db1' } as const;
/** The made-up network has exact counters and small ids. Some of its mentions, notifications and requests have no cause, and notifications expire. */
const madeUpRow = /"counter":"(?!account\.|post\.)[^"]+","id":"\d{1,9}"/;
/** 58 calls a second: two cores that also run every host of the topology and the clients serve them. */
const population = { accounts: 1_000_000, fraction: 0.04, seconds: 60 };
const pairs = 100;
const awayMs = 3000;
/** Longer than a request waits for anything. */
const patienceMs = 15_000;

describe.skipIf(!isLong || missing.length > 0)(`a service on several hosts (${title})`, () => {
  const cleanup = new AsyncDisposableStack();
  let topology: Topology;
  let store: FaultProxy;
  let world: World;
  let client: Client;
  let call: CallApi;
  let token: string;

  beforeAll(async () => {
    const { settings } = cleanup.use(await startObjectStore());
    store = cleanup.use(await startFaultProxy(settings.endpoint));
    const bucket = {
      MEDIA_STORE: 's3',
      S3_ENDPOINT: store.origin,
      S3_BUCKET: settings.bucket,
      S3_REGION: settings.region,
      S3_PREFIX: 'pictures',
      S3_ACCESS_KEY_ID: settings.accessKeyId.reveal(),
      S3_SECRET_ACCESS_KEY: settings.secretAccessKey.reveal(),
    };
    topology = cleanup.use(await startTopology(bucket));
    world = await connectWorld({
      baseUrl: topology.baseUrl,
      databaseUrl: topology.hosts.superuserUrl,
      posts: 5000,
      workerPids: topology.serverPids(),
      postgresPids: databaseHosts.map((name) => topology.hosts.host(name).postgresPid),
    });
    client = await createClient(topology.env, 'topology_owner');
    token = (await requestToken(topology.baseUrl, client)).body.access_token;
    call = createApiCaller(topology.baseUrl, token);
  }, 600_000);
  afterAll(async () => await cleanup.disposeAsync());

  async function findDifferencesOf(ledger: Ledger): Promise<readonly string[]> {
    const found = await findDifferences(ledger, topology.hosts.directUrl);
    return found.filter((difference) => !madeUpRow.test(difference));
  }

  async function upload() {
    const body = new FormData();
    body.append('media', new Blob([new Uint8Array(await pngImage())]), 'pixel.png');
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    return await fetch(`${topology.baseUrl}/api/v2.0/media/upload`, { method: 'POST', headers, body });
  }

  test('people see what they wrote, whichever server and replica responds', async () => {
    const stale: string[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      const { body } = await call('POST /post/create', { message: `pair ${String(pair)}` });
      const shown = await call(`GET /post/show?id=${String(body.items.id)}`);
      const isFresh = shown.body.items?.text === `pair ${String(pair)}`;
      if (!isFresh) stale.push(`${String(shown.status)} for pair ${String(pair)}`);
    }
    expect(stale).toEqual([]);
  });

  test('an image that one server stored is served by all, and its loss is temporary while the bucket is down', async () => {
    const response = await upload();
    expect(response.status).toBe(200);
    const { finally: uploaded } = (await response.json()) as { finally: { media_id: number } };
    const created = await call(`GET /post/create?message=look&media=${String(uploaded.media_id)}`);
    const [file] = created.body.items.media.files;
    const statuses = async () => await Promise.all([1, 2, 3, 4].map(async () => (await fetch(file.download)).status));
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    store.choose = () => ({ status: 503, code: 'SlowDown' });
    const refused = await upload();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    expect((await call('POST /post/create', { message: 'without the bucket' })).status).toBe(200);
    store.choose = () => undefined;
    await eventually('uploads work again', async () => (await upload()).status === 200);
    expect(await statuses()).toEqual([200, 200, 200, 200]);
  });

  test('a simulated population is served without an error, and every counter stays exact', async () => {
    const report = await simulate({ world, costs: await readStored(), ...population, calibrationSeconds: 0 });
    process.stdout.write(`${describeSimulation(report)}\n`);
    expect(Object.keys(report.statuses).filter((status) => Number(status) >= 400)).toEqual([]);
    expect(Object.keys(report.calls).toSorted()).toEqual(Object.keys(callsPerDay).toSorted());
    expect(await findDifferencesOf(openLedger())).toEqual([]);
  }, 300_000);

  test('each part is lost in turn while people write: nothing acknowledged is lost, and only a process that dies fails requests', async () => {
    const answers = watchAnswers(topology.baseUrl, patienceMs, { behindProxy: true });
    const calls = await openCalls({ answers, client });
    const ledger = openLedger();
    const load = startLoad({ answers, calls, ledger });
    let report: readonly string[];
    try {
      report = await loseEachPart({ topology, store, answers });
    } finally {
      await load.stop();
    }
    const statuses = [...answers.statuses].map(([status, count]) => `${String(count)} × ${String(status)}`);
    process.stdout.write(
      `served again without ${report.join(', ')}; ${String(ledger.posts.size)} posts; ${statuses.join(', ')}\n`,
    );
    expect(await findDifferencesOf(ledger)).toEqual([]);
    expect(await findForgotten(ledger, calls)).toEqual([]);
    expect(answers.wrong).toEqual([]);
    expect(ledger.posts.size).toBeGreaterThan(0);
  }, 1_200_000);
});

interface Parts {
  readonly topology: Topology;
  readonly store: FaultProxy;
  readonly answers: Answers;
}

/** Takes each part away and brings it back. Returns how long each was missed. */
async function loseEachPart({ topology, store, answers }: Parts): Promise<readonly string[]> {
  const { hosts, cache } = topology;
  const report: string[] = [];
  const lose = async (part: string, takeAway: () => unknown, bringBack: () => unknown) => {
    const startedAt = performance.now();
    await takeAway();
    // Nothing works without the pooler.
    if (part === 'pooler') await delay(awayMs);
    else report.push(`${part}: ${((await answers.recovered()) - startedAt).toFixed(0)} ms`);
    await bringBack();
    await answers.recovered();
  };
  await answers.recovered();
  for (const name of serverNames) {
    const end = () => topology.server(name).process.kill('SIGKILL');
    await lose(name, end, async () => await topology.startServer(name));
  }
  const primary = await hosts.findPrimary();
  for (const name of [others[primary], primary]) {
    const end = () => hosts.host(name).signal('SIGKILL');
    await lose(name === primary ? 'primary' : 'standby', end, async () => await hosts.restore(name));
  }
  const { front } = hosts;
  await lose(
    'pooler',
    async () => await front.stopPooler(),
    async () => await front.startPooler(),
  );
  const kill = async () => await cache?.kill();
  if (cache !== undefined) await lose('cache', kill, async () => await cache.start());
  const silence = () => void (store.choose = () => 'silence');
  await lose('object store', silence, () => void (store.choose = () => undefined));
  return report;
}
