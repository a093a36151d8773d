import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, test } from 'vitest';

import { endWithTurn, workWithTurn } from './direct-path.ts';

test('responses are written together, after the turn that built them', async () => {
  const waiting: ServerResponse[] = [];
  const ended: boolean[][] = [];
  const server = createServer((request, response) => {
    waiting.push(response.writeHead(200));
    if (waiting.length < 2) return;
    for (const one of waiting) endWithTurn(one, request.url ?? '');
    ended.push(waiting.map(({ writableEnded }) => writableEnded));
    setImmediate(() => ended.push(waiting.map(({ writableEnded }) => writableEnded)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo;
  const get = async () => await (await fetch(`http://127.0.0.1:${String(port)}/same`)).text();
  expect(await Promise.all([get(), get()])).toEqual(['/same', '/same']);
  expect(ended).toEqual([
    [false, false],
    [true, true],
  ]);
  server.close();
});

test('work is done together, in its order, after the turn that brought it', async () => {
  const done: string[] = [];
  for (const one of ['first', 'second']) workWithTurn(() => done.push(one));
  done.push('turn');
  await new Promise((resolve) => setImmediate(resolve));
  expect(done).toEqual(['turn', 'first', 'second']);
  workWithTurn(() => done.push('next'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(done.at(-1)).toBe('next');
});
