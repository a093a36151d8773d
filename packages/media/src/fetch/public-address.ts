import { BlockList, isIP } from 'node:net';

/** IANA IPv4 Special-Purpose Address Registry, multicast (RFC 5771) and what is reserved (RFC 1112 §4). */
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
 * Global unicast is 2000::/3 (RFC 4291 §2.4), and everything else is refused with it: loopback,
 * link-local, unique local, multicast, and v4-mapped, v4-compatible and NAT64 (64:ff9b::/96) forms
 * of IPv4 addresses. Inside it, these are special: IETF protocols with Teredo, documentation, 6to4.
 */
const globalV6 = blockList('ipv6', ['2000::/3']);
const specialV6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']);

/** True for an address that anyone on the internet could reach; anything that is no address is not. */
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
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
