import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { readStored } from './results.ts';
import type { LoadRequest, Target } from './load.ts';
import type { Caller, World } from './world.ts';

/** What `floor-server.ts` gets as its argument. */
export interface FloorOptions {
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly workers: number;
  readonly clients: readonly Pick<Caller, 'id' | 'secret' | 'accessToken'>[];
  readonly logFile: string;
  /** 0: any. */
  readonly port: number;
}

export interface Floor extends AsyncDisposable {
  readonly origin: string;
  readonly pids: readonly number[];
  readonly logFile: string;
}

/** The calls that have a floor. */
export const callsWithFloor: ReadonlySet<string> = new Set([
  'POST /oauth/token',
  'GET /post/show',
  'POST /likes/add + delete',
  'POST /post/create',
]);

/** Starts as many processes as Linnet has workers, with the same flags. */
export async function startFloor(world: World): Promise<Floor> {
  await using started = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'linnet-floor-'));
  started.defer(async () => await rm(directory, { recursive: true }));
  const { databaseUrl, workerPids, callers, authors, service } = world;
  const clients = [...callers, ...authors].map(({ id, secret, accessToken }) => ({ id, secret, accessToken }));
  const logFile = join(directory, 'log');
  const common = { baseUrl: service.baseUrl, databaseUrl, workers: workerPids.length, clients, logFile };
  const pids: number[] = [];
  let port = 0;
  for (const workerPid of workerPids) {
    const options: FloorOptions = { ...common, port };
    const args = (await readFile(`/proc/${String(workerPid)}/cmdline`, 'utf8')).split('\0');
    const server = fork(join(import.meta.dirname, 'floor-server.ts'), [JSON.stringify(options)], {
      execArgv: args.filter((arg) => /^--(max-|v8-|use-)/.test(arg)),
    });
    started.defer(() => server.disconnect());
    [{ port }] = await once(server, 'message');
    pids.push(server.pid ?? 0);
  }
  const running = started.move();
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    pids,
    logFile,
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  };
}

/** @throws Error if a response or a log line of the floor is not Linnet's but for ids, times and counts. */
export async function compareWithFloor(
  targets: readonly Target[],
  { logFile = '' }: World,
  floor: Floor,
): Promise<void> {
  for (const { name, origin, requests } of targets.filter((target) => callsWithFloor.has(target.name))) {
    if (typeof requests === 'function') throw new TypeError(`${name} is a conversation`);
    for (let first = 0; first < sampled; first += sentTogether) {
      await Promise.all(
        requests.slice(first, first + sentTogether).map(async (one) => {
          const ours = await readResponse(origin, one, logFile);
          const bare = await readResponse(floor.origin, one, floor.logFile);
          if (ours === bare) return;
          throw new Error(`${name}: the floor does not respond as Linnet:\n${bare}\ninstead of\n${ours}`);
        }),
      );
    }
  }
}

/** Of each call. A like or its deletion that is repeated returns the same count. */
const sampled = 200;
const sentTogether = 40;

async function readResponse(
  origin: string,
  { method, path, headers, body }: LoadRequest,
  logFile: string,
): Promise<string> {
  const sent = request(origin + path, { method, headers }).end(body);
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (response === undefined) throw new Error('no response');
  const masked = mask(path, response.rawHeaders, await text(response));
  return `${String(response.statusCode)}\n${masked}\n${await readLine(logFile, String(response.headers['x-request-id']))}`;
}

/** Waits for the line of a request. */
async function readLine(logFile: string, requestId: string): Promise<string> {
  for (;;) {
    const line = (await readFile(logFile, 'utf8'))
      .split('\n')
      .find((one) => one.includes(requestId) && one.endsWith('}'));
    if (line !== undefined) return line.replaceAll(/"(time|pid|id|ms)":("[^"]*"|[\d.]+)/g, '"$1":');
    await delay(5);
  }
}

/** Leaves the length of what differs, except of the numbers of limits. */
function mask(path: string, rawHeaders: readonly string[], body: string): string {
  const fields = rawHeaders.map((value, index) => {
    const name = index % 2 === 0 ? '' : (rawHeaders[index - 1] ?? '');
    if (['X-Request-Id', 'Date'].includes(name)) return value.replaceAll(/[\da-z]/gi, 'x');
    // The time of a new post may be a digit longer.
    if (name === 'Content-Length' && path.endsWith('/create')) return '';
    return name === 'RateLimit' ? value.replaceAll(/\d+/g, '0') : value;
  });
  return `${fields.join('\n')}\n${path === '/oauth/token' ? maskToken(body) : maskWritten(path, body)}`;
}

function maskToken(body: string): string {
  const { access_token: token, ...rest } = JSON.parse(body);
  const [head, payload = '', signature] = String(token).split('.');
  const claims = Buffer.from(payload, 'base64url').toString();
  const masked = claims.replaceAll(
    /("(?:jti|iat|exp)":)("[^"]*"|\d+)/g,
    (_, key, value) => `${key}${'x'.repeat(value.length)}`,
  );
  return `${String(head)}.${masked}.${String(signature?.length)} ${JSON.stringify(rest)}`;
}

/** A post that is created has another id, time and number. */
function maskWritten(path: string, body: string): string {
  if (!path.endsWith('/create')) return body;
  return body
    .replaceAll(/\d{15,}/g, (id) => 'x'.repeat(id.length))
    .replace(/"created":"[^"]*","created_at":"[^"]*"/, '')
    .replace(/"posts":\d+/, '');
}

/** Floor ÷ Linnet may fall by this share. */
const tolerance = 0.1;

/** The calls that moved away from their floor since the last stored run. */
export async function findFallsFromFloor(
  rows: readonly { readonly name: string; readonly ofFloor?: number }[],
): Promise<readonly string[]> {
  const stored = await readStored();
  return rows.flatMap(({ name, ofFloor }) => {
    const before = stored.rows.find((row) => row.name === name)?.ofFloor ?? 0;
    if (ofFloor === undefined || ofFloor >= before * (1 - tolerance)) return [];
    return [`${name}: floor ÷ Linnet fell from ${before.toFixed(2)} to ${ofFloor.toFixed(2)}`];
  });
}
