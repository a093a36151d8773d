import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { loadavg, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { createTestDatabase } from '../support/db/test-database.ts';
import type { TestDatabase } from '../support/db/test-database.ts';
import { jpegImage, pngBomb, pngImage } from '../support/media/images.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { measureResponses, percentile } from '../support/load-measurement.ts';
import type { MediaFlood, ResponseCounts } from '../support/media-flooder.ts';
import { findProcesses } from '../support/processes.ts';
import { eventually, repositoryRoot, startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { createClient, requestToken } from '../support/api-client.ts';

/**
 * Many hostile uploads to the real service without rate limits: decompression bombs, images just below and above the
 * size limit, truncated files, other types, endless bodies. The usual run checks responses and memory and prints times:
 * on a busy machine, times measure the other work. `pnpm test:long` floods longer, in three rounds.
 */

const isLong = process.env['RACE_ROUNDS'] !== undefined;
const rounds = isLong ? 3 : 1;
const floodMs = isLong ? 15_000 : 2000;
const megabyte = 1024 * 1024;
/** The limit of a decoding process (packages/media/src/decode), plus what it may allocate until that is noticed. */
const maxDecoderBytes = (768 + 128) * megabyte;
const maxServerBytes = 500 * megabyte;
/** On a busy machine, a server may not know for a moment what was revoked, and responds 503. */
const allowedReads = new Set(isLong ? [200] : [200, 503]);

let database: TestDatabase;
let service: Service;
let token: string;
let files: readonly string[];
beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  const secrets = { DATABASE_URL: database.url, SECRET_KEYS: 'a secret of every process here' };
  service = await startService({ env: { WORKERS: '1', RATE_LIMITS: 'off', ...secrets } });
  const client = await createClient(service.env, 'media_abuser');
  token = (await requestToken(service.baseUrl, client)).body.access_token;
  const photo = await jpegImage({ width: 800, height: 600 });
  const hostile = [
    pngBomb(),
    await pngImage({ width: 6300, height: 6300 }),
    photo.subarray(0, photo.length / 2),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  ];
  files = hostile.map((file) => file.toString('base64'));
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function measureReads(durationMs: number): Promise<readonly number[]> {
  const { durations, statuses } = await measureResponses(
    durationMs,
    async () => (await callOnce('/users/show')).status,
  );
  expect(statuses).toContain(200);
  expect([...statuses].filter((status) => !allowedReads.has(status))).toEqual([]);
  return durations;
}

async function callOnce(path: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const response = await fetch(`${service.baseUrl}/api/v2.0${path}`, { headers });
  await response.arrayBuffer();
  return response;
}

async function flood(): Promise<ResponseCounts> {
  const { port, baseUrl } = service;
  const options: MediaFlood = {
    port,
    host: new URL(baseUrl).host,
    token,
    files,
    senders: 96,
    endless: 4,
    durationMs: floodMs,
  };
  const child = fork(join(repositoryRoot, 'test/support/media-flooder.ts'), { stdio: 'inherit' });
  // Real attackers do not use the processors of the server.
  setPriority(child.pid ?? 0, 10);
  const responded = once(child, 'message');
  child.send(options);
  const [counts]: ResponseCounts[] = await responded;
  return counts ?? {};
}

const isDecoder = ({ command }: { readonly command: string }) => command.includes('/dist/decoder-process.js');

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

interface PeakUsage {
  /** Resident bytes of any one process. */
  decoder: number;
  server: number;
  /** Decoding processes at the same time. */
  decoders: number;
}

/** Samples the processes of the service until the signal aborts; rarely, since that delays the measurement. */
async function samplePeak(until: AbortSignal): Promise<PeakUsage> {
  const peak: PeakUsage = { decoder: 0, server: 0, decoders: 0 };
  for (;;) {
    const found = await findProcesses(service.dataDir);
    peak.decoders = Math.max(peak.decoders, found.filter(isDecoder).length);
    for (let sample = 0; sample < 10; sample += 1) {
      for (const one of found) {
        const kind = isDecoder(one) ? 'decoder' : 'server';
        peak[kind] = Math.max(peak[kind], await residentBytes(one.pid));
      }
      if (until.aborted) return peak;
      await delay(100);
    }
  }
}

async function measureFlooded() {
  const over = new AbortController();
  const sampling = samplePeak(over.signal);
  const flooding = flood();
  await delay(100);
  const reads = await measureReads(floodMs - 100);
  const responses = await flooding;
  over.abort();
  return { reads, responses, peak: await sampling };
}

async function upload(file: Buffer): Promise<number> {
  const body = new FormData();
  body.append('media', new Blob([new Uint8Array(file)]), 'image.png');
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const response = await fetch(`${service.baseUrl}/api/v2.0/media/upload`, { method: 'POST', headers, body });
  await response.arrayBuffer();
  return response.status;
}

/** One of the images is just small enough. Endless senders may find the connection closed before they read a response. */
const allowedUploads = new Set([
  ...['200', '413 body-too-large', '422 image-refused', '429 overloaded', 'connection closed', 'unfinished'],
  ...(isLong ? [] : ['503 unavailable']),
]);

test('R17 hostile uploads are rejected, memory stays bounded, and reads get responses', async () => {
  await measureReads(500);
  for (let round = 0; round < rounds; round += 1) {
    const idle = await measureReads(floodMs / 2);
    const { reads, responses, peak } = await measureFlooded();
    const inMegabytes = (bytes: number) => `${(bytes / megabyte).toFixed(0)} MB`;
    print(
      `load ${loadavg()[0]?.toFixed(1) ?? ''}: ${JSON.stringify(responses)}, decoder at most ${inMegabytes(peak.decoder)},` +
        ` server ${inMegabytes(peak.server)}; reads median ${percentile(idle, 0.5).toFixed(1)} → ${percentile(reads, 0.5).toFixed(1)} ms,` +
        ` p99 ${percentile(idle, 0.99).toFixed(1)} → ${percentile(reads, 0.99).toFixed(1)} ms`,
    );
    expect(Object.keys(responses).filter((response) => !allowedUploads.has(response))).toEqual([]);
    expect(Object.keys(responses)).toContain('422 image-refused');
    expect(peak.decoders).toBeLessThanOrEqual(1);
    expect(peak.decoder).toBeLessThan(maxDecoderBytes);
    expect(peak.server).toBeLessThan(maxServerBytes);
  }
  const image = await pngImage();
  await eventually('a valid image is accepted', async () => (await upload(image)) === 200);
});

function print(text: string): void {
  process.stdout.write(`media abuse: ${text}\n`);
}
