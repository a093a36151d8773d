import { createAccounts } from '@linnet/accounts/accounts';
import { openReplicas } from '@linnet/db/connection/replicas';
import { startReplicatedCluster } from '@linnet/test/db/replicated-cluster';
import { openCache } from '@linnet/service/cache/cache';
import { createLogger } from '@linnet/service/log/logger';
import { createMetrics } from '@linnet/service/metrics/metrics';
import { Secret } from '@linnet/service/config/secret';
import { describeCacheProgram, findCacheProgram, startCacheServer } from '@linnet/test/service/cache-server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { personAt, registerPerson } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

/**
 * Two API servers with a database, a standby that is always behind, and a cache. Part of `pnpm test:long`, because it takes some 20
 * seconds. `READ_PAIRS`: how many random writes with a read each.
 */
// oxlint-disable-next-line node/no-process-env -- as documented in test/README.md
const pairs = Number(process.env['READ_PAIRS'] ?? 0);
const people = 6;
/** Far longer than from one call to the next, and less than the second that a replica may be behind. */
const delayMs = 400;

const program = await findCacheProgram();
const logger = createLogger({ level: 'silent', pretty: false });
const metrics = createMetrics();

let cluster: Awaited<ReturnType<typeof startReplicatedCluster>>;
let cache: Awaited<ReturnType<typeof startCacheServer>>;
let hosts: readonly [RunningApi, RunningApi];
/** Reads and never writes. */
let reader: Person;
let author: Person;
const opened = new AsyncDisposableStack();

async function startHost(signer?: RunningApi['signer']): Promise<RunningApi> {
  const shared = await openCache({ url: new Secret(cache.url), serviceName: 'linnet', logger });
  if (shared !== undefined) opened.use(shared);
  const pool = { urls: [cluster.standbyUrl], poolSize: 5, prepare: true, onError: () => undefined };
  const api = await startApi(cluster.primaryUrl, {
    ...(signer === undefined ? {} : { signer }),
    shared: (primary) => {
      const replicas = openReplicas({ ...pool, primary });
      if (replicas !== undefined) opened.use(replicas);
      return { cache: shared, metrics, replicas };
    },
  });
  return opened.use(api);
}

/** How many calls of this process each database has answered. */
async function countReads(): Promise<Readonly<Record<string, number>>> {
  const counter = (await metrics.read()).find(({ name }) => name === 'linnet_reads_total');
  return Object.fromEntries(counter?.values.map(({ labels, value }) => [labels['target'], value]) ?? []);
}

/** Sends a read, and tells which database has answered it. */
async function readFrom(person: Person, target: string) {
  const before = await countReads();
  const { status, body } = await person.get(target);
  const after = await countReads();
  const answered = ['primary', 'replica', 'repeated'].filter((name) => (after[name] ?? 0) > (before[name] ?? 0));
  return { status, body, by: answered.join() };
}

const isAnsweredBy = async (name: string) =>
  await vi.waitFor(async () => expect((await readFrom(reader, '/timeline/public')).by).toBe(name), {
    timeout: 50_000,
    interval: 20,
  });

async function writeAndRead(person: { readonly id: number; readonly username: string }, round: number): Promise<void> {
  const [writing, reading] = Math.random() < 0.5 ? hosts : [hosts[1], hosts[0]];
  const id = await personAt(writing, person).writes(`post ${String(round)}`);
  const { status, body } = await personAt(reading, person).get(`/post?user_id=${String(person.id)}`);
  expect([status, body.items[0]?.id]).toEqual([200, id]);
}

describe.skipIf(program === undefined || pairs === 0)(
  `two API servers with a standby (cache: ${describeCacheProgram(program)})`,
  () => {
    beforeAll(async () => {
      if (program === undefined) return;
      [cluster, cache] = await Promise.all([startReplicatedCluster(), startCacheServer(program)]);
      await cluster.startStandby(delayMs);
      const first = await startHost();
      hosts = [first, await startHost(first.signer)];
      [reader, author] = [await registerPerson(first, 'reader'), await registerPerson(first, 'author')];
    });
    afterAll(async () => {
      await opened.disposeAsync();
      await cache[Symbol.asyncDispose]();
      await cluster[Symbol.asyncDispose]();
    });

    test('everybody reads what they have written, at either server', async () => {
      const writers = await Promise.all(
        Array.from({ length: people }, async (_, index) => await registerPerson(hosts[0], `writer_${String(index)}`)),
      );
      await isAnsweredBy('replica');
      await Promise.all(
        writers.map(async (writer, index) => {
          for (let round = index; round < pairs; round += people) await writeAndRead(writer, round);
        }),
      );
      expect((await countReads())['primary']).toBeGreaterThan(0);
    });

    test('others read from the standby, which is behind, and find a new post by its id', async () => {
      await isAnsweredBy('replica');
      // On a busy machine the standby may be there before the reader.
      await vi.waitFor(async () => {
        const id = await author.writes('new');
        const shown = await readFrom(reader, `/post/show?id=${String(id)}`);
        expect([shown.status, shown.body.items.id]).toEqual([200, id]);
        const list = await readFrom(reader, `/post?user_id=${String(author.id)}`);
        expect([shown.by, list.status, list.by]).toEqual(['repeated', 200, 'replica']);
        expect(list.body.items.map((post: { id: number }) => post.id)).not.toContain(id);
      }, 50_000);
    });

    test('a suspended account is refused before the standby knows of it', async () => {
      const gone = await registerPerson(hosts[0], 'suspended');
      await vi.waitFor(async () => {
        expect(await readFrom(gone, '/timeline/public')).toMatchObject({ status: 200, by: 'replica' });
      }, 50_000);
      await cluster.runOnStandby('SELECT pg_wal_replay_pause()');
      await createAccounts(hosts[1].db).suspend('suspended');
      await vi.waitFor(async () => expect((await gone.get('/timeline/public')).status).toBe(401), 50_000);
      await cluster.runOnStandby('SELECT pg_wal_replay_resume()');
    });

    test('nobody notices that the standby stops, is more than a second behind, or is promoted', async () => {
      await isAnsweredBy('replica');
      const statuses = new Set<number>();
      await cluster.stopStandby();
      for (let call = 0; call < 20; call += 1) statuses.add((await reader.get('/timeline/public')).status);
      await isAnsweredBy('primary');
      await cluster.startStandby(3000);
      const id = await reader.writes('much too late');
      await expect
        .poll(async () => (await reader.get(`/post?user_id=${String(reader.id)}`)).body.items[0]?.id)
        .toBe(id);
      await cluster.stopStandby();
      await cluster.startStandby();
      await isAnsweredBy('replica');
      await cluster.runOnStandby('SELECT pg_promote()');
      await isAnsweredBy('primary');
      expect([...statuses]).toEqual([200]);
    });

    test('without the cache everything is read from the primary', async () => {
      await cache.kill();
      expect((await readFrom(reader, '/timeline/public')).status).toBe(200);
      expect(await reader.writes('without a cache')).toBeGreaterThan(0);
      await isAnsweredBy('primary');
    });
  },
);
