import { once } from 'node:events';
import { request as sendRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';

import { routesByName } from '@linnet/contract/routes';
import type { Route } from '@linnet/contract/route';
import { serve } from '@linnet/service/http/http-server';
import type { RequestHandler, RunningServer } from '@linnet/service/http/http-server';
import { createLogger } from '@linnet/service/log/logger';
import { createRequestLog, requestLog } from '@linnet/service/http/request-log';
import Koa from 'koa';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { ApiError } from './api-error.ts';
import { answerDirectly } from './direct-path.ts';
import { createFailureDescription, errorResponse } from './error-response.ts';
import { createPipeline } from './pipeline.ts';
import { countRequests } from './request-count.ts';
import type { CountCall } from './request-count.ts';
import { createRouter } from './router.ts';
import type { Steps } from './steps.ts';

let server: RunningServer;
let baseUrl: string;
/** What the endpoint does after its effect. */
let outcome: () => string | Buffer;
let started = 0;
let effects = 0;
const counted: boolean[] = [];
const lines: string[] = [];

const steps: Steps = async ({ state, headers }, readParameters) => {
  state.clientId = 'client';
  started += 1;
  headers['RateLimit'] = 'seen';
  await readParameters();
  effects += 1;
  return { status: 200, body: outcome() };
};

beforeAll(async () => {
  const logger = createLogger({ level: 'info', pretty: false, destination: { write: (line) => lines.push(line) } });
  const countCall: CountCall = (_clientId, { status }) => void counted.push(status >= 400);
  const endpoints = Object.values(routesByName).map((route: Route) => ({ route, steps }));
  const app = new Koa();
  const requests = createRequestLog({ logger });
  app.use(requestLog(requests));
  app.use(countRequests(countCall));
  app.use(errorResponse(createFailureDescription('http://localhost', logger)));
  app.use(createRouter(endpoints, createPipeline('/nowhere')));
  const handle = app.callback();
  const complete: RequestHandler = (request, response) => void handle(request, response);
  const host = '127.0.0.1';
  let handler = complete;
  server = await serve({
    handler: (request, response) => handler(request, response),
    readiness: () => Promise.resolve([]),
    baseUrl: `http://${host}`,
    host,
    port: 0,
    logger,
  });
  // The origin is known once the server listens.
  baseUrl = `http://${host}:${String(server.port)}`;
  handler = answerDirectly({ endpoints, countCall, baseUrl, trustProxy: 0, requests }, complete);
});
afterAll(async () => await server.drain({ lingerMs: 0, finishMs: 0 }));
beforeEach(() => {
  started = 0;
  effects = 0;
  counted.length = 0;
  lines.length = 0;
});

async function create(): Promise<Response> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  return await fetch(`${baseUrl}/api/v2.0/post/create`, { method: 'POST', headers, body: '{"message":"x"}' });
}

test.each([
  ['an error of the endpoint', () => new ApiError('media-attached'), 409],
  ['a bug', () => new TypeError('canary'), 500],
])('a write that fails after its effect does not run again: %s', async (_what, createError, status) => {
  outcome = () => {
    throw createError();
  };
  const response = await create();
  expect([response.status, effects]).toEqual([status, 1]);
  expect(response.headers.get('ratelimit')).toBe('seen');
  expect(await response.json()).toMatchObject({ status, request_id: response.headers.get('x-request-id') });
  expect(counted).toEqual([true]);
  await expect.poll(() => lines.filter((line) => line.includes('"request"')).length).toBe(1);
});

test('a body that arrives in parts is read completely', async () => {
  outcome = () => '{}';
  const body = '{"message":"x"}';
  const headers = { accept: '*/*', 'content-type': 'application/json', 'content-length': body.length };
  const outgoing = sendRequest(`${baseUrl}/api/v2.0/post/create`, { method: 'POST', headers });
  outgoing.write(body.slice(0, 5));
  await expect.poll(() => started).toBe(1);
  outgoing.end(body.slice(5));
  const [response]: IncomingMessage[] = await once(outgoing, 'response');
  expect([response?.statusCode, effects, counted]).toEqual([200, 1, [false]]);
});

test('a client that disconnects before its body is complete gets no effect', async () => {
  const headers = { accept: '*/*', 'content-type': 'application/json', 'content-length': 15 };
  const outgoing = sendRequest(`${baseUrl}/api/v2.0/post/create`, { method: 'POST', headers });
  outgoing.on('error', () => undefined);
  outgoing.write('{"mes');
  await expect.poll(() => started).toBe(1);
  outgoing.destroy();
  await expect.poll(() => lines.filter((line) => line.includes('"status":499')).length).toBe(1);
  expect(effects).toBe(0);
});
