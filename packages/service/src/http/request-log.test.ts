import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { once } from 'node:events';

import Koa from 'koa';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createLogger } from '../log/logger.ts';
import { createRequestLog, requestLog } from './request-log.ts';
import type { RequestLogOptions } from './request-log.ts';

let lines: string[];
let server: ReturnType<typeof createServer>;
let origin: string;

beforeEach(async () => await start());
afterEach(() => server.close());

async function start(options: Omit<RequestLogOptions, 'logger'> = {}): Promise<void> {
  lines = [];
  const app = new Koa();
  app.silent = true;
  const logger = createLogger({ level: 'info', pretty: false, destination: { write: (line) => lines.push(line) } });
  app.use(requestLog(createRequestLog({ logger, ...options })));
  app.use(async (ctx) => {
    if (ctx.path === '/fail') throw new Error('canary-internal');
    if (ctx.path === '/missing') return;
    if (ctx.path === '/hang') await new Promise(() => undefined);
    Object.assign(ctx.state, { clientId: 'app_1', accountId: 7 });
    ctx.body = 'ok';
  });
  const handle = app.callback();
  server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The address of a TCP server is an object.
  origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

async function firstLine(): Promise<Record<string, unknown>> {
  await vi.waitFor(() => expect(lines).toHaveLength(1), 50_000);
  // Each line is a JSON object.
  return JSON.parse(String(lines[0])) as Record<string, unknown>;
}

test('logs one line with the id of X-Request-Id and no personal data', async () => {
  const response = await fetch(`${origin}/post/show?access_token=canary-query`, {
    headers: {
      Authorization: 'Bearer canary-bearer-token-value',
      Cookie: 'session=canary-cookie',
      'User-Agent': 'canary-agent \u009b31m',
      'X-Request-Id': 'canary-id',
    },
  });
  expect(await firstLine()).toMatchObject({
    level: 'info',
    id: response.headers.get('x-request-id'),
    method: 'GET',
    network: '127.0.0.0/24',
    path: '/post/show',
    status: 200,
    ms: expect.any(Number),
    clientId: 'app_1',
    accountId: 7,
  });
  expect(lines.join('')).not.toContain('canary');
});

test('assigns a different id to each request', async () => {
  const ids = await Promise.all(
    Array.from({ length: 5 }, async () => (await fetch(origin)).headers.get('x-request-id')),
  );
  expect(new Set(ids).size).toBe(5);
});

test('logs an exception as 500, without its message', async () => {
  await fetch(`${origin}/fail`);
  expect(await firstLine()).toMatchObject({ level: 'error', status: 500 });
  expect(lines.join('')).not.toContain('canary');
});

test('logs 499 if the client closed the connection', async () => {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.write('GET /hang HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'connect');
  await once(server, 'request');
  socket.destroy();
  expect(await firstLine()).toMatchObject({ status: 499 });
});

test('escapes and truncates a hostile path', async () => {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  const head = `GET /%1b[31m%0d%0a${'a'.repeat(5000)} HTTP/1.1\r\nHost: a\r\nUser-Agent: a\u009b2Jb\r\nConnection: close\r\n\r\n`;
  socket.end(Buffer.from(head, 'latin1'));
  const line = await firstLine();
  expect(String(line['path']).length).toBeLessThanOrEqual(256);
  expect(lines.join('')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

test('LOG_SAMPLE leaves out successful requests, never others', async () => {
  server.close();
  const finished: number[] = [];
  await start({ sample: 0, onFinished: ({ status }) => void finished.push(status) });
  for (const path of ['/', '/missing', '/', '/fail']) await fetch(origin + path);
  await expect.poll(() => finished).toEqual([200, 404, 200, 500]);
  expect(lines.map((line) => Number(Reflect.get(Object(JSON.parse(line)), 'status')))).toEqual([404, 500]);
});

test('logs the network that a trusted proxy names, never the whole address', async () => {
  server.close();
  await start({ trustedHops: 1 });
  await fetch(origin, { headers: { 'X-Forwarded-For': '198.51.100.9, 2001:db8:1:2:3:4:5:6' } });
  expect(await firstLine()).toMatchObject({ network: '2001:db8:1::/48' });
  expect(lines[0]).not.toMatch(/198\.51|1:2:3/);
});
