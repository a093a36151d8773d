import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type Koa from 'koa';

import type { Logger } from '../log/logger.ts';
import { clientAddress, shortenAddress } from './address.ts';

/** Members of `ctx.state`: `requestLog` sets the id, later middleware may add the others to the log line. */
export interface RequestState {
  /** Generated for each request; never taken from the client. */
  requestId: string;
  /** The application, once it is authenticated. */
  clientId?: string;
  /** The account that is signed in or that the token acts for. */
  accountId?: number;
  /** Which of the known routes serves the request, such as `/api/v2.0/post/show`. Never a path that a client chose. */
  route?: string;
  /** True for a response that stays open: it lasts as long as somebody listens, and the client may close it. */
  isStream?: boolean;
}

const maxPathLength = 256;
/** Logged if the client closed the connection before the response was complete. */
const clientClosedRequest = 499;
const handedOver = 200;

export interface RequestLogOptions {
  readonly logger: Logger;
  /** Proxies whose X-Forwarded-For is trusted (TRUST_PROXY); 0 if absent. */
  readonly trustedHops?: number;
  /** The share of successful requests that are logged, from 0 to 1 (LOG_SAMPLE). All others are logged. */
  readonly sample?: number;
  /** Called once for each request, when it is finished. */
  readonly onFinished?: ((outcome: Outcome) => void) | undefined;
  /** The id of the trace that the current request belongs to. */
  readonly currentTraceId?: (() => string | undefined) | undefined;
}

/** How a request ended. */
export interface Outcome extends RequestState {
  readonly method: string | undefined;
  readonly status: number;
  readonly durationMs: number;
}

export interface RequestLog {
  /**
   * Assigns an id to the request, and logs one line when the response is finished. If what answers in front of Koa has
   * started it and then hands the request to Koa, `requestLog` continues with the same id.
   */
  readonly start: (request: IncomingMessage, response: ServerResponse) => RequestState;
  /** The state of a request that was started. */
  readonly find: (request: IncomingMessage) => RequestState | undefined;
  /** Before the response is closed, for one whose connection was taken: logs nothing until the function that it returns is called. */
  readonly handOver: (request: IncomingMessage) => () => void;
}

/** What happens for every request of a server, whatever answers it. */
export function createRequestLog(options: RequestLogOptions): RequestLog {
  const { trustedHops = 0, currentTraceId } = options;
  const writeEnd = createEndWriter(options);
  // Properties, because a WeakMap makes every garbage collection slower.
  const stateOf = Symbol('state');
  const endOf = Symbol('end');
  type Started = IncomingMessage & { [stateOf]?: RequestState; [endOf]?: ((status: number) => void) | undefined };
  return {
    find: (request: Started) => request[stateOf],
    start: (request: Started, response) => {
      const known = request[stateOf];
      if (known !== undefined) return known;
      const state: RequestState = { requestId: randomUUID() };
      const { method, url } = request;
      // The address is unknown once the connection is closed.
      const address = clientAddress(request, trustedHops);
      request[stateOf] = state;
      request[endOf] = writeEnd({
        state,
        startedAt: performance.now(),
        method,
        url,
        address,
        traceId: currentTraceId?.(),
      });
      response.on('close', () => {
        const isComplete = response.writableFinished || state.isStream === true;
        request[endOf]?.(isComplete ? response.statusCode : clientClosedRequest);
      });
      return state;
    },
    handOver: (request: Started) => {
      const end = request[endOf];
      request[endOf] = undefined;
      return () => end?.(handedOver);
    },
  };
}

interface StartedRequest extends LineDetails {
  readonly state: RequestState;
  /** Of the monotonic clock. */
  readonly startedAt: number;
  readonly method: string | undefined;
}

/** What it returns for a request refers to nothing else of it, because it may be kept for hours. */
function createEndWriter({ logger, sample = 1, onFinished }: RequestLogOptions) {
  return ({ state, startedAt, method, ...details }: StartedRequest) =>
    (status: number): void => {
      const outcome = { ...state, method, status, durationMs: performance.now() - startedAt };
      onFinished?.(outcome);
      if (status < 400 && sample < 1 && Math.random() >= sample) return;
      writeLine(logger, outcome, details);
    };
}

/** Starts the log of each request, and returns its id as X-Request-Id. */
export function requestLog(requests: RequestLog): Koa.Middleware {
  return async (ctx, next) => {
    const state = requests.start(ctx.req, ctx.res);
    // Koa does not type `state`. Later middleware adds members to the same object.
    ctx.state = state;
    ctx.set('X-Request-Id', state.requestId);
    await next();
  };
}

/** Tells the metrics which route serves the request; see `RequestState.route`. */
export function nameRoute(ctx: Pick<Koa.Context, 'state'>, route: string): void {
  const state: Partial<RequestState> = ctx.state;
  state.route = route;
}

interface LineDetails {
  readonly url: string | undefined;
  readonly traceId: string | undefined;
  readonly address: string;
}

function writeLine(logger: Logger, outcome: Outcome, { url, traceId, address }: LineDetails): void {
  const { status, method } = outcome;
  logger[status >= 500 ? 'error' : 'info'](
    {
      id: outcome.requestId,
      method,
      path: requestPath(url).slice(0, maxPathLength),
      status,
      ms: Math.round(outcome.durationMs * 10) / 10,
      clientId: outcome.clientId,
      accountId: outcome.accountId,
      // Nobody can shorten addresses in log files later.
      network: shortenAddress(address),
      traceId,
    },
    'request',
  );
}

/**
 * Returns the path of a request target, still percent-encoded. Accepts `/a?b` and the absolute form `http://host/a?b`
 * (RFC 9112 §3.2). Empty for `*` and for an invalid target.
 */
export function requestPath(target: string | undefined): string {
  if (target === undefined) return '';
  if (target.startsWith('/')) {
    const end = target.search(/[?#]/);
    return end === -1 ? target : target.slice(0, end);
  }
  return URL.canParse(target) ? new URL(target).pathname : '';
}
