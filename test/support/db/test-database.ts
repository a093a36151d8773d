import { randomBytes } from 'node:crypto';

import pg from 'pg';

import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { databaseUrl } from './test-server.ts';
import type { DatabaseServer } from './test-server.ts';

const poolSize = 10;

/** A database that one test file uses alone. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  readonly db: Db;
}

/**
 * Clones the migrated template of the test server. Disposal closes `db` and drops the database, even if others are
 * connected.
 * @example await using database = await createTestDatabase(inject('databaseServer'));
 */
export async function createTestDatabase(server: DatabaseServer): Promise<TestDatabase> {
  return await createDatabase(server, server.template);
}

/** Like `createTestDatabase`, without any table: for tests of the migrations. */
export async function createEmptyDatabase(server: DatabaseServer): Promise<TestDatabase> {
  return await createDatabase(server, 'template0');
}

async function createDatabase(server: DatabaseServer, template: string): Promise<TestDatabase> {
  const name = server.template.replace(/template$/, randomBytes(6).toString('hex'));
  const identifier = pg.escapeIdentifier(name);
  await onServer(server, async (client) => {
    // Three times as fast as the default strategy, which writes each page to the WAL.
    await client.query(
      `CREATE DATABASE ${identifier} TEMPLATE ${pg.escapeIdentifier(template)} ENCODING 'UTF8' STRATEGY file_copy`,
    );
    await client.query(`ALTER DATABASE ${identifier} SET timezone = 'UTC'`);
  });
  const url = databaseUrl(server.url, name);
  const db = openDatabase({ url, poolSize, prepare: true });
  return {
    url,
    db,
    [Symbol.asyncDispose]: async () => {
      await db[Symbol.asyncDispose]();
      await onServer(server, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${identifier} WITH (FORCE)`);
      });
    },
  };
}

async function onServer(server: DatabaseServer, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
