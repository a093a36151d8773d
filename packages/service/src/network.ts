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
