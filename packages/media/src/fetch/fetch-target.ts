import { Resolver, lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

import { isPublicAddress } from './public-address.ts';

/** Somewhere that may be connected to: every address was checked, and no other is connected to. */
export interface FetchTarget {
  readonly url: URL;
  readonly addresses: readonly string[];
}

export interface FetchRules {
  /** `host:port` that may be reached although they are not public (MEDIA_FETCH_ALLOW). */
  readonly allow: readonly string[];
  /** Ports of the web. */
  readonly ports: readonly number[];
  /** Every address of a public host name. */
  readonly resolve: (hostname: string) => Promise<readonly string[]>;
}

/** Why something is not fetched; for the log, never for the caller. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused';
}

export const webPorts = [80, 443];

/**
 * Checks where a URL leads: http(s), port 80 or 443, no user information, public addresses only.
 * Odd spellings of IPv4 addresses (`0x7f.1`, `2130706433`) are addresses to the URL parser, so they
 * arrive here in their plain form.
 * @throws TargetRefused
 */
export async function checkTarget(url: URL, { allow, ports, resolve }: FetchRules): Promise<FetchTarget> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TargetRefused('the scheme is not http(s)');
  if (url.username !== '' || url.password !== '') throw new TargetRefused('there is user information in the address');
  const port = effectivePort(url);
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  if (allow.some((one) => isSameHost(one, url))) return { url, addresses: await resolveAllowed(hostname) };
  if (!ports.includes(port)) throw new TargetRefused(`port ${String(port)} is not for the web`);
  const addresses = isIP(hostname) === 0 ? await resolve(hostname) : [hostname];
  if (addresses.length === 0 || !addresses.every(isPublicAddress)) {
    throw new TargetRefused(`not public: ${addresses.join(', ')}`);
  }
  return { url, addresses };
}

/** @throws TargetRefused when the text is no URL. */
export function parseTarget(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new TargetRefused('it is no URL');
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

/** As the system resolves names, its hosts file included: an allowed host may be of an intranet. */
async function resolveAllowed(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

const dnsTimeoutMs = 1500;
const dnsTries = 2;

/**
 * Asks the name servers for all addresses of a name. Not by getaddrinfo(3): it would hold a thread
 * of the pool for as long as a name server likes.
 */
export async function resolvePublic(hostname: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: dnsTimeoutMs, tries: dnsTries });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}
