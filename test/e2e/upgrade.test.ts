import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { applyMigrations } from '@linnet/db/migrations';
import { createEmptyDatabase } from '@linnet/db/test-database';
import { findCounterMismatches } from '@linnet/db/testing/counters';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { startBalancingProxy } from '../support/balancing-proxy.ts';
import { buildPreviousRelease, hasPreviousRelease, runCommandOf } from '../support/previous-release.ts';
import { startReverseProxy } from '../support/reverse-proxy.ts';
import { eventually, findFreePort, launch, repositoryRoot } from '../support/service.ts';
import type { Variables } from '../support/service.ts';
import { startUpgradeLoad } from '../support/upgrade-load.ts';

/** Servers of the previous release and of this one, on one database that is migrated under load: for `pnpm test:long`. */

const isLong = process.env['BUILD_RELEASE'] !== undefined;
const hasHistory = isLong && (await hasPreviousRelease());
const note = isLong && !hasHistory ? ' (the history is missing, skipped)' : '';

/** Migrations of a next release that do everything that the guide of migrations describes. */
const planted = {
  '20990101000000_column': 'ALTER TABLE "post" ADD COLUMN "mood" text;',
  '20990101000001_index': 'CREATE INDEX CONCURRENTLY "post_mood_idx" ON "post" ("mood");',
  '20990101000002_check': `ALTER TABLE "post" ADD CONSTRAINT "post_mood" CHECK ("mood" <> '') NOT VALID;`,
  '20990101000003_validate': 'ALTER TABLE "post" VALIDATE CONSTRAINT "post_mood";',
  '20990101000004_fill': `INSERT INTO "data_migration" ("name", "statement", "table_name", "batch_size") VALUES ('fill',
    $$ UPDATE "post" SET "mood" = 'calm' WHERE "id" > $1 AND "id" <= $2 AND "mood" IS NULL $$, 'post', 20);`,
  '20990101000005_contract': '-- after: 99.0.0\nALTER TABLE "post" DROP COLUMN "mood";',
};

let folder: string;
let previous: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linnet-upgrade-'));
  previous = join(folder, 'previous');
  if (hasHistory) await buildPreviousRelease(previous);
}, 1_200_000);
afterAll(async () => await rm(folder, { recursive: true }));

async function writeNextMigrations(): Promise<string> {
  const migrations = join(folder, 'migrations');
  await cp(join(repositoryRoot, 'prisma/migrations'), migrations, { recursive: true });
  for (const [name, sql] of Object.entries(planted)) {
    await mkdir(join(migrations, name));
    await writeFile(join(migrations, name, 'migration.sql'), sql);
  }
  return migrations;
}

/** One server of each kind, from a checkout. */
async function startServers(checkout: string, env: Variables, ports: { readonly auth: number; readonly api: number }) {
  const start = async (server: 'auth' | 'api') =>
    await launch({
      env: { ...env, PORT: String(ports[server]) },
      command: [process.execPath, join(checkout, `apps/${server}/bin/start.mjs`)],
    });
  return [await start('auth'), await start('api')];
}

describe.runIf(hasHistory || (isLong && note !== ''))(`an upgrade under load${note}`, () => {
  test.runIf(hasHistory)(
    'the previous release and this one serve side by side while the database is migrated: no error, no wrong answer',
    async () => {
      await using stack = new AsyncDisposableStack();
      const database = stack.use(await createEmptyDatabase(inject('databaseServer')));
      const [port, auth, api, auth2, api2, authProxy, apiProxy] = (await Promise.all(
        Array.from({ length: 7 }, async () => await findFreePort()),
      )) as [number, number, number, number, number, number, number];
      const baseUrl = `http://localhost:${String(port)}`;
      const env = {
        BASE_URL: baseUrl,
        DATABASE_URL: database.url,
        SECRET_KEYS: 'a secret of forty characters or somewhat more',
        JWKS_URL: `http://127.0.0.1:${String(authProxy)}/oauth/jwks`,
        DATABASE_POOL: '5',
        RATE_LIMITS: 'off',
        DRAIN_SECONDS: '3',
        WORKERS: '2',
      };
      await runCommandOf(previous, ['migrate'], env);
      const names = ['--username', 'ada_lovelace', '--first-name', 'Ada', '--last-name', 'Lovelace'];
      const account = ['--email', 'ada@example.org', '--password', 'correct horse', ...names];
      await runCommandOf(previous, ['user', 'create', ...account], env);
      const settings = ['--type', 'confidential', '--scope', 'users posts email', '--act-as-owner'];
      const created = await runCommandOf(
        previous,
        ['app', 'create', '--owner', 'ada_lovelace', '--name', 'Load', ...settings],
        env,
      );
      const client = { id: String(created['client_id']), secret: String(created['client_secret']) };

      const oldServers = await startServers(previous, env, { auth, api });
      for (const server of oldServers) stack.use(server);
      const auths = stack.use(await startBalancingProxy(authProxy, [auth, auth2]));
      const apis = stack.use(await startBalancingProxy(apiProxy, [api, api2]));
      stack.use(await startReverseProxy(port, { auth: authProxy, api: apiProxy }));
      const areReady = async (ports: readonly (readonly number[])[]) =>
        await eventually(
          `${JSON.stringify(ports)} are ready`,
          () => JSON.stringify([auths.ready(), apis.ready()]) === JSON.stringify(ports),
        );
      await areReady([[auth], [api]]);
      // The API server has asked for the keys before the authorization server was ready.
      const early = auths.failures.length;
      const load = startUpgradeLoad(baseUrl, client);
      stack.defer(async () => await load.stop());
      const serve = async (rounds: number) => {
        const until = load.rounds() + rounds;
        await eventually(`${String(rounds)} more rounds\n${load.mistakes.join('\n')}`, () => load.rounds() >= until);
      };
      await serve(30);

      await runCommandOf(repositoryRoot, ['migrate', 'run'], env);
      await serve(30);
      const newServers = await startServers(repositoryRoot, env, { auth: auth2, api: api2 });
      for (const server of newServers) stack.use(server);
      await areReady([
        [auth, auth2],
        [api, api2],
      ]);
      await serve(60);
      // The next release is prepared while both run.
      const migrations = await writeNextMigrations();
      const status = await applyMigrations(database.url, migrations, { besidePrevious: '99.0.0' });
      expect(status).toMatchObject({
        later: ['20990101000005_contract'],
        batches: [{ name: 'fill', finished: false }],
      });
      await serve(30);
      for (const server of oldServers) server.process.kill('SIGTERM');
      for (const server of oldServers) expect(await server.exited).toEqual({ exitCode: 0, signal: null });
      const finished = await applyMigrations(database.url, migrations);
      expect(finished).toMatchObject({
        later: [],
        batches: [
          { name: '20261221000000_fill_hashtags' },
          { name: '20261224000000_fill_post_search' },
          { name: '20261229000000_fill_account_search' },
          { name: 'fill', finished: true },
        ],
      });
      await serve(30);
      await load.stop();
      expect([load.mistakes, auths.failures.slice(early), apis.failures]).toEqual([[], [], []]);
      expect(await findCounterMismatches(database.db)).toEqual([]);
      const posts = await database.db.prisma.post.count();
      expect(posts).toBe(load.rounds());
    },
    600_000,
  );
});
