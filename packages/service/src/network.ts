import { isIP } from 'node:net';

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
