import { setTimeout as delay } from 'node:timers/promises';

import type pg from 'pg';

import { holderUrl, leaveServer, tryConnect } from './connection.ts';
import type { RunningServer } from './launch.ts';
import { isPostmaster } from './postmaster-file.ts';

const pollMs = 20;
const reconnectMs = 100;
/** Fast shutdown first, then immediate shutdown, after which the next start recovers. */
const stopSignals = [
  { signal: 'SIGINT', timeoutMs: 6000 },
  { signal: 'SIGQUIT', timeoutMs: 2000 },
] as const;

export interface HeldServer {
  /** Fulfilled if the server exits before `release`; pending for ever otherwise. */
  readonly lost: Promise<void>;
  /** Stops the server, unless another process uses it. Later calls wait for the first. */
  release(): Promise<void>;
}

/**
 * Keeps a connection to the server open until `release`. It shows other processes that the server is in use, and its
 * end is a sign that the server may have stopped.
 */
export function holdServer(server: RunningServer): HeldServer {
  const hold = { client: server.client, released: false };
  let released: Promise<void> | undefined;
  const { promise: lost, resolve: reportLoss } = Promise.withResolvers<void>();
  void watch(server, hold).then(() => {
    if (!hold.released) reportLoss();
  });
  return {
    lost,
    release: () => {
      hold.released = true;
      return (released ??= releaseServer(server, hold.client));
    },
  };
}

interface Hold {
  client: pg.Client;
  released: boolean;
}

/** Resolves when the server has exited, or after the release. Reconnects to a server that recovers from a crash. */
async function watch(server: RunningServer, hold: Hold): Promise<void> {
  const url = holderUrl(server.socketDirectory);
  while (!hold.released) {
    await Promise.race([closed(hold.client), ...(server.guarded === undefined ? [] : [server.guarded.exited])]);
    while (!hold.released) {
      if (!(await isRunning(server))) return;
      const client = await tryConnect(url).catch(() => 'absent' as const);
      if (typeof client !== 'string') {
        hold.client = client;
        break;
      }
      await delay(reconnectMs);
    }
  }
}

async function closed(client: pg.Client): Promise<void> {
  await new Promise<void>((resolve) => client.once('end', resolve));
}

async function isRunning({ guarded, pid, directory }: RunningServer): Promise<boolean> {
  return guarded === undefined ? await isPostmaster(pid, directory) : !guarded.hasExited();
}

async function releaseServer(server: RunningServer, client: pg.Client): Promise<void> {
  const isInUse = await leaveServer(client).catch(() => false);
  await (isInUse ? server.guarded?.detach() : stopServer(server));
  await client.end().catch(() => undefined);
}

async function stopServer(server: RunningServer): Promise<void> {
  for (const { signal, timeoutMs } of stopSignals) {
    if (!(await isRunning(server))) return;
    signalProcess(server.pid, signal);
    const deadline = Date.now() + timeoutMs;
    while ((await isRunning(server)) && Date.now() < deadline) await delay(pollMs);
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has exited
  }
}
