import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';

import { serve } from '../http/http-server.ts';
import type { RunningServer } from '../http/http-server.ts';
import { createLogger } from '../log/logger.ts';
import { createRequestLog } from '../http/request-log.ts';
import { startTracing } from './tracing.ts';
import type { Tracing } from './tracing.ts';
import { toTracing, tracingVariables } from '../config/observation-variables.ts';

const attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(attribute),
  status: z.object({ code: z.number().optional() }),
});
/** What OTLP/HTTP carries as JSON. */
const exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

const received: z.output<typeof exported>[] = [];
const lines: string[] = [];
const receiver = createServer((request, response) => {
  void json(request).then((body) => {
    received.push(exported.parse(body));
    response.end('{}');
  });
});
let tracing: Tracing;
let server: RunningServer;

/** The canaries are values that no span may contain. */
beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const port = Number(Reflect.get(Object(receiver.address()), 'port'));
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${String(port)}`, OTEL_RESOURCE_ATTRIBUTES: 'a=b' };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const settings = toTracing(z.object(tracingVariables).parse(env));
  if (settings === undefined) throw new Error('tracing is off');
  tracing = startTracing({ settings, service: 'linnet-test' });
  const logger = createLogger({ level: 'info', pretty: false, destination: { write: (line) => lines.push(line) } });
  const requests = createRequestLog({ logger, currentTraceId: tracing.currentTraceId });
  const handler = tracing.traceRequests((request, response) => {
    const state = requests.start(request, response);
    state.route = '/post/:id';
    void Promise.resolve().then(() => {
      tracing.startStatement('post_show')();
      tracing.startStatement('post_like')(new TypeError('canary-message'));
      response.statusCode = request.url === '/fail' ? 503 : 200;
      response.end(JSON.stringify(tracing.outgoingHeaders()));
    });
  }, requests);
  const readiness = async () => [];
  server = await serve({ handler, readiness, baseUrl: 'http://a', host: '127.0.0.1', port: 0, logger });
});
afterAll(async () => {
  await server.drain({ lingerMs: 0, finishMs: 0 });
  receiver.close();
});

async function get(path: string, headers: Record<string, string> = {}): Promise<{ readonly traceparent?: string }> {
  const response = await fetch(`http://127.0.0.1:${String(server.port)}${path}`, { headers });
  return (await response.json()) as { traceparent?: string }; // of the handler above
}

const traceId = '0af7651916cd43dd8448eb211c80319c';

test('spans of a request and its statements continue the trace of the client, with names and no values', async () => {
  const outgoing = await get('/post/canary-path?canary=query', {
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    authorization: 'Bearer canary-token',
  });
  await get('/fail', { traceparent: 'malformed' });
  tracing.startStatement('job_statement')();
  await vi.waitFor(() => expect(lines.filter((line) => line.includes('"request"'))).toHaveLength(2), 50_000);
  await tracing[Symbol.asyncDispose]();

  const spans = received.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
  const own = spans.filter((one) => one.traceId === traceId);
  const request = own.find(({ name }) => name === 'GET /post/:id');
  expect(request?.parentSpanId).toBe('b7ad6b7169203331');
  expect(own.map(({ name, parentSpanId, status }) => [name, parentSpanId, status.code])).toEqual([
    ['post_show', request?.spanId, 0],
    ['post_like', request?.spanId, 2],
    ['GET /post/:id', 'b7ad6b7169203331', 0],
  ]);
  expect(outgoing.traceparent).toBe(`00-${traceId}-${request?.spanId ?? ''}-01`);
  const log = lines.filter((line) => line.includes('"request"')).map((line) => JSON.parse(line));
  expect(log[0].traceId).toBe(traceId);
  expect(request?.attributes).toContainEqual({ key: 'linnet.request_id', value: { stringValue: log[0].id } });
  // A malformed header starts a new trace, and so does none.
  expect(log[1].traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(spans.filter((one) => one.traceId === log[1].traceId).map(({ status }) => status.code)).toEqual([0, 2, 2]);
  expect(spans.map(({ name }) => name)).not.toContain('job_statement');
  expect(JSON.stringify(received)).not.toContain('canary');
  expect(received[0]?.resourceSpans[0]?.resource.attributes).toEqual(
    expect.arrayContaining([
      { key: 'service.name', value: { stringValue: 'linnet-test' } },
      { key: 'a', value: { stringValue: 'b' } },
    ]),
  );
});

test.each([
  [{}],
  [{ OTEL_TRACES_SAMPLER: 'always_on' }],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', OTEL_SDK_DISABLED: 'true' }],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', OTEL_TRACES_EXPORTER: 'none' }],
])('traces are off with %j', (env) => {
  expect(toTracing(z.object(tracingVariables).parse(env))).toBeUndefined();
});
