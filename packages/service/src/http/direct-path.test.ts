import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import Koa from 'koa';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { withDirectPath } from './direct-path.ts';
import type { DirectAnswer } from './direct-path.ts';
import { createLogger } from '../log/logger.ts';
import { createRequestLog, requestLog } from './request-log.ts';
import type { RequestLog } from './request-log.ts';

const lines: string[] = [];
const cleanup = new AsyncDisposableStack();
let port: number;
/** What the direct endpoints do; undefined hands over. */
let answer: (body: string) => DirectAnswer | undefined | Promise<DirectAnswer | undefined>;
/** Called when a body has arrived, before the end of that turn. */
let onBody: ((request: IncomingMessage) => void) | undefined;

/** Koa repeats what it received. */
function createApp(requests: RequestLog): Koa {
  const app = new Koa();
  app.use(requestLog(requests));
  app.use(async (ctx) => {
    ctx.body = { by: 'Koa', received: await text(ctx.req) };
  });
  return app;
}

beforeAll(async () => {
  const logger = createLogger({ level: 'info', pretty: false, destination: { write: (line) => lines.push(line) } });
  const requests = createRequestLog({ logger });
  const handle = createApp(requests).callback();
  const endpoints = [
    { method: 'POST', target: '/form', answer: ({ body }: { readonly body: string }) => answer(body) },
    { method: 'GET', target: '/document', anyHost: true, answer: () => answer('') },
  ] as const;
  const direct = { endpoints, baseUrl: 'http://linnet.example', trustProxy: 0, logger, requests };
  const serve = withDirectPath(direct, (request, response) => void handle(request, response));
  const server = createServer((request, response) => {
    if (onBody !== undefined) request.once('readable', () => onBody?.(request));
    serve(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port; // the address of a TCP server is an object
  cleanup.defer(() => void server.close());
});
afterAll(() => cleanup.disposeAsync());
beforeEach(() => {
  lines.length = 0;
  onBody = undefined;
  answer = (body) => ({ headers: ['Content-Type', 'text/plain'], body: `direct ${body}` });
});

interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask(options: Sent, ...chunks: readonly string[]): Promise<readonly [status: number, string]> {
  const outgoing = send({
    port,
    host: '127.0.0.1',
    ...options,
    headers: { host: 'linnet.example', ...options.headers },
  });
  const [first = ''] = chunks;
  if (chunks.length === 1) outgoing.setHeader('Content-Length', Buffer.byteLength(first));
  for (const chunk of chunks) outgoing.write(chunk);
  outgoing.end();
  const [response] = await once(outgoing, 'response');
  return [response.statusCode, await text(response)];
}

const statuses = () => lines.map((line) => Object(JSON.parse(line)).status);

const post = (path: string, headers: Record<string, string> = {}) => ({ method: 'POST', path, headers });

test('answers a request of an endpoint, and logs it like any other', async () => {
  expect(await ask(post('/form'), 'a=1')).toEqual([200, 'direct a=1']);
  await vi.waitFor(() => expect(lines).toHaveLength(1), 50_000);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ method: 'POST', path: '/form', status: 200, msg: 'request' });
});

test('hands over a request that the endpoint does not answer, with its body, and logs it once', async () => {
  answer = () => undefined;
  expect(await ask(post('/form'), 'a=1')).toEqual([200, '{"by":"Koa","received":"a=1"}']);
  expect(await ask({ path: '/document' })).toEqual([200, '{"by":"Koa","received":""}']);
  await vi.waitFor(() => expect(lines).toHaveLength(2), 50_000);
});

test('an answer may take its time', async () => {
  answer = async (body) => {
    await new Promise((resolve) => setImmediate(resolve));
    return { headers: ['Content-Type', 'text/plain'], body: `later ${body}` };
  };
  expect(await ask(post('/form'), 'a=1')).toEqual([200, 'later a=1']);
  expect(await ask({ path: '/document' })).toEqual([200, 'later ']);
  await vi.waitFor(() => expect(lines).toHaveLength(2), 50_000);
});

test('a connection serves further requests after an answer that took its time', async () => {
  answer = async (body) => {
    await new Promise((resolve) => setImmediate(resolve));
    return body === 'a=2' ? undefined : { headers: ['Content-Type', 'text/plain'], body: `later ${body}` };
  };
  const form = (body: string, connection = 'keep-alive') =>
    `POST /form HTTP/1.1\r\nHost: linnet.example\r\nContent-Length: 3\r\nConnection: ${connection}\r\n\r\n${body}`;
  const socket = connect(port, '127.0.0.1');
  socket.write(form('a=1') + form('a=2') + form('a=3', 'close'));
  const received = await text(socket);
  expect(received.match(/later a=1|"received":"a=2"|later a=3/g)).toHaveLength(3);
});

test('a request that is handed over later reaches Koa with its body', async () => {
  answer = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return undefined;
  };
  expect(await ask(post('/form'), 'a=1')).toEqual([200, '{"by":"Koa","received":"a=1"}']);
  expect(await ask({ path: '/document' })).toEqual([200, '{"by":"Koa","received":""}']);
});

test.each([
  ['at once', () => expect.unreachable()],
  ['later', async () => await Promise.reject(new Error('a fault'))],
])('a fault of an endpoint is logged, and Koa answers: %s', async (_when, fail) => {
  answer = fail;
  expect(await ask(post('/form'), 'a=1')).toEqual([200, '{"by":"Koa","received":"a=1"}']);
  expect(lines.some((line) => line.includes('the direct path failed'))).toBe(true);
});

const long = 'x'.repeat(2049);

test.each([
  ['another path', post('/form/'), ['a=1']],
  ['a query', post('/form?a=1'), ['a=1']],
  ['another method', { method: 'PUT', path: '/form' }, ['a=1']],
  ['another host', post('/form', { host: 'other.example' }), ['a=1']],
  ['a proxy that is not trusted', post('/form', { 'x-forwarded-for': '192.0.2.1' }), ['a=1']],
  ['a body without a length', post('/form', { 'transfer-encoding': 'chunked' }), ['a', '=1']],
  ['a long body', post('/form'), [long]],
  ['an empty body', post('/form'), ['']],
  ['a GET with a body', { path: '/document' }, ['a=1']],
])('does not look at %s', async (_case, options, chunks) => {
  answer = () => expect.unreachable();
  const [status, body] = await ask(options, ...chunks);
  expect([status, JSON.parse(body)]).toEqual([200, { by: 'Koa', received: chunks.join('') }]);
});

test('documents are served for any host', async () => {
  expect(await ask({ path: '/document', headers: { host: 'other.example' } })).toEqual([200, 'direct ']);
});

test('a body that arrives in pieces reaches Koa complete', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write('POST /form HTTP/1.1\r\nHost: linnet.example\r\nContent-Length: 6\r\nConnection: close\r\n\r\nabc');
  // The first piece must have been read before the second is sent.
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.write('def');
  expect(await text(socket)).toContain('{"by":"Koa","received":"abcdef"}');
});

test('a client that disconnects before the body arrives leaves one line with status 499', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.end('POST /form HTTP/1.1\r\nHost: linnet.example\r\nContent-Length: 6\r\n\r\n');
  await vi.waitFor(() => expect(lines).toHaveLength(1), 50_000);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ path: '/form', status: 499 });
});

test('a client that disconnects right after the body arrived leaves one line with status 499', async () => {
  onBody = ({ socket }) => socket.destroy();
  await expect(ask(post('/form'), 'a=1')).rejects.toThrow('socket hang up');
  onBody = undefined;
  await vi.waitFor(() => expect(lines).toHaveLength(1), 50_000);
  expect(await ask(post('/form'), 'a=2')).toEqual([200, 'direct a=2']);
  await vi.waitFor(() => expect(lines).toHaveLength(2), 50_000);
  expect(statuses()).toEqual([499, 200]);
});

test('a client that disconnects before an answer that takes its time leaves one line with status 499', async () => {
  const { promise: found, resolve } = Promise.withResolvers<DirectAnswer>();
  answer = async () => await found;
  const socket = connect(port, '127.0.0.1');
  socket.end('POST /form HTTP/1.1\r\nHost: linnet.example\r\nContent-Length: 3\r\n\r\na=1');
  await vi.waitFor(() => expect(lines).toHaveLength(1), 50_000);
  resolve({ headers: [], body: 'too late' });
  answer = () => ({ headers: [], body: 'next' });
  expect(await ask({ path: '/document' })).toEqual([200, 'next']);
  await vi.waitFor(() => expect(lines).toHaveLength(2), 50_000);
  expect(statuses()).toEqual([499, 200]);
});
