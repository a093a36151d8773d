import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { loadavg, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { createTestDatabase } from '@linnet/db/test-database';
import type { TestDatabase } from '@linnet/db/test-database';
import { jpegImage, pngBomb, pngImage } from '@linnet/media/testing/images';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import type { AnswerCounts, MediaFlood } from '../support/media-flooder.ts';
import { findProcesses } from '../support/processes.ts';
import { eventually, repositoryRoot, startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { measureAtSteadyPace, percentile } from '../support/steady-pace.ts';
import { createApiCaller, createClient, requestToken } from '../support/walk-through.ts';
import type { CallApi } from '../support/walk-through.ts';

/**
 * Hostile files come in numbers, at the real service without rate limits: images that are huge when unpacked, too large or
 * just not, cut off, of other types, and bodies without end. Answers and memory are demanded and times of reads printed:
 * on a machine that has other work, what is measured is that work. `pnpm test:long` floods longer, in three rounds.
 */

const isLong = process.env['RACE_ROUNDS'] !== undefined;
const rounds = isLong ? 3 : 1;
const floodMs = isLong ? 15_000 : 2000;
const megabyte = 1024 * 1024;
/** What a decoding process may have (packages/media/src/decode), and what it may get until that is seen. */
const mostOfDecoder = (768 + 128) * megabyte;
const mostOfServer = 500 * megabyte;

let database: TestDatabase;
let service: Service;
let token: string;
let call: CallApi;
let files: readonly string[];
beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  const secrets = { DATABASE_URL: database.url, SECRET_KEYS: 'a secret of every process here' };
  service = await startService({ env: { WORKERS: '1', RATE_LIMITS: 'off', ...secrets } });
  const client = await createClient(service.env, 'media_abuser');
  token = (await requestToken(service.baseUrl, client)).body.access_token;
  call = createApiCaller(service.baseUrl, token);
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

const measureReads = async (forMs: number) =>
  await measureAtSteadyPace(forMs, async () => (await call('GET /users/show')).status);

async function flood(): Promise<AnswerCounts> {
  const { port, baseUrl } = service;
  const asked: MediaFlood = {
    port,
    host: new URL(baseUrl).host,
    token,
    files,
    senders: 96,
    endless: 4,
    forMs: floodMs,
  };
  const child = fork(join(repositoryRoot, 'test/support/media-flooder.ts'), { stdio: 'inherit' });
  // Whoever floods does not use our processors in life.
  setPriority(child.pid ?? 0, 10);
  const answered = once(child, 'message');
  child.send(asked);
  const [counts]: AnswerCounts[] = await answered;
  return counts ?? {};
}

const isDecoder = ({ command }: { readonly command: string }) => command.includes('/decode/decoder-process.js');

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

interface Watched {
  /** The most that any one of them had. */
  decoder: number;
  server: number;
  /** At once. */
  decoders: number;
}

/** Looks at the processes of the service until `until` is aborted; seldom, as that takes time of whoever measures. */
async function watch(until: AbortSignal): Promise<Watched> {
  const most: Watched = { decoder: 0, server: 0, decoders: 0 };
  for (;;) {
    const found = await findProcesses(service.dataDir);
    most.decoders = Math.max(most.decoders, found.filter(isDecoder).length);
    for (let look = 0; look < 10; look += 1) {
      for (const one of found) {
        const kind = isDecoder(one) ? 'decoder' : 'server';
        most[kind] = Math.max(most[kind], await residentBytes(one.pid));
      }
      if (until.aborted) return most;
      await delay(100);
    }
  }
}

async function measureFlooded() {
  const over = new AbortController();
  const watching = watch(over.signal);
  const flooding = flood();
  await delay(100);
  const reads = await measureReads(floodMs - 100);
  const answers = await flooding;
  over.abort();
  return { reads, answers, most: await watching };
}

async function upload(file: Buffer): Promise<number> {
  const body = new FormData();
  body.append('media', new Blob([new Uint8Array(file)]), 'image.png');
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const answer = await fetch(`${service.baseUrl}/api/v2.0/media/upload`, { method: 'POST', headers, body });
  await answer.arrayBuffer();
  return answer.status;
}

/**
 * Refusals that tell what is wrong, besides an image that is large and yet what we take. Whoever goes on sending without
 * end may find the connection closed before the answer is read.
 */
const expected = new Set(['200', '413 body-too-large', '422 image-refused', '429 overloaded', 'cut off', 'given up']);

test('R17 hostile uploads are refused, memory has a ceiling, and reads go on', { timeout: 240_000 }, async () => {
  await measureReads(500);
  for (let round = 0; round < rounds; round += 1) {
    const idle = await measureReads(floodMs / 2);
    const { reads, answers, most } = await measureFlooded();
    const inMegabytes = (bytes: number) => `${(bytes / megabyte).toFixed(0)} MB`;
    print(
      `load ${loadavg()[0]?.toFixed(1) ?? ''}: ${JSON.stringify(answers)}, decoder at most ${inMegabytes(most.decoder)},` +
        ` server ${inMegabytes(most.server)}; reads median ${percentile(idle, 0.5).toFixed(1)} → ${percentile(reads, 0.5).toFixed(1)} ms,` +
        ` p99 ${percentile(idle, 0.99).toFixed(1)} → ${percentile(reads, 0.99).toFixed(1)} ms`,
    );
    expect(Object.keys(answers).filter((answer) => !expected.has(answer))).toEqual([]);
    expect(Object.keys(answers)).toContain('422 image-refused');
    expect(most.decoders).toBeLessThanOrEqual(1);
    expect(most.decoder).toBeLessThan(mostOfDecoder);
    expect(most.server).toBeLessThan(mostOfServer);
  }
  const image = await pngImage();
  await eventually('an honest image is taken', async () => (await upload(image)) === 200);
});

function print(text: string): void {
  process.stdout.write(`media abuse: ${text}\n`);
}
