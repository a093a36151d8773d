import { open } from 'node:fs/promises';

import { FetchFailed, FileTooLarge } from './fetch-errors.ts';
import { TargetRefused, checkTarget, parseTarget, resolvePublic, webPorts, withSignal } from './fetch-target.ts';
import type { FetchRules } from './fetch-target.ts';
import { fetchLimits, httpGet } from './http-get.ts';
import type { FetchLimits, Write } from './http-get.ts';

const maxRedirects = 3;
const accept = 'image/png, image/jpeg';

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

/** Follows redirects itself instead of letting undici do it, so that every URL is checked (MD2). */
async function followRedirects(fetch: Fetch, write: Write): Promise<void> {
  let url = parseTarget(fetch.address);
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const target = await withSignal(checkTarget(url, fetch.rules), fetch.signal);
    const location = await httpGet(target, { accept, ...fetch }, write);
    if (location === undefined) return;
    url = parseTarget(location, url);
  }
  throw new TargetRefused(`more than ${String(maxRedirects)} redirects`);
}
