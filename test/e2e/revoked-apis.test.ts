import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { createClient } from '../support/api-client.ts';
import type { Client } from '../support/api-client.ts';
import { operate } from '../support/operator.ts';
import { eventually, findFreePort, repositoryRoot, startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

/**
 * Two resource servers that verify tokens by themselves (`examples/verify-tokens/server.ts`): one learns of revocations by pushed events, the
 * other from the status list. `pnpm test:long` revokes a thousand tokens and prints how long each server accepted them.
 */
const revocations = Number(process.env['API_REVOCATIONS'] ?? 15);
/** Between two revocations. */
const everyMs = 100;
const audience = 'https://notes.example.com/mcp';

let service: Service;
let client: Client;
let eventsPort: number;

beforeAll(async () => {
  eventsPort = await findFreePort();
  service = await startService({ env: { MEDIA_FETCH_ALLOW: `127.0.0.1:${String(eventsPort)}` } });
  client = await createClient(service.env, 'keeps_notes');
  const owned = ['--owner', 'keeps_notes', '--name', 'Notes', '--identifier', audience, '--client-id', client.id];
  const { exitCode, stderr } = await operate(['api', 'create', ...owned, '--scope', 'notes:read Read'], service.env);
  if (exitCode !== 0) throw new Error(stderr);
}, 240_000);
afterAll(async () => await service[Symbol.asyncDispose]());

async function post(path: string, form: Readonly<Record<string, string>>): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
  const request = { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) };
  const response = await fetch(service.baseUrl + path, request);
  expect(response.status).toBe(200);
  return ((await response.json()) as { readonly access_token: string }).access_token; // RFC 6749 §5.1
}

const requestToken = async (resource?: string) =>
  await post('/oauth/token', { grant_type: 'client_credentials', ...(resource === undefined ? {} : { resource }) });

interface ResourceServer {
  readonly accepts: (token: string) => Promise<boolean>;
  /** Addresses of the authorization server that it has called. */
  readonly calls: () => readonly string[];
}

/** Prints what a process fetches. */
const recorder = `const fetching = globalThis.fetch;
globalThis.fetch = async (...request) => { console.log(String(request[0])); return await fetching(...request); };`;

async function startServer(learnsBy: 'events' | 'list', port: number): Promise<ResourceServer> {
  const env = { ...process.env, ISSUER: service.baseUrl, AUDIENCE: audience, LEARNS_BY: learnsBy, PORT: String(port) };
  const program = join(repositoryRoot, 'examples/verify-tokens/server.ts');
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(recorder)}`];
  const child = spawn(process.execPath, [...preload, program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (data: Buffer) => (printed += data.toString()));
  onTestFinished(() => void child.kill());
  const send = async (token: string) =>
    (await fetch(`http://127.0.0.1:${String(port)}/`, { headers: { authorization: `Bearer ${token}` } })).status;
  await eventually('the resource server answers', async () => await send('').then(Boolean, () => false));
  return { accepts: async (token) => (await send(token)) === 200, calls: () => printed.split('\n').filter(Boolean) };
}

/** Milliseconds until the server refuses the token. */
async function waitForRefusal({ accepts }: ResourceServer, token: string): Promise<number> {
  const startedAt = performance.now();
  await eventually('the server refuses a revoked token', async () => !(await accepts(token)));
  return performance.now() - startedAt;
}

const percentile = (times: readonly number[], share: number) =>
  Math.round(times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? Number.NaN);

test(
  `D207 two APIs that never ask refuse ${String(revocations)} revoked tokens`,
  { timeout: 300_000 + revocations * 2000 },
  async () => {
    const byEvents = await startServer('events', eventsPort);
    const byList = await startServer('list', await findFreePort());
    const delivery = { method: 'urn:ietf:rfc:8935', endpoint_url: `http://127.0.0.1:${String(eventsPort)}/events` };
    const created = await fetch(`${service.baseUrl}/oauth/ssf/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await requestToken()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ delivery }),
    });
    expect([created.status, await created.text()]).toEqual([201, expect.stringContaining('stream_id')]);
    const tokens: string[] = [];
    while (tokens.length < revocations) tokens.push(await requestToken(audience));
    const kept = await requestToken(audience);
    const askBoth = async (token: string) => [await byEvents.accepts(token), await byList.accepts(token)];
    for (const token of tokens) expect(await askBoth(token)).toEqual([true, true]);

    const before = performance.now();
    const waits: Promise<readonly [number, number]>[] = [];
    for (const token of tokens) {
      await post('/oauth/revoke', { token });
      waits.push(Promise.all([waitForRefusal(byEvents, token), waitForRefusal(byList, token)]));
      await delay(everyMs);
    }
    const times = await Promise.all(waits);
    for (const token of tokens) expect(await askBoth(token)).toEqual([false, false]);
    expect(await askBoth(kept)).toEqual([true, true]);

    // Thousands of requests, and none of them led to a call: keys once, and the list once in ten seconds.
    const seconds = (performance.now() - before) / 1000;
    expect(new Set(byEvents.calls())).toEqual(new Set([`${service.baseUrl}/oauth/jwks`]));
    expect(byList.calls().filter((url) => url.includes('/oauth/status/')).length).toBeLessThan(10 + seconds / 4);
    const describeTimes = (index: 0 | 1) =>
      [0.5, 0.99, 1]
        .map(
          (share) =>
            `${String(
              percentile(
                times.map((pair) => pair[index]),
                share,
              ),
            )} ms`,
        )
        .join(', ');
    process.stdout.write(
      `\nrefused after (p50, p99, longest): by events ${describeTimes(0)}; by the list ${describeTimes(1)}; ` +
        `calls: ${String(byEvents.calls().length)} and ${String(byList.calls().length)}\n`,
    );
  },
);
