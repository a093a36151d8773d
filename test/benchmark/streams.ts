/**
 * `node test/benchmark/streams.ts`: what open streams cost one API server, and how long an event takes to arrive
 * (docs/evidence/performance.md). Needs a limit of open files above the number of streams (`ulimit -n 20000`).
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { createSigner } from '../support/api/signer.ts';
import type { Signer } from '../support/api/signer.ts';
import { startEmbeddedPostgres } from '@linnet/db/embedded/embedded-postgres';
import { applyMigrations, migrationsDirectory } from '@linnet/db/migration/migrations';
import pg from 'pg';

import { eventually, findFreePort, launch, separateServer, statusOf } from '../support/service.ts';
import type { Launched } from '../support/service.ts';
import { usageOfTrees } from './process-usage.ts';
import { loadSocialData } from './social-data.ts';

const { values: options } = parseArgs({
  options: {
    idle: { type: 'string', default: '10000' },
    listening: { type: 'string', default: '1000' },
    posts: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '30' },
  },
});
const accounts = 12_000;
/** Not followed by anybody yet, and not protected. */
const author = 6000;

interface World extends AsyncDisposable {
  readonly signer: Signer;
  readonly api: Launched;
  readonly client: pg.Client;
}

async function createWorld(): Promise<World> {
  await using started = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-streams-'));
  started.defer(async () => await rm(dataDir, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ directory: join(dataDir, 'postgres'), log: () => undefined });
  started.defer(async () => await postgres.release());
  await applyMigrations(postgres.url, migrationsDirectory);
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  started.defer(async () => await client.end());
  await loadSocialData(client, { posts: accounts * 10, accounts, likes: accounts * 50 });
  await client.query('RESET ALL');
  const port = String(await findFreePort());
  const baseUrl = `http://localhost:${port}`;
  const signer = await createSigner(baseUrl);
  const keys = started.use(await serveKeys(signer));
  const env = {
    BASE_URL: baseUrl,
    PORT: port,
    DATABASE_URL: postgres.url,
    SECRET_KEYS: 'a secret of forty characters or somewhat more',
    JWKS_URL: keys.url,
  };
  const api = started.use(await launch({ env, command: [...separateServer, 'api'], logFile: join(dataDir, 'log') }));
  await eventually(
    'the API is ready',
    async () => (await statusOf(`http://127.0.0.1:${String(api.port)}/health/ready`)) === 200,
  );
  const running = started.move();
  return { signer, api, client, [Symbol.asyncDispose]: async () => await running.disposeAsync() };
}

/** Serves the keys of the signer, as the authorization server would. */
async function serveKeys({ publicJwk }: Signer): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((_request, response) => response.end(JSON.stringify({ keys: [publicJwk] })));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${String(Object(server.address()).port)}/`;
  return { url, [Symbol.asyncDispose]: async () => void server.close() };
}

/** Sends the request of a stream on a connection of its own, and resolves when the stream is open. */
async function open({ api, signer }: World, acct: number): Promise<Socket> {
  const token = await signer.sign({ acct, client_id: `client-${String(acct % 3)}` });
  const socket = connect(api.port, '127.0.0.1');
  await once(socket, 'connect');
  const lines = ['GET /api/v2.0/events HTTP/1.1', `Host: localhost:${String(api.port)}`, 'Accept: text/event-stream'];
  socket.write([...lines, `Authorization: Bearer ${token}`, '', ''].join('\r\n'));
  const [data] = (await once(socket, 'data')) as [Buffer];
  if (!data.toString().startsWith('HTTP/1.1 200')) throw new Error(data.toString());
  return socket;
}

async function openMany(world: World, count: number): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  const atOnce = 50;
  for (let index = 0; index < count; index += atOnce) {
    const group = Array.from(
      { length: Math.min(atOnce, count - index) },
      async (_, inGroup) => await open(world, index + inGroup + 1),
    );
    sockets.push(...(await Promise.all(group)));
  }
  return sockets;
}

const usageOf = async ({ api }: World) => await usageOfTrees([api.process.pid ?? 0]);
const mebibytes = (bytes: number) => `${String(Math.round(bytes / 2 ** 20))} MiB`;

async function measureIdle(world: World): Promise<void> {
  const first = await openMany(world, 1);
  const before = await usageOf(world);
  const startedAt = performance.now();
  const sockets = await openMany(world, Number(options.idle));
  const openedMs = performance.now() - startedAt;
  for (const socket of sockets) socket.resume();
  const opened = await usageOf(world);
  await delay(5000);
  const idle = await usageOf(world);
  await delay(Number(options.seconds) * 1000);
  const after = await usageOf(world);
  const cpu = (after.cpuMicroseconds - idle.cpuMicroseconds) / (Number(options.seconds) * 10_000);
  const lost = sockets.filter(({ destroyed }) => destroyed).length;
  console.log(
    `${options.idle} idle streams: ${mebibytes(after.rssBytes)}, before ${mebibytes(before.rssBytes)}; ${cpu.toFixed(1)} % of a core; ${String(lost)} lost`,
  );
  console.log(
    `opening one takes ${((opened.cpuMicroseconds - before.cpuMicroseconds) / sockets.length).toFixed(0)} µs of CPU time, all of them ${(openedMs / 1000).toFixed(0)} s`,
  );
  for (const socket of [...first, ...sockets]) socket.destroy();
}

/** Those who listen follow the author and nothing hides them from each other. */
async function prepareFollowers({ client }: World, listeners: number): Promise<void> {
  const follow = `INSERT INTO follow (follower_id, followed_id)
    SELECT g, $1::bigint FROM generate_series(1, $2::bigint) g WHERE g <> $1::bigint ON CONFLICT DO NOTHING`;
  await client.query(follow, [author, listeners]);
  const count =
    'UPDATE account SET followers_count = (SELECT count(*) FROM follow WHERE followed_id = account.id) WHERE id = $1';
  await client.query(count, [author]);
  await client.query('UPDATE account SET deleted_at = NULL, protected = false WHERE id <= $1 OR id = $2', [
    listeners,
    author,
  ]);
  await client.query('DELETE FROM mute');
  await client.query('DELETE FROM block');
}

/** When each post arrived, by its id. */
function watch(sockets: readonly Socket[]): ReadonlyMap<string, readonly number[]> {
  const arrivals = new Map<string, number[]>();
  for (const socket of sockets) {
    socket.on('data', (data: Buffer) => {
      const now = performance.now();
      for (const [, id = ''] of data.toString().matchAll(/"post_id":(\d+)/g)) {
        arrivals.set(id, [...(arrivals.get(id) ?? []), now]);
      }
    });
  }
  return arrivals;
}

async function createPost(
  { api, signer }: World,
  message: string,
): Promise<{ readonly id: string; readonly committedAt: number }> {
  const token = await signer.sign({ acct: author });
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': 'application/json' };
  const url = `http://localhost:${String(api.port)}/api/v2.0/post/create`;
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ message }) });
  const committedAt = performance.now();
  const { items } = (await response.json()) as { readonly items: { readonly id: number } };
  return { id: String(items.id), committedAt };
}

async function measureDelay(world: World): Promise<void> {
  const listeners = Number(options.listening);
  await prepareFollowers(world, listeners);
  const sockets = await openMany(world, listeners);
  const arrivals = watch(sockets);
  const before = await usageOf(world);
  const delays: number[] = [];
  for (let index = 0; index < Number(options.posts); index += 1) {
    const { id, committedAt } = await createPost(world, `post ${String(index)}`);
    await eventually('everybody got it', () => (arrivals.get(id)?.length ?? 0) >= listeners);
    delays.push(...(arrivals.get(id) ?? []).map((at) => at - committedAt));
    await delay(Math.random() * 300);
  }
  const after = await usageOf(world);
  const sorted = delays.toSorted((one, other) => one - other);
  const at = (share: number) => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0)} ms`;
  console.log(
    `${options.posts} posts to ${options.listening} streams: median ${at(0.5)}, p99 ${at(0.99)}, worst ${at(0.999_999)}`,
  );
  console.log(
    `one message takes ${((after.cpuMicroseconds - before.cpuMicroseconds) / delays.length).toFixed(0)} µs of CPU time`,
  );
  for (const socket of sockets) socket.destroy();
}

await using world = await createWorld();
await measureIdle(world);
await measureDelay(world);
