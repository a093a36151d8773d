import { open } from 'node:fs/promises';

import {
  checkTarget,
  FetchFailed,
  FileTooLarge,
  parseTarget,
  resolvePublic,
  TargetRefused,
  webPorts,
  withSignal,
} from './fetch-target.ts';
import type { FetchRules, FetchTarget } from './fetch-target.ts';
import { fetchLimits, httpGet, httpGetPage } from './http-get.ts';
import type { FetchLimits, FetchedPage, Write } from './http-get.ts';

const maxRedirects = 3;
const accept = 'image/png, image/jpeg';
const acceptPage = 'text/html, application/xhtml+xml';
/** What a page says about itself is near its beginning. */
const maxPageBytes = 1024 * 1024;

export interface MediaFetcher extends Disposable {
  /** Fetches a URL into a new file at `path`. @throws FetchFailed, FileTooLarge, or the error of the file system */
  fetch(address: string, path: string): Promise<void>;
  /** Fetches the beginning of a page of HTML. @throws FetchFailed */
  fetchPage(address: string): Promise<FetchedPage>;
}

interface FetcherOptions {
  readonly allow: readonly string[];
  /** The User-Agent header. */
  readonly userAgent: string;
  readonly ports?: FetchRules['ports'];
  readonly resolve?: FetchRules['resolve'];
  readonly limits?: FetchLimits;
  /** Whether the host of the URL may get one more request now. Default: always. */
  readonly admit?: (url: URL) => boolean;
}

/** Creates a fetcher for URLs that callers supply. It reaches only the public internet. Disposal aborts fetches. */
export function createMediaFetcher(options: FetcherOptions): MediaFetcher {
  const { allow, ports = webPorts, resolve = resolvePublic } = options;
  const rules: FetchRules = { allow, ports, resolve };
  const limits = options.limits ?? fetchLimits;
  const closing = new AbortController();
  const start = (address: string): Fetch => {
    const signal = AbortSignal.any([AbortSignal.timeout(limits.totalMs), closing.signal]);
    return { address, rules, limits, signal, userAgent: options.userAgent, admit: options.admit ?? (() => true) };
  };
  return {
    fetch: async (address, path) => await fetchFile(start(address), path),
    fetchPage: async (address) => await fetchPage(start(address)),
    [Symbol.dispose]: () => closing.abort(),
  };
}

interface Fetch {
  readonly address: string;
  readonly rules: FetchRules;
  readonly limits: FetchLimits;
  readonly signal: AbortSignal;
  readonly userAgent: string;
  readonly admit: (url: URL) => boolean;
}

async function fetchFile(fetch: Fetch, path: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  let writeError: unknown;
  const write: Write = async (chunk) => {
    await file.write(chunk).catch((error: unknown) => {
      writeError = error;
      throw error;
    });
  };
  try {
    await followRedirects(fetch, async (target) => await httpGet(target, { accept, ...fetch }, write));
  } catch (error) {
    if (error instanceof FileTooLarge || (writeError !== undefined && error === writeError)) throw error;
    throw new FetchFailed('the file could not be fetched', { cause: error });
  }
}

async function fetchPage(fetch: Fetch): Promise<FetchedPage> {
  const limits = { ...fetch.limits, maxBytes: maxPageBytes };
  try {
    return await followRedirects(
      fetch,
      async (target) => await httpGetPage(target, { accept: acceptPage, ...fetch, limits }),
    );
  } catch (error) {
    throw new FetchFailed('the page could not be fetched', { cause: error });
  }
}

/** Follows redirects itself instead of letting undici do it, so that every URL is checked (MD2). `get` returns the location of one. */
async function followRedirects<Found>(
  fetch: Fetch,
  get: (target: FetchTarget) => Promise<Found | string>,
): Promise<Found> {
  let url = parseTarget(fetch.address);
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    if (!fetch.admit(url)) throw new TargetRefused('its host gets too many requests');
    const target = await withSignal(checkTarget(url, fetch.rules), fetch.signal);
    const found = await get(target);
    if (typeof found !== 'string') return found;
    url = parseTarget(found, url);
  }
  throw new TargetRefused(`more than ${String(maxRedirects)} redirects`);
}
