import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createClient, requestToken } from '../support/api-client.ts';

/**
 * The official conformance suite of the Model Context Protocol against `/mcp`. The other scenarios of its revisions call tools,
 * prompts and resources that only a server made for the suite has.
 */

const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const execute = promisify(execFile);
const cleanup = new AsyncDisposableStack();
let url: string;

beforeAll(async () => {
  const { baseUrl, env } = inject('service');
  const client = await createClient(env, `agent_${randomBytes(3).toString('hex')}`);
  const { body } = await requestToken(baseUrl, client);
  url = `${await startTokenProxy(baseUrl, String(body['access_token']))}/mcp`;
});
afterAll(async () => await cleanup.disposeAsync());

/** The suite sends no token, so this adds one. @returns its origin */
async function startTokenProxy(target: string, token: string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const { host } = new URL(target);
    const headers = { ...incoming.headers, host: incoming.headers.host === ownHost() ? host : incoming.headers.host };
    const options = { method: incoming.method, headers: { ...headers, authorization: `Bearer ${token}` } };
    const upstream = request(new URL(incoming.url ?? '/', target), options, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(upstream);
  });
  const ownHost = () => `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanup.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://${ownHost()}`;
}

/** Checks of what Linnet does not offer: it has no prompts, and nothing that a client could subscribe to. */
const ofOthers = new Set([
  'sep-2549-prompts-list-caching-hints',
  'sep-2575-server-sends-subscription-ack',
  'sep-2575-server-tags-subscription-id',
]);
/** The check calls a tool that only a server made for the suite has. */
const untestable = /^Not testable: server does not list the diagnostic tool/;

const scenarios = [
  ['2025-11-25', 'server-initialize'],
  ['2025-11-25', 'tools-list'],
  ['2026-07-28', 'server-stateless'],
  ['2026-07-28', 'tools-list'],
  ['2026-07-28', 'resources-list'],
  ['2026-07-28', 'sep-2164-resource-not-found'],
  ['2026-07-28', 'caching'],
  ['2026-07-28', 'http-header-validation'],
  ['2026-07-28', 'dns-rebinding-protection'],
] as const;

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

test.concurrent.each(scenarios)('revision %s, %s', async (revision, name) => {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-suite-'));
  try {
    const args = ['server', '--url', url, '--spec-version', revision, '--scenario', name, '-o', folder];
    await execute(process.execPath, [suite, ...args]).catch(() => undefined);
    const [results = ''] = await readdir(folder);
    const checks = JSON.parse(await readFile(join(folder, results, 'checks.json'), 'utf8')) as readonly Check[];
    const failed = checks.filter(
      ({ status, id, errorMessage = '' }) =>
        status === 'FAILURE' && !ofOthers.has(id) && !untestable.test(errorMessage),
    );
    expect(failed).toEqual([]);
    expect(checks.some(({ status }) => status === 'SUCCESS')).toBe(true);
  } finally {
    await rm(folder, { recursive: true });
  }
});
