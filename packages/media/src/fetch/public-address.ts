import { BlockList, isIP } from 'node:net';

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
