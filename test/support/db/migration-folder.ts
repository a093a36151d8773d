import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';

/** A folder of migrations that a test writes. */
export interface MigrationFolder extends AsyncDisposable {
  readonly path: string;
  add(name: string, sql: string): Promise<void>;
}

export async function createMigrationFolder(scripts: Readonly<Record<string, string>>): Promise<MigrationFolder> {
  const path = await mkdtemp(join(tmpdir(), 'linnet-migrations-'));
  const add = async (name: string, sql: string) => {
    await mkdir(join(path, name));
    await writeFile(join(path, name, 'migration.sql'), sql);
  };
  for (const [name, sql] of Object.entries(scripts)) await add(name, sql);
  return { path, add, [Symbol.asyncDispose]: async () => await rm(path, { recursive: true }) };
}

/** A connection to the database, without the settings of the service. */
export async function connect(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: async () => await client.end() });
}
