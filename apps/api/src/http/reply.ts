import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { Route } from '@linnet/contract/route';

import { chooseEncoding, compress } from './compression.ts';
import type { Exchange } from './exchange.ts';

/** The response to a request that succeeded; its further headers are in the exchange. */
export interface Reply {
  /** 304: the client has this version of the object already. */
  readonly status: 200 | 304;
  readonly body: string | Buffer;
}

/**
 * In bytes of the body. To compress the response of `GET /post/show`, of 1.3 KB, makes the call half as expensive again and
 * saves not even a packet; a list gets cheaper, because there is less to send.
 */
const smallestCompressed = 2048;

/**
 * Turns a body into the response: with the version of a single object (`ETag`), without the body if the client has that
 * version, and compressed if the client accepts it. Compression reveals secrets only beside text of somebody who can
 * make others send requests (BREACH). Nobody can: requests carry a token, which no browser adds on its own.
 */
export function toReply({ request, headers }: Exchange, { hasVersion }: Route, body: string | Buffer): Reply {
  if (hasVersion === true && request.method !== 'POST') {
    // Weak: the version is the same in every encoding (RFC 9110 §8.8.1).
    const version = `W/"${hash('sha1', body, 'base64url')}"`;
    headers['ETag'] = version;
    if (hasCurrent(request, version)) return { status: 304, body: '' };
  }
  if (body.length < smallestCompressed) return { status: 200, body };
  headers['Vary'] = 'Accept-Encoding';
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  if (encoding === undefined) return { status: 200, body };
  headers['Content-Encoding'] = encoding;
  return { status: 200, body: compress(body, encoding) };
}

/** The weak comparison of `If-None-Match` (RFC 9110 §13.1.2). */
function hasCurrent({ headers }: IncomingMessage, version: string): boolean {
  const known = headers['if-none-match'];
  if (known === undefined) return false;
  return known.split(',').some((tag) => tag.trim() === '*' || `W/${tag.trim().replace(/^W\//, '')}` === version);
}
