import { open } from 'node:fs/promises';
import type { LookupFunction } from 'node:net';

import type { Agent, Dispatcher } from 'undici';

import { TargetRefused, checkTarget, parseTarget, resolvePublic, webPorts } from './fetch-target.ts';
import type { FetchRules, FetchTarget } from './fetch-target.ts';

/** Limits of one fetch (decisions D32; security checklist MD3). */
export interface FetchLimits {
  readonly maxBytes: number;
  readonly connectMs: number;
  readonly headersMs: number;
  /** For everything: name resolution, redirects and the body. */
  readonly totalMs: number;
}

export const fetchLimits: FetchLimits = {
  maxBytes: 10 * 1024 * 1024,
  connectMs: 3000,
  headersMs: 5000,
  totalMs: 15_000,
};

const maxRedirects = 3;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const maxHeaderBytes = 16_384;

/** The file is larger than `maxBytes`. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
}

/** The file could not be fetched. The cause is for the log and must not reach the caller (MD4). */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
}

export interface MediaFetcher extends Disposable {
  /** Fetches a URL into a new file at `path`. @throws FetchFailed, FileTooLarge, or the error of the file system */
  fetch(address: string, path: string): Promise<void>;
}

interface FetcherOptions {
  readonly allow: readonly string[];
  /** The User-Agent header. */
  readonly userAgent: string;
  readonly ports?: FetchRules['ports'];
  readonly resolve?: FetchRules['resolve'];
  readonly limits?: FetchLimits;
}

/** Creates a fetcher for URLs that callers supply. It reaches only the public internet. Disposal aborts fetches. */
export function createMediaFetcher(options: FetcherOptions): MediaFetcher {
  const { allow, ports = webPorts, resolve = resolvePublic } = options;
  const rules: FetchRules = { allow, ports, resolve };
  const limits = options.limits ?? fetchLimits;
  const closing = new AbortController();
  return {
    fetch: async (address, path) => {
      const signal = AbortSignal.any([AbortSignal.timeout(limits.totalMs), closing.signal]);
      await fetchFile({ address, path, rules, limits, signal, userAgent: options.userAgent });
    },
    [Symbol.dispose]: () => closing.abort(),
  };
}

interface Fetch {
  readonly address: string;
  readonly path: string;
  readonly rules: FetchRules;
  readonly limits: FetchLimits;
  readonly signal: AbortSignal;
  readonly userAgent: string;
}

async function fetchFile(fetch: Fetch): Promise<void> {
  await using file = await open(fetch.path, 'wx', 0o600);
  let writeError: unknown;
  const write = async (chunk: Buffer) => {
    await file.write(chunk).catch((error: unknown) => {
      writeError = error;
      throw error;
    });
  };
  try {
    await followRedirects(fetch, write);
  } catch (error) {
    if (error instanceof FileTooLarge || (writeError !== undefined && error === writeError)) throw error;
    throw new FetchFailed('the file could not be fetched', { cause: error });
  }
}

type Write = (chunk: Buffer) => Promise<void>;

/** Follows redirects itself instead of letting undici do it, so that every URL is checked (MD2). */
async function followRedirects(fetch: Fetch, write: Write): Promise<void> {
  let url = parseTarget(fetch.address);
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const target = await withSignal(checkTarget(url, fetch.rules), fetch.signal);
    const location = await get(target, fetch, write);
    if (location === undefined) return;
    url = parseTarget(location, url);
  }
  throw new TargetRefused(`more than ${String(maxRedirects)} redirects`);
}

/** Returns the location of a redirect; `undefined`: the body has been written. */
async function get(target: FetchTarget, fetch: Fetch, write: Write): Promise<string | undefined> {
  // Loaded with the first fetch, because it would slow down the start of the service.
  const { Agent: HttpAgent, request } = await import('undici');
  await using connection = new DisposableAgent(new HttpAgent(agentOptions(target, fetch.limits)));
  const response = await request(target.url, {
    dispatcher: connection.agent,
    signal: fetch.signal,
    headers: {
      accept: 'image/png, image/jpeg',
      // Bodies are not decompressed, so a small response cannot become a large file (MD3).
      'accept-encoding': 'identity',
      'user-agent': fetch.userAgent,
    },
  });
  if (redirectStatuses.has(response.statusCode)) return requireLocation(response);
  requireFile(response, fetch.limits);
  await copyBody(response.body, fetch, write);
  return undefined;
}

async function copyBody(body: AsyncIterable<Buffer>, { limits }: Fetch, write: Write): Promise<void> {
  let received = 0;
  for await (const chunk of body) {
    received += chunk.length;
    if (received > limits.maxBytes) throw new FileTooLarge();
    await write(chunk);
  }
}

function requireLocation({ headers }: Dispatcher.ResponseData): string {
  const { location } = headers;
  if (typeof location !== 'string') throw new TargetRefused('a redirect without Location');
  return location;
}

function requireFile({ statusCode, headers }: Dispatcher.ResponseData, { maxBytes }: FetchLimits): void {
  if (statusCode !== 200) throw new TargetRefused(`status ${String(statusCode)}`);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new TargetRefused(`encoded as ${String(encoding)}`);
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw new FileTooLarge();
}

/** Connects only to the addresses that were checked. The name is not resolved again, which defeats DNS rebinding. */
function agentOptions({ addresses }: FetchTarget, limits: FetchLimits): Agent.Options {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const lookup: LookupFunction = (_hostname, { all }, callback) => {
    const [first] = found;
    if (all === true || first === undefined) callback(null, found);
    else callback(null, first.address, first.family);
  };
  return {
    connect: { lookup, timeout: limits.connectMs },
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.totalMs,
    maxHeaderSize: maxHeaderBytes,
    connections: 1,
    allowH2: false,
  };
}

/** Destroys the agent's connection on disposal, even if the response has not been read to its end. */
class DisposableAgent implements AsyncDisposable {
  readonly agent: Agent;

  constructor(agent: Agent) {
    this.agent = agent;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.agent.destroy();
  }
}

async function withSignal<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(new TargetRefused('it took too long'));
  signal.throwIfAborted();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
