import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { applyMigrations } from '@linnet/db/migration/migrations';
import { createEmptyDatabase } from '../support/db/test-database.ts';
import type { TestDatabase } from '../support/db/test-database.ts';
import { findCounterMismatches } from '../support/db/counters.ts';
import { expect, inject, test } from 'vitest';

import { startBalancingProxy } from '../support/balancing-proxy.ts';
import { buildCommit, findLastRelease, runCommandOf } from '../support/previous-release.ts';
import { startReverseProxy } from '../support/reverse-proxy.ts';
import { eventually, findFreePort, launch, repositoryRoot } from '../support/service.ts';
import type { Launched, Variables } from '../support/service.ts';
import { startUpgradeLoad } from '../support/upgrade-load.ts';
import { createPast } from '../support/upgrade-past.ts';
import type { Past } from '../support/upgrade-past.ts';

/**
 * The upgrade of the last release to this version, and of this version to a next one, for which a migration of each phase is planted:
 * for `pnpm test:long`. Until there is a release, this version stands for it.
 */

const isLong = process.env['BUILD_RELEASE'] !== undefined;

/** Migrations of a next release that do everything that the guide of migrations describes. */
const planted = {
  '9001_column': 'ALTER TABLE "post" ADD COLUMN "mood" text;',
  '9002_index': 'CREATE INDEX CONCURRENTLY "post_mood_idx" ON "post" ("mood");',
  '9003_check': `ALTER TABLE "post" ADD CONSTRAINT "post_mood" CHECK ("mood" <> '') NOT VALID;`,
  '9004_validate': 'ALTER TABLE "post" VALIDATE CONSTRAINT "post_mood";',
  '9005_fill': `INSERT INTO "data_migration" ("name", "statement", "table_name", "batch_size") VALUES ('fill',
    $$ UPDATE "post" SET "mood" = 'calm' WHERE "id" > $1 AND "id" <= $2 AND "mood" IS NULL $$, 'post', 20);`,
  '9006_after_contract': '-- after: 99.0.0\nALTER TABLE "post" DROP COLUMN "mood";',
};

const timeout = 1_200_000;
const redirectUri = 'http://127.0.0.1:9/callback';
const person = 'ada_lovelace';

/** Servers of two versions, each on ports of its own behind proxies that check their readiness, on one database. */
async function prepareWorld() {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'linnet-upgrade-'));
  stack.defer(async () => await rm(folder, { recursive: true }));
  const release = await findLastRelease();
  const previous = release === undefined ? repositoryRoot : join(folder, 'previous');
  if (release !== undefined) await buildCommit(release, previous);
  const database = stack.use(await createEmptyDatabase(inject('databaseServer')));
  const proxies = stack.use(await startProxies());
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const env = { ...serverSettings, ...proxies.env, DATABASE_URL: database.url, DATA_DIR: dataDir };
  await runCommandOf(previous, ['migrate'], env);
  const running = stack.move();
  const start = async (name: keyof typeof proxies.ports) => {
    const checkout = name === 'previous' ? previous : repositoryRoot;
    const servers = await startServers(env, { checkout, ...proxies.ports[name] });
    for (const server of servers) running.use(server);
    return servers;
  };
  return {
    ...{ folder, database, start, baseUrl: env.BASE_URL, areReady: proxies.areReady, failures: proxies.failures },
    runPrevious: async (...args: readonly string[]) => await runCommandOf(previous, args, env),
    run: async (...args: readonly string[]) => await runCommandOf(repositoryRoot, args, env),
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  };
}

const serverSettings = {
  SECRET_KEYS: 'a secret of forty characters or somewhat more',
  DATABASE_POOL: '5',
  RATE_LIMITS: 'off',
  DRAIN_SECONDS: '10',
  WORKERS: '2',
};

/** A proxy for the servers of each kind, and one in front of both. */
async function startProxies() {
  await using stack = new AsyncDisposableStack();
  const [port, authProxy, apiProxy] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const ports = { previous: await findPorts(), current: await findPorts() };
  const auths = stack.use(await startBalancingProxy(authProxy, [ports.previous.auth, ports.current.auth]));
  const apis = stack.use(await startBalancingProxy(apiProxy, [ports.previous.api, ports.current.api]));
  stack.use(await startReverseProxy(port, { auth: authProxy, api: apiProxy }));
  const running = stack.move();
  return {
    ports,
    env: {
      BASE_URL: `http://localhost:${String(port)}`,
      JWKS_URL: `http://127.0.0.1:${String(authProxy)}/oauth/jwks`,
    },
    areReady: async (...names: readonly (keyof typeof ports)[]) => {
      const expected = JSON.stringify([names.map((name) => ports[name].auth), names.map((name) => ports[name].api)]);
      await eventually(`${expected} are ready`, () => JSON.stringify([auths.ready(), apis.ready()]) === expected);
    },
    failures: () => [...auths.failures, ...apis.failures],
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  };
}

async function findPorts() {
  return { auth: await findFreePort(), api: await findFreePort() };
}

type World = Awaited<ReturnType<typeof prepareWorld>>;

/** One server of each kind, from a checkout. */
async function startServers(env: Variables, { checkout, auth, api }: { checkout: string; auth: number; api: number }) {
  const start = async (server: 'auth' | 'api', port: number) =>
    await launch({
      env: { ...env, PORT: String(port) },
      command: [process.execPath, join(checkout, 'packages/cli/bin/server.mjs'), server],
    });
  return [await start('auth', auth), await start('api', api)];
}

async function stopServers(servers: readonly Launched[]): Promise<void> {
  for (const server of servers) server.process.kill('SIGTERM');
  for (const server of servers) expect(await server.exited).toEqual({ exitCode: 0, signal: null });
}

/** An account of the previous version, with an application that acts for it. */
async function createClient({ runPrevious }: World, username: string) {
  const names = ['--username', username, '--first-name', 'Ada', '--last-name', 'Lovelace'];
  await runPrevious('user', 'create', '--email', `${username}@example.org`, '--password', 'correct horse', ...names);
  const settings = ['--type', 'confidential', '--scope', 'users posts email', '--act-as-owner'];
  const created = await runPrevious('app', 'create', '--owner', username, '--name', 'Load', ...settings);
  return { id: String(created['client_id']), secret: String(created['client_secret']) };
}

async function createPastOf(world: World): Promise<Past> {
  const client = await createClient(world, person);
  const settings = ['--type', 'public', '--scope', 'users posts', '--redirect-uri', redirectUri];
  const created = await world.runPrevious('app', 'create', '--owner', person, '--name', 'Reader', ...settings);
  const publicClientId = String(created['client_id']);
  return await createPast({ baseUrl: world.baseUrl, client, publicClientId, redirectUri, username: person });
}

async function writeNextMigrations(folder: string): Promise<string> {
  const migrations = join(folder, 'migrations');
  await cp(join(repositoryRoot, 'prisma/migrations'), migrations, { recursive: true });
  for (const [name, sql] of Object.entries(planted)) {
    await mkdir(join(migrations, name));
    await writeFile(join(migrations, name, 'migration.sql'), sql);
  }
  return migrations;
}

/** Every acknowledged write exists once, and counters are exact. */
async function expectIntact({ database: { db } }: World, past: Past, rounds: number): Promise<void> {
  const { post, comment, postLike, repost, follow, media } = db.prisma;
  const [posts, comments, likes, reposts, follows, pictures] = await Promise.all(
    [post, comment, postLike, repost, follow, media].map(
      async (table) => await (table as TestDatabase['db']['prisma']['post']).count(),
    ),
  );
  const { rows } = past;
  expect({
    post: posts,
    comment: comments,
    post_like: likes,
    repost: reposts,
    follow: follows,
    media: pictures,
  }).toEqual({
    ...rows,
    ...{ post: rows.post + rounds, comment: rows.comment + rounds, post_like: rows.post_like + rounds },
  });
  expect(await findCounterMismatches(db)).toEqual([]);
}

/** The audit log is intact, and the machine is as it should be. */
async function expectHealthy({ run }: World): Promise<void> {
  expect(await run('audit', 'verify')).toMatchObject({ ok: true, break: null });
  const findings = (await run('doctor')) as unknown as readonly { readonly ok: boolean }[];
  expect(findings.filter(({ ok }) => !ok)).toEqual([]);
}

/** A world with the previous version, what people did in it, and clients that work all the time. */
async function prepareUnderLoad() {
  await using stack = new AsyncDisposableStack();
  const world = stack.use(await prepareWorld());
  const previous = await world.start('previous');
  await world.areReady('previous');
  const past = await createPastOf(world);
  const before = await past.read();
  const client = await createClient(world, 'load_account');
  // The API server has asked for the keys before the authorization server was ready.
  const early = world.failures().length;
  const load = startUpgradeLoad(world.baseUrl, client);
  stack.defer(async () => await load.stop());
  const serve = async (rounds: number) => {
    const until = load.rounds() + rounds;
    await eventually(`${String(rounds)} more rounds\n${load.mistakes.join('\n')}`, () => load.rounds() >= until);
    expect(await past.read()).toMatchObject(before);
  };
  const running = stack.move();
  return {
    ...{ world, previous, past, load, serve },
    mistakes: () => [...load.mistakes, ...world.failures().slice(early)],
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  };
}

type UnderLoad = Awaited<ReturnType<typeof prepareUnderLoad>>;

/** To this version, back to the previous one, and forward again, with the previous one started again on the new database. */
async function upgrade({ world: { start, areReady, run }, previous, serve }: UnderLoad): Promise<void> {
  await run('migrate', 'run');
  await serve(30);
  const current = await start('current');
  await areReady('previous', 'current');
  await serve(60);
  await stopServers(current);
  await serve(30);
  await start('current');
  await areReady('previous', 'current');
  await stopServers(previous);
  const again = await start('previous');
  await areReady('previous', 'current');
  await serve(30);
  await stopServers(again);
  await run('migrate', 'run', '--phase', 'after');
}

/** Both phases of a next release, beside this one. */
async function applyNextMigrations({ world: { folder, database }, serve }: UnderLoad): Promise<void> {
  const migrations = await writeNextMigrations(folder);
  const status = await applyMigrations(database.url, migrations, { besidePrevious: '99.0.0' });
  expect(status.later).toEqual(['9006_after_contract']);
  expect(status.batches.filter(({ finished }) => !finished)).toMatchObject([{ name: 'fill' }]);
  await serve(30);
  const finished = await applyMigrations(database.url, migrations);
  expect([finished.later, finished.batches.filter((batch) => !batch.finished)]).toEqual([[], []]);
  await serve(30);
}

test.runIf(isLong)(
  'the last release and this version serve side by side while the database is migrated: no error, no wrong answer',
  { timeout },
  async () => {
    await using underLoad = await prepareUnderLoad();
    const { world, past, load, serve, mistakes } = underLoad;
    await serve(30);
    await upgrade(underLoad);
    await serve(30);
    await expectHealthy(world);
    await applyNextMigrations(underLoad);
    // The servers still run; nothing of this version can be started any more.
    await expect(world.run('audit', 'verify')).rejects.toMatchObject({
      stdout: expect.stringContaining('database-too-new'),
    });
    await load.stop();
    const longest = `${load.longestMs().toFixed(0)} ms`;
    process.stdout.write(`upgrade: ${String(load.rounds())} rounds, longest request ${longest}\n`);
    expect(mistakes()).toEqual([]);
    await expectIntact(world, past, load.rounds());
  },
);
