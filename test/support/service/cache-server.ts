import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { findFreePort } from '../service.ts';

/** A Valkey or Redis of this machine. */
export interface CacheProgram {
  readonly path: string;
  /** Such as `Redis 7.0.15`. */
  readonly name: string;
}

/** The one on the path, if there is one (Debian: `valkey-server` or `redis-server`). */
export async function findCacheProgram(): Promise<CacheProgram | undefined> {
  for (const path of ['valkey-server', 'redis-server']) {
    const { stdout } = await promisify(execFile)(path, ['--version']).catch(() => ({ stdout: '' }));
    const [, kind, version] = /^(Redis|Valkey) server v=(\S+)/.exec(stdout) ?? [];
    if (kind !== undefined) return { path, name: `${kind} ${version ?? ''}` };
  }
  return undefined;
}

/** What a test title says of the server, or of its absence. */
export function describeCacheProgram(found: CacheProgram | undefined): string {
  return found?.name ?? 'neither Valkey nor Redis is installed, skipped';
}

/** A server that can be killed, stopped and started again. It stores nothing. */
export interface CacheServer extends AsyncDisposable {
  readonly port: number;
  /** CACHE_URL without a password. */
  readonly url: string;
  start(): Promise<void>;
  /** Loses everything. */
  kill(): Promise<void>;
  /** It keeps its connections, but responds to nothing. */
  freeze(): void;
  thaw(): void;
}

/** `options`: further arguments of the program, such as `--requirepass x`. */
export async function startCacheServer(
  { path }: CacheProgram,
  options: (port: number) => readonly string[] = () => [],
): Promise<CacheServer> {
  const port = await findFreePort();
  let child: ChildProcess | undefined;
  const kill = async () => {
    const ended = child;
    child = undefined;
    if (ended === undefined) return;
    const exited = once(ended, 'exit');
    ended.kill('SIGKILL');
    await exited;
  };
  const start = async () => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...options(port)];
    child = spawn(path, args, { stdio: 'ignore' });
    while (!(await accepts(port))) {
      if (child.exitCode !== null) throw new Error(`${path} has exited`);
      await delay(10);
    }
  };
  await start();
  return {
    port,
    url: `redis://127.0.0.1:${String(port)}`,
    start,
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    [Symbol.asyncDispose]: kill,
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}
