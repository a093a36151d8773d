import { lookup, Resolver } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

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

/** IANA IPv4 Special-Purpose Address Registry, multicast (RFC 5771) and reserved addresses (RFC 1112 §4). */
const specialV4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/**
 * Only global unicast, 2000::/3 (RFC 4291 §2.4), is allowed. This excludes loopback, link-local, unique local and
 * multicast addresses and the v4-mapped, v4-compatible and NAT64 (64:ff9b::/96) forms of IPv4 addresses. Within it, the
 * special ranges are IETF protocols with Teredo, documentation, and 6to4.
 */
const globalV6 = blockList('ipv6', ['2000::/3']);
const specialV6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']);

/** True for an IP address that is reachable on the public internet; false for any text that is not an IP address. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialV4.check(address, 'ipv4');
    case 6:
      return globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
    default:
      return false;
  }
}

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network, prefix] = subnet.split('/');
    if (network === undefined || prefix === undefined) throw new Error(`${subnet} is not a subnet`);
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}

/** The file is larger than `maxBytes`. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
}

/** The file could not be fetched. The cause is for the log and must not reach the caller (MD4). */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
}

const ofTls = /^(?:CERT|CRL|DEPTH_ZERO|EPROTO|ERR_SSL|ERR_TLS|HOSTNAME|INVALID|SELF_SIGNED|UNABLE_TO)/;

/** What may be said about a failure to the owner of the address, once every address of the host was found to be public (MD4). */
export function publicFailure({ cause }: FetchFailed): 'not-public' | 'tls' | 'timeout' | 'no-connection' {
  if (cause instanceof TargetRefused) return 'not-public';
  // What Node.js and undici throw has these members, or none.
  const { name = '', code = '' } = cause as { readonly name?: string; readonly code?: string | number };
  if (ofTls.test(String(code))) return 'tls';
  return name.includes('Timeout') || String(code).includes('TIMEDOUT') ? 'timeout' : 'no-connection';
}
