/**
 * The direct path: ordinary requests of hot endpoints are answered in front of Koa. An endpoint answers only what
 * succeeds, and hands every other request, untouched, to Koa. So every rule and every error stays in one place, and
 * DIRECT_PATH=off changes nothing but the cost.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Logger } from '../log/logger.ts';
import { createHostCheck } from './host-pin.ts';
import type { RequestHandler } from './http-server.ts';
import type { RequestLog, RequestState } from './request-log.ts';

/**
 * Ends a response at the end of this turn of the event loop, together with the others of the turn. Each write wakes the process at
 * the other end of the connection if it sleeps, which costs about 10 µs; after the first one it is awake. The headers must be
 * written. A single response waits for nothing.
 */
export const endWithTurn: (response: ServerResponse, body: string | Buffer) => void = collect(
  (response: ServerResponse, body: string | Buffer) => void response.end(body),
);

/**
 * Does work at the end of this turn of the event loop, together with that of other requests. Code and data of the same work, such as
 * the tables that a signature needs, are then in the caches of the processor: a quarter of the CPU time of a token.
 */
export const workWithTurn: (work: () => void) => void = collect((work: () => void) => work());

function collect<Args extends readonly unknown[]>(handle: (...args: Args) => void): (...args: Args) => void {
  let waiting: Args[] = [];
  const handleAll = () => {
    const due = waiting;
    waiting = [];
    for (const args of due) handle(...args);
  };
  return (...args) => {
    if (waiting.push(args) === 1) setImmediate(handleAll);
  };
}

export interface DirectRequest {
  readonly request: IncomingMessage;
  /** Empty for endpoints without a body. */
  readonly body: string;
  /** What an endpoint adds is logged. It may add only if it answers. */
  readonly state: RequestState;
}

/** A response with status 200. */
export interface DirectAnswer {
  /** Names and values in turn, after X-Request-Id. */
  readonly headers: readonly string[];
  readonly body: string | Buffer;
}

export interface DirectEndpoint {
  readonly method: 'GET' | 'POST';
  /** The whole target: a request with a query is not answered. */
  readonly target: string;
  /** Served for any Host, as `host-pin.ts` says. */
  readonly anyHost?: boolean;
  /** Undefined hands the request to Koa, at once or later. Must not have counted or changed anything then. */
  readonly answer: (request: DirectRequest) => FoundAnswer | Promise<FoundAnswer>;
}

type FoundAnswer = DirectAnswer | undefined;

interface DirectPathOptions {
  readonly endpoints: readonly DirectEndpoint[];
  readonly baseUrl: string;
  readonly trustProxy: number;
  readonly logger: Logger;
  readonly requests: RequestLog;
}

/** Longer bodies are not ordinary. */
const maxBodyBytes = 2048;

/** Puts the direct path in front of `handler`, which serves all other requests. */
export function withDirectPath(options: DirectPathOptions, handler: RequestHandler): RequestHandler {
  const { baseUrl, trustProxy, logger, requests } = options;
  const endpoints = new Map(options.endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.target}`, endpoint]));
  const isPinned = createHostCheck(baseUrl);

  const isOrdinary = (request: IncomingMessage, { anyHost = false }: DirectEndpoint): boolean =>
    (anyHost || isPinned(request)) &&
    // `watchForProxy` looks at it.
    !(trustProxy === 0 && request.headers['x-forwarded-for'] !== undefined);

  return (request, response) => {
    const endpoint = endpoints.get(`${request.method ?? ''} ${request.url ?? ''}`);
    if (endpoint === undefined || !isOrdinary(request, endpoint)) {
      handler(request, response);
      return;
    }
    const state = requests.start(request, response);
    state.route = endpoint.target;
    const respond = (found: FoundAnswer): void => {
      if (found === undefined) {
        handler(request, response);
        return;
      }
      send(response, state, found);
      logger.debug({ id: state.requestId }, 'answered directly');
    };
    const find = (body: string) => findAnswer(endpoint, { request, body, state }, logger);
    if (endpoint.method === 'POST') readBody(request, { find, respond });
    else if (hasBody(request)) respond(undefined);
    else whenFound(find(''), respond);
  };
}

/** A fault of the direct path must not end the process, and Koa can still answer. Never throws or rejects. */
function findAnswer(
  endpoint: DirectEndpoint,
  given: DirectRequest,
  logger: Logger,
): FoundAnswer | Promise<FoundAnswer> {
  const report = (error: unknown): undefined => {
    logger.error({ err: error, id: given.state.requestId }, 'the direct path failed');
  };
  try {
    const found = endpoint.answer(given);
    return found instanceof Promise ? found.catch(report) : found;
  } catch (error) {
    return report(error);
  }
}

type Respond = (found: FoundAnswer) => void;

/** Calls `respond` at once if the answer is there. */
function whenFound(found: FoundAnswer | Promise<FoundAnswer>, respond: Respond): void {
  if (found instanceof Promise) void found.then(respond);
  else respond(found);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

interface BodyUse {
  readonly find: (body: string) => FoundAnswer | Promise<FoundAnswer>;
  readonly respond: Respond;
}

/** Reads the body if it arrives in one piece. What was read is put back unless the answer is there at once. */
function readBody(request: IncomingMessage, { find, respond }: BodyUse): void {
  const length = Number(request.headers['content-length'] ?? 'none');
  if (!(length > 0 && length <= maxBodyBytes)) {
    respond(undefined);
    return;
  }
  request.once('readable', () =>
    workWithTurn(() => {
      // The line in the log is all that is left to do.
      if (request.destroyed) return;
      const bytes: unknown = request.readableLength === length ? request.read() : undefined;
      const found = Buffer.isBuffer(bytes) ? find(bytes.toString()) : undefined;
      // A request that has ended takes nothing back, so this cannot wait for a later answer.
      if (Buffer.isBuffer(bytes) && (found === undefined || found instanceof Promise)) request.unshift(bytes);
      whenFound(found, respond);
    }),
  );
}

function send(response: ServerResponse, { requestId }: RequestState, { headers, body }: DirectAnswer): void {
  response.writeHead(200, ['X-Request-Id', requestId, ...headers, 'Content-Length', String(Buffer.byteLength(body))]);
  endWithTurn(response, body);
}
