import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

import Koa from 'koa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { hostPin } from './host-pin.ts';

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends raw bytes: HTTP clients would correct what these tests send on purpose. */
async function exchange(port: number, ...lines: readonly string[]): Promise<Answer> {
  const socket = connect(port, '127.0.0.1');
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n', 2);
  return { status: Number(head.split(' ')[1]), head, body };
}

async function withPin(baseUrl: (port: number) => string, run: (port: number) => Promise<void>): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The address of a TCP server is an object.
  const { port } = server.address() as AddressInfo;
  const app = new Koa();
  app.use(hostPin(baseUrl(port)));
  app.use((ctx) => (ctx.body = 'handled'));
  const handle = app.callback();
  server.on('request', (request, response) => void handle(request, response));
  await run(port);
  server.close();
}

describe('for http://localhost:<port>', () => {
  let port: number;
  const finished = Promise.withResolvers<void>();

  beforeAll(async () => {
    const started = Promise.withResolvers<number>();
    void withPin(
      (chosen) => `http://localhost:${String(chosen)}`,
      async (chosen) => {
        started.resolve(chosen);
        await finished.promise;
      },
    );
    port = await started.promise;
  });
  afterAll(() => finished.resolve());

  const status = async (request: string, ...headers: readonly string[]) =>
    (await exchange(port, request, ...headers.map((header) => header.replace('PORT', String(port))))).status;

  test.each([
    [200, 'localhost:PORT'],
    [200, 'LocalHost:PORT'],
    [421, 'localhost'],
    [421, 'localhost:1'],
    [421, 'evil.example'],
    [421, 'evil.example:PORT'],
    [421, 'localhost:PORT@evil.example'],
    [421, 'evil:b@localhost:PORT'],
    [421, 'localhost:PORT.evil.example'],
    [421, 'localhost.:PORT'],
    [421, 'localhost:PORT,evil.example'],
    [421, '127.0.0.1:PORT'],
    [421, ''],
  ])('%d for Host: %s', async (expected, host) => {
    expect(await status('GET / HTTP/1.1', `Host: ${host}`)).toBe(expected);
  });

  test('421 for a request without Host (HTTP/1.0), 400 in HTTP/1.1 (RFC 9112 §3.2)', async () => {
    expect(await status('GET / HTTP/1.0')).toBe(421);
    expect(await status('GET / HTTP/1.1')).toBe(400);
  });

  test('421 for two Host headers, in either order', async () => {
    expect(await status('GET / HTTP/1.1', 'Host: localhost:PORT', 'Host: evil.example')).toBe(421);
    expect(await status('GET / HTTP/1.1', 'Host: evil.example', 'Host: localhost:PORT')).toBe(421);
  });

  test('ignores X-Forwarded-Host', async () => {
    expect(await status('GET / HTTP/1.1', 'Host: localhost:PORT', 'X-Forwarded-Host: evil.example')).toBe(200);
    expect(await status('GET / HTTP/1.1', 'Host: evil.example', 'X-Forwarded-Host: localhost:PORT')).toBe(421);
  });

  test('requires the origin of an absolute-form target to match', async () => {
    const own = `http://localhost:${String(port)}`;
    expect(await status(`GET ${own}/a HTTP/1.1`, 'Host: localhost:PORT')).toBe(200);
    expect(await status('GET http://evil.example/a HTTP/1.1', 'Host: localhost:PORT')).toBe(421);
    expect(await status(`GET ${own}/a HTTP/1.1`, 'Host: evil.example')).toBe(421);
    expect(await status(`GET ${own}@evil.example/a HTTP/1.1`, 'Host: localhost:PORT')).toBe(421);
    expect(await status('GET https://localhost/a HTTP/1.1', 'Host: localhost:PORT')).toBe(421);
  });

  test.each(['/oauth/jwks', '/.well-known/openid-configuration', '/health/ready', '/oauth/jwks?a=b'])(
    'serves %s for any Host',
    async (path) => {
      expect(await status(`GET ${path} HTTP/1.1`, 'Host: auth.internal:8080')).toBe(200);
    },
  );

  test.each(['/oauth/jwks/', '/oauth/jwksx', '/x/.well-known/a', '/x?/.well-known/', '/healthy', '/oauth/token'])(
    'rejects %s for another Host',
    async (path) => {
      expect(await status(`GET ${path} HTTP/1.1`, 'Host: auth.internal:8080')).toBe(421);
    },
  );

  test.each(['127.0.0.1', '[::1]'])('redirects a page request on %s', async (host) => {
    const response = await exchange(
      port,
      'GET //evil.example/a?b=c HTTP/1.1',
      `Host: ${host}:${String(port)}`,
      'Accept: text/html,*/*;q=0.8',
    );
    expect(response.status).toBe(302);
    expect(response.head).toContain(`\r\nLocation: http://localhost:${String(port)}//evil.example/a?b=c\r\n`);
  });

  test.each([
    ['POST', '127.0.0.1:PORT', 'text/html'],
    ['GET', '127.0.0.1:PORT', 'application/json'],
    ['GET', '127.0.0.1:1', 'text/html'],
    ['GET', '127.0.0.2:PORT', 'text/html'],
  ])('does not redirect %s on %s for %s', async (method, host, accept) => {
    expect(await status(`${method} / HTTP/1.1`, `Host: ${host}`, `Accept: ${accept}`)).toBe(421);
  });

  test('responds with a problem document to clients that accept JSON, and never repeats the Host', async () => {
    const response = await exchange(port, 'GET / HTTP/1.1', 'Host: evil.example', 'Accept: application/json');
    expect(response.head).toContain('\r\nContent-Type: application/problem+json');
    expect(JSON.parse(response.body)).toMatchObject({ status: 421, code: 'misdirected-request' });
    const plain = await exchange(port, 'GET / HTTP/1.1', 'Host: evil.example');
    expect(plain.head).toContain('\r\nContent-Type: text/plain');
    expect(response.head + response.body + plain.head + plain.body).not.toContain('evil');
  });
});

test('behind a proxy, accepts the public host with or without the default port', async () => {
  await withPin(
    () => 'https://social.example.org',
    async (port) => {
      const status = async (host: string) =>
        (await exchange(port, 'GET / HTTP/1.1', `Host: ${host}`, 'Accept: text/html')).status;
      expect(await status('social.example.org')).toBe(200);
      expect(await status('social.example.org:443')).toBe(200);
      expect(await status('social.example.org:80')).toBe(421);
      expect(await status('localhost')).toBe(421);
      expect(await status(`127.0.0.1:${String(port)}`)).toBe(421);
    },
  );
});
