import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { statement } from '@linnet/db/statement/statement';
import { orderEvents } from '@linnet/social/event/event-store';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { openEvents } from '@linnet/test/api/event-client';
import type { EventClient } from '@linnet/test/api/event-client';
import { gather as gatherPeople, openStream, settle as settleStream } from '@linnet/test/api/event-listening';
import type { Opening, People } from '@linnet/test/api/event-listening';
import { setProtected } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { createProofKey } from '@linnet/test/api/proof-key';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;
beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const gather = async () => await gatherPeople(api);
const open = async (person: Pick<Person, 'id'>, opening?: Opening) => await openStream(api, person, opening);
const order = async () => await orderEvents(api.db);
const settle = async (client: EventClient, person: Person) => await settleStream(api, client, person);

/** What a stream of ada says while others act, without the marker. */
async function hear(people: People, act: () => Promise<unknown>, opening: Opening = {}): Promise<readonly string[]> {
  await order();
  using client = await open(people.ada, opening);
  await act();
  await settle(client, people.ada);
  const names = new Map(Object.entries(people).map(([name, { id }]) => [id, name]));
  const events = client.events.slice(0, -1).map(({ data }) => data);
  return events.map(({ type, streams, data }) => `${type} ${streams.join('+')} by ${names.get(data.actor_id) ?? '?'}`);
}

test('D141 own posts, the feed and notifications: each event once, in order, with ids', async () => {
  const people = await gather();
  const { ada, ben, cleo } = people;
  await ada.follows(ben);
  await setProtected(api, cleo, true);
  await ada.follows(cleo);
  const post = await ada.writes('first');
  await order();
  using client = await open(ada);
  await cleo.approves(ada);
  const own = await ada.writes('hello');
  await ben.writes('hi');
  await ben.likes(post);
  await cleo.reposts(post);
  const comment = await cleo.comments(post, `@${ben.username}`);
  await ben.writes(`@${ada.username}`);
  await ben.follows(ada);
  await settle(client, ada);
  expect(client.events.slice(0, -1).map(({ event, data: { streams } }) => `${event} ${streams.join('+')}`)).toEqual([
    'follow.created notifications',
    'post.created feed+posts',
    'post.created feed',
    'like.created notifications',
    'repost.created feed+notifications',
    'comment.created notifications',
    'mention.created notifications',
    'post.created feed',
    'follow.created notifications',
  ]);
  const [approved, written] = client.events;
  expect(approved?.data.data).toEqual({ user_id: ada.id, actor_id: ada.id, followed_id: cleo.id });
  expect(written?.data).toMatchObject({ type: 'post.created', timestamp: expect.stringMatching(/^20\d\d-.*Z$/) });
  expect(written?.data.data).toEqual({ user_id: ada.id, actor_id: ada.id, post_id: own });
  expect(client.events[5]?.data.data).toEqual({
    user_id: ada.id,
    actor_id: cleo.id,
    post_id: post,
    comment_id: comment,
  });
});

test('an edit is heard, and whom it mentions hears of that, however often the post is edited', async () => {
  const people = await gather();
  const { ada, ben } = people;
  const post = await ben.writes('first');
  const edit = async (message: string) => await ben.post('/post/edit', { id: post, message });
  await ada.follows(ben);
  expect((await edit('second')).status).toBe(200);
  const heard = await hear(people, async () => {
    await edit(`@${ada.username}`);
    await edit(`@${ada.username} again`);
  });
  expect(heard.toSorted()).toEqual([
    'mention.created notifications by ben',
    'post.edited feed by ben',
    'post.edited feed by ben',
  ]);
});

test('the response has headers for caches and proxies, and begins with a time to wait and an id', async () => {
  const { ada } = await gather();
  using client = await open(ada);
  await expect.poll(client.text).toMatch(/^retry: [1-5]\d{3}\n\n:\nid: \S+\n\n/);
  expect(client.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'access-control-allow-origin': '*',
  });
});

const hide = async ({ id }: Person, column: 'deletedAt' | 'suspendedAt') =>
  await api.db.prisma.account.update({ where: { id }, data: { [column]: new Date() } });

/** Who hears what: `before` happens before the stream opens, `act` while it is open, and all of it before anything is sent. */
const scenes: Readonly<
  Record<
    string,
    {
      readonly before?: (people: People) => Promise<unknown>;
      readonly act: (people: People, post: number) => Promise<unknown>;
      readonly says: readonly string[];
      readonly opening?: Opening;
    }
  >
> = {
  'strangers: only what concerns the account': {
    act: async ({ cleo }, post) => [await cleo.writes('alone'), await cleo.likes(post)],
    says: ['like.created notifications by cleo'],
  },
  'what was undone, except that it was': {
    act: async ({ ben, cleo }, post) => {
      await ben.post('/post/delete', { id: await ben.writes('gone') });
      await cleo.likes(post);
      await cleo.unlikes(post);
    },
    says: ['post.deleted feed by ben', 'like.deleted notifications by cleo'],
  },
  'a reply to a comment, and that it is gone': {
    act: async ({ ada, ben, cleo }) => {
      const post = await cleo.writes('hello');
      const parent_id = await ada.comments(post);
      const reply = async () => await ben.comments(post, 'hi', parent_id);
      await ben.post('/comment/delete', { id: await reply() });
      await reply();
    },
    says: ['comment.deleted notifications by ben', 'comment.created notifications by ben'],
  },
  'a mention that is gone with its comment or post, or by an edit': {
    act: async ({ ada, cleo }) => {
      const mention = `@${ada.username}`;
      const post = await cleo.writes('hello');
      await cleo.post('/comment/delete', { id: await cleo.comments(post, mention) });
      await cleo.post('/post/delete', { id: await cleo.writes(mention) });
      await cleo.post('/post/edit', { id: await cleo.writes(mention), message: 'nobody' });
    },
    says: ['comment.deleted', 'post.deleted', 'post.edited'].map((type) => `${type} notifications by cleo`),
  },
  'a mention that is gone and that the account could not see': {
    before: async ({ ben, cleo }) => [await ben.follows(cleo), await setProtected(api, cleo, true)],
    act: async ({ ada, ben, cleo }) => {
      const mention = `@${ada.username}`;
      const post = await cleo.writes('hello');
      await ben.post('/comment/delete', { id: await ben.comments(post, mention) });
      await cleo.post('/post/delete', { id: await cleo.writes(mention) });
      await cleo.post('/post/edit', { id: await cleo.writes(mention), message: 'nobody' });
    },
    says: [],
  },
  'a mention that is gone while mentions are switched off': {
    before: async ({ ada }) => await ada.post('/notifications/preferences/update', { mention: 0 }),
    act: async ({ ada, cleo }, post) => {
      const mention = `@${ada.username}`;
      await cleo.post('/post/delete', { id: await cleo.writes(mention) });
      // It was a reply as well.
      await cleo.post('/comment/delete', { id: await cleo.comments(post, mention) });
    },
    says: ['comment.deleted notifications by cleo'],
  },
  'somebody muted, also in reposts': {
    before: async ({ ada, cleo }) => await ada.post('/mutes/add', { id: cleo.id }),
    act: async ({ ada, ben, cleo }, post) => [
      await cleo.likes(post),
      await ben.reposts(await cleo.writes(`@${ada.username}`)),
    ],
    says: [],
  },
  'somebody blocked since': {
    act: async ({ ada, cleo }, post) => [await cleo.likes(post), await ada.post('/blocks/add', { id: cleo.id })],
    says: [],
  },
  'somebody who blocked the account since': {
    act: async ({ ada, ben, cleo }, post) => {
      await cleo.comments(post);
      await ben.reposts(await cleo.writes('behind a block'));
      await cleo.post('/blocks/add', { id: ada.id });
    },
    says: [],
  },
  'an account that is protected since, by a repost and a mention': {
    act: async ({ ada, ben, cleo }) => {
      await ben.reposts(await cleo.writes(`@${ada.username}`));
      await setProtected(api, cleo, true);
    },
    says: [],
  },
  'a deleted and a suspended account': {
    act: async ({ ben, cleo }, post) => [
      await Promise.all([cleo.likes(post), ben.likes(post), cleo.writes('last'), ben.writes('last')]),
      await hide(cleo, 'deletedAt'),
      await hide(ben, 'suspendedAt'),
    ],
    says: [],
  },
  'an account that is not followed any more': {
    act: async ({ ada, ben }) => [await ben.writes('too late'), await ada.unfollows(ben)],
    says: [],
  },
  'kinds of notifications that are switched off': {
    before: async ({ ada }) => await ada.post('/notifications/preferences/update', { repost: 0, like: 0 }),
    act: async ({ ben, cleo }, post) => [await cleo.likes(post), await ben.reposts(post)],
    says: ['repost.created feed by ben'],
  },
  'follows without the scope': {
    act: async ({ ada, cleo }) => await cleo.follows(ada),
    says: [],
    opening: { claims: { scope: 'posts:read' } },
  },
  'follows with the scope': {
    act: async ({ ada, cleo }) => [await cleo.follows(ada), await cleo.unfollows(ada)],
    says: ['follow.deleted notifications by cleo'],
    opening: { claims: { scope: 'posts:read users:read' } },
  },
  'only the streams that were asked for': {
    act: async ({ ada, ben, cleo }, post) => [await cleo.likes(post), await ben.writes('hi'), await ada.writes('mine')],
    says: ['post.created posts by ada'],
    opening: { query: '?streams=posts' },
  },
};

test.each(Object.entries(scenes))('%s', async (_name, { before, act, says, opening }) => {
  const people = await gather();
  await people.ada.follows(people.ben);
  const post = await people.ada.writes('the post');
  await before?.(people);
  expect(await hear(people, async () => await act(people, post), opening)).toEqual(says);
});

const moveAway = statement<readonly [], never>(
  'test_other_event',
  `UPDATE event SET created_at = created_at - interval '1 second'`,
);

describe('a client that comes back', () => {
  const idsOf = ({ events }: EventClient) => events.map(({ data }) => data.data.post_id);

  test('continues after its last id, by header or parameter, and gets the rest once', async () => {
    const { ada } = await gather();
    await order();
    using first = await open(ada);
    await settle(first, ada);
    first[Symbol.dispose]();
    const missed = [await ada.writes('one'), await ada.writes('two')];
    await order();
    const lastId = first.lastId();
    using byHeader = await open(ada, { headers: { 'last-event-id': lastId }, query: '?last_event_id=nonsense' });
    using byParameter = await open(ada, { query: `?last_event_id=${lastId}` });
    for (const client of [byHeader, byParameter]) {
      await settle(client, ada);
      expect(idsOf(client).slice(0, 2)).toEqual(missed);
      expect(client.text()).not.toContain('reset');
    }
    expect(new Set(idsOf(byParameter)).size).toBe(4);
    expect(idsOf(byParameter)).toHaveLength(4);
  });

  test('gets each event once and in order, however often it is cut off while others write', async () => {
    const { ada, ben } = await gather();
    await ada.follows(ben);
    await order();
    const got: unknown[] = [];
    using listening = await open(ada);
    await expect.poll(listening.lastId).not.toBe('');
    let lastId = listening.lastId();
    const written: number[] = [];
    const write = async () => {
      for (let index = 0; index < 30; index += 1) written.push(await ben.writes(String(index)));
    };
    const keepOrdering = async () => {
      while (written.length < 30) await order();
      await order();
    };
    const read = async () => {
      while (got.length < 30) {
        using client = await open(ada, { headers: { 'last-event-id': lastId } });
        await expect.poll(() => client.events.length, { interval: 5 }).toBeGreaterThan(0);
        const events = client.events.slice(0, 1 + (got.length % 3));
        got.push(...events.map(({ data }) => data.data.post_id));
        lastId = events.at(-1)?.id ?? '';
      }
    };
    await Promise.all([write(), keepOrdering(), read()]);
    expect(got).toEqual(written);
  });

  test.each([
    ['malformed', () => 'x y'],
    ['too large', () => 'zzzzzzzzzzz-1'],
    ['of an event that is not kept', () => '1-1'],
    ['of a quiet time that is over', () => `0-${(Date.now() - 90_000_000).toString(36)}`],
  ])('hears that something may be missing: an id that is %s', async (_name, id) => {
    const { ada } = await gather();
    await ada.writes('something');
    await order();
    using client = await open(ada, { headers: { 'last-event-id': id() } });
    await settle(client, ada);
    const [reset, ...rest] = client.events;
    expect(reset).toMatchObject({ event: 'reset', data: { type: 'reset', data: { user_id: ada.id } } });
    expect(rest).toHaveLength(1);
  });

  test('after a restore, an id of another event at the same position is unknown; open streams hear of it, too', async () => {
    const { ada } = await gather();
    await order();
    using client = await open(ada);
    await settle(client, ada);
    await api.db.query(moveAway, []);
    await expect.poll(() => client.events.at(-1)?.event).toBe('reset');
    using away = await open(ada, { headers: { 'last-event-id': client.events.at(-2)?.id ?? '' } });
    await settle(away, ada);
    expect(away.events[0]?.event).toBe('reset');
  });
});

const revokeSql = 'SELECT revoke_tokens($1::revocation_kind, $2, NULL)';
const revoke = statement<readonly [kind: string, id: string], never>('test_revoke_stream', revokeSql);

const lockEvents = statement<readonly [], never>('test_lock_events', 'LOCK TABLE event IN ACCESS EXCLUSIVE MODE');
const findWaiting = statement<readonly [], { readonly pid: number }>(
  'test_waiting_streams',
  `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'FROM event ORDER BY position DESC'`,
);

describe('a stream ends', () => {
  test.each(['account', 'client', 'grant', 'chain', 'token'] as const)(
    'when its %s is revoked; others stay',
    async (kind) => {
      const { ada, ben } = await gather();
      const id = String(ada.id);
      const ids = {
        account: id,
        client: `client-of-${id}`,
        grant: `grant ${id}`,
        chain: `chain ${id}`,
        token: `token ${id}`,
      };
      const claims = { client_id: ids.client, gid: ids.grant, ch: ids.chain, jti: ids.token };
      using client = await open(ada, { claims });
      using other = await open(ben);
      await api.db.query(revoke, [kind, ids[kind]]);
      await expect.poll(client.isEnded).toBe(true);
      expect(other.isEnded()).toBe(false);
    },
  );

  test('when its token is revoked while it opens', async () => {
    const { ada } = await gather();
    const claims = { jti: `token ${String(ada.id)}` };
    let opening: Promise<EventClient> | undefined;
    // The request is admitted, then waits to read where the events are.
    await api.db.transaction(async (tx) => {
      await tx.query(lockEvents, []);
      opening = open(ada, { claims });
      await expect.poll(() => api.db.query(findWaiting, [])).toHaveLength(1);
      await api.db.query(revoke, ['token', claims.jti]);
      const use = async () => (await api.call('GET /users/show', { claims: { acct: ada.id, ...claims } })).status;
      await expect.poll(use).toBe(401);
    });
    using client = (await opening) ?? (await open(ada));
    await expect.poll(client.isEnded).toBe(true);
  });

  test('when its token expires', async () => {
    const { ada } = await gather();
    using client = await open(ada, { claims: { exp: Math.floor(Date.now() / 1000) - 3 } });
    expect(client.status).toBe(200);
    await expect.poll(client.isEnded).toBe(true);
  });

  test('when the process stops: the client connects again, after a random time', async () => {
    const { ada } = await gather();
    await using stopping = await startApi(database.url, { signer: api.signer });
    using client = await open(ada, { from: stopping });
    stopping.app.startDrain();
    await expect.poll(client.isEnded).toBe(true);
    expect(client.text()).toMatch(/\nretry: [1-5]\d{3}\n\n$/);
    using late = await open(ada, { from: stopping });
    await expect.poll(late.isEnded).toBe(true);
    expect([late.status, late.text()]).toEqual([200, expect.stringMatching(/^retry: [1-5]\d{3}\n\n$/)]);
  });
});

async function problemOf(client: EventClient): Promise<readonly unknown[]> {
  await expect.poll(client.isEnded).toBe(true);
  return [client.status, client.text() === '' ? '' : JSON.parse(client.text()).code];
}

describe('what is refused', () => {
  test.each<readonly [string, Opening, readonly unknown[]]>([
    ['JSON', { headers: { accept: 'application/json' } }, [406, 'accept-required']],
    ['HEAD', { method: 'HEAD' }, [405, '']],
    ['POST', { method: 'POST' }, [405, 'method-not-allowed']],
    ['an unknown stream', { query: '?streams=feed,others' }, [400, 'invalid-parameter']],
    ['a repeated parameter', { query: '?streams=feed&streams=posts' }, [400, 'invalid-parameter']],
    ['a token without the scope', { claims: { scope: 'users' } }, [403, 'insufficient_scope']],
    ['a token of the application', { claims: { acct: undefined } }, [403, 'user-context-required']],
    ['a token that has expired', { claims: { exp: 1 } }, [401, 'invalid_token']],
    ['a bound token without its proof', { claims: { cnf: { jkt: 'x' } } }, [401, 'invalid_token']],
  ])('%s', async (_name, opening, problem) => {
    const { ada } = await gather();
    using client = await open(ada, opening);
    expect(await problemOf(client)).toEqual(problem);
  });

  test('an eleventh stream of a person in an application; another application and a stream after one that ended are fine', async () => {
    const { ada } = await gather();
    using clients = new DisposableStack();
    for (let count = 0; count < 10; count += 1) expect(clients.use(await open(ada)).status).toBe(200);
    using refused = await open(ada);
    expect(await problemOf(refused)).toEqual([429, 'rate-limited']);
    expect(refused.headers['retry-after']).toBe('30');
    using elsewhere = await open(ada, { claims: { client_id: 'client-of-another' } });
    expect(elsewhere.status).toBe(200);
    clients.dispose();
    await expect
      .poll(async () => {
        using again = await open(ada);
        return again.status;
      })
      .toBe(200);
  });

  test('nothing that a page of another origin needs: the preflight allows Last-Event-ID', async () => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
    using client = await open({ id: 1 }, { method: 'OPTIONS', headers });
    expect([client.status, client.headers['access-control-allow-methods']]).toEqual([204, 'GET, OPTIONS']);
    expect(client.headers['access-control-allow-headers']).toContain('Last-Event-ID');
  });
});

test('a token that is bound to a key needs a proof when the stream opens', async () => {
  const { ada } = await gather();
  const key = await createProofKey();
  const token = await api.signer.sign({ acct: ada.id, cnf: { jkt: key.thumbprint } });
  const proof = await key.prove({ method: 'GET', url: 'https://linnet.example/api/v2.0/events', token });
  const headers = { host: 'linnet.example', accept: '*/*', authorization: `DPoP ${token}`, dpop: proof };
  const send = async () => await openEvents({ port: api.port, path: '/api/v2.0/events', headers });
  using client = await send();
  expect(client.status).toBe(200);
  using replay = await send();
  expect(replay.status).toBe(401);
});

test('has one line in the log, when it ends', async () => {
  const { ada } = await gather();
  await using stopping = await startApi(database.url, { signer: api.signer });
  const lines = () => stopping.log.map((line) => JSON.parse(line)).filter(({ path }) => path === '/api/v2.0/events');
  using client = await open(ada, { from: stopping });
  await expect.poll(client.lastId).not.toBe('');
  expect(lines()).toEqual([]);
  client[Symbol.dispose]();
  await expect.poll(lines).toHaveLength(1);
  expect(lines()[0]).toMatchObject({
    method: 'GET',
    status: 200,
    accountId: ada.id,
    id: client.headers['x-request-id'],
  });
});
