import { appendFile, cp, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';
import { afterAll, expect, test, vi } from 'vitest';

import { holderUrl } from './connection.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import type { EmbeddedPostgres } from './embedded-postgres.ts';
import { isAlive, readPostmasterFile } from './postmaster-file.ts';

// Most tests share one cluster; each starts and stops the server on it.
const base = await mkdtemp(join(tmpdir(), 'linnet-embedded-'));
const directory = join(base, 'data', 'postgres');
const isRoot = process.getuid?.() === 0;

afterAll(async () => await rm(base, { recursive: true }));

async function start(at = directory): Promise<EmbeddedPostgres> {
  return await startEmbeddedPostgres({ directory: at, log: () => undefined });
}

async function connect(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: async () => await client.end() });
}

async function queryValue(url: string, sql: string): Promise<unknown> {
  await using client = await connect(url);
  const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
  return rows[0]?.[0];
}

async function postmasterPid(at = directory): Promise<number> {
  return (await readPostmasterFile(at))?.pid ?? Number.NaN;
}

test('the first start creates a private database in UTF-8 and UTC', async () => {
  await using server = await start();
  expect(await queryValue(server.url, 'SELECT current_database()')).toBe('linnet');
  expect(await queryValue(server.url, 'SHOW server_encoding')).toBe('UTF8');
  expect(await queryValue(server.url, 'SHOW timezone')).toBe('UTC');
  expect(await queryValue(server.url, 'SHOW listen_addresses')).toBe('');
  expect(await queryValue(server.url, `SELECT lower('ÄÖ') || upper('é')`)).toBe('äöÉ');
  expect((await stat(join(base, 'data', 'run'))).mode & 0o777).toBe(0o700);
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
});

test('release stops the server and removes its socket; the next start finds the data', async () => {
  const first = await start();
  await queryValue(first.url, 'CREATE TABLE kept AS SELECT 1');
  const pid = await postmasterPid();
  await first.release();
  await expect.poll(() => isAlive(pid), { timeout: 50_000 }).toBe(false);
  expect(await readdir(join(base, 'data', 'run'))).toEqual([]);
  expect((await readdir(join(base, 'data'))).toSorted()).toEqual(['postgres', 'postgres.log', 'run']);

  await using second = await start();
  expect(await queryValue(second.url, 'SELECT * FROM kept')).toBe(1);
});

test('release can be called several times', async () => {
  const server = await start();
  await Promise.all([server.release(), server.release()]);
  await server.release();
  expect(await postmasterPid()).toBeNaN();
});

test('release stops the server even if connections of the same process are open', async () => {
  const server = await start();
  await connect(server.url);
  const pid = await postmasterPid();
  await server.release();
  await expect.poll(() => isAlive(pid), { timeout: 50_000 }).toBe(false);
});

test('release leaves a server running that another client uses, and the next start joins it', async () => {
  const server = await start();
  const pid = await postmasterPid();
  const elsewhere = new URL(server.url);
  elsewhere.searchParams.set('application_name', 'psql');
  await using client = await connect(elsewhere.href);
  await server.release();
  expect((await client.query('SELECT 1')).rowCount).toBe(1);

  const joined = await start();
  expect(await postmasterPid()).toBe(pid);
  await client.end();
  // Its backend process exits a moment later.
  const others = "SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'psql'";
  await expect.poll(async () => await queryValue(joined.url, others)).toBe(0);
  await joined.release();
  await expect.poll(() => isAlive(pid), { timeout: 50_000 }).toBe(false);
});

test('the last of two releases in one process stops the server', async () => {
  const first = await start();
  const second = await start();
  const pid = await postmasterPid();
  await second.release();
  expect(await queryValue(first.url, 'SELECT 1')).toBe(1);
  await first.release();
  await expect.poll(() => isAlive(pid), { timeout: 50_000 }).toBe(false);
});

test('a start waits while another process releases the server, then starts it again', async () => {
  const first = await start();
  const pid = await postmasterPid();
  const socketDirectory = String(new URL(first.url).searchParams.get('host'));
  await using leaving = await connect(holderUrl(socketDirectory));
  await leaving.query("SELECT pg_advisory_lock(hashtext('linnet-leaving'))");
  const joining = start();
  await expect(Promise.race([joining, delay(300, 'waits')])).resolves.toBe('waits');
  process.kill(pid, 'SIGINT');
  await using joined = await joining;
  expect(await queryValue(joined.url, 'SELECT 1')).toBe(1);
  expect(await postmasterPid()).not.toBe(pid);
  await first.release();
});

test('reports an unexpected exit when the server is killed, and can start it again', async () => {
  await using server = await start();
  await queryValue(server.url, 'CREATE TABLE committed AS SELECT 2');
  const lost = vi.fn<() => void>();
  server.onUnexpectedExit(lost);
  process.kill(await postmasterPid(), 'SIGKILL');
  await expect.poll(() => lost.mock.calls.length).toBe(1);

  await using again = await start();
  expect(again.url).toBe(server.url);
  expect(await queryValue(again.url, 'SELECT * FROM committed')).toBe(2);
});

test('a release or a lost connection is not an unexpected exit', async () => {
  const server = await start();
  const lost = vi.fn<() => void>();
  server.onUnexpectedExit(lost);
  await using client = await connect(server.url);
  const others = `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
  const { rows } = await client.query<{ pid: number }>(others);
  expect(rows).toHaveLength(1);
  await client.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
  // The holder connection is opened again.
  await expect.poll(async () => (await client.query(others)).rowCount).toBe(1);
  await server.release();
  expect(lost).not.toHaveBeenCalled();
});

test('a crash of one backend is not an unexpected exit', async () => {
  await using server = await start();
  const lost = vi.fn<() => void>();
  server.onUnexpectedExit(lost);
  const pid = await postmasterPid();
  await using client = await connect(server.url);
  const ended = new Promise((resolve) => client.once('end', resolve));
  process.kill(Number((await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid), 'SIGKILL');
  await ended;
  await expect.poll(async () => await queryValue(server.url, 'SELECT 1').catch(() => 0)).toBe(1);
  expect(await postmasterPid()).toBe(pid);
  expect(lost).not.toHaveBeenCalled();
});

test('starts despite lock files of a dead server whose process id belongs to another program', async () => {
  await (await start()).release();
  await writeFile(
    join(directory, 'postmaster.pid'),
    [process.pid, directory, 0, 5432, join(base, 'data', 'run'), '', '', ''].join('\n'),
  );
  await writeFile(join(base, 'data', 'run', '.s.PGSQL.5432.lock'), `${String(process.pid)}\n`);
  await using server = await start();
  expect(await queryValue(server.url, 'SELECT 1')).toBe(1);
});

test('starts despite an empty lock file, after waiting for a server that may be writing it', async () => {
  await writeFile(join(directory, 'postmaster.pid'), '');
  await using server = await start();
  expect(await queryValue(server.url, 'SELECT 1')).toBe(1);
});

test('starts again a server that another process has used and stopped before this one could connect', async () => {
  const starting = start();
  let pid = await postmasterPid();
  while (Number.isNaN(pid)) pid = await postmasterPid();
  process.kill(pid, 'SIGINT');
  await using server = await starting;
  expect(await queryValue(server.url, 'SELECT 1')).toBe(1);
});

test('ignores PG* and locale variables of the environment', async () => {
  vi.stubEnv('PGPORT', '1');
  vi.stubEnv('PGHOST', 'db.example');
  vi.stubEnv('PGSSLMODE', 'require');
  vi.stubEnv('PGUSER', 'somebody');
  vi.stubEnv('PGDATABASE', 'elsewhere');
  vi.stubEnv('LC_ALL', 'xx_XX.UTF-8');
  try {
    await using server = await start();
    expect(await queryValue(server.url, 'SELECT current_user::text')).toBe('postgres');
  } finally {
    vi.unstubAllEnvs();
  }
});

test('accepts a path with a space, a comma and quotes', async () => {
  const odd = join(base, `a b, "c" 'd' %41`, 'postgres');
  await using server = await start(odd);
  expect(await queryValue(server.url, 'SELECT current_database()')).toBe('linnet');
  expect(server.url).toContain(encodeURIComponent(join(base, 'a b')));
});

test('puts the socket into the directory for temporary files if the path is too long', async () => {
  const long = join(base, 'x'.repeat(90), 'postgres');
  await cp(directory, long, { recursive: true });
  const server = await start(long);
  const socketDirectory = String(new URL(server.url).searchParams.get('host'));
  expect(socketDirectory).not.toContain('xxx');
  expect(socketDirectory.length).toBeLessThan(90);
  expect((await stat(socketDirectory)).mode & 0o777).toBe(0o700);
  await using joined = await start(long);
  expect(new URL(joined.url).searchParams.get('host')).toBe(socketDirectory);
  await Promise.all([server.release(), joined.release()]);
  expect(await readdir(socketDirectory)).toEqual([]);
  await rm(socketDirectory, { recursive: true });
});

test('rejects a directory with other files and does not touch them', async () => {
  const photos = join(base, 'photos');
  await mkdir(photos);
  await writeFile(join(photos, 'cat.jpg'), 'cat');
  await expect(start(photos)).rejects.toThrow(
    /photos is neither empty nor a PostgreSQL database\. Remove it, or set DATA_DIR\./,
  );
  expect(await readdir(photos)).toEqual(['cat.jpg']);
});

test('rejects a database of another major version', async () => {
  const old = join(base, 'old', 'postgres');
  await mkdir(old, { recursive: true });
  await writeFile(join(old, 'PG_VERSION'), '17\n');
  await expect(start(old)).rejects.toThrow(
    /was created by PostgreSQL 17; this is 18\. Move the data with pg_dump, or set DATA_DIR\./,
  );
});

test('quotes the end of the log if the server cannot start', async () => {
  const configuration = join(directory, 'postgresql.auto.conf');
  const before = await readFile(configuration, 'utf8');
  await appendFile(configuration, 'no_such_setting = on\n');
  try {
    await expect(start()).rejects.toMatchObject({
      name: 'EmbeddedPostgresError',
      message: expect.stringMatching(/did not start\. The last lines of .*postgres\.log:\n.*no_such_setting/s),
    });
  } finally {
    await writeFile(configuration, before);
  }
});

test.skipIf(isRoot)('reports a directory that is not writable', async () => {
  await expect(start('/linnet-data/postgres')).rejects.toThrow(
    /^The directory \/linnet-data is not writable\. Set DATA_DIR/,
  );
});
