import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { expect, test } from 'vitest';

import { OpenStream } from './open-stream.ts';

const options = {
  ...{ accountId: 1, clientId: 'one', expiresAt: 0, streams: 7, hasFollows: true, readsDrafts: 'all' as const },
  token: { jti: '', client_id: 'one', ce: 0, ge: 0, ae: 0, kid: '' },
};

/** A response of a real server to a client that has not begun to read. */
async function respond(cleanup: DisposableStack): Promise<readonly [OpenStream, ServerResponse, IncomingMessage]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.defer(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const outgoing = request({ host: '127.0.0.1', port, agent: false });
  cleanup.defer(() => outgoing.destroy());
  const received = once(outgoing, 'response');
  outgoing.end();
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  response.flushHeaders();
  const [incoming] = (await received) as [IncomingMessage];
  incoming.on('error', () => undefined);
  return [new OpenStream(options, response, 0), response, incoming];
}

test('a client that does not read is cut off, before it takes much memory', async () => {
  using cleanup = new DisposableStack();
  const [stream, response] = await respond(cleanup);
  let most = 0;
  for (let count = 0; count < 10_000 && stream.isOpen; count += 1) {
    stream.write('x'.repeat(4096));
    most = Math.max(most, stream.isOpen ? response.writableLength : 0);
    await new Promise(setImmediate);
  }
  expect(stream.isOpen).toBe(false);
  expect(most).toBeLessThanOrEqual(131_072);
});

test('waits until a slow client has read', async () => {
  using cleanup = new DisposableStack();
  const [stream, response, incoming] = await respond(cleanup);
  while (stream.isOpen && !response.writableNeedDrain) {
    stream.write('x'.repeat(4096));
    await new Promise(setImmediate);
  }
  const drained = stream.drained();
  incoming.resume();
  await drained;
  expect([stream.isOpen, response.writableNeedDrain]).toEqual([true, false]);
  stream.end('bye');
  await once(incoming, 'end');
  stream.write('more');
  expect(stream.isOpen).toBe(false);
});
