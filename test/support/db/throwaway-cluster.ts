import { mkdir, mkdtemp, readFile, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { locateBinaries } from '@linnet/db/embedded/binaries';
import { embeddedUrl, tryConnect } from '@linnet/db/embedded/connection';
import { changeOwner, runInitdb } from '@linnet/db/embedded/data-directory';
import { spawnGuarded } from '@linnet/db/embedded/guardian';
import { isAlive } from '@linnet/db/embedded/postmaster-file';
import { chooseServerUser, commandAs, shortTemporaryDirectory } from '@linnet/db/embedded/server-user';
import type { ServerUser } from '@linnet/db/embedded/server-user';

const startTimeoutMs = 30_000;
const pollMs = 10;
const namePrefix = 'linnet-test-';
const memoryDirectory = '/dev/shm';
/** More than the largest test run writes. */
const requiredBytes = 8 * 1024 ** 3;
/** The data does not outlive the run, so nothing needs to reach the disk. */
const settings = [
  ...['listen_addresses=', 'port=5432', 'max_connections=300', 'timezone=UTC', 'autovacuum=off'],
  ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0'],
  'log_min_messages=fatal',
];

interface ClusterOptions {
  /** Variables of the server, beside its own. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface ThrowawayCluster {
  /** URL of the database `postgres`, as superuser. */
  readonly url: string;
  /** Stops the server and removes its directory. The end of this process does the same. */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL server in a temporary directory. Both are removed when this process ends, even by SIGKILL.
 * @throws Error if PostgreSQL cannot run here.
 */
export async function startThrowawayCluster({ env = {} }: ClusterOptions = {}): Promise<ThrowawayCluster> {
  const parent = await fastTemporaryDirectory();
  await removeAbandoned(parent);
  const directory = await mkdtemp(join(parent, `${namePrefix}${String(process.pid)}-`));
  try {
    return await startIn(directory, env);
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

/** In memory if there is room and programs may run there: cloning is three times as fast. */
async function fastTemporaryDirectory(): Promise<string> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  const options = mounts.split('\n').find((line) => line.split(' ')[1] === memoryDirectory) ?? 'noexec';
  if (options.includes('noexec')) return shortTemporaryDirectory();
  const { bavail, bsize } = await statfs(memoryDirectory);
  return bavail * bsize >= requiredBytes ? memoryDirectory : shortTemporaryDirectory();
}

async function startIn(directory: string, env: Readonly<Record<string, string>>): Promise<ThrowawayCluster> {
  const data = join(directory, 'data');
  const user = await chooseServerUser(data, true);
  await changeOwner(directory, user);
  const binaries = await locateBinaries(user, join(directory, 'native'));
  await mkdir(data, { mode: 0o700 });
  await changeOwner(data, user);
  await runInitdb(binaries, user, { directory: data, flags: ['--no-sync'] });
  const { postgres } = binaries;
  return await runServer({ user, postgres, data, directory, settings, env, removeOnExit: directory });
}

interface ServerOptions {
  readonly user: ServerUser;
  /** The program. */
  readonly postgres: string;
  readonly data: string;
  /** Of the socket and the log. */
  readonly directory: string;
  readonly settings: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly removeOnExit?: string;
}

/** Starts PostgreSQL on a data directory, and waits until it accepts connections. */
export async function runServer(options: ServerOptions): Promise<ThrowawayCluster> {
  const { user, postgres, data, directory } = options;
  const all = [...options.settings, `unix_socket_directories="${directory}"`];
  const flags = all.flatMap((setting) => ['-c', setting]);
  const logFile = join(directory, 'postgres.log');
  const { options: how, ...command } = commandAs(user, postgres, ['-D', data, ...flags]);
  const started = { ...command, options: { ...how, env: { ...how.env, ...options.env } } };
  const guarded = await spawnGuarded({ command: started, logFile, removeOnExit: options.removeOnExit ?? '' });
  const url = embeddedUrl(directory, 'postgres');
  const deadline = Date.now() + startTimeoutMs;
  while (!(await acceptsConnections(url))) {
    if (guarded.hasExited() || Date.now() > deadline) {
      guarded.stop();
      throw new Error(`The test server did not start: ${await readFile(logFile, 'utf8').catch(() => '')}`);
    }
    await delay(pollMs);
  }
  return {
    url,
    stop: async () => {
      guarded.stop();
      await guarded.exited;
    },
  };
}

async function acceptsConnections(url: string): Promise<boolean> {
  const client = await tryConnect(url);
  if (typeof client === 'string') return false;
  await client.end();
  return true;
}

/** Removes the directories of runs that were killed during initdb, before they had a guardian. */
async function removeAbandoned(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(namePrefix));
  const abandoned = names.filter((name) => !isAlive(Number.parseInt(name.slice(namePrefix.length), 10)));
  // Directories of other users cannot be removed, and a guardian may be removing one right now.
  await Promise.allSettled(abandoned.map((name) => rm(join(parent, name), { recursive: true, force: true })));
}
