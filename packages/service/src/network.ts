/**
 * What one subscriber holds: an IPv4 address, or the first 64 bits of an IPv6 address, whose other half
 * anybody chooses freely (RFC 4291 §2.5.1). The text serves as a key.
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

/** The last two groups may be written as an IPv4 address. */
function toGroups(part: string): readonly string[] {
  return part
    .split(':')
    .filter((group) => group !== '')
    .flatMap((group) => (group.includes('.') ? ['v4', 'v4'] : [Number.parseInt(group, 16).toString(16)]));
}
