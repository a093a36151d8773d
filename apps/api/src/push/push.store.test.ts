// Web Push: which notifications reach a browser, and when they stop.
import { randomBytes } from 'node:crypto';

import { createTestDatabase } from '@linnet/test/db/test-database';
import { proposePost } from '@linnet/test/api/endpoint-world';
import { registerThree, setProtected } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';
import { createBrowser, startPushService } from '@linnet/test/api/push-service';
import type { PushService } from '@linnet/test/api/push-service';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

const clientId = 'client-0123456789';
const cleanup = new AsyncDisposableStack();
let api: RunningApi;
let pushes: PushService;

beforeAll(async () => {
  pushes = cleanup.use(await startPushService());
  const { url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(url, { config: { mediaFetchAllow: [pushes.authority] } }));
  const [owner] = await registerThree(api);
  await api.db.prisma.application.create({ data: { ownerId: owner.id, clientId, name: 'App', type: 'public' } });
});
afterAll(() => cleanup.disposeAsync());

type Browser = ReturnType<typeof createBrowser>;

async function add(person: Person, claims: object = {}, changes: object = {}): Promise<Browser> {
  const browser = createBrowser(pushes);
  expect(await send(person, { ...browser.parameters, ...changes }, claims)).toMatchObject({ status: 200 });
  return browser;
}

const send = async (person: Person, parameters: object, claims: object = {}) =>
  await api.call('POST /notifications/push/add', {
    claims: { acct: person.id, scope: 'users posts', ...claims },
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(parameters),
  });

let names = 0;
const sql = async (text: string) => await api.db.query({ name: `push_test_${String((names += 1))}`, text }, []);
const countOf = async (person: Person) =>
  (await sql(`SELECT 1 FROM push_subscription WHERE account_id = ${String(person.id)}`)).length;

/** Runs jobs as the service does. */
async function run(...jobs: readonly string[]): Promise<void> {
  for (const name of jobs) await api.app.jobs.find((job) => job.name === name)?.run(new AbortController().signal);
}

/** What browsers receive of what happens in `act`. */
async function hear(act: () => Promise<unknown>): Promise<void> {
  await run('event-order', 'push');
  pushes.received.length = 0;
  await act();
  await run('event-order', 'push');
}

describe('D202 a browser receives', () => {
  /** What ben does, and the message to ada. */
  const cases: Readonly<Record<string, (ada: Person, ben: Person, post: number) => Promise<object>>> = {
    mention: async (ada, ben) => {
      const id = await ben.writes(`hello @${ada.username} ${'x'.repeat(250)}`);
      return { post_id: id, text: `hello @${ada.username} ${'x'.repeat(250)}`.slice(0, 200) };
    },
    reply: async (_ada, ben, post) => ({
      comment_id: await ben.comments(post, 'I agree'),
      post_id: post,
      text: 'I agree',
    }),
    quote: async (_ada, ben, post) => {
      const { body } = await ben.post('/post/create', { message: 'look', quote_id: post });
      return { post_id: body.items.id, text: 'look' };
    },
    like: async (_ada, ben, post) => ({ post_id: await ben.likes(post).then(() => post), text: 'my post' }),
    repost: async (_ada, ben, post) => ({ post_id: await ben.reposts(post).then(() => post), count: 1 }),
    follow: async (ada, ben) => ({ id: expect.any(Number), count: await ben.follows(ada).then(() => 1) }),
    follow_request: async (ada, ben) => {
      await setProtected(api, ada, true);
      await ben.follows(ada);
      return { user: { username: ben.username, displayName: expect.any(String), avatar: expect.any(String) } };
    },
    approved: async (ada, ben) => {
      await setProtected(api, ben, true);
      await ada.follows(ben);
      await ben.approves(ada);
      return { user: expect.objectContaining({ username: ben.username }) };
    },
    proposal: async (ada) => ({
      count: await proposePost(api, ada.id, 'from an agent').then(() => 1),
      text: 'from an agent',
    }),
  };

  test.each(Object.keys(cases))('%s, once, and nothing about it after it was read', async (type) => {
    const [ada, ben] = await registerThree(api);
    const post = await ada.writes('my post');
    const browser = await add(ada);
    let expected = {};
    await hear(async () => (expected = (await cases[type]?.(ada, ben, post)) ?? {}));
    expect(browser.messages()).toEqual([expect.objectContaining({ type, ...expected })]);
    const [{ headers } = { headers: {} }] = pushes.received;
    expect(headers).toMatchObject({
      ttl: '86400',
      'content-encoding': 'aes128gcm',
      topic: expect.stringMatching(/^[\w-]{1,32}$/),
    });
    await run('event-order', 'push');
    expect(pushes.received).toHaveLength(1);
  });

  test('the latest of a flood, and less in the same hour', async () => {
    const [ada, ben, cleo] = await registerThree(api);
    const browser = await add(ada);
    await hear(async () => {
      for (let count = 0; count < 5; count += 1) await ben.writes(`@${ada.username} ${String(count)}`);
    });
    expect(browser.messages().map(({ text }) => text.at(-1))).toEqual(['2', '3', '4']);
    await sql(`UPDATE push_subscription SET rounds = 60 WHERE account_id = ${String(ada.id)}`);
    await hear(async () => await cleo.writes(`@${ada.username}`));
    expect(pushes.received).toEqual([]);
    await sql(
      `UPDATE push_subscription SET rounds_since = now() - interval '61 minutes' WHERE account_id = ${String(ada.id)}`,
    );
    await hear(async () => await cleo.writes(`@${ada.username}`));
    expect(pushes.received).toHaveLength(1);
  });

  test('only what the token may read, and only the types that it asked for', async () => {
    const [ada, ben] = await registerThree(api);
    const post = await ada.writes('my post');
    const narrow = await add(ada, { scope: 'posts' });
    const mentions = await add(ada, {}, { types: 'mention' });
    const likes = await add(ada, {}, { types: 'like' });
    await hear(async () => {
      await ben.writes(`@${ada.username}, before three others`);
      await ben.follows(ada);
      await ben.likes(post);
      await ben.comments(post);
    });
    expect(new Set(narrow.messages().map(({ type }) => type))).toEqual(new Set(['mention', 'like', 'reply']));
    expect(mentions.messages()).toHaveLength(1);
    expect(likes.messages().map(({ type }) => type)).toEqual(['like']);
  });
});

describe('a browser receives nothing', () => {
  const cases: Readonly<Record<string, (ada: Person, ben: Person) => Promise<unknown>>> = {
    'of a muted account': async (ada, ben) => await ada.post('/mutes/add', { id: ben.id }),
    'of a blocked account': async (ada, ben) => await ada.post('/blocks/add', { id: ben.id }),
    'of a type that is off': async (ada) => await ada.post('/notifications/preferences/update', { like: false }),
    'after its end': async (ada) => await sql(`DELETE FROM push_subscription WHERE account_id = ${String(ada.id)}`),
    'of a suspended account': async (_ada, ben) =>
      await sql(`UPDATE account SET suspended_at = now() WHERE id = ${String(ben.id)}`),
  };

  test.each(Object.keys(cases))('%s', async (name) => {
    const [ada, ben, cleo] = await registerThree(api);
    const [post, other] = [await ada.writes('my post'), await cleo.writes('another')];
    await add(ada);
    await hear(async () => {
      await ben.likes(post);
      await ben.likes(other);
      await cases[name]?.(ada, ben);
    });
    expect(pushes.received).toEqual([]);
  });

  test('of what its person does, and of what was undone or read', async () => {
    const [ada, ben] = await registerThree(api);
    const post = await ada.writes('my post');
    await add(ada);
    await hear(async () => {
      await ada.comments(post, `@${ada.username}`);
      await ben.likes(post);
      await ben.unlikes(post);
      const [item] = (await ben.reposts(post).then(() => ada.get('/notifications'))).body.items;
      await ada.post('/notifications/read', { id: item.id });
    });
    expect(pushes.received).toEqual([]);
  });

  test('with a part of an emoji', async () => {
    const [ada, ben] = await registerThree(api);
    const browser = await add(ada);
    const family = '\u{1F469}\u200D\u{1F469}\u200D\u{1F467}';
    const start = `@${ada.username} `.padEnd(198, 'x');
    await hear(async () => await ben.writes(`${start}${family}${family}`));
    expect(browser.messages()).toEqual([expect.objectContaining({ text: start })]);
  });

  test('again, of what waits unread when something happens of which it hears nothing', async () => {
    const [ada, ben, cleo] = await registerThree(api);
    const post = await ada.writes('my post');
    const browser = await add(ada);
    await ada.post('/mutes/add', { id: cleo.id });
    await setProtected(api, ben, true);
    await hear(async () => {
      await ben.likes(post);
      await ben.comments(post, 'first');
      await ben.follows(ada);
      await ada.follows(ben);
      await ben.approves(ada);
    });
    expect(new Set(browser.messages().map(({ type }) => type))).toEqual(new Set(['follow', 'reply', 'approved']));
    await hear(async () => {
      await cleo.likes(post);
      await ada.comments(post, 'my own');
      await ada.follows(cleo);
    });
    expect(pushes.received).toEqual([]);
    const elsewhere = await cleo.writes('hello');
    await hear(async () => await ben.comments(elsewhere, `@${ada.username} one`));
    await hear(async () => await ben.comments(elsewhere, `@${ada.username} two`));
    expect(browser.messages().map(({ text }) => text)).toEqual([`@${ada.username} two`]);
    const rounds = await sql(`SELECT rounds FROM push_subscription WHERE account_id = ${String(ada.id)}`);
    expect(rounds, 'sent, not looked for').toEqual([{ rounds: 3 }]);
  });

  test('with the text that a word filter matches', async () => {
    const [ada, ben] = await registerThree(api);
    const post = await ada.writes('my post');
    await ada.post('/filters/add', { text: 'spoiler' });
    const browser = await add(ada);
    await hear(async () => await ben.comments(post, 'a spoiler'));
    expect(browser.messages()).toEqual([expect.not.objectContaining({ text: expect.anything() })]);
  });
});

describe('a subscription ends with', () => {
  const own = (person: Person) => `WHERE id = ${String(person.id)}`;
  /** What ends the access; `claims` of the token that added it. */
  const cases: Readonly<Record<string, (ada: Person, gid: string) => string>> = {
    'its application': (_ada, gid) => `DELETE FROM application WHERE client_id = '${gid}'`,
    'the revoked grant': (_ada, gid) => `UPDATE "grant" SET revoked_at = now() WHERE id = '${gid}'`,
    'the expired grant': (_ada, gid) => `UPDATE "grant" SET ends_at = now() WHERE id = '${gid}'`,
    'a narrower grant': (_ada, gid) => `UPDATE "grant" SET epoch = epoch + 1 WHERE id = '${gid}'`,
    'the chain': (_ada, gid) => `INSERT INTO ended_chain (id, grant_id) VALUES ('chain-${gid}', '${gid}')`,
    'all access to the account': (ada) => `UPDATE account SET epoch = epoch + 1 ${own(ada)}`,
    'a suspension': (ada) => `UPDATE account SET suspended_at = now() ${own(ada)}`,
    'a deletion': (ada) => `UPDATE account SET deleted_at = now() ${own(ada)}`,
    'the access of the application': (_ada, gid) =>
      `UPDATE application SET epoch = epoch + 1 WHERE client_id = '${gid}'`,
    'a pause of the application': (_ada, gid) => `UPDATE application SET paused_at = now() WHERE client_id = '${gid}'`,
    'a week of failures': (ada) =>
      `UPDATE push_subscription SET failing_since = now() - interval '8 days', retry_at = now() + interval '1 day' WHERE account_id = ${String(ada.id)}`,
  };

  test.each(Object.keys(cases))('%s', async (name) => {
    const [ada, ben] = await registerThree(api);
    const gid = randomBytes(10).toString('hex');
    await api.db.prisma.application.create({ data: { ownerId: ben.id, clientId: gid, name: 'App', type: 'public' } });
    await api.db.prisma.grant.create({ data: { id: gid, accountId: ada.id, clientId: gid, kind: 'consent' } });
    await add(ada, { client_id: gid, gid, ch: `chain-${gid}` });
    const post = await ada.writes('my post');
    await sql(cases[name]?.(ada, gid) ?? '');
    await hear(async () => await ben.likes(post));
    expect(pushes.received).toEqual([]);
    await run('old-push');
    expect(await countOf(ada)).toBe(0);
  });

  test('time', async () => {
    const [ada] = await registerThree(api);
    await add(ada);
    await sql(
      `UPDATE push_subscription SET renewed_at = now() - interval '91 days' WHERE account_id = ${String(ada.id)}`,
    );
    await run('old-push');
    expect(await countOf(ada)).toBe(0);
  });

  test.each([404, 410, 403])('a response of %i', async (status) => {
    const [ada, ben] = await registerThree(api);
    const { path } = await add(ada);
    pushes.statuses.set(path, status);
    await hear(async () => await ben.follows(ada));
    expect([pushes.received.length, await countOf(ada)]).toEqual([1, 0]);
  });

  test('its browser, and with another account in the same browser', async () => {
    const [ada, ben] = await registerThree(api);
    const { parameters } = await add(ada);
    expect(await ben.post('/notifications/push/delete', { endpoint: parameters.endpoint })).toMatchObject({
      status: 200,
    });
    expect(await countOf(ada)).toBe(1);
    await send(ben, parameters);
    expect([await countOf(ada), await countOf(ben)]).toEqual([0, 1]);
    const { body } = await ben.post('/notifications/push/delete', { endpoint: parameters.endpoint });
    expect([body, await countOf(ben)]).toEqual([{ response: { subscribed: 0 } }, 0]);
  });
});

test('after a failure nothing is sent for as long as the push service asks, then again', async () => {
  const [ada, ben, cleo] = await registerThree(api);
  const { path, messages } = await add(ada);
  pushes.statuses.set(path, 503);
  await hear(async () => await ben.follows(ada));
  expect(pushes.received).toHaveLength(1);
  const [row] =
    await sql(`SELECT retry_at - now() BETWEEN '110 seconds' AND '121 seconds' AS waits, failing_since IS NULL AS works
    FROM push_subscription WHERE account_id = ${String(ada.id)}`);
  expect(row).toEqual({ waits: true, works: false });
  pushes.statuses.delete(path);
  await hear(async () => await cleo.follows(ada));
  expect(pushes.received).toEqual([]);
  await sql(`UPDATE push_subscription SET retry_at = now() WHERE account_id = ${String(ada.id)}`);
  await hear(async () => await ada.writes('x').then(async (post) => await cleo.likes(post)));
  expect(messages()).toHaveLength(1);
  expect(await sql(`SELECT failing_since FROM push_subscription WHERE account_id = ${String(ada.id)}`)).toEqual([
    { failing_since: null },
  ]);
});

test('a push service that does not respond delays no one else, and no stop', async () => {
  const [ada, ben, cleo] = await registerThree(api);
  const [slow, other] = [await add(ada), await add(ben)];
  pushes.statuses.set(slow.path, 0);
  const stop = new AbortController();
  await run('event-order', 'push');
  pushes.received.length = 0;
  await cleo.follows(ada);
  await run('event-order');
  const running = api.app.jobs.find(({ name }) => name === 'push')?.run(stop.signal);
  await expect.poll(() => pushes.received.map(({ path }) => path)).toEqual([slow.path]);
  await cleo.follows(ben);
  await run('event-order');
  await expect.poll(other.messages).toHaveLength(1);
  stop.abort();
  await running;
  const waits = await sql(`SELECT failing_since FROM push_subscription WHERE account_id = ${String(ada.id)}`);
  expect(waits).toEqual([{ failing_since: null }]);
});

test('an account has at most 20, and keeps the newest', async () => {
  const [ada] = await registerThree(api);
  const browsers: Browser[] = [];
  for (let count = 0; count < 22; count += 1) browsers.push(await add(ada));
  const kept = await sql(
    `SELECT endpoint FROM push_subscription WHERE account_id = ${String(ada.id)} ORDER BY renewed_at`,
  );
  expect(kept).toEqual(browsers.slice(2).map(({ parameters: { endpoint } }) => ({ endpoint })));
});

test.each([
  ['endpoint', 'http://push.example/a'],
  ['endpoint', 'ftp://push.example/a'],
  ['endpoint', 'https://push.example:8443/a'],
  ['endpoint', 'https://user@push.example/'],
  ['endpoint', `https://push.example/${'a'.repeat(2048)}`],
  ['p256dh', 'B'.repeat(87)],
  ['p256dh', 'abc'],
  ['auth', 'abc'],
  ['types', 'nothing'],
])('a bad %s (%s) is refused, and nothing is stored', async (parameter, value) => {
  const [ada] = await registerThree(api);
  const { status, body } = await send(ada, { ...createBrowser(pushes).parameters, [parameter]: value });
  expect([status, body.errors?.[0]?.parameter, await countOf(ada)]).toEqual([400, parameter, 0]);
});

test('the key is the same for everybody, and a point of the curve', async () => {
  const [ada, ben] = await registerThree(api);
  const { key } = (await ada.get('/notifications/push')).body;
  expect(Buffer.from(key, 'base64url')).toHaveLength(65);
  expect((await ben.get('/notifications/push')).body).toEqual({ key });
});
