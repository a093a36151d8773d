import { expect, test } from 'vitest';

import { networkOf, parseAddress, shortenAddress } from './address.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:1:2:3:4:5::', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
  ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4'],
  ['', ''],
])('UI11: %s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['2001:0DB8:0001:0002:ffff::1', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8::/48'],
  ['2001:0:1::1', '2001:0:1::/48'],
  ['fe80::1%eth0', 'fe80::/48'],
  ['::1', '::/48'],
  ['', undefined],
  ['unknown', undefined],
])('%s is kept as %s', (address, shortened) => {
  expect(shortenAddress(address)).toBe(shortened);
});

test('an address is parsed without its zone, and nothing else is one', () => {
  expect(['fe80::1%eth0', '192.0.2.1', '', '192.0.2', 'x%1'].map(parseAddress)).toEqual([
    'fe80::1',
    '192.0.2.1',
    undefined,
    undefined,
    undefined,
  ]);
});
