import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Returns the IP address of the client. Each of the `trustedHops` proxies appends the address of its peer to
 * X-Forwarded-For. Entries further left come from the client and are ignored. At an entry that is not an address, the
 * last valid one counts. Empty if the connection is closed.
 */
export function clientAddress(request: Pick<IncomingMessage, 'headers' | 'socket'>, trustedHops: number): string {
  let address = withoutMapping(request.socket.remoteAddress ?? '');
  if (trustedHops === 0) return address;
  const entries = forwardedFor(request.headers['x-forwarded-for']);
  for (const entry of entries.slice(-trustedHops).toReversed()) {
    const candidate = parseEntry(entry);
    if (candidate === undefined) break;
    address = candidate;
  }
  return address;
}

/** The entries of X-Forwarded-For. */
export function forwardedFor(header: string | readonly string[] | undefined): string[] {
  const text = typeof header === 'string' ? header : (header?.join(',') ?? '');
  return text === '' ? [] : text.split(',');
}

/** Accepts `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` and `[2001:db8::1]:80`. */
function parseEntry(entry: string): string | undefined {
  const text = entry.trim();
  const host = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = withoutMapping(host);
  return isIP(address) === 0 || address.includes('%') ? undefined : address;
}

/** An IPv4 client of an IPv6 socket has the address `::ffff:192.0.2.1`. */
function withoutMapping(address: string): string {
  return /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
}

/**
 * Returns the network of one subscriber, as a key: an IPv4 address, or the first 64 bits of an IPv6 address, because a
 * subscriber chooses the other 64 bits freely (RFC 4291 §2.5.1).
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const before = toGroups(head);
  const after = toGroups(tail ?? '');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array.from({ length: missing }, () => '0'), ...after];
  return groups.slice(0, 4).join(':');
}

/** An IPv4 address counts as two groups. */
function toGroups(part: string): readonly string[] {
  return part
    .split(':')
    .filter((group) => group !== '')
    .flatMap((group) => (group.includes('.') ? ['v4', 'v4'] : [Number.parseInt(group, 16).toString(16)]));
}

/** Returns an address that PostgreSQL accepts as inet: without the zone of a link-local one. `undefined`: it is none. */
export function parseAddress(address: string): string | undefined {
  const [bare = ''] = address.split('%');
  return isIP(bare) === 0 ? undefined : bare;
}

/** Returns what is kept of an address for long: the first 24 bits of IPv4, the first 48 of IPv6. */
export function shortenAddress(address: string): string | undefined {
  const bare = parseAddress(address);
  if (bare === undefined) return undefined;
  if (isIP(bare) === 4) return bare.replace(/\d+$/, '0/24');
  const groups = networkOf(bare).split(':').slice(0, 3).join(':');
  return `${groups.replace(/(?:^|:)0(?::0)*$/, '')}::/48`;
}
