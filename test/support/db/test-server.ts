import { randomBytes } from 'node:crypto';

import pg from 'pg';

import { applyMigrations } from '@linnet/db/migration/migrations';
import { startThrowawayCluster } from './throwaway-cluster.ts';
import type { ThrowawayCluster } from './throwaway-cluster.ts';

/** The server on which tests create their databases. Plain data, because it is passed to test processes. */
export interface DatabaseServer {
  /** URL of the maintenance database, for a user that may create databases. */
  readonly url: string;
  /** Name of the migrated database that test databases are cloned from. */
  readonly template: string;
}

export interface TestServer extends AsyncDisposable {
  readonly server: DatabaseServer;
}

export interface TestServerOptions {
  /** The folder of the migrations for the template. */
  readonly migrations: string;
  /** A running server to use instead of an embedded one (TEST_DATABASE_URL); its user must be able to create databases. */
  readonly url?: string | undefined;
}

const runPattern = '^linnet_test_[0-9a-f]{8}_';
const runIdLength = 'linnet_test_12345678'.length;

/**
 * Starts the server of one test run, or uses the one at `url`, and creates the template. Disposal drops all databases
 * of the run; the next run drops those of a run that was killed.
 */
export async function startTestServer({ migrations, url }: TestServerOptions): Promise<TestServer> {
  const cluster = url === undefined ? await startThrowawayCluster() : external(url);
  const run = `linnet_test_${randomBytes(4).toString('hex')}`;
  const template = `${run}_template`;
  // Held for the whole run: its lock shows other runs that the databases of this one are in use.
  const client = new pg.Client({ connectionString: cluster.url, keepAlive: true });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [run]);
    await dropAbandonedRuns(client);
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(template)} TEMPLATE template0 ENCODING 'UTF8'`);
    await applyMigrations(databaseUrl(cluster.url, template), migrations);
  } catch (error) {
    await finish(client, run, cluster);
    throw error;
  }
  return {
    server: { url: cluster.url, template },
    [Symbol.asyncDispose]: async () => await finish(client, run, cluster),
  };
}

/** Returns the URL of another database on the same server. */
export function databaseUrl(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

function external(url: string): ThrowawayCluster {
  return { url, stop: async () => undefined };
}

async function finish(client: pg.Client, run: string, cluster: ThrowawayCluster): Promise<void> {
  await dropRun(client, run).catch(() => undefined); // the next run drops them
  await client.end().catch(() => undefined);
  await cluster.stop();
}

async function dropAbandonedRuns(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ run: string }>(
    'SELECT DISTINCT left(datname, $2) AS run FROM pg_database WHERE datname ~ $1',
    [runPattern, runIdLength],
  );
  for (const { run } of rows) {
    const { rows: locks } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_lock(hashtext($1)) AS free', [
      run,
    ]);
    if (locks[0]?.free === true) await dropRun(client, run);
  }
}

async function dropRun(client: pg.Client, run: string): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
    [`${run}_`],
  );
  for (const { datname } of rows) {
    await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(datname)} WITH (FORCE)`);
  }
}
