import { expect, test } from 'vitest';

import { isPrivateAddress } from './untrusted-proxy.ts';

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.1.1',
  '100.64.0.9',
  '::1',
  'fd00::1',
  'fe80::1',
  '::ffff:10.0.0.1',
])('%s is private', (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

test.each(['8.8.8.8', '172.32.0.1', '192.0.2.1', '2001:db8::1', '::ffff:8.8.8.8', ''])(
  '%j is not private',
  (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  },
);
