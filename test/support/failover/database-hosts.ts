import { access, chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { eventually, repositoryRoot } from '../service.ts';
import type { Variables } from '../service.ts';
import { startFront } from './front.ts';
import type { Front } from './front.ts';
import { Host, hostNames } from './host.ts';
import type { Clock, DatabaseHostName, HostName, Place } from './host.ts';
import { findUser, runProgram } from './programs.ts';

/** Two hosts with PostgreSQL, a third one with etcd, and what leads to them, with the files of docs/operations/failover. */
export interface DatabaseHosts extends AsyncDisposable {
  /** The database through PgBouncer. */
  readonly pooledUrl: string;
  /** The primary, past PgBouncer. */
  readonly directUrl: string;
  /** As `directUrl`, of a superuser. */
  readonly superuserUrl: string;
  /** The database on each host. */
  readonly hostUrls: readonly string[];
  /** Variables of a service. */
  readonly env: Variables;
  readonly front: Front;
  host(name: HostName): Host;
  /** Waits until there is a host whose PostgreSQL accepts writes. */
  findPrimary(): Promise<DatabaseHostName>;
  /** Starts a lost host again, and waits until its PostgreSQL has everything and confirms writes. */
  restore(name: DatabaseHostName): Promise<void>;
  /** Makes the standby the primary, as an operator does. */
  switchOver(primary: DatabaseHostName, standby: DatabaseHostName): void;
}

const databaseHosts = ['db1', 'db2'] as const;
const passwords = { postgres: 'change-me-postgres', linnet: 'change-me-linnet' };
const memoryDirectory = '/dev/shm';

export async function startDatabaseHosts(clocks: Partial<Record<HostName, Clock>> = {}): Promise<DatabaseHosts> {
  await using stack = new AsyncDisposableStack();
  const directory = await createDirectory();
  stack.defer(async () => await rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const place: Place = { network: chooseNetwork(), directory, user: findUser() };
  const hosts = hostNames.map((name) => new Host(name, place, clocks[name]));
  stack.defer(async () => {
    for (const one of hosts) await one.end();
  });
  const host = (name: HostName) => hosts[hostNames.indexOf(name)] ?? unknownHost(name);
  for (const one of hosts) one.startEtcd();
  for (const name of databaseHosts) {
    host(name).startPatroni();
    await host(name).until(name === 'db1' ? 'primary' : 'sync');
  }
  const front = stack.use(await startFront(place, passwords.linnet));
  await createDatabase(place);
  const urlOf = (address: string, port: number) =>
    `postgresql://linnet:${passwords.linnet}@${address}:${String(port)}/linnet`;
  const [pooledUrl, directUrl] = [urlOf(`${place.network}.4`, 6432), urlOf(`${place.network}.4`, 5000)];
  const running = stack.move();
  return {
    pooledUrl,
    directUrl,
    superuserUrl: `postgresql://postgres:${passwords.postgres}@${place.network}.4:5000/linnet`,
    hostUrls: databaseHosts.map((name) => urlOf(host(name).address, 5432)),
    env: { DATABASE_URL: pooledUrl, DATABASE_DIRECT_URL: directUrl, DATABASE_PREPARE: 'off' },
    front,
    host,
    ...changesOf(host),
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  };
}

function changesOf(host: (name: HostName) => Host): Pick<DatabaseHosts, 'findPrimary' | 'restore' | 'switchOver'> {
  return {
    findPrimary: async () => {
      for (;;) {
        for (const name of databaseHosts) if (await host(name).is('primary')) return name;
      }
    },
    restore: async (name) => {
      host(name).startEtcd();
      host(name).startPatroni();
      await host(name).until('sync');
    },
    switchOver: (primary, standby) => {
      const file = ['-c', host(primary).configuration];
      runProgram('patronictl', [...file, 'switchover', '--master', primary, '--candidate', standby, '--force']);
    },
  };
}

/** In memory if possible: the disk of a test machine may be slower than etcd tolerates. */
async function createDirectory(): Promise<string> {
  const parent = await access(memoryDirectory).then(
    () => memoryDirectory,
    () => tmpdir(),
  );
  const directory = await mkdtemp(join(parent, 'linnet-failover-'));
  // PostgreSQL runs as another user.
  await chmod(directory, 0o755);
  return directory;
}

function unknownHost(name: string): never {
  throw new TypeError(`no host ${name}`);
}

/** Addresses of the loopback range, so that each host has the ports of the documentation. */
function chooseNetwork(): string {
  const byte = () => String(1 + Math.floor(Math.random() * 253));
  return `127.${byte()}.${byte()}`;
}

/** As docs/operations/failover.md says. */
async function createDatabase({ network }: Place): Promise<void> {
  const server = ['-h', `${network}.4`, '-p', '5000', '-U', 'postgres', '-v', 'ON_ERROR_STOP=1'];
  const psql = (...args: readonly string[]) =>
    runProgram('psql', [...server, ...args], { PGPASSWORD: passwords.postgres });
  // Until its first check of the standby has failed, HAProxy takes turns.
  const isPrimary = () => psql('-t', '-c', 'SELECT NOT pg_is_in_recovery()').trim() === 't';
  await eventually('HAProxy has found the primary', () => {
    try {
      return isPrimary() && isPrimary() && isPrimary();
    } catch {
      return false;
    }
  });
  psql('-c', `CREATE ROLE linnet LOGIN PASSWORD '${passwords.linnet}'`);
  psql('-c', 'CREATE DATABASE linnet OWNER linnet');
  psql('-f', join(repositoryRoot, 'docs/operations/compose/role.sql'));
}
