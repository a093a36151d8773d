import type { LookupFunction } from 'node:net';

import type { Agent, Dispatcher } from 'undici';

import { FileTooLarge, TargetRefused } from './fetch-target.ts';
import type { FetchTarget } from './fetch-target.ts';

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

const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const maxHeaderBytes = 16_384;

interface GetOptions {
  readonly limits: FetchLimits;
  readonly signal: AbortSignal;
  /** The `Accept` header. */
  readonly accept: string;
  readonly userAgent: string;
  /** The `If-None-Match` header. */
  readonly ifNoneMatch?: string | undefined;
}

export type Write = (chunk: Buffer) => Promise<void>;

/**
 * Requests a target and writes the body of the response. Returns the location if the response is a redirect.
 * @throws TargetRefused, FileTooLarge, or the error of the connection or of `write`
 */
export async function httpGet(target: FetchTarget, options: GetOptions, write: Write): Promise<string | undefined> {
  return await requestTarget(target, options, async (response) => {
    if (redirectStatuses.has(response.statusCode)) return requireLocation(response);
    if (response.statusCode !== 200) throw new TargetRefused(`status ${String(response.statusCode)}`);
    requirePlain(response, options.limits);
    await copyBody(response.body, options.limits, write);
    return undefined;
  });
}

/** A page, as far as it was read. */
export interface FetchedPage {
  readonly url: URL;
  /** The Content-Type header. */
  readonly type: string;
  readonly body: Buffer;
}

/**
 * Requests a target and returns the beginning of its page: `maxBytes` of it. Returns the location if the response is a redirect.
 * @throws TargetRefused unless it is HTML, or the error of the connection
 */
export async function httpGetPage(target: FetchTarget, options: GetOptions): Promise<FetchedPage | string> {
  return await requestTarget(target, options, async (response) => {
    if (redirectStatuses.has(response.statusCode)) return requireLocation(response);
    if (response.statusCode !== 200) throw new TargetRefused(`status ${String(response.statusCode)}`);
    const type = String(response.headers['content-type']);
    if (!/^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(type)) throw new TargetRefused('it is not HTML');
    requirePlain(response, { maxBytes: Infinity });
    const chunks: Buffer[] = [];
    let missing = options.limits.maxBytes;
    const body: AsyncIterable<Buffer> = response.body;
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, missing));
      missing -= chunk.length;
      if (missing <= 0) break;
    }
    return { url: target.url, type, body: Buffer.concat(chunks) };
  });
}

/** A response with any status. */
export interface FetchedResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Read only if the status is 200. */
  readonly body: Buffer;
}

/** Requests a target, whatever the status of the response. @throws TargetRefused, FileTooLarge, or the error of the connection */
export async function httpGetResponse(target: FetchTarget, options: GetOptions): Promise<FetchedResponse> {
  return await requestTarget(target, options, async (response) => {
    const { statusCode: status, headers } = response;
    const chunks: Buffer[] = [];
    if (status === 200) {
      requirePlain(response, options.limits);
      await copyBody(response.body, options.limits, (chunk) => Promise.resolve(void chunks.push(chunk)));
    }
    return { status, headers, body: Buffer.concat(chunks) };
  });
}

async function requestTarget<Result>(
  target: FetchTarget,
  { accept, userAgent, ifNoneMatch, limits, signal }: GetOptions,
  use: (response: Dispatcher.ResponseData) => Promise<Result>,
): Promise<Result> {
  // Loaded with the first fetch, because it would slow down the start of the service.
  const { Agent: HttpAgent, request } = await import('undici');
  await using connection = new DisposableAgent(new HttpAgent(agentOptions(target, limits)));
  const response = await request(target.url, {
    dispatcher: connection.agent,
    signal,
    headers: {
      accept,
      // Bodies are not decompressed, so a small response cannot become a large file (MD3).
      'accept-encoding': 'identity',
      'user-agent': userAgent,
      ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
    },
  });
  return await use(response);
}

async function copyBody(body: AsyncIterable<Buffer>, { maxBytes }: FetchLimits, write: Write): Promise<void> {
  let received = 0;
  for await (const chunk of body) {
    received += chunk.length;
    if (received > maxBytes) throw new FileTooLarge();
    await write(chunk);
  }
}

function requireLocation({ headers }: Dispatcher.ResponseData): string {
  const { location } = headers;
  if (typeof location !== 'string') throw new TargetRefused('a redirect without Location');
  return location;
}

function requirePlain({ headers }: Dispatcher.ResponseData, { maxBytes }: Pick<FetchLimits, 'maxBytes'>): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new TargetRefused(`encoded as ${String(encoding)}`);
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw new FileTooLarge();
}

/** Connects only to the addresses that were checked. The name is not resolved again, which defeats DNS rebinding. */
export function agentOptions({ addresses }: FetchTarget, limits: FetchLimits): Agent.Options {
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
export class DisposableAgent implements AsyncDisposable {
  readonly agent: Agent;

  constructor(agent: Agent) {
    this.agent = agent;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.agent.destroy();
  }
}
