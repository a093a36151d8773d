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

// One cluster serves most tests of this file: each starts and stops the server on it.
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

async function ask(url: string, sql: string): Promise<unknown> {
  await using client = await connect(url);
  const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
  return rows[0]?.[0];
}

async function postmasterPid(at = directory): Promise<number> {
  return (await readPostmasterFile(at))?.pid ?? Number.NaN;
}

test('a first start makes the database, in UTF-8 and UTC, open to nobody else', async () => {
  await using server = await start();
  expect(await ask(server.url, 'SELECT current_database()')).toBe('linnet');
  expect(await ask(server.url, 'SHOW server_encoding')).toBe('UTF8');
  expect(await ask(server.url, 'SHOW timezone')).toBe('UTC');
  expect(await ask(server.url, 'SHOW listen_addresses')).toBe('');
  expect(await ask(server.url, `SELECT lower('ÄÖ') || upper('é')`)).toBe('äöÉ');
  expect((await stat(join(base, 'data', 'run'))).mode & 0o777).toBe(0o700);
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
});

test('release stops the server and leaves no process and no socket; a second start finds the rows', async () => {
  const first = await start();
  await ask(first.url, 'CREATE TABLE kept AS SELECT 1');
  const pid = await postmasterPid();
  await first.release();
  expect(isAlive(pid)).toBe(false);
  expect(await readdir(join(base, 'data', 'run'))).toEqual([]);
  expect((await readdir(join(base, 'data'))).toSorted()).toEqual(['postgres', 'postgres.log', 'run']);

  await using second = await start();
  expect(await ask(second.url, 'SELECT * FROM kept')).toBe(1);
});

test('release may be called twice', async () => {
  const server = await start();
  await Promise.all([server.release(), server.release()]);
  await server.release();
  expect(await postmasterPid()).toBeNaN();
});

test('connections of our own that are still open do not keep the server', async () => {
  const server = await start();
  await connect(server.url);
  const pid = await postmasterPid();
  await server.release();
  expect(isAlive(pid)).toBe(false);
});

test('a server that another client uses is left running, and joined by the next start', async () => {
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
  // Its process is there for a moment longer.
  const others = "SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'psql'";
  await expect.poll(async () => await ask(joined.url, others)).toBe(0);
  await joined.release();
  expect(isAlive(pid)).toBe(false);
});

test('two uses in one process are two: the last release stops the server', async () => {
  const first = await start();
  const second = await start();
  const pid = await postmasterPid();
  await second.release();
  expect(await ask(first.url, 'SELECT 1')).toBe(1);
  await first.release();
  expect(isAlive(pid)).toBe(false);
});

test('who comes while another one leaves waits, and starts the server again when that one stops it', async () => {
  const first = await start();
  const pid = await postmasterPid();
  const socketDirectory = new URL(first.url).searchParams.get('host') ?? '';
  await using leaving = await connect(holderUrl(socketDirectory));
  await leaving.query("SELECT pg_advisory_lock(hashtext('linnet-leaving'))");
  const joining = start();
  await expect(Promise.race([joining, delay(300, 'waits')])).resolves.toBe('waits');
  process.kill(pid, 'SIGINT');
  await using joined = await joining;
  expect(await ask(joined.url, 'SELECT 1')).toBe(1);
  expect(await postmasterPid()).not.toBe(pid);
  await first.release();
});

test('when the server is killed its owner learns of it and can start again', async () => {
  await using server = await start();
  await ask(server.url, 'CREATE TABLE committed AS SELECT 2');
  const lost = vi.fn<() => void>();
  server.onUnexpectedExit(lost);
  process.kill(await postmasterPid(), 'SIGKILL');
  await expect.poll(() => lost.mock.calls.length, { timeout: 5000 }).toBe(1);

  await using again = await start();
  expect(again.url).toBe(server.url);
  expect(await ask(again.url, 'SELECT * FROM committed')).toBe(2);
});

test('a released server, or a broken connection of ours, is no unexpected exit', async () => {
  const server = await start();
  const lost = vi.fn<() => void>();
  server.onUnexpectedExit(lost);
  await using client = await connect(server.url);
  const others = `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
  const { rows } = await client.query<{ pid: number }>(others);
  expect(rows).toHaveLength(1);
  await client.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
  // The connection that shows our presence comes back.
  await expect.poll(async () => (await client.query(others)).rowCount, { timeout: 5000 }).toBe(1);
  await server.release();
  expect(lost).not.toHaveBeenCalled();
});

test('a crash of one backend, from which the server recovers, is no unexpected exit', async () => {
  await using server = await start();
  const lost = vi.fn<() => void>();
  server.onUnexpectedExit(lost);
  const pid = await postmasterPid();
  await using client = await connect(server.url);
  const ended = new Promise((resolve) => client.once('end', resolve));
  process.kill(Number((await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid), 'SIGKILL');
  await ended;
  await expect.poll(async () => await ask(server.url, 'SELECT 1').catch(() => 0), { timeout: 5000 }).toBe(1);
  expect(await postmasterPid()).toBe(pid);
  expect(lost).not.toHaveBeenCalled();
});

test('lock files of a dead server whose process number another program has do not stop a start', async () => {
  await (await start()).release();
  await writeFile(
    join(directory, 'postmaster.pid'),
    [process.pid, directory, 0, 5432, join(base, 'data', 'run'), '', '', ''].join('\n'),
  );
  await writeFile(join(base, 'data', 'run', '.s.PGSQL.5432.lock'), `${String(process.pid)}\n`);
  await using server = await start();
  expect(await ask(server.url, 'SELECT 1')).toBe(1);
});

test('an empty lock file, of a start that another process has just begun or that died at once, is waited out', async () => {
  await writeFile(join(directory, 'postmaster.pid'), '');
  await using server = await start();
  expect(await ask(server.url, 'SELECT 1')).toBe(1);
});

test('variables of the environment for other databases have no say', async () => {
  vi.stubEnv('PGPORT', '1');
  vi.stubEnv('PGHOST', 'db.example');
  vi.stubEnv('PGSSLMODE', 'require');
  vi.stubEnv('PGUSER', 'somebody');
  vi.stubEnv('PGDATABASE', 'elsewhere');
  vi.stubEnv('LC_ALL', 'xx_XX.UTF-8');
  try {
    await using server = await start();
    expect(await ask(server.url, 'SELECT current_user::text')).toBe('postgres');
  } finally {
    vi.unstubAllEnvs();
  }
});

test('a path with a space, a comma and quotes serves', async () => {
  const odd = join(base, `a b, "c" 'd' %41`, 'postgres');
  await using server = await start(odd);
  expect(await ask(server.url, 'SELECT current_database()')).toBe('linnet');
  expect(server.url).toContain(encodeURIComponent(join(base, 'a b')));
});

test('a path too long for a socket gets one in the directory for temporary files', async () => {
  const long = join(base, 'x'.repeat(90), 'postgres');
  await cp(directory, long, { recursive: true });
  const server = await start(long);
  const socketDirectory = new URL(server.url).searchParams.get('host') ?? '';
  expect(socketDirectory).not.toContain('xxx');
  expect(socketDirectory.length).toBeLessThan(90);
  expect((await stat(socketDirectory)).mode & 0o777).toBe(0o700);
  await using joined = await start(long);
  expect(new URL(joined.url).searchParams.get('host')).toBe(socketDirectory);
  await Promise.all([server.release(), joined.release()]);
  expect(await readdir(socketDirectory)).toEqual([]);
  await rm(socketDirectory, { recursive: true });
});

test('a directory that holds something else is refused and left alone', async () => {
  const photos = join(base, 'photos');
  await mkdir(photos);
  await writeFile(join(photos, 'cat.jpg'), 'cat');
  await expect(start(photos)).rejects.toThrow(
    /photos is neither empty nor a database of PostgreSQL: remove it or set DATA_DIR/,
  );
  expect(await readdir(photos)).toEqual(['cat.jpg']);
});

test('a database of another major version is refused', async () => {
  const old = join(base, 'old', 'postgres');
  await mkdir(old, { recursive: true });
  await writeFile(join(old, 'PG_VERSION'), '17\n');
  await expect(start(old)).rejects.toThrow(
    /was made by PostgreSQL 17, this is 18: carry it over with pg_dump, or set DATA_DIR/,
  );
});

test('a server that cannot start says why', async () => {
  const configuration = join(directory, 'postgresql.auto.conf');
  const before = await readFile(configuration, 'utf8');
  await appendFile(configuration, 'no_such_setting = on\n');
  try {
    await expect(start()).rejects.toMatchObject({
      name: 'EmbeddedPostgresError',
      message: expect.stringMatching(/did not start; .*postgres\.log ends with:\n.*no_such_setting/s),
    });
  } finally {
    await writeFile(configuration, before);
  }
});

test.skipIf(isRoot)('a directory that cannot be written is one clear error', async () => {
  await expect(start('/linnet-data/postgres')).rejects.toThrow(
    /^The directory \/linnet-data cannot be written: set DATA_DIR/,
  );
});
