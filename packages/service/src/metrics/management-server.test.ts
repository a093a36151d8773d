import { afterEach, expect, test } from 'vitest';

import { createLogger } from '../log/logger.ts';
import { startManagementServer } from './management-server.ts';
import type { ManagementServer } from './management-server.ts';

const logger = createLogger({ level: 'silent', pretty: false });
const common = { host: '127.0.0.1', publicPort: 3000, logger };
let server: ManagementServer;

afterEach(() => server[Symbol.asyncDispose]());

async function get(
  path: string,
  method = 'GET',
): Promise<readonly [status: number, type: string | null, body: string]> {
  const response = await fetch(`http://127.0.0.1:${String(server.port)}${path}`, { method });
  return [response.status, response.headers.get('content-type'), await response.text()];
}

test('serves /metrics as text, and nothing else', async () => {
  server = await startManagementServer({ ...common, port: 0, read: async () => 'up 1\n' });
  expect(await get('/metrics')).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8', 'up 1\n']);
  expect((await get('/metrics?name=x'))[0]).toBe(200);
  expect((await get('/health/live'))[0]).toBe(404);
  expect((await get('/metrics', 'POST'))[0]).toBe(405);
});

test('metrics that cannot be read are a 503, without the reason', async () => {
  server = await startManagementServer({ ...common, port: 0, read: () => Promise.reject(new Error('canary')) });
  expect(await get('/metrics')).toEqual([503, null, '']);
});

test('a port that is in use, or that is PORT, is a problem of the configuration', async () => {
  server = await startManagementServer({ ...common, port: 0, read: async () => '' });
  const { port } = server;
  await expect(startManagementServer({ ...common, port, read: async () => '' })).rejects.toThrow(
    /^MANAGEMENT_HOST, MANAGEMENT_PORT: .*EADDRINUSE/,
  );
  await expect(startManagementServer({ ...common, port, publicPort: port, read: async () => '' })).rejects.toThrow(
    'MANAGEMENT_PORT: must differ from PORT',
  );
});
