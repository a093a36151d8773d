import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import pg from 'pg';

import { openDatabase } from '@linnet/db/database';
import type { TestDatabase } from './test-database.ts';
import { databaseUrl } from './test-server.ts';
import type { DatabaseServer } from './test-server.ts';

const run = promisify(execFile);
const chunk = Buffer.alloc(65_536);

/** A migrated database in a tablespace on a file system of 96 MB. */
export interface SmallDisk extends TestDatabase {
  /** Writes a file until the file system has no space left. */
  fill(): Promise<void>;
  /** Removes that file. */
  free(): Promise<void>;
}

/** Returns undefined where a file system cannot be mounted (it takes root), or the server is on another machine. */
export async function createSmallDisk(server: DatabaseServer): Promise<SmallDisk | undefined> {
  const name = server.template.replace(/template$/, randomBytes(6).toString('hex'));
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const directory = await mkdtemp(join(tmpdir(), 'linnet-disk-'));
  const release = async () => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`DROP TABLESPACE IF EXISTS ${name}`);
    await client.end();
    await run('umount', [directory]).catch(() => undefined);
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await mountFor(client, directory);
    await client.query(`CREATE TABLESPACE ${name} LOCATION '${directory}'`);
  } catch {
    await release();
    return undefined;
  }
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${server.template} TABLESPACE ${name} STRATEGY file_copy`);
  await client.query(`ALTER DATABASE ${name} SET timezone = 'UTC'`);
  const url = databaseUrl(server.url, name);
  const db = openDatabase({ url, poolSize: 4, prepare: true });
  const filler = join(directory, 'filler');
  return {
    url,
    db,
    fill: async () => await fillFile(filler),
    free: async () => await rm(filler, { force: true }),
    [Symbol.asyncDispose]: async () => {
      await db[Symbol.asyncDispose]();
      await release();
    },
  };
}

/** The directory belongs to the user that PostgreSQL runs as. */
async function mountFor(client: pg.Client, directory: string): Promise<void> {
  await run('mount', ['-t', 'tmpfs', '-o', 'size=96m,mode=0700', 'linnet-test', directory]);
  const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
  const { uid, gid } = await stat(rows[0]?.data_directory ?? '');
  await chown(directory, uid, gid);
}

/** Mounts a file system of so many megabytes in memory until disposal; undefined where that is not possible. */
export async function mountMemory(directory: string, megabytes: number): Promise<AsyncDisposable | undefined> {
  const options = `size=${String(megabytes)}m`;
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', options, 'linnet-test', directory]).then(
    () => true,
    () => false,
  );
  if (!isMounted) return undefined;
  return { [Symbol.asyncDispose]: async () => void (await run('umount', [directory])) };
}

/** Appends to a file until its file system has no space left. */
export async function fillFile(path: string): Promise<void> {
  await using file = await open(path, 'a');
  for (let size = chunk.length; size >= 1; size = Math.floor(size / 2)) {
    while (await isWritten(file.write(chunk, 0, size))) {
      // Until the next smaller piece.
    }
  }
}

async function isWritten(writing: Promise<{ readonly bytesWritten: number }>): Promise<boolean> {
  return await writing.then(
    ({ bytesWritten }) => bytesWritten > 0,
    () => false,
  );
}
