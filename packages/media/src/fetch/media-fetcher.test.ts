import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { FetchFailed, FileTooLarge } from './fetch-target.ts';
import { fetchLimits } from './http-get.ts';
import type { FetchLimits } from './http-get.ts';
import { createMediaFetcher } from './media-fetcher.ts';

const maxBytes = 100_000;
/** For servers that respond, on a busy machine too. */
const patient: FetchLimits = { maxBytes, connectMs: 30_000, headersMs: 30_000, totalMs: 30_000 };
/** For servers that never respond. */
const quick: FetchLimits = { maxBytes, connectMs: 300, headersMs: 300, totalMs: 900 };
const publicAddress = '93.184.215.14';

interface Listener extends AsyncDisposable {
  readonly port: number;
  readonly connections: () => number;
}

async function listen(handler: RequestListener): Promise<Listener> {
  let connections = 0;
  const server = createServer(handler).on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

let directory: string;
let files = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'linnet-fetch-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true });
});

type Options = Partial<Parameters<typeof createMediaFetcher>[0]>;

/** Returns the fetched text, or the error. */
async function get(address: string, options: Options): Promise<unknown> {
  using fetcher = createMediaFetcher({ allow: [], userAgent: 'Linnet', limits: patient, ...options });
  const path = join(directory, String((files += 1)));
  try {
    await fetcher.fetch(address, path);
    return await readFile(path, 'utf8');
  } catch (error) {
    return error;
  }
}

/** Fetches from a handler whose address is allowed. */
async function getFrom(handler: RequestListener, limits = patient): Promise<unknown> {
  await using listener = await listen(handler);
  const authority = `127.0.0.1:${String(listener.port)}`;
  return await get(`http://${authority}/`, { allow: [authority], limits });
}

const spellings = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '0177.1',
  '127.0.0.1.',
  '127.255.255.254',
  '0.0.0.0',
  '0',
  '%31%32%37.0.0.1',
  '１２７.０.０.１',
  '127。0。0。1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  'localhost',
  'LOCALHOST.',
];

test.each(spellings)('MD1 refuses %s without connecting', async (host) => {
  await using listener = await listen((_request, response) => response.end('secret'));
  const resolve = () => Promise.resolve(['127.0.0.1']);
  const found = await get(`http://${host}:${String(listener.port)}/`, { ports: [listener.port], resolve });
  expect(found).toBeInstanceOf(FetchFailed);
  expect(listener.connections()).toBe(0);
});

test.each([
  ['user information', (port: number) => `http://user@127.0.0.1:${String(port)}/`],
  ['a password', (port: number) => `http://:secret@127.0.0.1:${String(port)}/`],
  ['another scheme', (port: number) => `ftp://127.0.0.1:${String(port)}/`],
  ['a file', () => 'file:///etc/passwd'],
  ['a data URL', () => 'data:image/png;base64,AAAA'],
  ['text that is not a URL', () => 'picture.png'],
])('MD1 refuses %s even if the host is allowed', async (_what, addressOf) => {
  await using listener = await listen((_request, response) => response.end('secret'));
  const found = await get(addressOf(listener.port), { allow: [`127.0.0.1:${String(listener.port)}`] });
  expect(found).toBeInstanceOf(FetchFailed);
  expect(listener.connections()).toBe(0);
});

test('MD1 refuses ports other than 80 and 443 before resolving the name', async () => {
  const resolved: string[] = [];
  const resolve = (name: string) => Promise.resolve((resolved.push(name), [publicAddress]));
  for (const port of [22, 25, 8080, 5432]) {
    expect(await get(`http://example.org:${String(port)}/`, { resolve })).toBeInstanceOf(FetchFailed);
  }
  expect(resolved).toEqual([]);
});

test('MD1 refuses a name if one of its addresses is not public', async () => {
  await using listener = await listen((_request, response) => response.end('secret'));
  const resolve = () => Promise.resolve([publicAddress, '127.0.0.1']);
  const found = await get(`http://mixed.example:${String(listener.port)}/`, { ports: [listener.port], resolve });
  expect(String((found as Error).cause)).toContain('not public');
  expect(listener.connections()).toBe(0);
});

test('MD1 resolves a name once and connects only to the checked addresses (DNS rebinding)', async () => {
  await using listener = await listen((_request, response) => response.end('secret'));
  const addresses = [[publicAddress], ['127.0.0.1'], ['127.0.0.1']];
  let queries = 0;
  const resolve = () => Promise.resolve(addresses[queries++] ?? []);
  const found = await get(`http://rebinding.example:${String(listener.port)}/`, { ports: [listener.port], resolve });
  expect(found).toBeInstanceOf(FetchFailed);
  expect([queries, listener.connections()]).toEqual([1, 0]);
});

test('fetches from the allowed host and port, and from no other port of the host', async () => {
  await using allowed = await listen(({ url = '' }, response) => response.end(`found ${url}`));
  await using other = await listen((_request, response) => response.end('secret'));
  const allow = [`localhost:${String(allowed.port)}`];
  expect(await get(`http://LocalHost:${String(allowed.port)}/a?b#c`, { allow })).toBe('found /a?b');
  const found = await get(`http://localhost:${String(other.port)}/`, { allow, ports: [other.port] });
  expect([found, other.connections()]).toEqual([expect.any(FetchFailed), 0]);
});

describe('MD2', () => {
  /** Redirects `count` times, then to `end`. */
  const chain =
    (count: number, end: string): RequestListener =>
    ({ url = '' }, response) => {
      const step = Number(url.slice(1));
      if (step > count) response.end('arrived');
      else response.writeHead(302, { location: step === count ? end : `/${String(step + 1)}` }).end();
    };

  async function follow(handler: RequestListener, options: Options = {}) {
    await using first = await listen(handler);
    const authority = `127.0.0.1:${String(first.port)}`;
    return await get(`http://${authority}/1`, { ...options, allow: [authority] });
  }

  test('follows three redirects but not four', async () => {
    expect(await follow(chain(3, '/4'))).toBe('arrived');
    expect(await follow(chain(4, '/5'))).toBeInstanceOf(FetchFailed);
  });

  test.each([1, 2, 3])('refuses a redirect to loopback at step %i without connecting', async (step) => {
    await using inside = await listen((_request, response) => response.end('secret'));
    const ports = [inside.port];
    const found = await follow(chain(step, `http://127.0.0.1:${String(inside.port)}/`), { ports });
    expect([found, inside.connections()]).toEqual([expect.any(FetchFailed), 0]);
  });

  test.each(['file:///etc/passwd', 'http://user@example.org/', 'http://example.org:22/', 'http://'])(
    'refuses a redirect to %s',
    async (location) => {
      expect(await follow(chain(1, location))).toBeInstanceOf(FetchFailed);
    },
  );
});

describe('MD3', () => {
  test('accepts a body of the maximum length and refuses one byte more', async () => {
    expect(await getFrom((_request, response) => response.end('x'.repeat(maxBytes)))).toHaveLength(maxBytes);
    const found = await getFrom((_request, response) => {
      response.write('x'.repeat(maxBytes));
      response.end('x');
    });
    expect(found).toBeInstanceOf(FileTooLarge);
  });

  test('stops reading an endless body at the limit', async () => {
    let sent = 0;
    const found = await getFrom((_request, response) => {
      const chunk = Buffer.alloc(8192);
      const pour = () => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      };
      response.on('drain', pour);
      pour();
    });
    expect(found).toBeInstanceOf(FileTooLarge);
    expect(sent).toBeLessThan(maxBytes + 8_000_000); // what the kernel buffers
    expect((await stat(join(directory, String(files)))).size).toBeLessThanOrEqual(maxBytes);
  });

  test('refuses a Content-Length above the limit, and does not trust one that is too small', async () => {
    const announced = await getFrom((_request, response) => {
      response.writeHead(200, { 'content-length': String(10 ** 12) }).write('x');
    });
    expect(announced).toBeInstanceOf(FileTooLarge);
    const tooSmall = await getFrom(({ socket }) => {
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n${'x'.repeat(2 * maxBytes)}`);
    });
    expect(tooSmall === 'xxxxx' || tooSmall instanceof FetchFailed).toBe(true);
    const cut = await getFrom(({ socket }) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nxxxxx'));
    expect(cut).toBeInstanceOf(FetchFailed);
  });

  test('decompresses nothing: requests identity encoding and refuses an encoded body', async () => {
    let requested: unknown;
    const found = await getFrom(({ headers }, response) => {
      requested = headers['accept-encoding'];
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000_000)));
    });
    expect([requested, found]).toEqual(['identity', expect.any(FetchFailed)]);
  });

  test.each<[name: string, handler: RequestListener]>([
    ['sends nothing', () => undefined],
    ['trickles headers', ({ socket }) => void setInterval(() => socket.destroyed || socket.write('X'), 50).unref()],
    [
      'trickles a body',
      (_request, response) => void setInterval(() => response.destroyed || response.write('x'), 50).unref(),
    ],
    ['responds 404', (_request, response) => response.writeHead(404).end('x')],
    ['closes the connection', ({ socket }) => socket.destroy()],
    ['does not speak HTTP', ({ socket }) => socket.end('SSH-2.0-OpenSSH_10.0\r\n')],
  ])('fails in time if a server %s', async (_name, handler) => {
    expect(await getFrom(handler, quick)).toBeInstanceOf(FetchFailed);
  });

  test('fails in time if a name server never responds', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    expect(await get('http://slow.example/', { limits: quick, resolve })).toBeInstanceOf(FetchFailed);
  });

  test('the limits match the documentation', () => {
    expect(fetchLimits).toEqual({ maxBytes: 10_485_760, connectMs: 3000, headersMs: 5000, totalMs: 15_000 });
  });
});

describe('pages', () => {
  /** The text of the page, or the error. */
  async function readPage(handler: RequestListener, { limits = patient, path = '/' } = {}): Promise<unknown> {
    await using listener = await listen(handler);
    const authority = `127.0.0.1:${String(listener.port)}`;
    using fetcher = createMediaFetcher({ allow: [authority], userAgent: 'Linnet', limits });
    return await fetcher.fetchPage(`http://${authority}${path}`).then(
      ({ body }) => body.toString(),
      (error: unknown) => error,
    );
  }
  const html = { 'content-type': 'text/html' };

  test('only the beginning of a large page is read', async () => {
    const found = await readPage((_request, response) => {
      response.writeHead(200, { ...html, 'content-length': String(10 ** 12) });
      for (let written = 0; written < 3; written += 1) response.write('x'.repeat(1024 * 1024));
    });
    expect(found).toHaveLength(1024 * 1024);
  });

  test.each<[name: string, handler: RequestListener]>([
    ['that is missing', (_request, response) => response.writeHead(404, html).end('x')],
    ['of another type', (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('x')],
    ['of no type', (_request, response) => response.end('x')],
    [
      'that is compressed',
      (_request, response) => response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end('x'),
    ],
    [
      'that leads to a private address',
      (_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    ],
    ['that leads to itself', (_request, response) => response.writeHead(302, { location: '/' }).end()],
  ])('one %s is refused', async (_name, handler) => {
    expect(await readPage(handler)).toBeInstanceOf(FetchFailed);
  });

  test('one that takes too long is given up', async () => {
    expect(
      await readPage((_request, response) => response.writeHead(200, html).write('x'), { limits: quick }),
    ).toBeInstanceOf(FetchFailed);
  });
});
