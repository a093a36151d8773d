import type { Db } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';
import pg from 'pg';

import type { DatabaseHosts } from '../support/failover/database-hosts.ts';
import type { DatabaseHostName } from '../support/failover/host.ts';
import { eventually } from '../support/service.ts';
import type { Calls } from './calls.ts';
import { isHostsWorld } from './hosts-world.ts';
import type { Run } from './scenario.ts';

const tries = 20;
const others = { db1: 'db2', db2: 'db1' } as const;

/** Something that happens to the hosts of the database. */
interface Fault {
  /** Returns when it has happened. */
  readonly cause: (hosts: DatabaseHosts, primary: DatabaseHostName) => unknown;
  /** Returns when both hosts have everything again. */
  readonly restore: (hosts: DatabaseHosts, primary: DatabaseHostName) => Promise<void>;
  /** Whether the other host becomes the primary; true if absent. */
  readonly replacesPrimary?: boolean;
}

/** Kills every process of the primary's host, and starts them again when the other host has taken over. */
export const losePrimaries = disturb({
  cause: (hosts, primary) => hosts.host(primary).signal('SIGKILL'),
  restore: async (hosts, primary) => await hosts.restore(primary),
});

/** Stops every process of the primary's host, which closes no connection. They continue when the other host has taken over. */
export const silencePrimaries = disturb({
  cause: (hosts, primary) => hosts.host(primary).signal('SIGSTOP'),
  restore: async (hosts, primary) => {
    hosts.host(primary).signal('SIGCONT');
    await hosts.host(primary).until('sync');
  },
});

/** Kills PostgreSQL of the primary. Patroni hands over. */
export const crashPrimaries = disturb({
  cause: (hosts, primary) => process.kill(hosts.host(primary).postgresPid, 'SIGKILL'),
  restore: async (hosts, primary) => await hosts.host(primary).until('sync'),
});

/** Makes the standby the primary, as for maintenance. */
export const switchPrimaries = disturb({
  cause: (hosts, primary) => hosts.switchOver(primary, others[primary]),
  restore: async (hosts, primary) => await hosts.host(primary).until('sync'),
});

/** Kills every process of the standby's host, and starts them again. */
export const loseStandbys = disturb({
  cause: (hosts, primary) => hosts.host(others[primary]).signal('SIGKILL'),
  restore: async (hosts, primary) => await hosts.restore(others[primary]),
  replacesPrimary: false,
});

/** Causes the fault `size` times. A person keeps posting, and revokes a token before each time. */
function disturb({ cause, restore, replacesPrimary = true }: Fault): (run: Run) => Promise<void> {
  return async (run) => {
    const { world, size, during, answers, calls, note } = run;
    if (!isHostsWorld(world)) throw new TypeError('the database of this world is on one host');
    const { hosts } = world;
    const outages: number[] = [];
    const waits: number[] = [];
    const returns: number[] = [];
    for (let round = 0; round < size; round += 1) {
      const token = await calls.requestToken();
      await calls.revoke(token);
      const primary = await hosts.findPrimary();
      const posting = keepPosting(run);
      await during(async () => {
        await cause(hosts, primary);
        await acceptsWrites(hosts, replacesPrimary ? others[primary] : primary);
        const acceptedAt = performance.now();
        await createPost(calls);
        waits.push(performance.now() - acceptedAt);
        await calls.requestToken();
        await expectRevoked(run, token);
        const restoredAt = performance.now();
        await restore(hosts, primary);
        returns.push(performance.now() - restoredAt);
      });
      outages.push(await posting.stop());
      await expectRevoked(run, token);
    }
    for (const id of await findRepeatedIds(world.db)) answers.report(`the id ${String(id)} exists twice`);
    note(`the slowest write took ${describe(outages)}, with repetitions`);
    note(`a write succeeded ${describe(waits)} after PostgreSQL accepted it`);
    note(`both hosts had everything again after ${describe(returns)}`);
  };
}

/** Waits until PostgreSQL of this host has acknowledged a transaction of a client of its own, past HAProxy and PgBouncer. */
async function acceptsWrites({ hostUrls }: DatabaseHosts, name: DatabaseHostName): Promise<void> {
  const connectionString = hostUrls[name === 'db1' ? 0 : 1];
  await eventually(`${name} accepts writes`, async () => {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 1000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SELECT txid_current()');
      return true;
    } catch {
      return false; // It does not accept connections yet, or is a standby.
    } finally {
      await client.end().catch(() => undefined);
    }
  });
}

/** Posts one after the other, each until it is acknowledged. The ids must ascend. `stop` returns the longest time of one. */
function keepPosting({ calls, answers }: Run): { readonly stop: () => Promise<number> } {
  const stopping = new AbortController();
  let longestMs = 0;
  const running = (async () => {
    for (let latestId = 0; !stopping.signal.aborted;) {
      const startedAt = performance.now();
      const id = await createPost(calls);
      longestMs = Math.max(longestMs, performance.now() - startedAt);
      if (id <= latestId) answers.report(`the id ${String(id)} came after ${String(latestId)}`);
      latestId = id;
    }
  })();
  const stop = async () => {
    stopping.abort();
    await running;
    return longestMs;
  };
  return { stop };
}

/** Not a post of the ledger. */
async function createPost(calls: Calls): Promise<number> {
  const written = await calls.write('/api/v2.0/post/create', { message: 'around a failover' });
  const { items: post }: { items: { id: number } } = JSON.parse(written?.response ?? '{}');
  return post.id;
}

async function expectRevoked({ calls, answers }: Run, token: string): Promise<void> {
  for (let time = 0; time < tries; time += 1) {
    if ((await calls.tryToken(token)) === 200) answers.report('a revoked token is valid after a failover');
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

/** The median and the longest time. */
function describe(milliseconds: readonly number[]): string {
  const sorted = milliseconds.toSorted((a, b) => a - b).map((ms) => (ms / 1000).toFixed(1));
  return `${sorted[Math.floor(sorted.length / 2)] ?? '?'} s, at most ${sorted.at(-1) ?? '?'} s`;
}
