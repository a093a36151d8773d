import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The address a request came from. Each of `trustedHops` proxies in front of us added the address it
 * saw to the end of X-Forwarded-For; what stands further left was sent by the client and proves
 * nothing. An entry that is no address ends the walk at the last one that is.
 */
export function clientAddress(request: Pick<IncomingMessage, 'headers' | 'socket'>, trustedHops: number): string {
  let address = withoutMapping(request.socket.remoteAddress ?? '');
  if (trustedHops === 0) return address;
  const entries = forwardedFor(request.headers['x-forwarded-for']);
  for (const entry of entries.slice(-trustedHops).toReversed()) {
    const candidate = parseEntry(entry);
    if (candidate === undefined) break;
    address = candidate;
  }
  return address;
}

function forwardedFor(header: string | readonly string[] | undefined): string[] {
  const text = typeof header === 'string' ? header : (header?.join(',') ?? '');
  return text === '' ? [] : text.split(',');
}

/** `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`. */
function parseEntry(entry: string): string | undefined {
  const text = entry.trim();
  const host = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = withoutMapping(host);
  return isIP(address) === 0 || address.includes('%') ? undefined : address;
}

/** An IPv4 client of a socket that listens on IPv6 shows as `::ffff:192.0.2.1`. */
function withoutMapping(address: string): string {
  return /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
}
