import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import type { Dispatcher } from 'undici';

import { StorageFailed, StorageUnavailable } from '../media-storage.ts';
import { findElement } from './xml-elements.ts';

/** How long to try. */
export interface Patience {
  readonly attempts: number;
  /** Until the headers of the last response. */
  readonly totalMs: number;
  /** For each step of an attempt: until connected, until the headers, and between two parts of a body. */
  readonly attemptMs: number;
  /** The longest pause before the second attempt; it doubles with each one. */
  readonly pauseMs: number;
}

export interface BucketResponse {
  /** 200 to 299, or 404. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Must be read to its end, dumped or destroyed. */
  readonly body: Dispatcher.ResponseData['body'];
}

/** Everything about an attempt, with a new body and signature. */
type Prepare = () => Promise<{
  readonly url: URL;
  readonly method: 'HEAD' | 'GET' | 'PUT' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable | string | null;
  readonly dispatcher: Dispatcher;
}>;

/** Statuses after which the same request can succeed: `SlowDown` is 503, `RequestTimeout` 400 and `OperationAborted` 409. */
const passing = new Set([408, 409, 429, 500, 502, 503, 504]);
const passingCodes = new Set(['RequestTimeout']);

/** An attempt failed. */
class AttemptFailed extends Error {
  readonly mayPass: boolean;

  constructor(message: string, { mayPass, ...options }: ErrorOptions & { readonly mayPass: boolean }) {
    super(message, options);
    this.mayPass = mayPass;
  }
}

/**
 * Sends a request until it succeeds, at most as often and as long as `patience` says. All requests of this room have the
 * same effect however often they arrive. Pauses are random, so that many processes do not retry at once.
 * @throws StorageUnavailable, StorageFailed
 */
export async function sendRepeatedly(prepare: Prepare, patience: Patience): Promise<BucketResponse> {
  const endsAt = performance.now() + patience.totalMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendOnce(prepare, patience, endsAt - performance.now());
    } catch (error) {
      if (!(error instanceof AttemptFailed)) throw error;
      const pauseMs = Math.random() * patience.pauseMs * 2 ** (attempt - 1);
      const isLast = attempt >= patience.attempts || performance.now() + pauseMs >= endsAt;
      if (!error.mayPass || isLast) throw new StorageUnavailable(error.message, { cause: error.cause });
      await delay(pauseMs);
    }
  }
}

async function sendOnce(prepare: Prepare, { attemptMs }: Patience, totalMs: number): Promise<BucketResponse> {
  const { url, ...prepared } = await prepare();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), Math.max(1, totalMs));
  try {
    const options = { ...prepared, signal: deadline.signal, headersTimeout: attemptMs, bodyTimeout: attemptMs };
    const { request } = await import('undici');
    const response = await request(url, options);
    if (response.statusCode < 300 || response.statusCode === 404) return toResponse(response);
    throw await toFailure(response);
  } catch (error) {
    if (error instanceof AttemptFailed || error instanceof StorageFailed) throw error;
    const reason = error instanceof Error ? (codeOf(error) ?? error.name) : 'unknown';
    throw new AttemptFailed(`the object store did not respond (${reason})`, { mayPass: true, cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function codeOf(error: Error): string | undefined {
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : undefined;
}

function toResponse({ statusCode, headers, body }: Dispatcher.ResponseData): BucketResponse {
  return { status: statusCode, headers, body };
}

const maxErrorBytes = 16_384;

async function toFailure({ statusCode, body }: Dispatcher.ResponseData): Promise<AttemptFailed | StorageFailed> {
  let text = '';
  for await (const chunk of body.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > maxErrorBytes) break;
  }
  const code = findElement(text, 'Code') ?? 'no code';
  const message = `the object store responded ${String(statusCode)} (${code.slice(0, 100)})`;
  if (statusCode === 507) return new StorageFailed({ cause: new Error(message) });
  return new AttemptFailed(message, { mayPass: passing.has(statusCode) || passingCodes.has(code) });
}
