import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { version } from '../config/version.ts';
import type { Logger } from '../log/logger.ts';
import { createReadinessReporter } from './readiness.ts';
import type { Readiness, ReadinessReport } from './readiness.ts';
import { requestPath } from './request-log.ts';

const place = Symbol('place');
type Placed = ServerResponse & { [place]?: number };

/**
 * The responses in progress of a server.
 *
 * Not a `Set`: V8 replaces the table of a `Set` after so many additions and deletions, and each table refers to the next.
 * Once the first of them has reached the old generation, all later ones survive the quick collections of garbage there,
 * with the responses that they held. That was half of all requests, and collecting them a sixth of the CPU time.
 */
export class ActiveResponses implements Iterable<ServerResponse> {
  readonly #responses: Placed[] = [];

  get size(): number {
    return this.#responses.length;
  }

  /** Until the response is closed. */
  add(response: Placed): void {
    response[place] = this.#responses.push(response) - 1;
    response.on('close', () => this.#remove(response));
  }

  [Symbol.iterator](): Iterator<ServerResponse> {
    return this.#responses[Symbol.iterator]();
  }

  /** The last one takes its place. */
  #remove({ [place]: freed = 0 }: Placed): void {
    const last = this.#responses.pop();
    if (last === undefined || freed === this.#responses.length) return;
    last[place] = freed;
    this.#responses[freed] = last;
  }
}

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

interface ServeOptions {
  /** Handles every request except /health/live and /health/ready. */
  readonly handler: RequestHandler;
  /** Its scheme decides whether responses have Strict-Transport-Security. */
  readonly baseUrl: string;
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly logger: Logger;
  readonly readiness: Readiness;
  /** Called when the server begins to drain. Ends responses that would stay open. */
  readonly startDrain?: (() => void) | undefined;
}

export interface RunningServer {
  readonly port: number;
  /**
   * Stops the server gracefully: readiness returns 503, responses close their connections, and requests in progress
   * finish. Later calls return the promise of the first.
   */
  drain(options: DrainOptions): Promise<void>;
}

interface DrainOptions {
  /** How long the server still accepts connections (DRAIN_SECONDS), in milliseconds; at least half a second. */
  readonly lingerMs: number;
  /** How long requests may then take, in milliseconds. Connections that remain are closed. */
  readonly finishMs: number;
  /** True if another process serves the same port: readiness then stays as it is. */
  readonly staysReady?: boolean;
}

interface Drain extends DrainOptions, Pick<ServeOptions, 'startDrain'> {}

/** Limits, in milliseconds and bytes, against slow clients and idle connections. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
};
/** HSTS (RFC 6797) for two years, as the preload list recommends. */
const strictTransport = 'max-age=63072000; includeSubDomains';
/** A connection without any traffic is closed after this time. */
const stalledMs = 60_000;
const maxRequestsPerSocket = 10_000;
/** A draining server keeps listening for at least this time, so that proxies notice before the port closes. */
const minLingerMs = 500;
const pollMs = 100;
/** A connection that has sent nothing for this time is a spare one. */
const spareMs = 2000;

interface Draining {
  isDraining: boolean;
  /** Whether readiness says so. */
  isAnnounced: boolean;
  /** Responses of requests in progress. */
  readonly active: ActiveResponses;
  /** With the time at which they were opened, in milliseconds of the monotonic clock. */
  readonly sockets: Map<Socket, number>;
}

/**
 * Starts listening and resolves when connections are accepted.
 * @throws The error of `listen` (EADDRINUSE, EACCES, …).
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const state: Draining = { isDraining: false, isAnnounced: false, active: new ActiveResponses(), sockets: new Map() };
  const server = createServer(limits, withHealth(options, state));
  server.maxRequestsPerSocket = maxRequestsPerSocket;
  server.setTimeout(stalledMs);
  server.on('connection', (socket) => {
    state.sockets.set(socket, performance.now());
    socket.once('close', () => state.sockets.delete(socket));
  });
  const port = await listen(server, options);
  let drained: Promise<void> | undefined;
  return {
    port,
    drain: (how) => (drained ??= drain(server, state, { ...how, startDrain: options.startDrain })),
  };
}

function withHealth(options: ServeOptions, state: Draining): RequestHandler {
  const report = createReadinessReporter(options.readiness, options.logger);
  const isSecure = options.baseUrl.startsWith('https:');
  return (request, response) => {
    // Here, so that no error, redirect or health check leaves it out. Over http browsers ignore it (RFC 6797 §8.1).
    if (isSecure) response.setHeader('Strict-Transport-Security', strictTransport);
    state.active.add(response);
    if (state.isDraining) response.setHeader('Connection', 'close');
    const path = requestPath(request.url);
    if (path === '/health/live') {
      sendHealth(request, response, { code: 200, body: { status: 'live', version } });
    } else if (path === '/health/ready') {
      void report().then((readiness) => sendHealth(request, response, toHealthResponse(readiness, state)));
    } else {
      options.handler(request, response);
    }
  };
}

interface HealthResponse {
  readonly code: number;
  readonly body: unknown;
}

function toHealthResponse(report: ReadinessReport, { isAnnounced }: Draining): HealthResponse {
  if (isAnnounced) return { code: 503, body: { ...report, status: 'draining', version } };
  return { code: report.status === 'unavailable' ? 503 : 200, body: { ...report, version } };
}

function sendHealth(request: IncomingMessage, response: ServerResponse, { code, body }: HealthResponse): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const text = isRead ? `${JSON.stringify(body)}\n` : '';
  response.writeHead(isRead ? code : 405, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(isRead ? {} : { Allow: 'GET, HEAD' }),
  });
  response.end(text);
}

async function listen(server: Server, { host, port }: ServeOptions): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen({ host, port }, resolve);
  await promise;
  server.off('error', reject);
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server does not listen on a port.');
  return address.port;
}

/**
 * Keeps listening for `lingerMs`, and longer while requests are in progress, but at most half of `finishMs`. Then closes
 * the port and waits for the remaining connections.
 */
async function drain(server: Server, state: Draining, how: Drain): Promise<void> {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  state.isDraining = true;
  state.isAnnounced = how.staysReady !== true;
  how.startDrain?.();
  for (const response of state.active) {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  }
  const half = how.finishMs / 2;
  const lingerMs = Math.max(how.lingerMs, Math.min(minLingerMs, half));
  while (elapsed() < lingerMs || (state.active.size > 0 && elapsed() < how.lingerMs + half)) {
    await delay(Math.min(pollMs, lingerMs));
  }
  const deadlineMs = how.lingerMs + how.finishMs;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  const idle = setInterval(() => closeIdle(server, state), pollMs);
  const cutOff = setTimeout(() => closeAll(server, state), Math.max(0, deadlineMs - elapsed()));
  await closed;
  clearInterval(idle);
  clearTimeout(cutOff);
}

/**
 * Closes connections without a request. Browsers open spare ones, which Node does not count as idle before their first request.
 * That of a client that has just connected may be on its way.
 */
function closeIdle(server: Server, state: Draining): void {
  server.closeIdleConnections();
  const spareSince = performance.now() - spareMs;
  for (const [socket, openedAt] of state.sockets) if (socket.bytesRead === 0 && openedAt < spareSince) socket.destroy();
}

/** Also those that were taken from the server (`taken-connection.ts`). */
function closeAll(server: Server, { sockets }: Draining): void {
  server.closeAllConnections();
  for (const socket of sockets.keys()) socket.destroy();
}
