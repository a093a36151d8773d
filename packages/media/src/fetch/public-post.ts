import type { Readable } from 'node:stream';

import { checkTarget, FetchFailed, parseTarget, resolvePublic, withSignal } from './fetch-target.ts';
import { DisposableAgent, agentOptions } from './http-get.ts';
import type { DocumentRequest } from './public-document.ts';

interface PublicPost extends Omit<DocumentRequest, 'accept'> {
  /** In lower case. `user-agent` is added. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export interface FormPost extends Omit<DocumentRequest, 'accept'> {
  /** Sent as application/x-www-form-urlencoded. */
  readonly form: Readonly<Record<string, string>>;
}

export interface PostAnswer {
  readonly status: number;
  /** The first `limits.maxBytes` of the body; empty if there is none. */
  readonly text: string;
  /** The header. */
  readonly retryAfter: string | undefined;
}

/**
 * Sends a form to a URL that somebody registered, under the rules of `postToAddress`, and returns the status of the response, whose
 * body is not read.
 * @throws FetchFailed for every failure, so that its message reveals nothing about the network
 */
export async function postToPublic({ form, ...request }: FormPost): Promise<number> {
  const body = new URLSearchParams(form).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return (await postToAddress({ ...request, headers, body })).status;
}

/**
 * Sends a request to a URL that somebody registered. The addresses of the host are checked before a connection is made, and the
 * connection is made to exactly those. Redirects are not followed. Of the body of the response, `limits.maxBytes` are read.
 * @throws FetchFailed for every failure, so that its message reveals nothing about the network
 */
export async function postToAddress(request: PublicPost): Promise<PostAnswer> {
  const { status, headers, text } = await requestAddress({ ...request, method: 'POST' });
  return { status, text, retryAfter: headers['retry-after']?.toString() };
}

interface AddressAnswer extends Pick<PostAnswer, 'status' | 'text'> {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Like `postToAddress`, with any method, and with the headers of the response. @throws FetchFailed */
export async function requestAddress(
  given: Omit<PublicPost, 'body'> & {
    readonly method: 'GET' | 'POST';
    readonly body?: PublicPost['body'] | undefined;
  },
): Promise<AddressAnswer> {
  const { address, method, headers, body = null, userAgent, limits, rules, signal } = given;
  const timeout = AbortSignal.timeout(limits.totalMs);
  const bounded = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  try {
    const checked = checkTarget(parseTarget(address), { resolve: resolvePublic, ...rules });
    const target = await withSignal(checked, bounded);
    // Loaded with the first request, because it would slow down the start of the service.
    const { Agent, request } = await import('undici');
    await using connection = new DisposableAgent(new Agent(agentOptions(target, limits)));
    const response = await request(target.url, {
      method,
      dispatcher: connection.agent,
      signal: bounded,
      headers: { ...headers, 'user-agent': userAgent },
      body,
    });
    const { statusCode: status, headers: answered } = response;
    return { status, headers: answered, text: await readStart(response.body, limits.maxBytes) };
  } catch (error) {
    throw new FetchFailed('the request could not be sent', { cause: error });
  }
}

/** At most `maxBytes`; the rest is not waited for. */
async function readStart(body: Readable, maxBytes: number): Promise<string> {
  if (maxBytes === 0) return '';
  const chunks: Buffer[] = [];
  let received = 0;
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk as Uint8Array); // a body of undici has no encoding
    chunks.push(bytes);
    received += bytes.length;
    if (received >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString();
}
