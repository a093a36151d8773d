import type { ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';

import { eventually } from '../service.ts';
import { readExample } from './host.ts';
import type { Place } from './host.ts';
import { startProgram } from './programs.ts';

/** HAProxy and PgBouncer on a host with Linnet, which lead to the primary. */
export interface Front extends AsyncDisposable {
  stopPooler(): Promise<void>;
  startPooler(): Promise<void>;
}

const pooler = { name: 'pgbouncer', port: 6432 } as const;
const proxy = { name: 'haproxy', port: 5000 } as const;

export async function startFront(place: Place, password: string): Promise<Front> {
  await using stack = new AsyncDisposableStack();
  const write = async (name: string, text: string) => await writeFile(join(place.directory, name), text);
  await write('haproxy.cfg', readExample('haproxy.cfg', place));
  await write('pgbouncer.ini', readExample('pgbouncer.ini', place));
  await write('userlist.txt', `"linnet" "${password}"\n`);
  const running = await startListening(place, proxy, ['-db', '-f', join(place.directory, 'haproxy.cfg')]);
  stack.defer(async () => await end(running));
  const startPooler = async () => await startListening(place, pooler, [join(place.directory, 'pgbouncer.ini')]);
  let current = await startPooler();
  stack.defer(async () => await end(current));
  const started = stack.move();
  return {
    stopPooler: async () => await end(current),
    startPooler: async () => void (current = await startPooler()),
    [Symbol.asyncDispose]: async () => await started.disposeAsync(),
  };
}

async function startListening(
  { network, directory, user }: Place,
  { name, port }: typeof pooler | typeof proxy,
  args: readonly string[],
): Promise<ChildProcess> {
  const child = startProgram(name, { args, user, logFile: join(directory, `${name}.log`) });
  await eventually(`${name} listens`, async () => await accepts(`${network}.4`, port));
  return child;
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
