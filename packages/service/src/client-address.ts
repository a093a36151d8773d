import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Returns the IP address of the client. Each of the `trustedHops` proxies appends the address of its peer to
 * X-Forwarded-For. Entries further left come from the client and are ignored. At an entry that is not an address, the
 * last valid one counts. Empty if the connection is closed.
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

/** Accepts `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` and `[2001:db8::1]:80`. */
function parseEntry(entry: string): string | undefined {
  const text = entry.trim();
  const host = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = withoutMapping(host);
  return isIP(address) === 0 || address.includes('%') ? undefined : address;
}

/** An IPv4 client of an IPv6 socket has the address `::ffff:192.0.2.1`. */
function withoutMapping(address: string): string {
  return /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
}
