import type { ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { connect } from 'node:net';
import { access } from 'node:fs/promises';
import { join } from 'node:path';

import { eventually, repositoryRoot } from '../service.ts';
import type { Variables } from '../service.ts';
import { Host, hostNames, readExample } from './host.ts';
import type { DatabaseHostName, HostName, Place } from './host.ts';
import { findUser, runProgram, startProgram } from './programs.ts';

/** Two hosts with PostgreSQL, one that decides with them, and HAProxy and PgBouncer, with the files of docs/operations/failover. */
export interface DatabaseHosts extends AsyncDisposable {
  /** The database through PgBouncer. */
  readonly pooledUrl: string;
  /** The primary, past PgBouncer. */
  readonly directUrl: string;
  /** Each host with PostgreSQL. */
  readonly hostUrls: readonly string[];
  /** Variables of a service. */
  readonly env: Variables;
  readonly host: (name: HostName) => Host;
  /** The host whose PostgreSQL accepts writes. */
  findPrimary(): Promise<DatabaseHostName>;
  /** Starts a lost host again, and waits until its PostgreSQL has everything and confirms writes. */
  restore(name: DatabaseHostName): Promise<void>;
  /** PgBouncer and HAProxy of the host with Linnet. */
  readonly pooler: ChildProcess;
  startPooler(): Promise<void>;
}

const databaseHosts = ['db1', 'db2'] as const;
const passwords = { postgres: 'change-me-postgres', linnet: 'change-me-linnet' };
const memoryDirectory = '/dev/shm';

/** `clocks`: variables of Patroni and PostgreSQL on a host. */
export async function startDatabaseHosts(
  clocks: Partial<Record<HostName, Readonly<Record<string, string>>>> = {},
): Promise<DatabaseHosts> {
  await using stack = new AsyncDisposableStack();
  const parent = await access(memoryDirectory).then(
    () => memoryDirectory,
    () => tmpdir(),
  );
  const directory = await mkdtemp(join(parent, 'linnet-failover-'));
  stack.defer(async () => await rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  await chmod(directory, 0o755);
  const place: Place = { network: chooseNetwork(), directory, user: findUser() };
  const hosts = new Map(hostNames.map((name) => [name, new Host(name, place, clocks[name])]));
  const host = (name: HostName) => hosts.get(name) ?? unknownHost(name);
  stack.defer(() => {
    for (const one of hosts.values()) one.signal('SIGKILL');
  });
  for (const one of hosts.values()) one.startEtcd();
  host('db1').startPatroni();
  await host('db1').until('primary');
  host('db2').startPatroni();
  await host('db2').until('sync');
  const proxy = await startProxy(place);
  stack.defer(async () => await end(proxy));
  await createDatabase(place);
  const pooler = { current: await startPgBouncer(place) };
  stack.defer(async () => await end(pooler.current));
  const running = stack.move();
  const urlOf = (address: string, port: number) =>
    `postgresql://linnet:${passwords.linnet}@${address}:${String(port)}/linnet`;
  const [pooledUrl, directUrl] = [urlOf(`${place.network}.4`, 6432), urlOf(`${place.network}.4`, 5000)];
  return {
    pooledUrl,
    directUrl,
    hostUrls: databaseHosts.map((name) => urlOf(host(name).address, 5432)),
    env: { DATABASE_URL: pooledUrl, DATABASE_DIRECT_URL: directUrl, DATABASE_PREPARE: 'off' },
    host,
    findPrimary: async () => await findPrimary(host),
    restore: async (name) => {
      host(name).startEtcd();
      host(name).startPatroni();
      await host(name).until('sync');
    },
    get pooler() {
      return pooler.current;
    },
    startPooler: async () => void (pooler.current = await startPgBouncer(place)),
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  };
}

function unknownHost(name: string): never {
  throw new TypeError(`no host ${name}`);
}

/** Addresses of the loopback range, so that each host has the ports of the documentation. */
function chooseNetwork(): string {
  const byte = () => String(1 + Math.floor(Math.random() * 253));
  return `127.${byte()}.${byte()}`;
}

async function findPrimary(host: (name: HostName) => Host): Promise<DatabaseHostName> {
  for (;;) {
    for (const name of databaseHosts) if (await host(name).is('primary')) return name;
  }
}

async function startProxy(place: Place): Promise<ChildProcess> {
  const file = join(place.directory, 'haproxy.cfg');
  await writeFile(file, readExample('haproxy.cfg', place));
  const child = startProgram('haproxy', {
    args: ['-db', '-f', file],
    user: {},
    logFile: join(place.directory, 'haproxy.log'),
  });
  await eventually('HAProxy listens', async () => await accepts(`${place.network}.4`, 5000));
  return child;
}

async function startPgBouncer(place: Place): Promise<ChildProcess> {
  const file = join(place.directory, 'pgbouncer.ini');
  await writeFile(file, readExample('pgbouncer.ini', place));
  await writeFile(join(place.directory, 'userlist.txt'), `"linnet" "${passwords.linnet}"\n`);
  const logFile = join(place.directory, 'pgbouncer.log');
  const child = startProgram('pgbouncer', { args: [file], user: place.user, logFile });
  await eventually('PgBouncer listens', async () => await accepts(`${place.network}.4`, 6432));
  return child;
}

/** As docs/operations/failover.md says. */
async function createDatabase({ network }: Place): Promise<void> {
  const server = ['-h', `${network}.4`, '-p', '5000', '-U', 'postgres', '-v', 'ON_ERROR_STOP=1'];
  const psql = (...args: readonly string[]) =>
    runProgram('psql', [...server, ...args], { PGPASSWORD: passwords.postgres });
  await eventually('HAProxy has found the primary', () => {
    try {
      return psql('-c', 'SELECT 1') !== '';
    } catch {
      return false;
    }
  });
  psql('-c', `CREATE ROLE linnet LOGIN PASSWORD '${passwords.linnet}'`);
  psql('-c', 'CREATE DATABASE linnet OWNER linnet');
  psql('-f', join(repositoryRoot, 'docs/operations/compose/role.sql'));
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}

async function accepts(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host);
  return await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}
