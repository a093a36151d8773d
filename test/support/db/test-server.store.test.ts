import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';

import { createTestDatabase } from './test-database.ts';
import { startTestServer } from './test-server.ts';
import type { DatabaseServer } from './test-server.ts';

const migrations = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

const startScript = `
const [module, options] = process.argv.slice(1);
const { startTestServer } = await import(module);
const { server } = await startTestServer(JSON.parse(options));
process.stdout.write(JSON.stringify(server) + '\\n');
setInterval(() => undefined, 1000);
`;

/** Starts a test run in another process. */
async function startRun(url?: string): Promise<{ readonly server: DatabaseServer; kill(): Promise<void> }> {
  const module = fileURLToPath(new URL('./test-server.ts', import.meta.url));
  const options = JSON.stringify({ migrations, url });
  const child = spawn(process.execPath, ['--input-type=module', '-e', startScript, module, options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    server: JSON.parse(String(line)),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function databases(url: string, like: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database WHERE datname LIKE $1', [
      like,
    ]);
    return rows.map(({ datname }) => datname);
  } finally {
    await client.end();
  }
}

const runOf = (server: DatabaseServer): string => server.template.replace(/template$/, '%');

test('each database is a separate clone of the migrated template and is dropped on disposal', async () => {
  const server = inject('databaseServer');
  const clone = await createTestDatabase(server);
  await using other = await createTestDatabase(server);
  await clone.db.prisma.signingKey.create({
    data: { kid: 'one', alg: 'ES256', state: 'next', publicJwk: {}, privateJwe: '-' },
  });
  expect(await clone.db.prisma.signingKey.count()).toBe(1);
  expect(await other.db.prisma.signingKey.count()).toBe(0);

  const guest = new pg.Client({ connectionString: clone.url });
  guest.on('error', () => undefined);
  await guest.connect();
  await clone[Symbol.asyncDispose]();
  expect(await databases(server.url, new URL(clone.url).pathname.slice(1))).toEqual([]);
});

test('sixteen databases can be created in parallel', async () => {
  const server = inject('databaseServer');
  const made = await Promise.all(Array.from({ length: 16 }, async () => await createTestDatabase(server)));
  expect(new Set(made.map(({ url }) => url)).size).toBe(16);
  await Promise.all(made.map(async (database) => await database[Symbol.asyncDispose]()));
});

describe('an embedded server', () => {
  test('stops when its run ends or is killed, and removes its directory', async () => {
    const run = await startRun();
    const directory = String(new URL(run.server.url).searchParams.get('host'));
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    await run.kill();
    await expect.poll(async () => await stat(directory).catch(() => 'gone')).toBe('gone');
    expect(await commandsWith(directory)).toEqual([]);
  });

  async function commandsWith(text: string): Promise<string[]> {
    const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
    const commands = await Promise.all(
      pids.map(async (pid) => await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
    );
    return commands.filter((command) => command.includes(text));
  }
});

describe('an external server', () => {
  const { url } = inject('databaseServer');

  test('has no databases of the run after disposal', async () => {
    const external = await startTestServer({ migrations, url });
    const database = await createTestDatabase(external.server);
    expect(await database.db.prisma.account.count()).toBe(0);
    expect(await databases(url, runOf(external.server))).toHaveLength(2);
    await external[Symbol.asyncDispose]();
    expect(await databases(url, runOf(external.server))).toEqual([]);
    await database[Symbol.asyncDispose]();
  });

  test('a run drops the databases of killed runs and leaves those of active ones', async () => {
    const killed = await startRun(url);
    await createTestDatabase(killed.server);
    expect(await databases(url, runOf(killed.server))).toHaveLength(2);
    await killed.kill();
    await expect
      .poll(async () => {
        await using next = await startTestServer({ migrations, url });
        expect(await databases(url, runOf(next.server))).toHaveLength(1);
        return await databases(url, runOf(killed.server));
      })
      .toEqual([]);
    expect(await databases(url, inject('databaseServer').template)).toHaveLength(1);
  });
});
