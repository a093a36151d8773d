import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parse, stringify } from 'node:querystring';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { responseOf } from '@linnet/contract/draft';
import { EditedResponse, writeJson } from '@linnet/contract/json-text';
import type { Language } from '@linnet/contract/languages';
import type { Route } from '@linnet/contract/route';
import type { Logger } from '@linnet/service/log/logger';
import type { Metrics } from '@linnet/service/metrics/metrics';

import type { Exchange } from './exchange.ts';

/** The response of a call, also to an error. Headers that the call added are in the exchange. */
export interface Reply {
  /** 304: the client has this version of the object already. */
  readonly status: number;
  /** Of the body; undefined if there is none. */
  readonly type: string | undefined;
  readonly body: string | Buffer;
  /** Of a problem: the language of its title, chosen by Accept-Language. */
  readonly language?: Language;
  /** Of a problem: those that its error names. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const jsonType = 'application/json; charset=utf-8';

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
    if (hasCurrent(request, version)) return { status: 304, type: undefined, body: '' };
  }
  if (body.length < smallestCompressed) return { status: 200, type: jsonType, body };
  headers['Vary'] = 'Accept-Encoding';
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  if (encoding === undefined) return { status: 200, type: jsonType, body };
  headers['Content-Encoding'] = encoding;
  return { status: 200, type: jsonType, body: compress(body, encoding) };
}

/** The weak comparison of `If-None-Match` (RFC 9110 §13.1.2). */
function hasCurrent({ headers }: IncomingMessage, version: string): boolean {
  const known = headers['if-none-match'];
  if (known === undefined) return false;
  return known.split(',').some((tag) => tag.trim() === '*' || `W/${tag.trim().replace(/^W\//, '')}` === version);
}

/** The URL of a request. */
interface RequestUrl {
  /** Absolute, without the query. */
  readonly url: string;
  /** As received, without the question mark. */
  readonly query: string;
}

/**
 * The `Link` header of a list (RFC 8288 §3): the URL of the request with the cursors of the response.
 * `undefined` for a response without cursors.
 */
export function linkHeader(response: unknown, { url, query }: RequestUrl): string | undefined {
  const links = (['next', 'prev'] as const).flatMap((relation) => {
    const cursor: unknown =
      typeof response === 'object' && response !== null ? Reflect.get(response, relation) : undefined;
    if (typeof cursor !== 'string') return [];
    const { page: _replaced, ...others } = parse(query);
    return [`<${url}?${stringify({ ...others, cursor })}>; rel="${relation}"`];
  });
  return links.length === 0 ? undefined : links.join(', ');
}

/** In characters. Node sends a larger body faster as bytes: it copies a string together with the headers. */
const largeBody = 10_000;

const written = Symbol('body');

/** A response with its body, once that was written and is large. */
interface Written {
  readonly [written]?: Buffer;
}

export function toBody(text: string): string | Buffer {
  return text.length > largeBody ? Buffer.from(text) : text;
}

/**
 * Returns the body of a response. A large one is remembered with the response: concurrent requests for a page of a list
 * share the response object, so its body is written once.
 */
export function writeBody(response: unknown, write: WriteResponse): string | Buffer {
  if (response instanceof EditedResponse) {
    const shared = writeBody(response.shared, write);
    return response.edit(typeof shared === 'string' ? Buffer.from(shared) : shared);
  }
  if (typeof response !== 'object' || response === null) return toBody(write(response));
  const holder: Written = response;
  const known = holder[written];
  if (known !== undefined) return known;
  const body = toBody(write(response));
  // Not enumerable: a copy of the response with other members has another body.
  if (typeof body !== 'string') Object.defineProperty(response, written, { value: body });
  return body;
}

/**
 * Which responses are compared with their contract row. `every`: each one, and a mismatch fails the request; for tests.
 * `sample`: the first ones of each endpoint and then few, and a mismatch is logged with its number.
 */
export type ResponseChecks = 'every' | 'sample';

/** A sample is the first responses of each endpoint in each process, and then one of so many. */
const sample = { first: 100, oneOf: 1000 };

/** A handler returned a response that its contract row does not allow: a bug in the service. */
class ResponseMismatch extends Error {
  override readonly name = 'ResponseMismatch';
}

/** Writes a response of one endpoint as JSON. @throws ResponseMismatch if every response is checked. */
export type WriteResponse = (response: unknown) => string;

interface Reports {
  readonly logger: Logger;
  /** Counts the responses that were compared. */
  readonly metrics?: Pick<Metrics, 'count'> | undefined;
}

/** Returns a function that creates the writer of each route. */
export function createResponseWriters(
  checks: ResponseChecks,
  { logger, metrics }: Reports,
): (route: Route) => WriteResponse {
  let mismatches = 0;
  const report = (err: ResponseMismatch): void => {
    mismatches += 1;
    logger.error({ err, mismatches }, 'a response differs from its contract row');
  };
  return (route) => {
    let responses = 0;
    return (response) => {
      const text = writeJson(response);
      responses += 1;
      if (checks === 'sample' && responses > sample.first && responses % sample.oneOf !== 0) return text;
      const mismatch = findMismatch(route, text);
      metrics?.count('responseChecks', { outcome: mismatch === undefined ? 'match' : 'mismatch' });
      if (mismatch !== undefined && checks === 'every') throw mismatch;
      if (mismatch !== undefined) report(mismatch);
      return text;
    };
  };
}

/** The row itself writes the same text, so a response has all members of the row, no others, and the same order. */
function findMismatch(route: Route, text: string): ResponseMismatch | undefined {
  const { id } = route;
  const checked = responseOf(route).safeParse(parseJson(text));
  if (!checked.success) return new ResponseMismatch(`${id}: ${checked.error.message}`);
  if (JSON.stringify(checked.data) === text) return undefined;
  return new ResponseMismatch(`${id}: the members or their order differ`);
}

/** `undefined` for text that is not JSON, which no row allows. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

type Encoding = 'br' | 'gzip';

/** The encoding to send, from `Accept-Encoding` (RFC 9110 §12.5.3); `undefined`: none. */
function chooseEncoding(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined || accepted === '') return undefined;
  const weights = new Map(accepted.split(',').map(parseWeight));
  const accepts = (name: string) => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  if (accepts('br')) return 'br';
  return accepts('gzip') ? 'gzip' : undefined;
}

function parseWeight(item: string): readonly [name: string, weight: number] {
  const [name = '', weight = '1'] = item.toLowerCase().split(/;\s*q=/);
  return [name.trim(), Number(weight)];
}

const compressedForms = Symbol('compressed forms');

/** A large body with its compressed forms. Concurrent requests for a page of a list share it. */
type SharedBody = Buffer & { [compressedForms]?: Map<Encoding, Buffer> };

/**
 * Compresses a body at once: 50 to 80 µs for 70 posts. The thread pool takes twice as much CPU time, most of it in this
 * thread, and the better levels three times as much for a fifth less.
 */
function compress(body: string | SharedBody, encoding: Encoding): Buffer {
  if (typeof body === 'string') return compressBytes(Buffer.from(body), encoding);
  const forms = body[compressedForms] ?? new Map<Encoding, Buffer>();
  body[compressedForms] = forms;
  const compressed = forms.get(encoding) ?? compressBytes(body, encoding);
  forms.set(encoding, compressed);
  return compressed;
}

/** The smallest and the largest window of Brotli that pays here, as powers of two. A larger one takes memory to clear. */
const [minWindow, maxWindow] = [12, 18];

function compressBytes(body: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'gzip') return gzipSync(body, { level: 1 });
  const window = Math.min(Math.max(Math.ceil(Math.log2(body.length)), minWindow), maxWindow);
  return brotliCompressSync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 1,
      [constants.BROTLI_PARAM_LGWIN]: window,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}
