import { expect, test } from 'vitest';

import { isPublicAddress } from './fetch-target.ts';

test.each(['1.1.1.1', '8.8.8.8', '93.184.215.14', '172.15.255.255', '172.32.0.1', '2606:4700::1', '2a00:1450::1'])(
  'MD1 %s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['0.0.0.0', 'this host'],
  ['10.1.2.3', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.1.1', 'private'],
  ['169.254.169.254', 'link-local, the metadata service of clouds'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['192.0.0.8', 'IETF protocols'],
  ['192.0.2.1', 'documentation'],
  ['198.18.0.1', 'benchmarks'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'v4-mapped'],
  ['::ffff:8.8.8.8', 'v4-mapped'],
  ['::ffff:7f00:1', 'v4-mapped'],
  ['::127.0.0.1', 'v4-compatible'],
  ['64:ff9b::7f00:1', 'NAT64'],
  ['64:ff9b:1::1', 'local NAT64'],
  ['2002:7f00:1::', '6to4'],
  ['2001:0:7f00:1::', 'Teredo'],
  ['2001:db8::1', 'documentation'],
  ['3fff::1', 'documentation'],
  ['100::1', 'discard only'],
  ['fc00::1', 'unique local'],
  ['fd12:3456::1', 'unique local'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local with a zone'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['localhost', 'not an IP address'],
  ['', 'not an IP address'],
  ['0x7f.1', 'not an IP address'],
])('MD1 %s is not public: %s', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});
