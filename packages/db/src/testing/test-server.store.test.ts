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

const migrations = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));

const startScript = `
const [module, options] = process.argv.slice(1);
const { startTestServer } = await import(module);
const { server } = await startTestServer(JSON.parse(options));
process.stdout.write(JSON.stringify(server) + '\\n');
setInterval(() => undefined, 1000);
`;

/** A test run in a process of its own. */
async function startRun(url?: string): Promise<{ readonly server: DatabaseServer; kill(): Promise<void> }> {
  const module = fileURLToPath(new URL('./test-server.ts', import.meta.url));
  const options = JSON.stringify({ migrations, url });
  const child = spawn(
    process.execPath,
    ['--conditions=source', '--input-type=module', '-e', startScript, module, options],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
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

test('databases are clones of the migrated template, apart from each other, and gone afterwards', async () => {
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

test('sixteen databases can be made at once', async () => {
  const server = inject('databaseServer');
  const made = await Promise.all(Array.from({ length: 16 }, async () => await createTestDatabase(server)));
  expect(new Set(made.map(({ url }) => url)).size).toBe(16);
  await Promise.all(made.map(async (database) => await database[Symbol.asyncDispose]()));
});

describe('a server of our own', () => {
  test('ends with its run, even a killed one, and takes its directory along', async () => {
    const run = await startRun();
    const directory = new URL(run.server.url).searchParams.get('host') ?? '';
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    await run.kill();
    await expect.poll(async () => await stat(directory).catch(() => 'gone'), { timeout: 10_000 }).toBe('gone');
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

describe('a borrowed server', () => {
  const { url } = inject('databaseServer');

  test('has nothing of ours afterwards', async () => {
    const borrowed = await startTestServer({ migrations, url });
    const database = await createTestDatabase(borrowed.server);
    expect(await database.db.prisma.account.count()).toBe(0);
    expect(await databases(url, runOf(borrowed.server))).toHaveLength(2);
    await borrowed[Symbol.asyncDispose]();
    expect(await databases(url, runOf(borrowed.server))).toEqual([]);
    await database[Symbol.asyncDispose]();
  });

  test('is cleared of a killed run by the next one, which leaves living runs alone', async () => {
    const killed = await startRun(url);
    await createTestDatabase(killed.server);
    expect(await databases(url, runOf(killed.server))).toHaveLength(2);
    await killed.kill();
    await expect
      .poll(
        async () => {
          await using next = await startTestServer({ migrations, url });
          expect(await databases(url, runOf(next.server))).toHaveLength(1);
          return await databases(url, runOf(killed.server));
        },
        { timeout: 10_000 },
      )
      .toEqual([]);
    expect(await databases(url, inject('databaseServer').template)).toHaveLength(1);
  });
});
