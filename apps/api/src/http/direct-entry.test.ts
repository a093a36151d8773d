import { once } from 'node:events';
import { request as sendRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';

import { routesByName } from '@linnet/contract/routes';
import type { Route } from '@linnet/contract/route';
import { openDatabase } from '@linnet/db/database';
import { serve } from '@linnet/service/http/http-server';
import type { RequestHandler, RunningServer } from '@linnet/service/http/http-server';
import { createLogger } from '@linnet/service/log/logger';
import { createRequestLog, requestLog } from '@linnet/service/http/request-log';
import Koa from 'koa';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { ApiError } from './api-error.ts';
import type { Authentication } from './authentication.ts';
import { createCall } from './call.ts';
import type { Caller } from './caller.ts';
import { answerDirectly } from './direct-entry.ts';
import type { Endpoint } from './endpoint.ts';
import { answerErrors, createKoaEntry } from './koa-entry.ts';
import { createFaultLog, createToProblem } from './problem.ts';
import { unlimited } from './rate-limit.ts';
import type { RateLimits } from './rate-limit.ts';
import type { CountCall } from './request-count.ts';
import { countRequests } from './request-count.ts';
import { createRouter } from './router.ts';

let server: RunningServer;
let baseUrl: string;
/** What the handler does after its effect. */
let outcome: () => unknown;
/** A header of every response. */
let limitHeader: string;
let started = 0;
let effects = 0;
const counted: boolean[] = [];
const lines: string[] = [];

const caller: Caller = {
  clientId: 'client',
  scopes: new Set(),
  accountId: 1,
  grantId: undefined,
  hasConsent: false,
  isIdentified: false,
  boundTo: undefined,
  token: { kid: 'key', jti: 'token', client_id: 'client', ce: 0, ge: 0, ae: 0 },
  expiresAt: 0,
};
const auth: Authentication = {
  authenticate: () => {
    started += 1;
    return caller;
  },
  requireScope: () => undefined,
};
const limits: RateLimits = {
  ...unlimited,
  countRequest: ({ headers }) => {
    headers['RateLimit'] = limitHeader;
    return undefined;
  },
};

function toEndpoint(route: Route): Endpoint {
  const work = () => {
    effects += 1;
    return Promise.resolve().then(outcome);
  };
  return { route, isSlow: false, prepare: () => work };
}

beforeAll(async () => {
  const logger = createLogger({ level: 'info', pretty: false, destination: { write: (line) => lines.push(line) } });
  const countCall: CountCall = (_clientId, { status }) => void counted.push(status >= 400);
  const db = openDatabase({ url: 'postgresql://nobody@127.0.0.1:9/none', poolSize: 1, prepare: true });
  const toProblem = createToProblem('http://localhost', logger);
  const parts = { auth, db, limits, baseUrl: 'http://localhost', writerOf: () => JSON.stringify, toProblem };
  const calls = Object.values(routesByName).map((route: Route) => createCall(parts)(toEndpoint(route)));
  const app = new Koa();
  const requests = createRequestLog({ logger });
  app.use(requestLog(requests));
  app.use(countRequests(countCall));
  app.use(answerErrors(toProblem));
  app.use(createRouter(calls, createKoaEntry('/nowhere')));
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
  const onFault = createFaultLog(logger);
  handler = answerDirectly({ calls, countCall, baseUrl, trustProxy: 0, requests, onFault }, complete);
});
afterAll(async () => await server.drain({ lingerMs: 0, finishMs: 0 }));
beforeEach(() => {
  started = 0;
  effects = 0;
  counted.length = 0;
  lines.length = 0;
  limitHeader = 'seen';
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

test('a response that cannot be sent ends the connection, and nothing else', async () => {
  outcome = () => ({});
  limitHeader = 'two\nlines';
  await expect(create()).rejects.toThrow('fetch failed');
  expect([effects, lines.filter((line) => line.includes('response failed')).length]).toEqual([1, 1]);
  limitHeader = 'seen';
  expect((await create()).status).toBe(200);
});

test('a body that arrives in parts is read completely', async () => {
  outcome = () => ({});
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
