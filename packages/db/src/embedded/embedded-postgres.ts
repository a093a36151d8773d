/*
 * The PostgreSQL server that runs if DATABASE_URL is unset. Step by step:
 *   1. Look for a server that already runs on the data directory (postmaster-file, connection).
 *   2. If there is none: choose the user that runs it (server-user), find the programs (binaries), prepare the data
 *      directory (data-directory) and the socket directory (socket-directory), start it under a guardian (guardian,
 *      launch).
 *   3. Keep one connection open, which shows other processes that the server is in use (held-server).
 *   4. On release, stop the server, unless another process uses it (held-server).
 */
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { embeddedUrl, ensureDatabase, holderUrl, isShutdown, tryConnect, waitForLeaving } from './connection.ts';
import { EmbeddedPostgresError, reasonOf } from './embedded-postgres-error.ts';
import { holdServer } from './held-server.ts';
import { launchServer } from './launch.ts';
import type { LaunchOptions, RunningServer } from './launch.ts';
import { findPostmaster } from './postmaster-file.ts';

export { EmbeddedPostgresError };

const startTimeoutMs = 60_000;
const retryMs = 100;
const databaseName = 'linnet';

export interface EmbeddedPostgresOptions {
  /** The data directory, `DATA_DIR/postgres`. The socket is in `DATA_DIR/run`, the log is `DATA_DIR/postgres.log`. */
  readonly directory: string;
  /** Receives one line per event. */
  readonly log: (message: string) => void;
  /** `false` to run without user namespaces when started as root. */
  readonly userNamespaces?: boolean;
  /** Holds data and programs that PostgreSQL's user could not reach otherwise; `/var/lib/linnet` if absent. */
  readonly systemDirectory?: string;
}

export interface EmbeddedPostgres extends AsyncDisposable {
  /** URL of the database `linnet`. */
  readonly url: string;
  /** Calls back once if the server exits before `release`. It can then be started again. */
  onUnexpectedExit(callback: () => void): void;
  /** Stops the server, unless another process uses it. Close your pools first. */
  release(): Promise<void>;
}

/**
 * Starts PostgreSQL on a data directory, or joins the server that already runs there. A server that this process
 * started stops when the process ends, SIGKILL included, unless `release` left it to another process.
 * @throws EmbeddedPostgresError if it cannot run here; its message is complete for an operator.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    const startedAt = Date.now();
    const server = await findOrLaunch(
      {
        directory: resolve(options.directory),
        userNamespaces: options.userNamespaces ?? true,
        systemDirectory: options.systemDirectory ?? '/var/lib/linnet',
      },
      startedAt + startTimeoutMs,
    );
    const event = server.guarded === undefined ? 'joined' : 'started';
    options.log(`PostgreSQL ${event} in ${String(Date.now() - startedAt)} ms`);
    return hold(server);
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL cannot start. Fix the problem below, or set DATABASE_URL. ${reasonOf(error)}`,
      { cause: error },
    );
  }
}

function hold(server: RunningServer): EmbeddedPostgres {
  const held = holdServer(server);
  const release = async () => await held.release();
  return {
    url: embeddedUrl(server.socketDirectory, databaseName),
    onUnexpectedExit: (callback) => void held.lost.then(callback),
    release,
    [Symbol.asyncDispose]: release,
  };
}

async function findOrLaunch(options: LaunchOptions, deadline: number): Promise<RunningServer> {
  for (;;) {
    const server = (await findRunning(options.directory, deadline)) ?? (await launchServer(options, deadline));
    if (server !== undefined && (await hasDatabase(server))) return server;
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `Another PostgreSQL server uses the database in ${options.directory} but does not respond. Stop it, or set DATA_DIR.`,
      );
    }
    await delay(retryMs);
  }
}

/** Makes sure that the server stays up and the database exists. Returns false if the server stopped. */
async function hasDatabase({ client, guarded }: RunningServer): Promise<boolean> {
  try {
    await waitForLeaving(client);
    await ensureDatabase(client, databaseName);
    return true;
  } catch (error) {
    await client.end().catch(() => undefined);
    guarded?.stop();
    if (isShutdown(error)) return false;
    throw error;
  }
}

/** Connects to the server that runs on `directory`, if there is one. Waits while it is starting or stopping. */
async function findRunning(directory: string, deadline: number): Promise<RunningServer | undefined> {
  for (;;) {
    const postmaster = await findPostmaster(directory);
    if (postmaster === undefined) return undefined;
    const { pid, socketDirectory } = postmaster;
    if (socketDirectory !== undefined) {
      const client = await tryConnect(holderUrl(socketDirectory));
      if (typeof client !== 'string') return { pid, directory, socketDirectory, client };
    }
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `PostgreSQL (process ${String(pid)}) runs on ${directory} but does not respond. Stop it, or set DATA_DIR.`,
      );
    }
    await delay(retryMs);
  }
}
