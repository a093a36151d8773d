import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { accessSync, openSync, readFileSync, readdirSync } from 'node:fs';

import { signalIfRunning } from '../service.ts';

/** Debian's packages patroni, etcd-server, postgresql-15, haproxy and pgbouncer. */
const programs = {
  patroni: '/usr/bin/patroni',
  patronictl: '/usr/bin/patronictl',
  etcd: '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  postgres: '/usr/lib/postgresql/15/bin/postgres',
  psql: '/usr/bin/psql',
} as const;

export type Program = keyof typeof programs;

/** Those of the programs that a failover needs and that are not installed here. */
export function findMissingPrograms(): readonly string[] {
  return Object.values(programs).filter((path) => !isThere(path));
}

function isThere(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Who runs the programs: none of PostgreSQL, Patroni and PgBouncer runs as root. */
export interface User {
  readonly uid?: number;
  readonly gid?: number;
}

export function findUser(): User {
  if (process.getuid?.() !== 0) return {};
  const read = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: read('-u'), gid: read('-g') };
}

interface StartOptions {
  readonly args: readonly string[];
  readonly user: User;
  readonly env?: Readonly<Record<string, string>>;
  readonly logFile: string;
}

/** Starts a program, which writes to the log file. */
export function startProgram(program: Program, { args, user, env, logFile }: StartOptions): ChildProcess {
  const log = openSync(logFile, 'a');
  const child = spawn(programs[program], args, {
    ...user,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C.UTF-8', ...env },
    stdio: ['ignore', log, log],
  });
  child.on('error', () => undefined);
  return child;
}

export function runProgram(
  program: Program,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): string {
  return execFileSync(programs[program], args, { env: { ...process.env, ...env }, encoding: 'utf8', stdio: 'pipe' });
}

/** Sends a signal to processes and to everything that they have started, parents first. */
export function signalAll(roots: readonly number[], signal: NodeJS.Signals): void {
  const parents = readParents();
  const found = new Set(roots.filter((pid) => pid > 0));
  for (const pid of found) {
    for (const [child, parent] of parents) if (parent === pid) found.add(child);
  }
  for (const pid of found) signalIfRunning(pid, signal);
}

/** The parent of every process. */
function readParents(): ReadonlyMap<number, number> {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It has exited.
    }
  }
  return parents;
}
