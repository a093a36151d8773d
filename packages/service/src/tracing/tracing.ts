/**
 * Spans of requests and of their statements, sent over OTLP/HTTP. Imported only if OTEL_EXPORTER_OTLP_ENDPOINT is set, because
 * it loads the packages of OpenTelemetry. A span has names, never values: no paths, queries, parameters or messages of errors.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname } from 'node:os';

import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  defaultTextMapGetter,
  defaultTextMapSetter,
  trace,
} from '@opentelemetry/api';
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Sampler } from '@opentelemetry/sdk-trace';

import type { TracingSettings } from '../config/observation-variables.ts';
import { version } from '../config/version.ts';
import type { RequestHandler } from '../http/http-server.ts';
import type { RequestLog } from '../http/request-log.ts';

/** Disposal sends what has not been sent yet. */
export interface Tracing extends AsyncDisposable {
  /** Puts a span around each request. `requests` names its route. */
  readonly traceRequests: (handler: RequestHandler, requests: Pick<RequestLog, 'find'>) => RequestHandler;
  /** The trace of the current request. */
  readonly currentTraceId: () => string | undefined;
  /** Starts the span of a statement, if it belongs to a request. Returns what ends it. */
  readonly startStatement: (name: string) => (error?: unknown) => void;
  /** Likewise for a request to the bucket of media. */
  readonly startStoreRequest: (operation: string) => (error?: unknown) => void;
  /** Headers for a request to another server of the service (W3C Trace Context). */
  readonly outgoingHeaders: () => Readonly<Record<string, string>>;
}

interface TracingOptions {
  readonly settings: TracingSettings;
  /** The default of OTEL_SERVICE_NAME. */
  readonly service: string;
}

export function startTracing({ settings, service }: TracingOptions): Tracing {
  const own = { 'service.name': service, 'service.version': version, 'host.name': hostname() };
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(own))
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
    sampler: createSampler(settings),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: settings.scheduleDelayMs }),
    ],
  });
  const tracer = provider.getTracer('linnet', version);
  const contexts = new AsyncLocalStorage<Context>();
  const propagator = new W3CTraceContextPropagator();
  return {
    traceRequests: (handler, requests) => (request, response) => {
      const parent = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
      const span = startRequestSpan(tracer, request, parent);
      response.once('close', () => endRequestSpan(span, response, { request, requests }));
      contexts.run(trace.setSpan(parent, span), () => handler(request, response));
    },
    currentTraceId: () => {
      const context = contexts.getStore();
      return context === undefined ? undefined : trace.getSpanContext(context)?.traceId;
    },
    startStatement: (name) => startStatementSpan(tracer, name, contexts.getStore()),
    startStoreRequest: (operation) => startStoreSpan(tracer, operation, contexts.getStore()),
    outgoingHeaders: () => {
      const headers: Record<string, string> = {};
      const context = contexts.getStore();
      if (context !== undefined) propagator.inject(context, headers, defaultTextMapSetter);
      return headers;
    },
    [Symbol.asyncDispose]: async () => await provider.shutdown(),
  };
}

/** The sampler that OTEL_TRACES_SAMPLER names. */
function createSampler({ sampler, ratio }: Pick<TracingSettings, 'sampler' | 'ratio'>): Sampler {
  const name = sampler.replace('parentbased_', '');
  const root = createRootSampler(name, ratio);
  return name === sampler ? root : new ParentBasedSampler({ root });
}

function createRootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}

/** What spans contain: names, statuses and ids of requests. */
function startRequestSpan(tracer: Tracer, { method = '' }: IncomingMessage, parent: Context): Span {
  return tracer.startSpan(method, { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } }, parent);
}

interface FinishedRequest {
  readonly request: IncomingMessage;
  readonly requests: Pick<RequestLog, 'find'>;
}

/** Call when the response is closed. */
function endRequestSpan(span: Span, response: ServerResponse, { request, requests }: FinishedRequest): void {
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
function startStatementSpan(tracer: Tracer, name: string, parent: Context | undefined): EndSpan {
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
  return startClientSpan(tracer, { name, attributes }, parent);
}

/** The operation of the S3 protocol, no bucket and no key. */
function startStoreSpan(tracer: Tracer, operation: string, parent: Context | undefined): EndSpan {
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
