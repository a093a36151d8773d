import { expect, test } from 'vitest';

import { clientAddress } from './address.ts';

function addressOf(forwardedFor: string | undefined, trustedHops: number, remoteAddress = '10.0.0.1'): string {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  // The function reads only these two members of the request.
  return clientAddress({ headers, socket: { remoteAddress } } as Parameters<typeof clientAddress>[0], trustedHops);
}

test.each([
  ['no trusted hop: the peer', '1.1.1.1', 0, '10.0.0.1'],
  ['one hop: the last entry', '1.1.1.1, 2.2.2.2', 1, '2.2.2.2'],
  ['two hops: the last but one', '1.1.1.1, 2.2.2.2, 3.3.3.3', 2, '2.2.2.2'],
  ['more hops than entries: the first', '1.1.1.1', 3, '1.1.1.1'],
  ['no header: the peer', undefined, 1, '10.0.0.1'],
  ['an empty header: the peer', '', 1, '10.0.0.1'],
  ['an entry that is not an address: the peer', 'unknown', 1, '10.0.0.1'],
  ['an invalid entry in the middle: the entry after it', '1.1.1.1, "\u001b[31m", 3.3.3.3', 3, '3.3.3.3'],
  ['with a port', '2.2.2.2:443', 1, '2.2.2.2'],
  ['IPv6', '2001:db8::7', 1, '2001:db8::7'],
  ['IPv6 with a port', '[2001:db8::7]:443', 1, '2001:db8::7'],
  ['a mapped IPv4', '::ffff:2.2.2.2', 1, '2.2.2.2'],
  ['a zone', 'fe80::1%eth0', 1, '10.0.0.1'],
])('%s', (_name, header, hops, address) => {
  expect(addressOf(header, hops)).toBe(address);
});

test('returns the IPv4 address of an IPv4 peer of an IPv6 socket', () => {
  expect(addressOf(undefined, 0, '::ffff:10.0.0.1')).toBe('10.0.0.1');
});
