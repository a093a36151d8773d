import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test, vi } from 'vitest';

import { createLogger } from '../log/logger.ts';
import { createBucket, isExceeded } from '../limits/rate-limit.ts';
import { Secret } from '../config/secret.ts';
import { describeCacheProgram, findCacheProgram, startCacheServer } from '@linnet/test/service/cache-server';
import type { CacheServer } from '@linnet/test/service/cache-server';
import { openCache } from './cache.ts';
import type { Cache } from './cache.ts';
import { probeCache } from './connection.ts';

const program = await findCacheProgram();
const quiet = createLogger({ level: 'silent', pretty: false, service: 'test' });
const workers = 2;
const limit = { name: 'calls', quota: 1000, windowSeconds: 60 };

const isMissing = program === undefined;

async function startServer(options?: (port: number) => readonly string[]): Promise<CacheServer> {
  if (program === undefined) throw new Error('there is no server');
  return await startCacheServer(program, options);
}

/** The cache as one more process sees it. */
async function openProcess(server: CacheServer, logger = quiet): Promise<Cache> {
  const cache = await openCache({ url: new Secret(server.url), serviceName: 'test', logger });
  if (cache === undefined) throw new Error('there is no cache');
  await vi.waitFor(() => expect(cache.isReady()).toBe(true), 50_000);
  return cache;
}

/** Responses arrive in order: all earlier commands have been answered. */
async function answered({ counts }: Cache): Promise<void> {
  await counts.add({ ...limit, name: 'other' }, 'other', { requests: 1, seconds: 60 });
}

test('without CACHE_URL there is no cache', async () => {
  expect(await openCache({ url: undefined, serviceName: 'test', logger: quiet })).toBeUndefined();
});

test.skipIf(isMissing)(
  `all processes together allow a limit, and at most a hundredth of it more for each further one (${describeCacheProgram(program)})`,
  async () => {
    await using server = await startServer();
    await using stack = new AsyncDisposableStack();
    const caches = [await openProcess(server), await openProcess(server), await openProcess(server)];
    for (const cache of caches) stack.use(cache);
    const buckets = caches.map(({ counts }) => createBucket(limit, { workers, shared: counts }));
    let allowed = 0;
    for (let round = 0; round < 400; round += 1) {
      for (const bucket of buckets) allowed += isExceeded(bucket.count('ada')) ? 0 : 1;
      await Promise.all(caches.map(answered));
    }
    expect(allowed).toBeGreaterThanOrEqual(limit.quota);
    expect(allowed).toBeLessThanOrEqual(limit.quota + (buckets.length - 1) * (limit.quota / 100));
    // Others' requests end with their window, which the first of them has opened.
    expect(buckets.map((bucket) => bucket.count('ada').count.seconds <= 60)).toEqual([true, true, true]);
    expect(buckets.map((bucket) => bucket.count('grace').count.requests)).toEqual([1, 1, 1]);
  },
);

test.skipIf(isMissing)(
  'a server that is killed costs precision only: each process allows its share until it is back',
  async () => {
    await using server = await startServer();
    const lines: string[] = [];
    const logger = createLogger({ level: 'info', pretty: false, destination: { write: (line) => lines.push(line) } });
    await using cache = await openProcess(server, logger);
    const bucket = createBucket({ ...limit, quota: 100 }, { workers, shared: cache.counts });
    expect(bucket.count('ada').quota).toBe(100);
    await server.kill();
    await vi.waitFor(() => {
      expect(bucket.count('ada').quota).toBe(50);
    }, 50_000);
    while (!bucket.isFull('ada')) bucket.count('ada');
    expect(isExceeded(bucket.count('ada'))).toBe(true);
    await server.start();
    await vi.waitFor(() => {
      expect(bucket.count('ada').quota).toBe(100);
    }, 50_000);
    await answered(cache);
    // What was counted without it is reported.
    const { requests } = await cache.counts.add({ ...limit, quota: 100 }, 'ada', { requests: 0, seconds: 60 });
    expect(requests).toBeGreaterThan(50);
    expect(lines.filter((line) => line.includes('cannot be reached'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('reached again'))).toHaveLength(1);
  },
);

test.skipIf(isMissing)('a server that does not respond counts as lost, and nobody waits for it', async () => {
  await using server = await startServer();
  await using cache = await openProcess(server);
  const bucket = createBucket({ ...limit, quota: 100 }, { workers, shared: cache.counts });
  server.freeze();
  await vi.waitFor(() => {
    expect(bucket.count('ada').quota).toBe(50);
  }, 50_000);
  server.thaw();
  await vi.waitFor(() => expect(cache.isReady()).toBe(true), 50_000);
});

test.skipIf(isMissing)(
  'who has just written is known to all processes, and not relied on after a connection began',
  async () => {
    await using server = await startServer();
    await using writing = await openProcess(server);
    await using reading = await openProcess(server);
    await writing.marks.add(1);
    const callers = [1, 2, 'app_1'];
    expect(await Promise.all(callers.map((caller) => reading.marks.has(caller)))).toEqual([true, false, false]);
    expect(reading.marks.areComplete()).toBe(false);
    await vi.waitFor(async () => expect(await reading.marks.has(1)).toBe(false), 50_000);
    expect(reading.marks.areComplete()).toBe(true);
    await server.kill();
    await expect(reading.marks.has(1)).rejects.toThrow(/writeable|closed/i);
    await expect(writing.marks.add(1)).rejects.toThrow(/writeable|closed/i);
    await vi.waitFor(() => expect(reading.marks.areComplete()).toBe(false), 50_000);
  },
);

test.skipIf(isMissing)('needs the password, and says so', async () => {
  await using server = await startServer(() => ['--requirepass', 'analytical']);
  const { port, url } = server;
  await expect(probeCache(new Secret(url), 'test')).rejects.toThrow(/NOAUTH/);
  const wrong = `redis://:wrong@127.0.0.1:${String(port)}`;
  await expect(probeCache(new Secret(wrong), 'test')).rejects.toThrow(/WRONGPASS/);
  await probeCache(new Secret(`redis://:analytical@127.0.0.1:${String(port)}`), 'test');
});

test.skipIf(isMissing)('over TLS refuses a certificate that nobody vouches for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-cache-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
  execFileSync('openssl', [...request, ...names, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  const tls = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-auth-clients', 'no'];
  await using server = await startServer((port) => ['--port', '0', '--tls-port', String(port), ...tls]);
  const url = `rediss://localhost:${String(server.port)}`;
  await expect(probeCache(new Secret(url), 'test')).rejects.toThrow(/self-signed certificate/);
  rmSync(folder, { recursive: true });
});
