import { request } from 'node:http';
import { setImmediate } from 'node:timers/promises';

import { readMemory } from './memory.ts';
import type { Run } from './scenario.ts';

const chunk = Buffer.alloc(64 * 1024, 'a');
/** Every kind of body, to an endpoint that reads it. */
const targets = [
  { path: '/oauth/token', type: 'application/x-www-form-urlencoded', begin: 'grant_type=' },
  { path: '/oauth/register', type: 'application/json', begin: '{"client_name":"' },
  { path: '/login', type: 'application/x-www-form-urlencoded', begin: 'username=' },
  { path: '/api/v2.0/post/create', type: 'application/json', begin: '{"message":"' },
  {
    path: '/api/v2.0/media/upload',
    type: 'multipart/form-data; boundary=x',
    begin: '--x\r\ncontent-disposition: form-data; name="media"; filename="a.png"\r\n\r\n',
  },
] as const;
/** The most that an endpoint reads, an image, and what is in buffers on the way. */
const readAtMost = 32 * 1024 * 1024;
const memoryLimitKb = 300 * 1024;

/** Sends a chunked body of `size` bytes to each endpoint. The service stops reading early and responds with an error. */
export async function sendBodies({ world, answers, calls, size, note }: Run): Promise<void> {
  const servers = await world.findServers();
  const token = await calls.requestToken();
  const before = await readMemory(servers);
  const sent = await Promise.all(
    targets.map(async (target) => {
      const { status, bytes } = await sendBody({ ...target, port: Number(new URL(world.baseUrl).port), token, size });
      if (status === 200 || status >= 500) answers.report(`a body without end: ${target.path}: ${String(status)}`);
      if (bytes > readAtMost) answers.report(`${target.path} read ${String(bytes)} bytes`);
      return `${target.path} ${String(status)} after ${(bytes / 1024 / 1024).toFixed(1)} MB`;
    }),
  );
  const grown = (await readMemory(servers)) - before;
  if (grown > memoryLimitKb) answers.report(`the memory grew by ${String(grown)} kB`);
  note(sent.join(', '));
}

interface Body {
  readonly path: string;
  readonly type: string;
  readonly begin: string;
  readonly port: number;
  readonly token: string;
  readonly size: number;
}

/** Resolves with the response, 0 without one, and the bytes that were taken before the connection closed. */
async function sendBody({ path, type, begin, port, token, size }: Body) {
  const { promise, resolve } = Promise.withResolvers<number>();
  const headers = {
    ...{ host: `localhost:${String(port)}`, 'content-type': type, accept: 'application/json' },
    authorization: `Bearer ${token}`,
  };
  const outgoing = request({ agent: false, host: '127.0.0.1', port, method: 'POST', path, headers }, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  outgoing.on('error', () => resolve(0));
  outgoing.write(begin);
  const state = { bytes: 0, isOver: false };
  const status = promise.finally(() => (state.isOver = true));
  while (!state.isOver && state.bytes < size) {
    state.bytes += chunk.length;
    if (!outgoing.write(chunk)) {
      const drained = new Promise<void>((resolveDrain) => outgoing.once('drain', resolveDrain));
      await Promise.race([drained, status]);
    }
    await setImmediate();
  }
  if (!state.isOver) outgoing.end();
  const result = await status;
  outgoing.destroy();
  return { status: result, bytes: state.bytes };
}
