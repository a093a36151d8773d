import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { serve } from './http-server.ts';
import type { RequestHandler, RunningServer } from './http-server.ts';
import type { Readiness } from './readiness.ts';
import { version } from '../config/version.ts';
import { createLogger } from '../log/logger.ts';

const logger = createLogger({ level: 'silent', pretty: false });

let server: RunningServer;
let origin: string;
let readiness: Readiness;
let handler: RequestHandler;

beforeEach(async () => {
  readiness = async () => [{ name: 'database', ok: true }];
  handler = (_request, response) => response.end('answer');
  server = await serve({
    handler: (request, response) => handler(request, response),
    readiness: () => readiness(),
    baseUrl: 'https://linnet.example',
    host: '127.0.0.1',
    port: 0,
    logger,
  });
  origin = `http://127.0.0.1:${String(server.port)}`;
});

afterEach(() => server.drain({ lingerMs: 0, finishMs: 0 }));

async function health(path: string, init?: RequestInit) {
  const response = await fetch(origin + path, init);
  return { status: response.status, body: await response.text(), headers: response.headers };
}

/** Opens a connection that stays open until the server closes it. */
async function openConnection(request: string): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(request);
  return socket;
}

test('/health/live responds 200 on any Host while the process runs', async () => {
  readiness = async () => [{ name: 'database', ok: false }];
  const socket = await openConnection('GET /health/live HTTP/1.1\r\nHost: any.example\r\nConnection: close\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\{"status":"live","version":"[\d.]+"\}/);
});

test('/health/ready reports each check', async () => {
  const ready = await health('/health/ready');
  expect([ready.status, JSON.parse(ready.body)]).toEqual([
    200,
    { status: 'ready', checks: { database: true }, version },
  ]);
  expect(ready.headers.get('cache-control')).toBe('no-store');
  readiness = async () => [
    { name: 'database', ok: false },
    { name: 'keys', ok: true },
  ];
  const unready = await health('/health/ready');
  expect([unready.status, JSON.parse(unready.body)]).toEqual([
    503,
    { status: 'unavailable', checks: { database: false, keys: true }, version },
  ]);
});

test('an optional check that fails leaves the status at 200: "degraded", with the reason', async () => {
  readiness = async () => [
    { name: 'database', ok: true },
    { name: 'writes', ok: false, isOptional: true, reason: 'disk-full' },
  ];
  const degraded = await health('/health/ready');
  expect([degraded.status, JSON.parse(degraded.body)]).toEqual([
    200,
    { status: 'degraded', checks: { database: true, writes: false }, reasons: { writes: 'disk-full' }, version },
  ]);
  readiness = async () => [
    { name: 'database', ok: false },
    { name: 'writes', ok: false, isOptional: true },
  ];
  expect(await health('/health/ready')).toMatchObject({ status: 503, body: expect.stringContaining('"unavailable"') });
});

test('a check that throws means not ready; the response does not contain the reason', async () => {
  readiness = () => Promise.reject(new Error('canary'));
  expect(await health('/health/ready')).toMatchObject({ status: 503, body: expect.not.stringContaining('canary') });
});

test('a check that hangs means not ready', async () => {
  readiness = () => new Promise(() => undefined);
  expect((await health('/health/ready')).status).toBe(503);
});

test('parallel requests share one check', async () => {
  let runs = 0;
  const gate = Promise.withResolvers<void>();
  readiness = async () => {
    runs += 1;
    await gate.promise;
    return [];
  };
  const responses = Promise.all(Array.from({ length: 20 }, () => health('/health/ready')));
  await vi.waitFor(() => expect(runs).toBe(1), 50_000);
  await delay(100); // the other requests arrive
  gate.resolve();
  expect((await responses).every(({ status }) => status === 200)).toBe(true);
  expect(runs).toBeLessThan(20);
});

test.each(['POST', 'DELETE', 'PUT'])('%s on a health path is 405', async (method) => {
  const response = await health('/health/ready', { method });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('passes all other requests to the handler', async () => {
  expect(await health('/health/readyx')).toMatchObject({ status: 200, body: 'answer' });
  expect(await health('/healthy')).toMatchObject({ status: 200, body: 'answer' });
});

test('HT3: every response over https has HSTS for two years, also errors and health checks; none over http', async () => {
  const strictTransport = async (path: string, from = origin) =>
    (await fetch(from + path)).headers.get('strict-transport-security');
  handler = (_request, response) => response.writeHead(500).end();
  for (const path of ['/', '/health/live', '/health/ready']) {
    expect(await strictTransport(path)).toBe('max-age=63072000; includeSubDomains');
  }
  const plain = await serve({ handler, readiness, baseUrl: 'http://localhost', host: '127.0.0.1', port: 0, logger });
  const at = `http://127.0.0.1:${String(plain.port)}`;
  for (const path of ['/', '/health/live', '/health/ready']) expect(await strictTransport(path, at)).toBeNull();
  await plain.drain({ lingerMs: 0, finishMs: 0 });
});

test('serve rejects if the port is in use', async () => {
  await expect(
    serve({ handler, readiness, baseUrl: origin, host: '127.0.0.1', port: server.port, logger }),
  ).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});

test('drain finishes requests in progress, reports "draining", then stops listening', async () => {
  const gate = Promise.withResolvers<void>();
  handler = (_request, response) => void gate.promise.then(() => response.end('late response'));
  const late = fetch(origin);
  await vi.waitFor(async () => expect((await health('/health/live')).status).toBe(200), 50_000);
  const drained = server.drain({ lingerMs: 0, finishMs: 8000 });
  const ready = await health('/health/ready');
  expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close']);
  expect(JSON.parse(ready.body)).toMatchObject({ status: 'draining' });
  gate.resolve();
  const response = await late;
  expect([await response.text(), response.headers.get('connection')]).toEqual(['late response', 'close']);
  await drained;
  await expect(fetch(origin)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});

test('lingerMs: readiness is 503 while the server still accepts connections and answers, for that time', async () => {
  let isDrained = false;
  const startedAt = performance.now();
  const drained = server.drain({ lingerMs: 5000, finishMs: 8000 }).then(() => (isDrained = true));
  while (performance.now() - startedAt < 1000) {
    const [ready, other] = await Promise.all([health('/health/ready'), health('/')]);
    expect([ready.status, other.status, other.headers.get('connection')]).toEqual([503, 200, 'close']);
    expect(isDrained).toBe(false);
  }
  await drained;
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(4990);
  await expect(fetch(origin)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});

test('staysReady: another process serves the port, so readiness stays 200 while connections close', async () => {
  const drained = server.drain({ lingerMs: 0, finishMs: 8000, staysReady: true });
  const ready = await health('/health/ready');
  expect([ready.status, ready.headers.get('connection')]).toEqual([200, 'close']);
  await drained;
});

test('drain closes idle connections at once', async () => {
  const idle = await openConnection('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  idle.resume();
  const silent = await openConnection('');
  const closed = Promise.all([once(idle, 'close'), once(silent.resume(), 'close')]);
  const startedAt = performance.now();
  await server.drain({ lingerMs: 0, finishMs: 300_000 });
  await closed;
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});

test('drain answers a client that connected just before the port closes and sends its request after that', async () => {
  const late = await openConnection('');
  const drained = server.drain({ lingerMs: 0, finishMs: 8000, staysReady: true });
  await vi.waitFor(
    async () => await expect(once(connect(server.port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED'),
    50_000,
  );
  // Idle connections are closed every 100 ms.
  await delay(250);
  late.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(await text(late)).toContain('answer');
  await drained;
});

test('drain closes the remaining connections at the deadline', async () => {
  handler = () => undefined;
  const hung = await openConnection('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const closed = once(hung.resume(), 'close');
  await server.drain({ lingerMs: 0, finishMs: 600 });
  await expect(closed).resolves.toBeDefined();
});

test('calls of drain share one promise', async () => {
  expect(server.drain({ lingerMs: 0, finishMs: 1000 })).toBe(server.drain({ lingerMs: 0, finishMs: 1000 }));
});
