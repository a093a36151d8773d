import { setTimeout as delay } from 'node:timers/promises';

import autocannon from 'autocannon';
import { Pool } from 'undici';

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface LoadResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The requests of one connection: each is built from the response before it. */
export type Conversation = Generator<LoadRequest, never, LoadResponse>;

export interface Target {
  readonly name: string;
  readonly origin: string;
  /** Either a list that every connection cycles through, or a conversation for each connection. */
  readonly requests: readonly LoadRequest[] | ((connection: number) => Conversation);
  /** Requests of a conversation that make one call; 1 if absent. */
  readonly requestsPerCall?: number;
  /** The requests of a conversation do not depend on the responses. */
  readonly isSequence?: true;
}

export interface LoadResult {
  readonly calls: number;
  readonly callsPerSecond: number;
}

/**
 * Sends the requests over `connections` connections, each as fast as it gets responses.
 * @throws Error when a response is neither 2xx nor 3xx.
 */
export async function applyLoad(target: Target, seconds: number, connections: number): Promise<LoadResult> {
  let opened = 0;
  const result = await autocannon({
    url: target.origin,
    connections,
    duration: seconds,
    // autocannon ends at the first sample after the duration, by default each second.
    sampleInt: Math.min(1000, seconds * 250),
    // The service closes a connection after 10,000 requests, which autocannon does not notice. A conversation would lose
    // the response before it reconnects, and is slower than that.
    ...(typeof target.requests === 'function' ? {} : { reconnectRate: 5000 }),
    setupClient: (client) => {
      client.setRequests(requestsOf(target, opened++));
    },
  });
  const failed = result['4xx'] + result['5xx'] + result.errors;
  if (failed > 0) {
    const statuses = JSON.stringify(result.statusCodeStats);
    throw new Error(`${target.name}: ${String(failed)} requests failed: ${statuses}, ${String(result.errors)} errors`);
  }
  const perCall = target.requestsPerCall ?? 1;
  const calls = (result['2xx'] + result['3xx']) / perCall;
  return { calls, callsPerSecond: result.requests.average / perCall };
}

function requestsOf({ requests }: Target, connection: number): autocannon.Request[] {
  if (typeof requests === 'function') return [converse(requests(connection))];
  const start = (connection * 7) % requests.length;
  return [...requests.slice(start), ...requests.slice(0, start)].map((one) => ({ ...one }));
}

function converse(conversation: Conversation): autocannon.Request {
  const none: LoadResponse = { headers: {}, body: '' };
  let last = none;
  return {
    // A message without a body may not inherit the body of the one before.
    setupRequest: (defaults) => ({ ...defaults, body: '', ...conversation.next(last).value }),
    onResponse: (...[, body, , headers]) => {
      last = { headers: lowerCased(headers), body };
    },
  };
}

function lowerCased(headers: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(Object(headers)).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

/** Connections open, and this process compiles its code. Those requests do not count. */
const warmUpSeconds = 1;

export interface Effort {
  readonly seconds: number;
  readonly rounds: number;
}

/**
 * Sends requests at an even rate, whether or not responses arrive in time, and returns the 99th percentile of the time
 * from when each was due to the end of its response, in milliseconds: of the quickest round, because all that a busy
 * machine does is add to it.
 */
export async function measureLatency(target: Target, rate: number, { seconds, rounds }: Effort): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const times = (await sendEvenly(target, rate, seconds)).toSorted();
    lowest = Math.min(lowest, times[Math.floor(times.length * 0.99)] ?? Number.NaN);
  }
  return lowest;
}

/** The time of each response. Keeps nothing but numbers: collecting garbage would delay the requests. */
async function sendEvenly({ name, requests, origin }: Target, rate: number, seconds: number): Promise<Float64Array> {
  if (typeof requests === 'function') throw new TypeError(`${name} is a conversation`);
  const pool = new Pool(origin, { connections: 32, pipelining: 1 });
  const warmUp = Math.round(rate * warmUpSeconds);
  const times = new Float64Array(warmUp + Math.max(1, Math.round(rate * seconds)));
  const { promise: allArrived, resolve, reject } = Promise.withResolvers<undefined>();
  let [sent, arrived] = [0, 0];
  const startedAt = performance.now();
  const keepTime = (index: number): void => {
    times[index] = performance.now() - startedAt - (index / rate) * 1000;
    arrived += 1;
    if (arrived === times.length) resolve(undefined);
  };
  while (sent < times.length) {
    const due = Math.min(times.length, Math.floor(((performance.now() - startedAt) / 1000) * rate) + 1);
    for (; sent < due; sent += 1) {
      const index = sent;
      const one = requests[index % requests.length];
      if (one === undefined) throw new Error(`${name} has no requests`);
      send(pool, one, (error) => (error === undefined ? keepTime(index) : reject(error)));
    }
    await delay(1);
  }
  await allArrived;
  await pool.close();
  return times.subarray(warmUp);
}

/** `dispatch` is the part of undici that costs the least, because this process shares its core with PostgreSQL. */
function send(pool: Pool, { method, path, headers, body }: LoadRequest, onEnd: (error?: Error) => void): void {
  pool.dispatch(
    { method, path, headers, body: body ?? null },
    {
      onRequestStart: () => undefined,
      onResponseStart: (_, status) => {
        if (status >= 400) onEnd(new Error(`${method} ${path}: ${String(status)}`));
      },
      onResponseData: () => undefined,
      onResponseEnd: () => onEnd(),
      onResponseError: (_, error) => onEnd(error),
    },
  );
}
