import { mkdir, open, realpath, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type pg from 'pg';

import { locateBinaries } from './binaries.ts';
import { holderUrl, tryConnect } from './connection.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { spawnGuarded } from './guardian.ts';
import type { GuardedServer } from './guardian.ts';
import { findPostmaster, removeStaleLocks } from './postmaster-file.ts';
import { chooseServerUser, commandAs, prepareSocketDirectory } from './server-user.ts';
import type { ServerUser } from './server-user.ts';

const pollMs = 15;
const maxLogBytes = 1_000_000;
/**
 * Log lines of a server that exits because another one uses the data directory, because processes of the last one
 * are still ending, or because another process has used it and stopped it. The exit status is the same for every
 * startup error. LC_ALL=C keeps the messages in English.
 */
const inUsePattern =
  /lock file "[^"]+" (already exists|is empty)|pre-existing shared memory block|received fast shutdown request/;

export interface LaunchOptions {
  readonly directory: string;
  readonly userNamespaces: boolean;
  readonly systemDirectory: string;
}

/** A server that accepts connections, with one open connection. */
export interface RunningServer {
  readonly pid: number;
  readonly directory: string;
  readonly socketDirectory: string;
  readonly client: pg.Client;
  /** Set if this process started the server. */
  readonly guarded?: GuardedServer;
}

/**
 * Starts PostgreSQL on the data directory; creates the directory if it is missing. Returns `undefined` if another
 * process started a server first or stopped this one, or the last one is still stopping: then look for a running server again.
 * @param deadline In milliseconds, compared with `Date.now()`.
 * @throws EmbeddedPostgresError if it cannot start.
 */
export async function launchServer(options: LaunchOptions, deadline: number): Promise<RunningServer | undefined> {
  const user = await chooseServerUser(options.directory, options.userNamespaces);
  const binaries = await locateBinaries(user, options.systemDirectory);
  await prepareDataDirectory({ ...options, user, binaries });
  const directory = await realpath(options.directory);
  await removeStaleLocks(directory);
  const socketDirectory = await prepareSocketDirectory(options.directory, user);
  const logFile = join(dirname(options.directory), 'postgres.log');
  const logStart = await trimLog(logFile);
  const command = serverCommand({ user, postgres: binaries.postgres, directory, socketDirectory });
  const guarded = await spawnGuarded({ command, logFile });
  const client = await waitUntilReady({ guarded, directory, socketDirectory, deadline });
  if (client !== undefined) return { pid: guarded.pid, directory, socketDirectory, client, guarded };
  const lines = await readLog(logFile, logStart);
  if (inUsePattern.test(lines)) return undefined;
  const end = lines.trimEnd().split('\n').slice(-5).join('\n');
  throw new EmbeddedPostgresError(`PostgreSQL did not start. The last lines of ${logFile}:\n${end}`);
}

interface ServerCommandOptions {
  readonly user: ServerUser;
  readonly postgres: string;
  readonly directory: string;
  readonly socketDirectory: string;
}

function serverCommand({ user, postgres, directory, socketDirectory }: ServerCommandOptions) {
  const settings = [
    'listen_addresses=',
    'port=5432',
    // A list of quoted names, because the path may contain a comma or a space.
    `unix_socket_directories="${socketDirectory.replaceAll('"', '""')}"`,
    'unix_socket_permissions=0700',
    'max_connections=100',
    // We log the errors of our statements ourselves; PostgreSQL's details of them contain personal data.
    'log_min_messages=log',
    'log_checkpoints=off',
  ];
  return commandAs(user, postgres, ['-D', directory, ...settings.flatMap((setting) => ['-c', setting])]);
}

interface StartingServer {
  readonly guarded: GuardedServer;
  readonly directory: string;
  readonly socketDirectory: string;
  readonly deadline: number;
}

/** Connects to the server that was just started. Returns `undefined` if it has exited. */
async function waitUntilReady({
  guarded,
  directory,
  socketDirectory,
  deadline,
}: StartingServer): Promise<pg.Client | undefined> {
  const url = holderUrl(socketDirectory);
  try {
    while (!guarded.hasExited()) {
      // The server of another process may listen on the same socket while ours is about to exit.
      const isOurs = (await findPostmaster(directory))?.pid === guarded.pid;
      const client = isOurs ? await tryConnect(url) : 'absent';
      if (typeof client !== 'string') return client;
      if (Date.now() > deadline) {
        throw new EmbeddedPostgresError('PostgreSQL was not ready in time. Try again, or set DATABASE_URL.');
      }
      await delay(pollMs);
    }
    return undefined;
  } catch (error) {
    guarded.stop();
    throw error;
  }
}

/** Empties the log if it is too large. Returns its size in bytes. */
async function trimLog(logFile: string): Promise<number> {
  await mkdir(dirname(logFile), { recursive: true });
  const size = await stat(logFile).then(
    (status) => status.size,
    () => 0,
  );
  if (size <= maxLogBytes) return size;
  await truncate(logFile);
  return 0;
}

async function readLog(logFile: string, start: number): Promise<string> {
  const log = await open(logFile);
  try {
    const { buffer, bytesRead } = await log.read({ position: start, buffer: Buffer.alloc(maxLogBytes) });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await log.close();
  }
}
