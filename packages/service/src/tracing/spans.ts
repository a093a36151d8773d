/** What spans contain: names, statuses and ids of requests. */
import type { IncomingMessage, ServerResponse } from 'node:http';

import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';

import type { RequestLog } from '../request-log.ts';

export function startRequestSpan(tracer: Tracer, { method = '' }: IncomingMessage, parent: Context): Span {
  return tracer.startSpan(method, { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } }, parent);
}

interface FinishedRequest {
  readonly request: IncomingMessage;
  readonly requests: Pick<RequestLog, 'find'>;
}

/** Call when the response is closed. */
export function endRequestSpan(span: Span, response: ServerResponse, { request, requests }: FinishedRequest): void {
  const { requestId, route, isStream = false } = requests.find(request) ?? {};
  if (route !== undefined) span.updateName(`${request.method ?? ''} ${route}`).setAttribute('http.route', route);
  // The log line and the response have the same id.
  if (requestId !== undefined) span.setAttribute('linnet.request_id', requestId);
  if (response.writableFinished || isStream) span.setAttribute('http.response.status_code', response.statusCode);
  else span.setAttribute('error.type', 'client_closed');
  if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

type EndSpan = (error?: unknown) => void;

/** The name of the statement, no text and no values. */
export function startStatementSpan(tracer: Tracer, name: string, parent: Context | undefined): EndSpan {
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
  return startClientSpan(tracer, { name, attributes }, parent);
}

/** The operation of the S3 protocol, no bucket and no key. */
export function startStoreSpan(tracer: Tracer, operation: string, parent: Context | undefined): EndSpan {
  return startClientSpan(tracer, { name: `media store ${operation}`, attributes: { 'rpc.system': 's3' } }, parent);
}

interface ClientSpan {
  readonly name: string;
  readonly attributes: Attributes;
}

function startClientSpan(tracer: Tracer, { name, attributes }: ClientSpan, parent: Context | undefined): EndSpan {
  if (parent === undefined) return () => undefined;
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
  return (error) => {
    if (error !== undefined) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
    }
    span.end();
  };
}
