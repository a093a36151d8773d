import { Resolver, lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

import { isPublicAddress } from './public-address.ts';

/** A URL that may be fetched, with its IP addresses. All of them were checked; connect to no others. */
export interface FetchTarget {
  readonly url: URL;
  readonly addresses: readonly string[];
}

export interface FetchRules {
  /** Each is a `host:port` that may be fetched from although it is not public (MEDIA_FETCH_ALLOW). */
  readonly allow: readonly string[];
  /** The ports that may be connected to. */
  readonly ports: readonly number[];
  /** Returns all IP addresses of a public host name. */
  readonly resolve: (hostname: string) => Promise<readonly string[]>;
}

/** The URL must not be fetched. The message is for the log and must not reach the caller (MD4). */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused';
}

export const webPorts = [80, 443];

/**
 * Checks that a URL is safe to fetch (MD1): http(s), port 80 or 443, no user information, public addresses only.
 * The URL parser has already normalized unusual forms of IPv4 addresses such as `0x7f.1` and `2130706433`.
 * @throws TargetRefused
 */
export async function checkTarget(url: URL, { allow, ports, resolve }: FetchRules): Promise<FetchTarget> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TargetRefused('the scheme is not http(s)');
  if (url.username !== '' || url.password !== '') throw new TargetRefused('the URL contains user information');
  const port = effectivePort(url);
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  if (allow.some((allowed) => isSameHost(allowed, url))) return { url, addresses: await resolveAllowed(hostname) };
  if (!ports.includes(port)) throw new TargetRefused(`port ${String(port)} is not allowed`);
  const addresses = isIP(hostname) === 0 ? await resolve(hostname) : [hostname];
  if (addresses.length === 0 || !addresses.every(isPublicAddress)) {
    throw new TargetRefused(`the addresses are not public: ${addresses.join(', ')}`);
  }
  return { url, addresses };
}

/** @throws TargetRefused when the text is not a URL */
export function parseTarget(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new TargetRefused('it is not a URL');
  return new URL(text, base?.href);
}

function effectivePort(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function isSameHost(allowed: string, url: URL): boolean {
  const authority = URL.canParse(`http://${allowed}`) ? new URL(`http://${allowed}`) : undefined;
  return authority?.hostname === url.hostname && effectivePort(authority) === effectivePort(url);
}

/** Resolves a name like the system does, including its hosts file: an allowed host may be on an internal network. */
async function resolveAllowed(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

const dnsTimeoutMs = 1500;
const dnsTries = 2;

/**
 * Queries the name servers for all addresses of a name. It does not use getaddrinfo(3), which would block a thread of
 * the pool until a name server responds.
 */
export async function resolvePublic(hostname: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: dnsTimeoutMs, tries: dnsTries });
  const results = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}

/** Waits for `work`, but not longer than the signal allows. @throws TargetRefused when it aborts */
export async function withSignal<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
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
