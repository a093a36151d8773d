/** A PostgreSQL server and a standby that streams its write-ahead log. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import pg from 'pg';

import { locateBinaries } from '@linnet/db/embedded/binaries';
import { changeOwner, changeOwnerOfAll, runInitdb } from '@linnet/db/embedded/data-directory';
import { chooseServerUser, shortTemporaryDirectory } from '@linnet/db/embedded/server-user';
import { applyMigrations, migrationsDirectory } from '@linnet/db/migration/migrations';
import { copyDataDirectory } from './archiving-cluster.ts';
import { databaseUrl } from './test-server.ts';
import { runServer } from './throwaway-cluster.ts';
import type { ThrowawayCluster } from './throwaway-cluster.ts';

const common = ['listen_addresses=', 'port=5432', 'timezone=UTC', 'fsync=off', 'log_min_messages=fatal'];
const database = 'linnet';

interface ReplicatedCluster extends AsyncDisposable {
  /** URL of a migrated database. */
  readonly primaryUrl: string;
  /** The same database at the standby. */
  readonly standbyUrl: string;
  /** Starts the standby, which then applies each commit so many milliseconds late. */
  startStandby(delayMs?: number): Promise<void>;
  stopStandby(): Promise<void>;
  /** The primary does not start again. What it wrote while the standby was stopped is lost. */
  stopPrimary(): Promise<void>;
  /** Runs SQL at the standby, as superuser. */
  runOnStandby(sql: string): Promise<void>;
}

export async function startReplicatedCluster(): Promise<ReplicatedCluster> {
  const directory = await mkdtemp(join(shortTemporaryDirectory(), 'lr-'));
  const [data, copy, other] = [join(directory, 'data'), join(directory, 'copy'), join(directory, 'standby')];
  const user = await chooseServerUser(data, true);
  await changeOwner(directory, user);
  const binaries = await locateBinaries(user, join(directory, 'native'));
  for (const folder of [data, copy, other]) {
    await mkdir(folder, { mode: 0o700 });
    await changeOwner(folder, user);
  }
  await runInitdb(binaries, user, { directory: data, flags: ['--no-sync'] });
  const { postgres } = binaries;
  const settings = [...common, 'wal_level=replica', 'max_wal_senders=5', 'wal_keep_size=512MB'];
  const primary = await runServer({ user, postgres, data, directory, settings });
  await createDatabase(primary.url);
  await copyDataDirectory(primary.url, { data, base: copy });
  await writeFile(join(copy, 'standby.signal'), '');
  if (user.kind === 'other') await changeOwnerOfAll(copy, user);
  const { username } = new URL(primary.url);
  const source = `primary_conninfo=host=${directory} port=5432 user=${username}`;
  const standbyUrl = new URL(primary.url);
  standbyUrl.searchParams.set('host', other);
  let standby: ThrowawayCluster | undefined;
  const stopStandby = async () => {
    await standby?.stop();
    standby = undefined;
  };
  return {
    primaryUrl: databaseUrl(primary.url, database),
    standbyUrl: databaseUrl(standbyUrl.href, database),
    startStandby: async (delayMs = 0) => {
      const late = `recovery_min_apply_delay=${String(delayMs)}ms`;
      standby = await runServer({
        user,
        postgres,
        data: copy,
        directory: other,
        settings: [...settings, source, late],
      });
    },
    stopStandby,
    stopPrimary: async () => await primary.stop(),
    runOnStandby: async (sql) => await execute(standbyUrl.href, sql),
    [Symbol.asyncDispose]: async () => {
      await stopStandby();
      await primary.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function createDatabase(url: string): Promise<void> {
  await execute(url, `CREATE DATABASE ${database} ENCODING 'UTF8' TEMPLATE template0`);
  await execute(url, `ALTER DATABASE ${database} SET timezone = 'UTC'`);
  await applyMigrations(databaseUrl(url, database), migrationsDirectory);
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
