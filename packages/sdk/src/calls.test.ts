import { routesByName } from '@linnet/contract/routes';
import { callNameOf } from '@linnet/contract/call-name';
import type { showMedia } from '@linnet/contract/routes/media';
import type { Route } from '@linnet/contract/route';
import type { createPost, listPosts } from '@linnet/contract/routes/post';
import type { showUser } from '@linnet/contract/routes/users';
import type { createComment } from '@linnet/contract/routes/comment';
import { describe, expect, expectTypeOf, test } from 'vitest';

import { createLinnet } from './application.ts';
import { isApiError } from './errors.ts';
import type {
  CommentsCreateResponse,
  CommentsCreateParameters,
  MediaShowResponse,
  Post,
  PostsCreateParameters,
  PostsListResponse,
  PostsListParameters,
  ShownAccount,
} from './generated/calls.ts';

interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A service that returns `responses` one after the other, and then the last one forever. */
function serviceOf(...responses: readonly (() => Response)[]) {
  const sent: Sent[] = [];
  const linnet = createLinnet({
    issuer: 'https://linnet.example',
    token: (refused) => (refused === undefined ? 'first' : 'second'),
    fetch: async (url, { method = '', headers, body } = {}) => {
      sent.push({ method, url: new URL(url instanceof Request ? url.url : url), headers: new Headers(headers), body });
      const response = responses[Math.min(sent.length, responses.length) - 1];
      return await Promise.resolve(response?.() ?? Response.json({}));
    },
  });
  return { linnet, sent };
}

const byRow = Object.entries(routesByName);
type Method = (parameters: object) => Promise<unknown>;

/** The method of a row, looked up without types. */
function methodOf(linnet: object, route: Route): Method {
  const [noun, verb] = callNameOf(route);
  return Reflect.get(Object(Reflect.get(linnet, noun)), verb);
}

describe.each(byRow)('%s', (_name, route) => {
  test('has a method that sends the request of the row', async () => {
    const { linnet, sent } = serviceOf();
    await methodOf(linnet, route)({ id: 7, absent: undefined });
    const [call] = sent;
    expect(route.methods).toContain(call?.method);
    expect(call?.url.href.split('?')[0]).toBe(`https://linnet.example/api/v2.0${route.path}`);
    expect([call?.headers.get('authorization'), call?.headers.get('accept')]).toEqual([
      'Bearer first',
      'application/json',
    ]);
    expect(call?.headers.has('idempotency-key')).toBe(route.writes);
    const given = call?.method === 'GET' ? Object.fromEntries(call.url.searchParams) : JSON.parse(String(call?.body));
    expect(String(given.id)).toBe('7');
    expect(given).not.toHaveProperty('absent');
  });
});

test('has as many methods as there are rows', () => {
  const methods = Object.values(serviceOf().linnet).flatMap((noun) => Object.keys(noun));
  expect(methods).toHaveLength(byRow.length);
});

test('adds parameters that have only one value', async () => {
  const { linnet, sent } = serviceOf();
  await linnet.likes.add({ item_id: 7 });
  expect(JSON.parse(String(sent[0]?.body))).toEqual({ type: 'post', item_id: 7 });
});

test('takes one or two required parameters in order, ids as text, and the options after them', async () => {
  const { linnet, sent } = serviceOf();
  await linnet.comments.create(7, 'Yes', { idempotencyKey: 'mine' });
  await linnet.comments.create('7', 'No');
  await linnet.posts.create('Hello');
  await linnet.posts.lookup({ id: ['7', 8] });
  await linnet.users.followers('7');
  expect(sent[0]?.headers.get('idempotency-key')).toBe('mine');
  expect(sent.slice(0, 3).map(({ body }) => JSON.parse(String(body)))).toEqual([
    { type: 'post', item_id: 7, text: 'Yes' },
    { type: 'post', item_id: '7', text: 'No' },
    { message: 'Hello' },
  ]);
  expect(sent.slice(3).map(({ url }) => url.search)).toEqual(['?id=7%2C8', '?id=7']);
});

test.each([
  ['posts.show', { items: { id: 7 } }, { id: 7 }],
  ['posts.create', { status: 'succeeded', message: 'The post was created.', items: { id: 7 } }, { id: 7 }],
  [
    'posts.create',
    { status: 'proposed', message: 'It waits.', id: 7 },
    { status: 'proposed', message: 'It waits.', id: 7 },
  ],
  ['media.upload', { status: 'succeeded', finally: { media_id: 7 } }, { media_id: 7 }],
  ['likes.isLiked', { response: { liked: 0 } }, { liked: 0 }],
  ['auth.isEmail', { response: 0 }, 0],
  ['likes.add', { count: 1 }, { count: 1 }],
  ['users.is', { response: { user: 1 }, exists: true }, { response: { user: 1 }, exists: true }],
  ['posts.delete', { status: 'succeeded', message: 'Gone.' }, { status: 'succeeded', message: 'Gone.' }],
])('%s returns what %j wraps', async (name, body, returned) => {
  const { linnet } = serviceOf(() => Response.json(body));
  const route = Object.values(routesByName).find((one) => callNameOf(one).join('.') === name);
  expect(route && (await methodOf(linnet, route)({}))).toEqual(returned);
});

/** The response of a row as a client reads it: read-only, without members that are undefined. */
type ResponseOf<R> = R extends Route<infer _Input, infer Response> ? Frozen<Response> : never;
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<Exclude<T[K], undefined>> } : T;
type NamesOf<R> = R extends Route<infer Input, infer _Response> ? keyof Input : never;

test('types agree with the contract', () => {
  expectTypeOf<Frozen<Post>>().toEqualTypeOf<ResponseOf<typeof createPost>['items']>();
  expectTypeOf<Frozen<PostsListResponse>>().toEqualTypeOf<ResponseOf<typeof listPosts>>();
  expectTypeOf<Frozen<ShownAccount>>().toEqualTypeOf<ResponseOf<typeof showUser>>();
  expectTypeOf<Frozen<MediaShowResponse>>().toEqualTypeOf<ResponseOf<typeof showMedia>>();
  expectTypeOf<Frozen<CommentsCreateResponse>>().toEqualTypeOf<ResponseOf<typeof createComment>>();
  expectTypeOf<keyof PostsCreateParameters>().toEqualTypeOf<NamesOf<typeof createPost>>();
  expectTypeOf<keyof CommentsCreateParameters | 'type'>().toEqualTypeOf<NamesOf<typeof createComment>>();
  expectTypeOf<keyof PostsListParameters>().toEqualTypeOf<NamesOf<typeof listPosts>>();
});

test('retries of a write send the same idempotency key', async () => {
  const { linnet, sent } = serviceOf(
    () => new Response('', { status: 503 }),
    () => Response.json({ count: 1 }),
  );
  expect(await linnet.follows.add({ id: 7 })).toEqual({ count: 1 });
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
  expect(keys).toEqual([keys[0], keys[0]]);
  await linnet.follows.add({ id: 7 });
  expect(sent[2]?.headers.get('idempotency-key')).not.toBe(keys[0]);
  await linnet.follows.add({ id: 7 }, { idempotencyKey: 'mine' });
  expect(sent[3]?.headers.get('idempotency-key')).toBe('mine');
});

test('replaces a rejected token once', async () => {
  const reject = () => Response.json({ code: 'invalid_token' }, { status: 401 });
  const { linnet, sent } = serviceOf(reject, () => Response.json({ count: 1 }));
  await linnet.follows.add({ id: 7 });
  expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer first', 'Bearer second']);
  const stubborn = serviceOf(reject);
  await expect(stubborn.linnet.follows.add({ id: 7 })).rejects.toMatchObject({ code: 'invalid_token', status: 401 });
  expect(stubborn.sent).toHaveLength(2);
});

test('an ApiError has the code, the parameters and the request id', async () => {
  const errors = [{ parameter: 'id', code: 'missing', detail: 'is required' }];
  const body = { code: 'invalid-parameter', title: 'T', detail: 'D', errors, request_id: 'r1' };
  const { linnet } = serviceOf(() => Response.json(body, { status: 400 }));
  const error: unknown = await linnet.follows.add({ id: 0 }).catch((rejection: unknown) => rejection);
  expect(isApiError(error, 'invalid-parameter')).toBe(true);
  expect(isApiError(error, 'not-found')).toBe(false);
  expect(error).toMatchObject({ status: 400, title: 'T', detail: 'D', errors, requestId: 'r1' });
});

test('a response that is not JSON is an unexpected-answer', async () => {
  const { linnet } = serviceOf(() => new Response('<h1>Welcome to our Wi-Fi</h1>'));
  await expect(linnet.users.show()).rejects.toMatchObject({ code: 'unexpected-answer', status: 200 });
});

describe('a list', () => {
  const page = (items: readonly number[], next?: string) => () =>
    Response.json({ items, ...(next === undefined ? {} : { next }) });

  test('sends no request before it is awaited, and then returns one page', async () => {
    const { linnet, sent } = serviceOf(page([1, 2], 'c2'));
    const list = linnet.posts.list({ user_id: 1, count: 2 });
    expect(sent).toEqual([]);
    expect(await list).toEqual({ items: [1, 2], next: 'c2' });
    expect(sent).toHaveLength(1);
  });

  test('follows the cursors to the end, and stops with the loop', async () => {
    const { linnet, sent } = serviceOf(page([1, 2], 'c2'), page([], 'c3'), page([3]));
    const seen: unknown[] = [];
    for await (const item of linnet.posts.list({ user_id: 1, count: 2 })) seen.push(item);
    expect(seen).toEqual([1, 2, 3]);
    expect(sent.map(({ url }) => url.searchParams.get('cursor'))).toEqual([null, 'c2', 'c3']);
    expect(sent.every(({ url }) => url.searchParams.get('count') === '2')).toBe(true);
    const short = serviceOf(page([1, 2], 'c2'));
    for await (const _item of short.linnet.posts.list({ user_id: 1 })) break;
    expect(short.sent).toHaveLength(1);
  });

  test('iterates over pages', async () => {
    const { linnet } = serviceOf(page([1], 'c2'), page([2]));
    const seen: unknown[] = [];
    for await (const one of linnet.users.followers({ id: 1 }).pages()) seen.push(one.items);
    expect(seen).toEqual([[1], [2]]);
  });
});
