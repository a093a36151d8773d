import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { Agent, request } from 'node:https';
import { connect } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { documentedProxies, startDocumentedProxy } from '../support/documented-proxies.ts';
import type { Place } from '../support/documented-proxies.ts';
import { findFreePort } from '../support/service.ts';

/**
 * Linnet closes a connection that was idle for 5 seconds. A proxy that sends a POST over it at that moment answers 502, because it may not
 * send it again. Both servers are stand-ins that keep connections open and remember how long each was idle. For `pnpm test:long`.
 */
const isLong = process.env['EVERY_PROXY'] !== undefined;

const closesAfterMs = 5000;
/** Pauses between requests: one in which connections may stay open, and those around the time at which the servers close them. */
const pausesMs = [200, 4700, 5300, 200];
const atOnce = 4;

interface Backend extends Disposable {
  readonly port: number;
  /** Milliseconds that a connection was idle before each request after its first. */
  readonly idle: number[];
}

async function startBackend(): Promise<Backend> {
  const idle: number[] = [];
  const lastUse = new WeakMap<Socket, number>();
  const server: Server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    const { socket } = incoming;
    const since = lastUse.get(socket);
    if (since !== undefined) idle.push(performance.now() - since);
    if (incoming.url === '/api/v2.0/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 1\n\n');
      return;
    }
    response.once('finish', () => lastUse.set(socket, performance.now()));
    incoming.resume().once('end', () => setTimeout(() => response.end('{}'), 50));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    idle,
    [Symbol.dispose]: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe.runIf(isLong)('connections from the proxies of the documentation to the servers', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'linnet-proxy-connections-'));
    await chmod(folder, 0o755);
    const pems = await generate([{ name: 'commonName', value: 'localhost' }], { keySize: 2048 });
    await writeFile(join(folder, 'certificate.pem'), pems.cert);
    await writeFile(join(folder, 'key.pem'), pems.private);
    await writeFile(join(folder, 'haproxy.pem'), `${pems.cert}\n${pems.private}`);
  });
  afterAll(async () => await rm(folder, { recursive: true, force: true }));

  for (const proxy of documentedProxies) {
    const isInstalled = existsSync(proxy.program);
    test.runIf(isInstalled)(
      `${proxy.name}${isInstalled ? '' : ' (not installed)'} sends no request over one that the server is about to close`,
      { timeout: 120_000 },
      async () => {
        using auth = await startBackend();
        using api = await startBackend();
        const place = { port: await findFreePort(), folder, auth: auth.port, api: api.port };
        await using _proxy = await startDocumentedProxy(proxy, place);
        const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, servername: 'localhost' });
        const session = connect(`https://localhost:${String(place.port)}`, { rejectUnauthorized: false });
        try {
          // A stream keeps the connection of the client open.
          session.request({ ':path': '/api/v2.0/events' }).resume();
          for (const pause of pausesMs) {
            for (const path of ['/oauth/token', '/api/v2.0/post/create']) {
              const posts = Array.from({ length: atOnce }, () => [
                postOverHttp1(place, agent, path),
                postOverHttp2(session, path),
              ]);
              expect(new Set(await Promise.all(posts.flat()))).toEqual(new Set([200]));
            }
            await delay(pause);
          }
        } finally {
          agent.destroy();
          session.destroy();
        }
        expect(Math.max(0, ...auth.idle, ...api.idle)).toBeLessThan(closesAfterMs);
        process.stdout.write(`${proxy.name}: ${String(auth.idle.length + api.idle.length)} reuses\n`);
      },
    );
  }
});

async function postOverHttp1({ port }: Place, agent: Agent, path: string): Promise<number> {
  return await new Promise((resolve, reject) => {
    const headers = { host: `localhost:${String(port)}` };
    const outgoing = request({ host: '127.0.0.1', port, path, agent, headers, method: 'POST' }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.once('error', reject);
    outgoing.end('x');
  });
}

async function postOverHttp2(session: ClientHttp2Session, path: string): Promise<number> {
  return await new Promise((resolve, reject) => {
    const stream = session.request({ ':method': 'POST', ':path': path });
    let status = 0;
    stream.once('response', (headers) => (status = headers[':status'] ?? 0));
    stream.resume().once('end', () => resolve(status));
    stream.once('error', reject);
    stream.end('x');
  });
}
