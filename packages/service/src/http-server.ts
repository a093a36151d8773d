import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from './logger.ts';
import { createReadinessReporter } from './readiness.ts';
import type { Readiness, ReadinessReport } from './readiness.ts';
import { requestPath } from './request-path.ts';

export type { Readiness, ReadinessCheck } from './readiness.ts';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface ServeOptions {
  /** Gets every request but those for /health/live and /health/ready. */
  readonly handler: RequestHandler;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly logger: Logger;
  readonly readiness: Readiness;
}

export interface RunningServer {
  readonly port: number;
  /**
   * Ends the server: readiness answers 503 from now on, answers ask for the connection to be closed,
   * requests under way finish; at the deadline what is left is cut off. Repeated calls share the end.
   */
  drain(deadlineMs: number): Promise<void>;
}

/**
 * Slow and idle connections: headers within 10 s, a whole request within
 * 30 s, 5 s idle between requests, and a minute without any progress ends a connection.
 */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
};
const stalledMs = 60_000;
const maxRequestsPerSocket = 10_000;
/** How long a draining server goes on listening, so that proxies see it drain before it is gone. */
const lingerMs = 500;
const pollMs = 100;

interface Draining {
  isDraining: boolean;
  /** Requests under way. */
  readonly active: Set<ServerResponse>;
  readonly sockets: Set<Socket>;
}

/** Listens; resolves once connections are accepted. @throws the listen error (EADDRINUSE, EACCES, …). */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const state: Draining = { isDraining: false, active: new Set(), sockets: new Set() };
  const server = createServer(limits, withHealth(options, state));
  server.maxRequestsPerSocket = maxRequestsPerSocket;
  server.setTimeout(stalledMs);
  server.on('connection', (socket) => {
    state.sockets.add(socket);
    socket.once('close', () => state.sockets.delete(socket));
  });
  const port = await listen(server, options);
  let drained: Promise<void> | undefined;
  return {
    port,
    drain: (deadlineMs) => (drained ??= drain(server, state, deadlineMs)),
  };
}

function withHealth(options: ServeOptions, state: Draining): RequestHandler {
  const report = createReadinessReporter(options.readiness, options.logger);
  return (request, response) => {
    state.active.add(response);
    response.once('close', () => state.active.delete(response));
    if (state.isDraining) response.setHeader('Connection', 'close');
    const path = requestPath(request.url);
    if (path === '/health/live') {
      answerHealth(request, response, { code: 200, body: { status: 'live' } });
    } else if (path === '/health/ready') {
      void report().then((found) => answerHealth(request, response, toAnswer(found, state)));
    } else {
      options.handler(request, response);
    }
  };
}

interface HealthAnswer {
  readonly code: number;
  readonly body: unknown;
}

function toAnswer({ status, checks }: ReadinessReport, { isDraining }: Draining): HealthAnswer {
  if (isDraining) return { code: 503, body: { status: 'draining', checks } };
  return { code: status === 'ready' ? 200 : 503, body: { status, checks } };
}

function answerHealth(request: IncomingMessage, response: ServerResponse, { code, body }: HealthAnswer): void {
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
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** Listening goes on for a moment, and until the requests under way are answered or time is running out. */
async function drain(server: Server, state: Draining, deadlineMs: number): Promise<void> {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  state.isDraining = true;
  for (const response of state.active) {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  }
  const listenUntilMs = Math.min(lingerMs, deadlineMs / 2);
  while (elapsed() < listenUntilMs || (state.active.size > 0 && elapsed() < deadlineMs / 2)) {
    await delay(Math.min(pollMs, listenUntilMs));
  }
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  const idle = setInterval(() => closeIdle(server, state), pollMs);
  const cutOff = setTimeout(() => server.closeAllConnections(), Math.max(0, deadlineMs - elapsed()));
  await closed;
  clearInterval(idle);
  clearTimeout(cutOff);
}

function closeIdle(server: Server, state: Draining): void {
  server.closeIdleConnections();
  // Browsers connect ahead of need; to Node a connection that has sent nothing yet is not idle.
  for (const socket of state.sockets) if (socket.bytesRead === 0) socket.destroy();
}
