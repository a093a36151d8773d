/*
 * The PostgreSQL that runs when DATABASE_URL is unset. Its life:
 *   look for a server that runs on the data directory already (postmaster-file, connection)
 *   else choose who runs it (server-user), find its programs (binaries), make the data directory
 *   (data-directory) and the socket's (socket-directory), start it under a guardian (guardian, launch)
 *   hold one connection, by which other processes see that the server is in use
 *   at release: leave the server to those who still use it, or stop it.
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
  /** The data directory, `DATA_DIR/postgres`; the socket goes into `DATA_DIR/run`, the log into `DATA_DIR/postgres.log`. */
  readonly directory: string;
  /** Told in one line each what happens. */
  readonly log: (message: string) => void;
  /** `false`: as root, do without user namespaces of the kernel. */
  readonly userNamespaces?: boolean;
  /** Where root keeps data and programs that PostgreSQL's user cannot reach otherwise. */
  readonly systemDirectory?: string;
}

export interface EmbeddedPostgres extends AsyncDisposable {
  /** The database `linnet`. */
  readonly url: string;
  /** Calls back once when the server ends though nobody released it here. Starting again is safe. */
  onUnexpectedExit(callback: () => void): void;
  /** Ends our use: stops the server, unless other processes are connected to it. Close your pools first. */
  release(): Promise<void>;
}

/**
 * Starts PostgreSQL on a data directory, or joins the server that runs there already. It stops when
 * this process ends in whatever way, unless it was handed over at release.
 * @throws EmbeddedPostgresError, fit to be printed alone, when it cannot run here.
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
    const manner = server.guarded === undefined ? 'joined' : 'started';
    options.log(`PostgreSQL ${manner} in ${String(Date.now() - startedAt)} ms`);
    return hold(server);
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    throw new EmbeddedPostgresError(`The embedded PostgreSQL cannot start. ${reasonOf(error)}`, { cause: error });
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
      throw new EmbeddedPostgresError(`Another server keeps the database in ${options.directory} but does not answer.`);
    }
    await delay(retryMs);
  }
}

/** Makes sure that the server stays and the database exists; false when the server stopped in between. */
async function hasDatabase({ client, guarded }: RunningServer): Promise<boolean> {
  try {
    await waitForLeaving(client);
    await ensureDatabase(client, databaseName);
    return true;
  } catch (error) {
    await client.end().catch(() => undefined);
    guarded?.abandon();
    if (isShutdown(error)) return false;
    throw error;
  }
}

/** Waits for a server that is starting or stopping to do so. */
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
        `PostgreSQL (process ${String(pid)}) runs on ${directory} but does not answer: stop it, or set DATA_DIR.`,
      );
    }
    await delay(retryMs);
  }
}
