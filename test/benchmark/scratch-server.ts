import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startEmbeddedPostgres } from '@linnet/db/embedded/embedded-postgres';
import { applyMigrations, migrationsDirectory } from '@linnet/db/migration/migrations';
import pg from 'pg';

interface ScratchServer extends AsyncDisposable {
  readonly client: pg.Client;
  /** Of the postmaster. */
  readonly pid: number;
}

/** A migrated database on an embedded server that nothing else uses, without autovacuum. Disposal removes it. */
export async function startServer(): Promise<ScratchServer> {
  await using started = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'linnet-bench-'));
  started.defer(async () => await rm(directory, { recursive: true, force: true }));
  const server = await startEmbeddedPostgres({ directory: join(directory, 'postgres'), log: () => undefined });
  started.defer(async () => await server.release());
  await applyMigrations(server.url, migrationsDirectory);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  started.defer(async () => await client.end());
  await client.query('ALTER SYSTEM SET autovacuum = off');
  await client.query(`ALTER SYSTEM SET max_wal_size = '4GB'`);
  await client.query('SELECT pg_reload_conf()');
  const { rows } = await client.query<{ file: string }>(`SELECT pg_read_file('postmaster.pid') AS file`);
  const pid = Number(rows[0]?.file.split('\n')[0]);
  const running = started.move();
  return { client, pid, [Symbol.asyncDispose]: async () => await running.disposeAsync() };
}
