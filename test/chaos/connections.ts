import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { eventually } from '../support/service.ts';
import { readMemory } from './memory.ts';
import type { Run } from './scenario.ts';

const openedAtOnce = 200;
const trickleMs = 1000;
/** Beginnings of requests that never end: of headers, and of a body. */
const beginnings = [
  'GET /health/live HTTP/1.1\r\nHost: localhost\r\n',
  'POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100000\r\n\r\n',
];

/** Connections that send nothing. */
export async function holdIdleConnections(run: Run): Promise<void> {
  await holdConnections(run, () => undefined);
}

/** Connections that send a header line, or a byte of a body, each second. */
export async function sendSlowly(run: Run): Promise<void> {
  await holdConnections(run, (socket, index) => {
    const isBody = index % beginnings.length === 1;
    socket.write(beginnings[index % beginnings.length] ?? '');
    const timer = setInterval(() => socket.write(isBody ? 'x' : 'X-Slow: x\r\n'), trickleMs);
    socket.once('close', () => clearInterval(timer));
  });
}

/**
 * Opens `size` connections and requires that the service recovers while they are open. In the long form it then waits until
 * the service has closed them all.
 */
async function holdConnections(run: Run, use: (socket: Socket, index: number) => void): Promise<void> {
  const { world, size, isLong, answers, note } = run;
  const open = new Set<Socket>();
  const before = await readMemory(await world.findServers());
  const openedAt = performance.now();
  for (let index = 0; index < size; index += 1) {
    const socket = connect(Number(new URL(world.baseUrl).port), '127.0.0.1');
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
    socket.once('connect', () => use(socket, index));
    socket.resume();
    if (index % openedAtOnce === 0) await delay(1);
  }
  await answers.recovered();
  const held = open.size;
  const memory = (await readMemory(await world.findServers())) - before;
  note(`${String(held)} connections open, ${Math.max(0, memory / size).toFixed(0)} kB each`);
  if (isLong) {
    await eventually('the service has closed them', () => open.size === 0);
    note(`closed by the service after ${((performance.now() - openedAt) / 1000).toFixed(0)} s`);
  }
  for (const socket of open) socket.destroy();
}
