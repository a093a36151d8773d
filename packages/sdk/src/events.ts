/** What happens, as it happens: `GET /events`. */
import { authorizationHeaders } from './dpop.ts';
import { createEventParser } from './event-parser.ts';
import type { EventParser } from './event-parser.ts';
import { ApiError, ConnectionError, LinnetError } from './errors.ts';
import { isTemporary } from './retry.ts';
import { mapConnectionErrors, retryAfterOf, send } from './server.ts';
import type { ServerOptions } from './server.ts';
import type { TokenSource } from './tokens.ts';

/** What a stream is about. */
export type StreamName = 'feed' | 'notifications' | 'posts';

export type EventType =
  | 'post.created'
  | 'post.edited'
  | 'post.deleted'
  | 'mention.created'
  | 'quote.created'
  | 'comment.created'
  | 'comment.deleted'
  | 'like.created'
  | 'like.deleted'
  | 'repost.created'
  | 'repost.deleted'
  | 'follow.created'
  | 'follow.deleted'
  | 'follow_request.created'
  | 'draft.proposed'
  | 'draft.scheduled'
  | 'draft.published'
  | 'draft.rejected'
  | 'draft.failed'
  /** Events may be missing: read the lists again. */
  | 'reset'
  /** There may be more types than this version of the SDK knows. */
  | (string & {});

/** What happened. It has ids only: read the objects with the same client. */
export interface LinnetEvent {
  /** To continue from: `events({ lastEventId })`. The same if the event arrives again. */
  readonly id: string;
  readonly type: EventType;
  readonly timestamp: Date;
  /** Those of the streams that it belongs to. */
  readonly streams: readonly StreamName[];
  readonly data: {
    /** The acting account. */
    readonly user_id: number;
    /** Who did it. */
    readonly actor_id?: number;
    readonly post_id?: number;
    readonly comment_id?: number;
    readonly draft_id?: number;
    readonly followed_id?: number;
  };
}

export interface EventOptions {
  /** Default: all. */
  readonly streams?: readonly StreamName[] | undefined;
  /** The id of the last event that you have seen: first comes what happened since, within a day. */
  readonly lastEventId?: string | undefined;
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined;
}

/** The service sends something every 15 seconds. Without it, the connection is lost. */
const silentMs = 45_000;
const defaultRetryMs = 3000;
const longestWaitMs = 30_000;
const lowestServerError = 500;

/**
 * Returns a function that iterates over events until it is stopped. It connects again after interruptions, without losing events of a day.
 * It throws what does not pass, such as an ApiError `insufficient_scope` or `SignInRequired`.
 */
export function createEvents(options: ServerOptions, tokens: TokenSource) {
  return async function* events({ streams, lastEventId, signal }: EventOptions = {}): AsyncGenerator<
    LinnetEvent,
    void
  > {
    const state: State = { lastId: lastEventId ?? '', failures: 0, waitMs: defaultRetryMs };
    const stopping = new AbortController();
    const stop = () => stopping.abort();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    const listening = { options, tokens, streams, stopped: stopping.signal };
    try {
      while (!stopping.signal.aborted) {
        yield* listenOnce(listening, state);
        await pause(state.waitMs, stopping.signal);
      }
    } finally {
      stop();
      signal?.removeEventListener('abort', stop);
    }
  };
}

interface State {
  lastId: string;
  /** Connections that failed since the last one that worked. */
  failures: number;
  /** Before the next connection. */
  waitMs: number;
}

interface Listening {
  readonly options: ServerOptions;
  readonly tokens: TokenSource;
  readonly streams: readonly StreamName[] | undefined;
  readonly stopped: AbortSignal;
}

/** The events of one connection, until it ends. @throws what another connection cannot help with */
async function* listenOnce(listening: Listening, state: State): AsyncGenerator<LinnetEvent, void> {
  try {
    yield* listen(listening, state);
  } catch (error) {
    if (listening.stopped.aborted) return;
    state.failures += 1;
    state.waitMs = waitAfter(error, state.failures);
  }
}

async function* listen(listening: Listening, state: State): AsyncGenerator<LinnetEvent, void> {
  const connection = new AbortController();
  const signal = AbortSignal.any([listening.stopped, connection.signal]);
  const watch = watchSilence(() => connection.abort(new ConnectionError('timed-out', 'nothing arrived')));
  try {
    const body = await connect(listening, state.lastId, signal);
    const parser = createEventParser();
    for await (const text of readText(body)) {
      watch.reset();
      for (const { id, data } of parser.push(text)) {
        state.lastId = id;
        yield toEvent(id, data);
      }
      note(state, parser);
    }
  } catch (error) {
    throw connection.signal.aborted ? connection.signal.reason : error;
  } finally {
    watch.end();
    connection.abort();
  }
}

function note(state: State, { lastId, retryMs }: EventParser): void {
  state.failures = 0;
  if (lastId !== '') state.lastId = lastId;
  state.waitMs = retryMs ?? defaultRetryMs;
}

async function connect(listening: Listening, lastId: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const token = await listening.tokens.get({ signal });
  try {
    return await request(listening, lastId, { token, signal });
  } catch (error) {
    // The token was revoked or has expired. Try another one, but only once.
    if (!(error instanceof ApiError) || error.code !== 'invalid_token') throw error;
    const another = await listening.tokens.get({ refused: token, signal });
    return await request(listening, lastId, { token: another, signal });
  }
}

interface Attempt {
  readonly token: string;
  readonly signal: AbortSignal;
}

async function request(
  { options, tokens, streams }: Listening,
  lastId: string,
  { token, signal }: Attempt,
): Promise<ReadableStream<Uint8Array>> {
  const url = new URL('/api/v2.0/events', options.issuer);
  if (streams !== undefined) url.searchParams.set('streams', streams.join(','));
  const headers = {
    accept: 'text/event-stream',
    ...(await authorizationHeaders(tokens.boundKey, { method: 'GET', url, token })),
    ...(lastId === '' ? {} : { 'last-event-id': lastId }),
  };
  const response = await send(options, url, { headers, signal, cache: 'no-store' });
  if (response.ok && response.body !== null) return response.body;
  const problem: unknown = await response.json().catch(() => undefined);
  throw new ApiError(typeof problem === 'object' && problem !== null ? problem : {}, {
    status: response.status,
    retryAfterSeconds: retryAfterOf(response),
  });
}

async function* readText(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  // Not every browser iterates over streams.
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await mapConnectionErrors(reader.read());
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}

function toEvent(id: string, data: string): LinnetEvent {
  const event = JSON.parse(data) as Omit<LinnetEvent, 'id' | 'timestamp'> & { readonly timestamp: string }; // as the contract says
  return { ...event, id, timestamp: new Date(event.timestamp) };
}

/** @throws what a new connection cannot help with */
export function waitAfter(error: unknown, failures: number): number {
  if (!(error instanceof LinnetError) || !(isTemporary(error) || (error.status ?? 0) >= lowestServerError)) throw error;
  const longest = Math.min(longestWaitMs, 500 * 2 ** failures);
  const random = longest / 2 + (Math.random() * longest) / 2;
  return error.retryAfterSeconds === undefined ? random : error.retryAfterSeconds * 1000 + Math.random() * 500;
}

function watchSilence(end: () => void): { readonly reset: () => void; readonly end: () => void } {
  let timer = setTimeout(end, silentMs);
  return {
    reset: () => {
      clearTimeout(timer);
      timer = setTimeout(end, silentMs);
    },
    end: () => clearTimeout(timer),
  };
}

/** Waits until `stopped` at most. */
export async function pause(milliseconds: number, stopped: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stopped.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    stopped.addEventListener('abort', end, { once: true });
    if (stopped.aborted) end();
  });
}
