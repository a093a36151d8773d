import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { serve } from './http-server.ts';
import type { RunningServer } from './http-server.ts';
import { createLogger } from '../log/logger.ts';
import { takeConnection } from './taken-connection.ts';

let server: RunningServer;
let taken: (Socket | undefined)[];
let closedResponses: number;
let opened: Socket[];

beforeEach(async () => {
  [taken, closedResponses, opened] = [[], 0, []];
  server = await serve({
    handler: (request, response) => {
      response.on('close', () => (closedResponses += 1));
      response.setHeader('X-Several', ['one', 'two']);
      // As after a check of the access token: not while Node is reading.
      setImmediate(() => {
        const connection = request.url === '/plain' ? undefined : takeConnection(request, response);
        if (connection === undefined) response.end('not taken');
        taken.push(connection);
      });
    },
    ...{ readiness: async () => [], baseUrl: 'https://linnet.example', host: '127.0.0.1', port: 0 },
    logger: createLogger({ level: 'silent', pretty: false }),
  });
});
afterEach(async () => {
  for (const socket of opened) socket.destroy();
  await server.drain({ lingerMs: 0, finishMs: 0 });
});

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: linnet.example\r\n\r\n`;

/** Sends the text on a connection of its own. */
async function send(sent: string): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  opened.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(sent);
  return socket;
}

async function take(): Promise<readonly [Socket, Socket]> {
  const before = taken.length;
  const client = await send(get('/'));
  await expect.poll(() => taken.length).toBe(before + 1);
  const connection = taken.at(-1);
  if (connection === undefined) throw new Error('it was not taken');
  return [client, connection];
}

test('sends the headers, then what is written, and closes the connection after the end', async () => {
  const [client, connection] = await take();
  const received = text(client);
  await expect.poll(() => closedResponses).toBe(1);
  connection.write('one, ');
  client.write(get('/ignored'));
  connection.end('two');
  const [head = '', body] = (await received).split('\r\n\r\n');
  const lines = head.toLowerCase().split('\r\n');
  expect(lines[0]).toBe('http/1.1 200 ok');
  expect(lines).toEqual(expect.arrayContaining(['x-several: one', 'x-several: two']));
  expect(head).toMatch(/\r\nstrict-transport-security: [^]*\r\nDate: \w+, /);
  expect(body).toBe('one, two');
  await expect.poll(() => connection.destroyed).toBe(true);
  expect(taken).toHaveLength(1);
});

test.each(['end', 'destroy'] as const)('is closed when the client closes it: %s', async (how) => {
  const [client, connection] = await take();
  const closed = once(connection, 'close');
  client.resume();
  client[how]();
  await closed;
  expect(connection.destroyed).toBe(true);
});

test('is not taken from a client that has sent another request on it', async () => {
  const client = await send(get('/') + get('/plain'));
  await expect.poll(() => taken.length).toBe(2);
  expect(taken[0]).toBeUndefined();
  client.end();
  expect((await text(client)).match(/not taken/g)).toHaveLength(2);
});

test('is cut off when the server has drained', async () => {
  const [client, connection] = await take();
  client.pause();
  await server.drain({ lingerMs: 0, finishMs: 50 });
  expect(connection.destroyed).toBe(true);
});

/** Bytes of the heap that are in use. */
function usedHeap(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('there is no gc()');
  collect();
  return process.memoryUsage().heapUsed;
}

// Without taking them, each needs 9 KB, of which the client's end is 1 KB.
test('an open connection needs less than 5 KB of the heap, with the client’s end of it', async () => {
  const count = 400;
  await take();
  const before = usedHeap();
  for (let index = 0; index < count; index += 1) await send(get('/'));
  await expect.poll(() => closedResponses).toBe(count + 1);
  expect((usedHeap() - before) / count).toBeLessThan(5000);
});
