import { BlockList, isIPv6 } from 'node:net';
import type { IncomingMessage } from 'node:http';

import type Koa from 'koa';

import type { Logger } from '../log/logger.ts';

interface ProxyWatchOptions {
  readonly trustProxy: number;
  readonly logger: Logger;
  /** Stores for `linnet doctor` that a proxy was seen. */
  readonly record: () => Promise<void>;
}

const recordEveryMs = 3_600_000;

export const untrustedProxyWarning =
  'requests seem to come through a proxy, but TRUST_PROXY is 0: every client counts as the proxy’s address. Set TRUST_PROXY to the number of proxies';

/**
 * With TRUST_PROXY=0 behind a proxy, all people share one address, and limits per network apply to everybody together.
 * Warns once per process about a request that a proxy seems to have sent, and records it once an hour.
 */
export function watchForProxy({ trustProxy, logger, record }: ProxyWatchOptions): Koa.Middleware {
  let isReported = false;
  let nextRecordAt = 0;
  return async (ctx, next) => {
    if (trustProxy === 0 && Date.now() >= nextRecordAt && comesThroughProxy(ctx.req)) {
      nextRecordAt = Date.now() + recordEveryMs;
      if (!isReported) logger.warn({ peer: ctx.req.socket.remoteAddress }, untrustedProxyWarning);
      isReported = true;
      void record().catch((error: unknown) => logger.warn({ err: error }, 'the proxy was not recorded'));
    }
    await next();
  };
}

/** True if the peer is in a private network and sends X-Forwarded-For. Clients on the internet can send it too. */
function comesThroughProxy({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  return headers['x-forwarded-for'] !== undefined && isPrivateAddress(socket.remoteAddress ?? '');
}

const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  privateNetworks.addSubnet(network, prefix, 'ipv4');
}
privateNetworks.addAddress('::1', 'ipv6');
privateNetworks.addSubnet('fc00::', 7, 'ipv6');
privateNetworks.addSubnet('fe80::', 10, 'ipv6');

/** Loopback, link-local, private or carrier-grade NAT; IPv4 addresses may be mapped into IPv6. */
export function isPrivateAddress(address: string): boolean {
  return privateNetworks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
