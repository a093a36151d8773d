import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { LoadRequest, LoadResult, Target } from './load.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, 'wrk.lua');
/** More than any call reaches. */
const maxCallsPerSecond = 12_000;

/** Whether wrk(1) is installed. */
export async function hasWrk(): Promise<boolean> {
  return await run('wrk', ['--version']).then(
    () => true,
    // It prints its version and exits with 1.
    (error: unknown) => error instanceof Error && 'code' in error && error.code === 1,
  );
}

/**
 * Sends the requests by wrk, over `connections` connections, each as fast as it gets responses.
 * @throws Error when a response is neither 2xx nor 3xx, or a connection fails.
 */
export async function applyWrk(target: Target, seconds: number, connections: number): Promise<LoadResult> {
  const directory = await mkdtemp(join(tmpdir(), 'linnet-wrk-'));
  try {
    const file = join(directory, 'requests');
    await writeFile(
      file,
      takeRequests(target, seconds * maxCallsPerSecond)
        .map(toRecord(target.origin))
        .join(''),
    );
    const size = ['--threads', '1', '--connections', String(connections), '--duration', `${String(seconds)}s`];
    const { stdout } = await run('wrk', [...size, '--script', script, target.origin, '--', file]);
    const [, count, duration] = /(\d+) requests in ([\d.]+)s/.exec(stdout) ?? [];
    const failed = /Non-2xx or 3xx responses.*|Socket errors.*/.exec(stdout);
    if (count === undefined || failed !== null) throw new Error(`${target.name}: ${failed?.[0] ?? stdout}`);
    return { calls: Number(count), callsPerSecond: Number(count) / Number(duration) };
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Those of a sequence are taken from where the last run ended. */
function takeRequests({ requests }: Target, count: number): readonly LoadRequest[] {
  if (typeof requests !== 'function') return requests;
  const sequence = requests(0);
  return Array.from({ length: count }, () => sequence.next().value);
}

/** As `wrk.lua` reads it. */
function toRecord(origin: string): (request: LoadRequest) => string {
  const { host } = new URL(origin);
  return ({ method, path, headers, body = '' }) => {
    const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const fields = Object.entries({ Host: host, ...headers, ...length }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const text = `${method} ${path} HTTP/1.1\r\n${fields.join('')}\r\n${body}`;
    return `${String(Buffer.byteLength(text))}\n${text}`;
  };
}
