/**
 * Spans of requests and of their statements, sent over OTLP/HTTP. Imported only if OTEL_EXPORTER_OTLP_ENDPOINT is set, because
 * it loads the packages of OpenTelemetry. A span has names, never values: no paths, queries, parameters or messages of errors.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { hostname } from 'node:os';

import { ROOT_CONTEXT, defaultTextMapGetter, defaultTextMapSetter, trace } from '@opentelemetry/api';
import type { Context } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

import type { RequestHandler } from '../http-server.ts';
import type { RequestLog } from '../request-log.ts';
import { version } from '../version.ts';
import { createSampler } from './sampler.ts';
import { endRequestSpan, startRequestSpan, startStatementSpan, startStoreSpan } from './spans.ts';
import type { TracingSettings } from './tracing-variables.ts';

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
