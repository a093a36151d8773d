import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createTestDatabase } from '../support/db/test-database.ts';
import type { TestDatabase } from '../support/db/test-database.ts';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createClient } from '../support/api-client.ts';
import type { Client } from '../support/api-client.ts';
import { documentedProxies, openThrough, sendThrough, startDocumentedProxy } from '../support/documented-proxies.ts';
import type { Place, SendOptions, Sent } from '../support/documented-proxies.ts';
import { eventually, findFreePort, launch, separateServer, statusOf } from '../support/service.ts';
import type { Launched } from '../support/service.ts';

/** For `pnpm test:long`: it starts two servers and three proxies. */
const isLong = process.env['EVERY_PROXY'] !== undefined;

/** Events arrive while the stream is open: a proxy that collects the response would never send them. */
async function expectStream(at: Place, authorization: string): Promise<void> {
  using stream = openThrough(at, '/api/v2.0/events?streams=posts', { authorization, accept: 'text/event-stream' });
  await eventually('the stream is open', () => stream.text().includes('retry: '));
  const headers = { authorization, 'content-type': 'application/json' };
  const { body } = await sendThrough(at, '/api/v2.0/post/create', {
    ...{ method: 'POST', headers, parts: ['{"message":"Hello"}'] },
  });
  const { items } = JSON.parse(body) as { readonly items: { readonly id: number } };
  await eventually('the event arrives', () => stream.text().includes(`"post_id":${String(items.id)}}`));
}

describe.runIf(isLong)('behind each proxy of the documentation', () => {
  let folder: string;
  let port: number;
  let database: TestDatabase;
  let servers: { readonly auth: Launched; readonly api: Launched };
  let client: Client;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'linnet-proxies-'));
    await chmod(folder, 0o755);
    const pems = await generate([{ name: 'commonName', value: 'localhost' }], { keySize: 2048 });
    await writeFile(join(folder, 'certificate.pem'), pems.cert);
    await writeFile(join(folder, 'key.pem'), pems.private);
    await writeFile(join(folder, 'haproxy.pem'), `${pems.cert}\n${pems.private}`);
    database = await createTestDatabase(inject('databaseServer'));
    port = await findFreePort();
    const authPort = await findFreePort();
    const env = {
      BASE_URL: `https://localhost:${String(port)}`,
      DATABASE_URL: database.url,
      SECRET_KEYS: 'a secret of forty characters or somewhat more',
      JWKS_URL: `http://127.0.0.1:${String(authPort)}/oauth/jwks`,
      TRUST_PROXY: '1',
      WORKERS: '1',
    };
    const startServer = async (server: string, at?: number) =>
      await launch({
        env: at === undefined ? env : { ...env, PORT: String(at) },
        command: [...separateServer, server],
      });
    servers = { auth: await startServer('auth', authPort), api: await startServer('api') };
    for (const server of Object.values(servers)) {
      const url = `http://127.0.0.1:${String(server.port)}/health/ready`;
      await eventually('both servers are ready', async () => (await statusOf(url)) === 200);
    }
    client = await createClient(env, 'ada_lovelace');
  });
  afterAll(async () => {
    await servers.api[Symbol.asyncDispose]();
    await servers.auth[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const place = (): Place => ({ port, folder, auth: servers.auth.port, api: servers.api.port });

  async function getToken(): Promise<string> {
    const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
    const { body } = await sendThrough(place(), '/oauth/token', {
      method: 'POST',
      headers,
      parts: ['grant_type=client_credentials'],
    });
    const { access_token: token } = JSON.parse(body) as { access_token: string };
    return token;
  }

  /** How many requests without a token the address has left in this minute. */
  async function readRemaining(options: SendOptions): Promise<number> {
    const { headers } = await sendThrough(place(), '/api/v2.0/users/show', options);
    return Number(/"address";r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
  }

  async function upload(bytes: number): Promise<Sent> {
    const boundary = 'boundary-of-the-form';
    const start = `--${boundary}\r\nContent-Disposition: form-data; name="media"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`;
    const chunk = Buffer.alloc(65_536, 'x');
    const chunks = Array.from({ length: Math.ceil(bytes / chunk.length) }, () => chunk);
    const parts = [Buffer.from(start), ...chunks, Buffer.from(`\r\n--${boundary}--\r\n`)];
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const headers = {
      authorization: `Bearer ${await getToken()}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(length),
    };
    return await sendThrough(place(), '/api/v2.0/media/upload', { method: 'POST', headers, parts });
  }

  for (const proxy of documentedProxies) {
    const isInstalled = existsSync(proxy.program);
    test.runIf(isInstalled)(
      `${proxy.name}${isInstalled ? '' : ' (not installed)'}: tokens, client addresses, streams and uploads`,
      async () => {
        await using _proxy = await startDocumentedProxy(proxy, place());
        const authorization = `Bearer ${await getToken()}`;
        expect((await sendThrough(place(), '/api/v2.0/users/show', { headers: { authorization } })).status).toBe(200);
        const { body: metadata } = await sendThrough(place(), '/.well-known/oauth-protected-resource/api/v2.0');
        expect(JSON.parse(metadata)).toMatchObject({ authorization_servers: [`https://localhost:${String(port)}`] });

        const first = await readRemaining({ headers: { 'x-forwarded-for': '203.0.113.1' } });
        const second = await readRemaining({ headers: { 'x-forwarded-for': '203.0.113.2, 203.0.113.3' } });
        expect(second).toBe(first - 1);
        expect(await readRemaining({ from: `127.0.0.${String(10 + documentedProxies.indexOf(proxy))}` })).toBe(5999);

        await expectStream(place(), authorization);
        // The API reads nine megabytes, and finds that they are no image.
        expect((await upload(9_000_000)).status).toBe(422);
        // Caddy stops in the middle, with 413 or 502; the connection can close before the response arrives.
        const tooLarge = await upload(13_000_000);
        expect([413, 502, 0]).toContain(tooLarge.status);
        expect(tooLarge.headers['content-type']).not.toBe('application/problem+json');
        expect((await sendThrough(place(), '/api/v2.0/users/show', { headers: { authorization } })).status).toBe(200);
      },
    );
  }
});
