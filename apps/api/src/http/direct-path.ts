import type { IncomingMessage, ServerResponse } from 'node:http';

import { createHostCheck } from '@linnet/service/http/host-pin';
import type { RequestHandler } from '@linnet/service/http/http-server';
import type { RequestLog } from '@linnet/service/http/request-log';
import { endWithTurn } from '@linnet/service/http/direct-path';

import { hasPlainBody, readPlainBody } from './plain-body.ts';
import { corsHeaders } from './cors.ts';
import type { Exchange } from './exchange.ts';
import { parseFormEncoded } from './parameters.ts';
import { defaultHeaders } from './response-headers.ts';
import { apiPath } from './router.ts';
import type { Reply } from './reply.ts';
import type { CountCall } from './request-count.ts';
import type { BoundEndpoint, Steps } from './steps.ts';

interface DirectPathParts {
  readonly endpoints: readonly BoundEndpoint[];
  readonly countCall: CountCall;
  readonly baseUrl: string;
  readonly trustProxy: number;
  readonly requests: RequestLog;
}

/** The outcome of a request that failed on the direct path. */
interface Failure {
  readonly error: unknown;
  /** Headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
}

const failures = new WeakMap<IncomingMessage, Failure>();

/** What a request has come to on the direct path, if it failed there. It must not run again: it may have had effects. */
export function findFailure(request: IncomingMessage): Failure | undefined {
  return failures.get(request);
}

/**
 * Puts the direct path in front of Koa: a plain request to an endpoint takes the steps of the pipeline without Koa's
 * context and middleware. Only successful responses are sent here, the same as Koa's to the byte. A request that is not
 * plain goes to Koa untouched, and one that fails goes there with its error, so that every rule and every error response
 * stays in one place.
 */
export function answerDirectly(parts: DirectPathParts, complete: RequestHandler): RequestHandler {
  const targets = createTargets(parts);
  const isPlain = createPlainCheck(parts);

  async function respond(
    { steps, route, endpoint }: Target,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const exchange = openExchange(request, parts.requests.start(request, response));
    exchange.state.route = route;
    try {
      const reply = await steps(exchange, () =>
        request.method === 'POST' ? readPlainBody(request) : parseFormEncoded(exchange.query),
      );
      send(response, exchange, reply);
    } catch (error) {
      failures.set(request, { error, headers: exchange.headers });
      complete(request, response);
      return;
    }
    parts.countCall(String(exchange.state.clientId), { endpoint, status: response.statusCode });
  }

  return (request, response) => {
    const { method = '', url = '' } = request;
    const end = url.indexOf('?');
    const target = targets.get(`${method} ${end === -1 ? url : url.slice(0, end)}`);
    if (target === undefined || !isPlain(request)) complete(request, response);
    else void respond(target, request, response);
  };
}

interface Target {
  readonly steps: Steps;
  /** For the metrics. */
  readonly route: string;
  /** With the method, for the usage of applications. */
  readonly endpoint: string;
}

function createTargets({ endpoints }: DirectPathParts): ReadonlyMap<string, Target> {
  return new Map(
    endpoints.flatMap(({ route: { methods, path }, steps }) => {
      const route = apiPath + path;
      return methods.map((method): [string, Target] => {
        const endpoint = `${method} ${route}`;
        return [endpoint, { steps, route, endpoint }];
      });
    }),
  );
}

/** Visible ASCII without `#`: what every parser of URLs leaves as it is. */
const plainUrl = /^[\x21\x22\x24-\x7E]*$/;
const plainAccept = /^(?:\*\/\*|application\/json(?:; ?charset=utf-8)?|application\/json, (?:text\/plain, )?\*\/\*)$/i;
/** Koa decides about prefetches. */
const purposeHeaders = ['purpose', 'sec-purpose', 'x-moz'];

/** Returns whether Koa's middleware would let a request to an endpoint pass without looking closer. */
function createPlainCheck({ baseUrl, trustProxy }: DirectPathParts): (request: IncomingMessage) => boolean {
  const isPinned = createHostCheck(baseUrl);
  return (request) => {
    const { headers, url = '', method } = request;
    return (
      plainUrl.test(url) &&
      plainAccept.test(headers.accept ?? '') &&
      isPinned(request) &&
      // `watchForProxy` looks at it.
      (trustProxy > 0 || headers['x-forwarded-for'] === undefined) &&
      !purposeHeaders.some((name) => headers[name] !== undefined) &&
      (method !== 'POST' || hasPlainBody(request))
    );
  };
}

function openExchange(request: IncomingMessage, state: Exchange['state']): Exchange {
  const { url = '' } = request;
  const end = url.indexOf('?');
  const [path, query] = end === -1 ? [url, ''] : [url.slice(0, end), url.slice(end + 1)];
  return { request, path, query, state, headers: {} };
}

const fixedHeaders = Object.entries({ ...defaultHeaders, ...corsHeaders }).flat();

/** Names and values in turn, in the order in which Koa's middleware sets them. */
function send(response: ServerResponse, { state, headers }: Exchange, { status, body }: Reply): void {
  const sent = ['X-Request-Id', state.requestId, ...fixedHeaders];
  for (const name in headers) sent.push(name, headers[name] ?? '');
  if (status === 200) {
    sent.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(body)));
  }
  response.writeHead(status, sent);
  endWithTurn(response, body);
}
