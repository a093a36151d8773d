import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';

/** The bundle: Node strips types, but not from TSX. */
const program = fileURLToPath(new URL('../../../packages/cli/bin/server.mjs', import.meta.url));
const key = 'k'.repeat(32);

let database: TestDatabase;
let dataDir: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  dataDir = await mkdtemp(join(tmpdir(), 'linnet-auth-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await database[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true });
});

interface Started {
  readonly child: ChildProcess;
  readonly stderr: Promise<string>;
  readonly exited: Promise<unknown[]>;
  /** Resolves with all that was printed on stdout. */
  readonly stdout: Promise<string>;
  /** The port that the log tells once the program listens. */
  readonly listening: Promise<number>;
}

/** Starts the program; nothing but `env` configures it. */
function start(env: Readonly<Record<string, string>>): Started {
  const child = spawn(process.execPath, [program, 'auth'], {
    env: { PORT: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const { promise: listening, resolve, reject } = Promise.withResolvers<number>();
  let log = '';
  child.stdout.on('data', (chunk) => {
    log += String(chunk);
    const port = /"port":(\d+).*is listening/.exec(log)?.[1];
    if (port !== undefined) resolve(Number(port));
  });
  child.on('exit', () => reject(new Error(`the program ended: ${log}`)));
  listening.catch(() => undefined);
  const stdout = once(child.stdout, 'end').then(() => log);
  return { child, stdout, stderr: text(child.stderr), exited: once(child, 'exit'), listening };
}

/** Starts the program where it must fail; gives its one line. */
async function failingStart(env: Readonly<Record<string, string>>): Promise<string> {
  const { stderr, exited } = start(env);
  const [code] = await exited;
  expect(code).toBe(1);
  const lines = (await stderr).trimEnd().split('\n');
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

const origin = { BASE_URL: 'http://localhost:3001' };

test('serves until SIGTERM, then exits with 0; nothing is printed but log lines', async () => {
  const { child, stdout, stderr, exited, listening } = start({
    ...origin,
    DATABASE_URL: database.url,
    SECRET_KEYS: key,
  });
  const port = await listening;
  const jwks = await fetch(`http://127.0.0.1:${String(port)}/oauth/jwks`);
  expect(await jwks.json()).toMatchObject({
    keys: [{ alg: 'ES256' }, { alg: 'RS256' }, { alg: 'ES256' }, { alg: 'RS256' }],
  });
  expect((await fetch(`http://127.0.0.1:${String(port)}/health/ready`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect(await stderr).toBe('');
  const lines = (await stdout).trimEnd().split('\n');
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('msg');
  expect(lines.at(-1)).toContain('"draining"');
});

test('creates secret keys in DATA_DIR if SECRET_KEYS is unset, and reuses them', async () => {
  for (let starts = 0; starts < 2; starts += 1) {
    const { child, exited, listening } = start({ ...origin, DATABASE_URL: database.url });
    await listening;
    child.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
  }
  expect((await readFile(join(dataDir, 'secret-keys'), 'utf8')).trim().length).toBeGreaterThanOrEqual(32);
  expect((await stat(join(dataDir, 'secret-keys'))).mode & 0o777).toBe(0o600);
});

test('does not start with SECRET_KEYS that do not fit the database, and says so in one line', async () => {
  await start({ ...origin, DATABASE_URL: database.url, SECRET_KEYS: key }).listening;
  const line = await failingStart({ ...origin, DATABASE_URL: database.url, SECRET_KEYS: key.toUpperCase() });
  expect(line).toMatch(/^SECRET_KEYS: .*SECRET_KEYS has changed/);
});

test('does not start without its database, and says so in one line', async () => {
  const line = await failingStart({
    ...origin,
    DATABASE_URL: 'postgresql://linnet:hunter2@127.0.0.1:1/linnet',
    SECRET_KEYS: key,
  });
  expect(line).toMatch(/^DATABASE_URL: the database cannot be reached .*ECONNREFUSED/);
  expect(line).not.toContain('hunter2');
});

test('does not start on a database without tables, and says so in one line', async () => {
  await database.db.prisma.$executeRaw`DROP TABLE _prisma_migrations`;
  const line = await failingStart({ ...origin, DATABASE_URL: database.url, SECRET_KEYS: key });
  expect(line).toMatch(/^DATABASE_URL: \d+ migrations are not applied yet/);
});

test('does not start on a database that has passed the phase after of a later release, and says so in one line', async () => {
  await database.db.prisma.$executeRaw`
    INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('-', '-', '9001_after_moods', now())`;
  const line = await failingStart({ ...origin, DATABASE_URL: database.url, SECRET_KEYS: key });
  expect(line).toMatch(
    /^DATABASE_URL: a later release has changed this database .*9001_after_moods.*restore the backup/,
  );
});

test('KY3: a separate process does not start without its configuration', async () => {
  const { stderr, exited } = start({ NODE_ENV: 'production' });
  expect(await exited).toEqual([1, null]);
  expect(
    (await stderr)
      .trim()
      .split('\n')
      .map((line) => line.split(':')[0]),
  ).toEqual(['BASE_URL', 'DATABASE_URL', 'SECRET_KEYS']);
});
