import { mkdir, mkdtemp, readFile, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { locateBinaries } from '../embedded/binaries.ts';
import { embeddedUrl, tryConnect } from '../embedded/connection.ts';
import { giveTo, runInitdb } from '../embedded/data-directory.ts';
import { spawnGuarded } from '../embedded/guardian.ts';
import { isAlive } from '../embedded/postmaster-file.ts';
import { chooseServerUser, commandAs } from '../embedded/server-user.ts';
import { shortTemporaryDirectory } from '../embedded/socket-directory.ts';

const startTimeoutMs = 30_000;
const pollMs = 10;
const namePrefix = 'linnet-test-';
const memoryDirectory = '/dev/shm';
/** More than the largest test run writes. */
const roomyBytes = 8 * 1024 ** 3;
/** Nothing here outlives the run, so nothing need reach the disk. */
const settings = [
  ...['listen_addresses=', 'port=5432', 'max_connections=300', 'timezone=UTC', 'autovacuum=off'],
  ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0'],
  'log_min_messages=fatal',
];

export interface ThrowawayCluster {
  /** The database `postgres`, as superuser. */
  readonly url: string;
  /** Ends the server and removes its directory, as the end of this process would. */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL of its own in a temporary directory. Both are gone when this process ends,
 * even by SIGKILL. Throws when it cannot run here.
 */
export async function startThrowawayCluster(): Promise<ThrowawayCluster> {
  const parent = await fastTemporaryDirectory();
  await removeAbandoned(parent);
  const directory = await mkdtemp(join(parent, `${namePrefix}${String(process.pid)}-`));
  try {
    return await startIn(directory);
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

/** In memory, where there is room for it and programs may run: a clone there costs a third. */
async function fastTemporaryDirectory(): Promise<string> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  const options = mounts.split('\n').find((line) => line.split(' ')[1] === memoryDirectory) ?? 'noexec';
  if (options.includes('noexec')) return shortTemporaryDirectory();
  const { bavail, bsize } = await statfs(memoryDirectory);
  return bavail * bsize >= roomyBytes ? memoryDirectory : shortTemporaryDirectory();
}

async function startIn(directory: string): Promise<ThrowawayCluster> {
  const data = join(directory, 'data');
  const user = await chooseServerUser(data, true);
  await giveTo(user, directory);
  const binaries = await locateBinaries(user, join(directory, 'native'));
  await mkdir(data, { mode: 0o700 });
  await giveTo(user, data);
  await runInitdb(binaries, user, { directory: data, flags: ['--no-sync'] });
  const flags = [...settings, `unix_socket_directories="${directory}"`].flatMap((setting) => ['-c', setting]);
  const logFile = join(directory, 'postgres.log');
  const guarded = await spawnGuarded({
    command: commandAs(user, binaries.postgres, ['-D', data, ...flags]),
    logFile,
    removeAtEnd: directory,
  });
  const url = embeddedUrl(directory, 'postgres');
  const deadline = Date.now() + startTimeoutMs;
  while (!(await answers(url))) {
    if (guarded.hasExited() || Date.now() > deadline) {
      guarded.abandon();
      throw new Error(`the test server did not start: ${await readFile(logFile, 'utf8').catch(() => '')}`);
    }
    await delay(pollMs);
  }
  return {
    url,
    stop: async () => {
      guarded.abandon();
      await guarded.exited;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = await tryConnect(url);
  if (typeof client === 'string') return false;
  await client.end();
  return true;
}

/** What a run left behind that was killed during initdb, before there was a guardian. */
async function removeAbandoned(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(namePrefix));
  const abandoned = names.filter((name) => !isAlive(Number.parseInt(name.slice(namePrefix.length), 10)));
  // Somebody else's cannot be removed; a guardian may be at it already.
  await Promise.allSettled(abandoned.map((name) => rm(join(parent, name), { recursive: true, force: true })));
}
