import { readFile } from 'node:fs/promises';

import { createTestDatabase } from '../support/db/test-database.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { findProcesses } from '../support/processes.ts';
import type { FoundProcess } from '../support/processes.ts';
import { eventually, startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { createApiCaller, createClient, requestToken } from '../support/api-client.ts';
import type { CallApi, Client } from '../support/api-client.ts';

/** Images through the started service, and the decoding process. */

/** A red pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

const cleanup = new AsyncDisposableStack();
let service: Service;
let client: Client;
let call: CallApi;
let token: string;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  service = cleanup.use(await startService({ env: { DATABASE_URL: database.url, RATE_LIMITS: 'off' } }));
  client = await createClient(service.env, 'ada_lovelace');
  token = (await requestToken(service.baseUrl, client)).body.access_token;
  call = createApiCaller(service.baseUrl, token);
});
afterAll(async () => await cleanup.disposeAsync());

async function upload() {
  const body = new FormData();
  body.append('media', new Blob([png]), 'pixel.png');
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  return await fetch(`${service.baseUrl}/api/v2.0/media/upload`, { method: 'POST', headers, body });
}

async function findDecoders(): Promise<readonly FoundProcess[]> {
  return (await findProcesses(service.dataDir)).filter(({ command }) => command.includes('/dist/decoder-process.js'));
}

test('an image is uploaded, posted and shown; the upload starts the decoding process', async () => {
  expect(await findDecoders()).toEqual([]);
  const response = await upload();
  expect(response.status).toBe(200);
  const { finally: uploaded } = (await response.json()) as { finally: { media_id: number; size: number } };
  const created = await call(`GET /post/create?message=look&media=${String(uploaded.media_id)}`);
  const [file] = created.body.items.media.files;
  const shown = await fetch(file.download);
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect((await shown.arrayBuffer()).byteLength).toBe(uploaded.size);
  expect(await findDecoders()).toHaveLength(1);
});

test('MD9 the decoding process is killed: the next image starts another', async () => {
  const [first] = await findDecoders();
  process.kill(first?.pid ?? Number.NaN, 'SIGKILL');
  expect((await upload()).status).toBe(200);
  const [second] = await findDecoders();
  expect(second?.pid).not.toBe(first?.pid);
});

test('MD9 a worker is killed: its decoding process exits too', async () => {
  const [decoder] = await findDecoders();
  process.kill(decoder?.parent ?? Number.NaN, 'SIGKILL');
  await eventually('the decoding process has exited', async () => (await findDecoders()).length === 0);
  const isServed = async () =>
    await upload()
      .then(({ ok }) => ok)
      .catch(() => false);
  await eventually('another worker serves', isServed);
  expect(await findDecoders()).toHaveLength(1);
});

test('the decoding process has no secret of the service', async () => {
  const [decoder] = await findDecoders();
  const environment = await readFile(`/proc/${String(decoder?.pid)}/environ`, 'utf8');
  expect(environment).not.toMatch(/DATABASE_URL|SECRET_KEYS|BASE_URL/);
});

test('the service stops: no process remains', async () => {
  expect((await upload()).status).toBe(200);
  expect(await findDecoders()).toHaveLength(1);
  service.process.kill('SIGTERM');
  expect(await service.exited).toEqual({ exitCode: 0, signal: null });
  expect(await findProcesses(service.dataDir)).toEqual([]);
});
