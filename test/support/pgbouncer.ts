import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import { startDatabaseProxy } from './database-proxy.ts';
import { eventually, findFreePort } from './service.ts';
import type { Variables } from './service.ts';

/** A PgBouncer of this machine. */
export interface PgBouncer {
  readonly path: string;
  readonly version: string;
  /** 1.21 and newer keep prepared statements in transaction mode. */
  readonly keepsPrepared: boolean;
}

/** PGBOUNCER_PATH, or the one on the path; distributions install it for root. Undefined if there is none. */
export async function findPgBouncer(): Promise<PgBouncer | undefined> {
  const path = process.env['PGBOUNCER_PATH'] ?? 'pgbouncer';
  const env = { ...process.env, PATH: [process.env['PATH'], '/usr/sbin', '/usr/local/sbin'].join(delimiter) };
  const { stdout } = await promisify(execFile)(path, ['--version'], { env }).catch(() => ({ stdout: '' }));
  const [, version, major, minor] = /^PgBouncer ((\d+)\.(\d+)\S*)/.exec(stdout) ?? [];
  if (version === undefined) return undefined;
  return { path, version, keepsPrepared: Number(major) > 1 || Number(minor) >= 21 };
}

/** What a test title says of the PgBouncer, or of its absence. */
export function describePgBouncer(found: PgBouncer | undefined): string {
  return found === undefined ? 'PgBouncer: not installed, skipped' : `PgBouncer ${found.version}`;
}

/** A PgBouncer in transaction mode. */
export interface RunningPooler extends AsyncDisposable {
  /** Variables of a service that uses the database through it. */
  readonly env: Variables;
  /** Closes the connections to the server, so that new ones get changed settings of the role. */
  reconnect(): Promise<void>;
}

/** Starts PgBouncer in front of a database, with the settings that docs/operations/README.md recommends. */
export async function startPgBouncer(bouncer: PgBouncer, databaseUrl: string): Promise<RunningPooler> {
  await using started = new AsyncDisposableStack();
  // The test server has a Unix socket in a private folder, and PgBouncer refuses to run as root.
  const server = started.use(await startDatabaseProxy(databaseUrl));
  const folder = await mkdtemp(join(tmpdir(), 'linnet-pgbouncer-'));
  started.defer(async () => await rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const port = await findFreePort();
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, toConfiguration(bouncer, { server: new URL(server.url), port }));
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(bouncer.path, [file], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk) => (log += String(chunk)));
  const exited = once(child, 'exit');
  started.defer(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  await eventually('PgBouncer listens', async () => {
    if (child.exitCode !== null) throw new Error(log);
    return await accepts(port);
  });
  const url = new URL(server.url);
  url.port = String(port);
  const sessions = bouncer.keepsPrepared ? { DATABASE_STARTUP_OPTIONS: 'off' } : { DATABASE_PREPARE: 'off' };
  const running = started.move();
  return {
    env: { DATABASE_URL: url.href, DATABASE_DIRECT_URL: databaseUrl, ...sessions },
    reconnect: async () => {
      server.cut();
      server.restore();
      await eventually('PgBouncer has noticed', async () => await accepts(port));
    },
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  };
}

function toConfiguration(
  bouncer: PgBouncer,
  { server, port }: { readonly server: URL; readonly port: number },
): string {
  return [
    '[databases]',
    `* = host=${server.hostname} port=${server.port} user=${server.username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${String(port)}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 20',
    ...['server_login_retry = 1', 'server_connect_timeout = 3', 'query_wait_timeout = 5'],
    ...(bouncer.keepsPrepared ? ['max_prepared_statements = 500'] : []),
    '',
  ].join('\n');
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}
