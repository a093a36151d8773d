import { BlockList, isIPv6 } from 'node:net';
import type { IncomingMessage } from 'node:http';

import type Koa from 'koa';

import type { Logger } from '../log/logger.ts';
import { forwardedFor } from './address.ts';

interface ProxyWatchOptions {
  readonly trustProxy: number;
  readonly logger: Logger;
  /** Stores for `linnet doctor` how many proxies were seen. */
  readonly record: (seen: number) => Promise<void>;
}

const recordEveryMs = 3_600_000;

/** What is wrong with TRUST_PROXY if requests come with `seen` addresses in X-Forwarded-For. */
export function findProxyMistake(trustProxy: number, seen: number): string | undefined {
  if (seen === 0 || trustProxy === 0) {
    return seen === 0
      ? undefined
      : 'requests seem to come through a proxy, but TRUST_PROXY is 0: every client counts as the proxy’s address. Set TRUST_PROXY to the number of proxies';
  }
  if (seen >= trustProxy) return undefined;
  return `requests come with fewer addresses in X-Forwarded-For (${String(seen)}) than TRUST_PROXY counts proxies (${String(trustProxy)}): clients can choose their address. Lower TRUST_PROXY to the number of proxies`;
}

/**
 * With TRUST_PROXY=0 behind a proxy, all people share one address, and limits per network apply to everybody together.
 * With more than there are proxies, clients choose their address. Warns once per process about a request that shows this,
 * and records it once an hour.
 */
export function watchForProxy({ trustProxy, logger, record }: ProxyWatchOptions): Koa.Middleware {
  let isReported = false;
  let nextRecordAt = 0;
  return async (ctx, next) => {
    if (Date.now() >= nextRecordAt) {
      const seen = countProxies(ctx.req, trustProxy);
      const mistake = findProxyMistake(trustProxy, seen);
      if (mistake !== undefined) {
        nextRecordAt = Date.now() + recordEveryMs;
        if (!isReported) logger.warn({ peer: ctx.req.socket.remoteAddress }, mistake);
        isReported = true;
        void record(seen).catch((error: unknown) => logger.warn({ err: error }, 'the proxy was not recorded'));
      }
    }
    await next();
  };
}

/** Those that appended an address. A client on the internet can send the header too, so without trust the peer must be in a private network. */
function countProxies({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>, trustProxy: number): number {
  const entries = forwardedFor(headers['x-forwarded-for']).length;
  if (trustProxy > 0) return entries;
  return entries > 0 && isPrivateAddress(socket.remoteAddress ?? '') ? 1 : 0;
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
