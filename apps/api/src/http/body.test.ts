import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { readPlainBody } from './body.ts';

const server: Server = createServer();
let socket: Socket;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());
beforeEach(async () => {
  socket = connect(Object(server.address()).port, '127.0.0.1');
  await once(socket, 'connect');
  return () => void socket.destroy();
});

const body = '{"item_id":16,"type":"post"}';
const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${String(body.length)}\r\n\r\n`;

/** Reads the body of the next request. `wasStreamed`: it took the events of a stream, which cost more than the rest. */
async function readNext() {
  const [request]: IncomingMessage[] = await once(server, 'request');
  if (request === undefined) throw new Error('no request');
  const { values } = await readPlainBody(request);
  return { values, wasStreamed: request.readableFlowing !== null };
}

test('a small body that arrives with the head of its request is read at once', async () => {
  const read = readNext();
  socket.write(head + body);
  expect(await read).toEqual({ values: { item_id: 16, type: 'post' }, wasStreamed: false });
});

test('a body that arrives later is waited for', async () => {
  const read = readNext();
  socket.write(head + body.slice(0, 5));
  await once(server, 'request');
  socket.write(body.slice(5));
  expect(await read).toEqual({ values: { item_id: 16, type: 'post' }, wasStreamed: true });
});
