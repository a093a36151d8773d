import type { Db } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { startDatabaseHosts } from '../support/failover/database-hosts.ts';
import type { DatabaseHosts } from '../support/failover/database-hosts.ts';
import { findMissingPrograms } from '../support/failover/programs.ts';
import type { Calls } from './calls.ts';
import { openClock } from './clock.ts';
import type { Run } from './scenario.ts';
import { startWorld } from './world.ts';
import type { World } from './world.ts';

/** How far the clock of the second host is behind. */
const behindSeconds = 30;
const tries = 20;

interface HostsWorld extends World {
  readonly hosts: DatabaseHosts;
}

/** A service whose database is on two hosts, as docs/operations/failover.md says; undefined where programs are not installed. */
export async function startHostsWorld(): Promise<HostsWorld | undefined> {
  const missing = findMissingPrograms();
  if (missing.length > 0) {
    process.stdout.write(`NOTE: ${missing.join(', ')} not installed, so the loss of a database host was not tested\n`);
    return undefined;
  }
  await using stack = new AsyncDisposableStack();
  const clock = await openClock('service');
  if (clock !== undefined) {
    stack.defer(clock.remove);
    await clock.set(-behindSeconds);
  }
  const hosts = stack.use(await startDatabaseHosts(clock === undefined ? {} : { db2: clock.env }));
  const { env, directUrl: url, pooledUrl: serviceUrl } = hosts;
  const database = { url, serviceUrl, env, [Symbol.asyncDispose]: async () => await Promise.resolve() };
  const world = stack.use(await startWorld({ startDatabase: async () => await Promise.resolve(database) }));
  const running = stack.move();
  return { ...world, hosts, [Symbol.asyncDispose]: async () => await running.disposeAsync() };
}

/** Kills every process of the primary's host `size` times, and starts it again when the other host has taken over. */
export async function loseHosts(run: Run): Promise<void> {
  await replacePrimaries(run, 'SIGKILL', async ({ hosts }, name) => {
    hosts.host(name).startEtcd();
    hosts.host(name).startPatroni();
    await hosts.host(name).until('sync');
  });
}

/** Stops every process of the primary's host `size` times, which closes no connection. They go on when the other host has taken over. */
export async function silenceHosts(run: Run): Promise<void> {
  await replacePrimaries(run, 'SIGSTOP', async ({ hosts }, name) => {
    hosts.host(name).signal('SIGCONT');
    await hosts.host(name).until('sync');
  });
}

type Restore = (world: HostsWorld, name: 'db1' | 'db2') => Promise<void>;

async function replacePrimaries(run: Run, signal: NodeJS.Signals, restore: Restore): Promise<void> {
  const { world, calls, answers, size, during, note } = run;
  if (!isHostsWorld(world)) throw new TypeError('the database of this world is on one host');
  const outages: number[] = [];
  const rejoins: number[] = [];
  let latestId = await createPost(calls);
  for (let round = 0; round < size; round += 1) {
    const token = await calls.requestToken();
    await calls.revoke(token);
    const name = await world.hosts.findPrimary();
    await during(async () => {
      const startedAt = performance.now();
      world.hosts.host(name).signal(signal);
      const id = await createPost(calls);
      outages.push(performance.now() - startedAt);
      if (id <= latestId) answers.report(`the id ${String(id)} is not above ${String(latestId)}`);
      latestId = id;
    });
    if ((await world.hosts.findPrimary()) === name) answers.report(`${name} is the primary again`);
    await expectRevoked(run, token);
    const restoredAt = performance.now();
    await restore(world, name);
    rejoins.push(performance.now() - restoredAt);
    await expectRevoked(run, token);
  }
  for (const id of await findRepeatedIds(world.db)) answers.report(`the id ${String(id)} exists twice`);
  note(`writes were refused for ${describe(outages)}`);
  note(`the host was a standby again after ${describe(rejoins)}`);
}

/** Repeats it until it is acknowledged. Not a post of the ledger. */
async function createPost(calls: Calls): Promise<number> {
  const written = await calls.write('/api/v2.0/post/create', { message: 'around a failover' });
  const { items: post }: { items: { id: number } } = JSON.parse(written?.response ?? '{}');
  return post.id;
}

async function expectRevoked({ calls, answers }: Run, token: string): Promise<void> {
  for (let time = 0; time < tries; time += 1) {
    if ((await calls.tryToken(token)) === 200) answers.report('a failover has made a revoked token valid');
  }
}

const repeatedIds = statement<readonly [], { readonly id: number }>(
  'chaos_repeated_ids',
  `SELECT id FROM (SELECT id FROM account UNION ALL SELECT id FROM post UNION ALL SELECT id FROM post_like
     UNION ALL SELECT id FROM audit_event) AS every GROUP BY id HAVING count(*) > 1`,
);

async function findRepeatedIds(db: Db): Promise<readonly number[]> {
  return (await db.query(repeatedIds, [])).map(({ id }) => id);
}

function describe(milliseconds: readonly number[]): string {
  const sorted = milliseconds.map((ms) => (ms / 1000).toFixed(1)).toSorted((a, b) => Number(a) - Number(b));
  return `${sorted[Math.floor(sorted.length / 2)] ?? '?'} s, at most ${sorted.at(-1) ?? '?'} s`;
}

function isHostsWorld(world: World): world is HostsWorld {
  return 'hosts' in world;
}
