import type { IncomingMessage, ServerResponse } from 'node:http';

import { createHostCheck } from '@linnet/service/http/host-pin';
import type { RequestHandler } from '@linnet/service/http/http-server';
import type { RequestLog } from '@linnet/service/http/request-log';
import { endWithTurn } from '@linnet/service/http/direct-path';

import { hasPlainBody, readPlainBody } from './body.ts';
import type { BoundCall, Call } from './call.ts';
import type { Exchange } from './exchange.ts';
import { parseFormEncoded } from './parameters.ts';
import type { Reply } from './reply.ts';
import type { CountCall } from './request-count.ts';
import { corsHeaders, defaultHeaders } from './response-headers.ts';
import { apiPath } from './router.ts';

interface DirectEntryParts {
  readonly calls: readonly BoundCall[];
  readonly countCall: CountCall;
  readonly baseUrl: string;
  readonly trustProxy: number;
  readonly requests: RequestLog;
  /** Receives what cannot be sent. */
  readonly onFault: (error: unknown) => void;
}

/**
 * The entry of plain requests to endpoints, in front of Koa: they take the call without Koa's context and middleware, and get the
 * same response to the byte. Every other request goes to Koa (`complete`) untouched.
 */
export function answerDirectly(parts: DirectEntryParts, complete: RequestHandler): RequestHandler {
  const targets = createTargets(parts);
  const isPlain = createPlainCheck(parts);

  async function respond(target: Target, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { call, route, endpoint } = target;
    try {
      const exchange = openExchange(request, parts.requests.start(request, response));
      exchange.state.route = route;
      const reply = await call(exchange, () =>
        request.method === 'POST' ? readPlainBody(request) : parseFormEncoded(exchange.query),
      );
      send(response, exchange, reply);
      const { clientId, requestId } = exchange.state;
      if (clientId !== undefined) parts.countCall(clientId, { endpoint, status: reply.status, requestId });
    } catch (error) {
      // Nothing above this would handle it.
      parts.onFault(error);
      response.destroy();
    }
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
  readonly call: Call;
  /** For the metrics. */
  readonly route: string;
  /** With the method, for the usage of applications. */
  readonly endpoint: string;
}

function createTargets({ calls }: DirectEntryParts): ReadonlyMap<string, Target> {
  return new Map(
    calls.flatMap(({ route: { methods, path }, call }) => {
      const route = apiPath + path;
      return methods.map((method): [string, Target] => {
        const endpoint = `${method} ${route}`;
        return [endpoint, { call, route, endpoint }];
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
function createPlainCheck({ baseUrl, trustProxy }: DirectEntryParts): (request: IncomingMessage) => boolean {
  const isPinned = createHostCheck(baseUrl);
  return (request) => {
    const { headers, url = '', method } = request;
    return (
      plainUrl.test(url) &&
      plainAccept.test(headers.accept ?? '*/*') &&
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

/** Names and values in turn, in the order in which Koa's middleware and `koa-entry.ts` set them. */
function send(response: ServerResponse, { state, headers }: Exchange, reply: Reply): void {
  const { status, type, body } = reply;
  const sent = ['X-Request-Id', state.requestId, ...fixedHeaders];
  for (const name in headers) sent.push(name, headers[name] ?? '');
  if (reply.language !== undefined) sent.push('Content-Language', reply.language, 'Vary', 'Accept-Language');
  for (const name in reply.headers) sent.push(name, reply.headers[name] ?? '');
  if (type !== undefined) sent.push('Content-Type', type, 'Content-Length', String(Buffer.byteLength(body)));
  response.writeHead(status, sent);
  endWithTurn(response, body);
}
