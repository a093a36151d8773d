import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { createLinnet } from './application.ts';
import { createEventParser } from './event-parser.ts';
import type { EventOptions, LinnetEvent } from './events.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let answers: Answer[];
let requests: IncomingMessage[];
let issuer: string;
let cleanup: DisposableStack;

beforeEach(async () => {
  [answers, requests, cleanup] = [[], [], new DisposableStack()];
  const server = createServer((request, response) => {
    requests.push(request);
    const answer = answers.shift();
    if (answer === undefined) response.writeHead(403).end('{"code":"insufficient_scope"}');
    else answer(response, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  issuer = `http://127.0.0.1:${String(Object(server.address()).port)}`;
});
afterEach(() => cleanup.dispose());

const say = (id: string, type = 'post.created') =>
  `id: ${id}\nevent: ${type}\ndata: {"type":"${type}","timestamp":"2026-11-23T19:00:00.000Z","streams":["feed"],"data":{"user_id":1}}\n\n`;

/** A stream that says this and ends. */
const stream =
  (...pieces: readonly string[]): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) response.write(piece);
    response.end();
  };

const problem =
  (status: number, code: string, headers = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(JSON.stringify({ code }));

/** Collects events until the iteration ends; the last answer is a 403. */
async function collect(options: EventOptions = {}, token: string | (() => string) = 'token') {
  const events: LinnetEvent[] = [];
  const reading = async () => {
    for await (const event of createLinnet({ issuer, token }).events(options)) events.push(event);
  };
  const ended = await reading().then(
    () => 'done',
    (error: unknown) => String(Object(error).code),
  );
  return { ids: events.map(({ id }) => id), events, ended };
}

test('events have types and times; the iteration continues after its last id, when the service asks for it', async () => {
  answers = [
    stream('retry: 5\n\n:\nid: start\n\n'),
    stream('retry: 5\n\n', say('a'), say('b', 'reset')),
    stream('retry: 5\n\n', say('c')),
  ];
  const { ids, events, ended } = await collect({ streams: ['feed', 'posts'], lastEventId: 'before' });
  expect([ids, ended]).toEqual([['a', 'b', 'c'], 'insufficient_scope']);
  expect(requests.map(({ headers }) => headers['last-event-id'])).toEqual(['before', 'start', 'b', 'c']);
  expect(requests[0]?.url).toBe('/api/v2.0/events?streams=feed%2Cposts');
  expect(requests[0]?.headers).toMatchObject({ accept: 'text/event-stream', authorization: 'Bearer token' });
  expect(events[1]).toEqual({
    id: 'b',
    type: 'reset',
    timestamp: new Date('2026-11-23T19:00:00.000Z'),
    streams: ['feed'],
    data: { user_id: 1 },
  });
});

test('waits for Retry-After, and tries again after outages and cut connections', async () => {
  const cut: Answer = (response) => {
    response.writeHead(200).write(`retry: 5\n\n${say('a')}`);
    setImmediate(() => response.destroy());
  };
  answers = [
    problem(503, 'unavailable', { 'retry-after': '0' }),
    problem(500, 'internal-error', { 'retry-after': '0' }),
    cut,
  ];
  const { ids, ended } = await collect();
  expect([ids, ended, requests.length]).toEqual([['a'], 'insufficient_scope', 4]);
});

test('gets another token when the stream ends because of its token', async () => {
  answers = [stream('retry: 5\n\n', say('a')), problem(401, 'invalid_token'), stream('retry: 5\n\n', say('b'))];
  let count = 0;
  const { ids } = await collect({}, () => `token ${String((count += 1))}`);
  expect(ids).toEqual(['a', 'b']);
  expect(requests.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer token 1',
    'Bearer token 2',
    'Bearer token 3',
    'Bearer token 4',
  ]);
});

test('ends when it is aborted, or when the caller leaves the loop; both close the connection', async () => {
  const closed: Promise<unknown>[] = [];
  const open: Answer = (response) => {
    response.writeHead(200).write(say('a'));
    closed.push(once(response, 'close'));
  };
  answers = [open, open];
  const aborting = new AbortController();
  for await (const { id } of createLinnet({ issuer, token: 'x' }).events({ signal: aborting.signal })) {
    expect(id).toBe('a');
    aborting.abort();
  }
  for await (const { id } of createLinnet({ issuer, token: 'x' }).events()) {
    expect(id).toBe('a');
    break;
  }
  await Promise.all(closed);
  expect(closed).toHaveLength(2);
  expect((await collect({ signal: AbortSignal.abort() })).ended).toBe('done');
});

test('the parser reads every form of the standard, cut anywhere', () => {
  const text =
    ':comment\r\nid: 1\r\ndata: first\r\ndata:second\r\n\r\nevent\ndata\n\nretry: 70\nretry: x\nid: 2\n\ndata: 3\n\n';
  for (let cut = 0; cut <= text.length; cut += 1) {
    const parser = createEventParser();
    const events = [...parser.push(text.slice(0, cut)), ...parser.push(text.slice(cut))];
    expect(events).toEqual([
      { id: '1', data: 'first\nsecond' },
      { id: '2', data: '3' },
    ]);
    expect([parser.lastId, parser.retryMs]).toEqual(['2', 70]);
  }
});
