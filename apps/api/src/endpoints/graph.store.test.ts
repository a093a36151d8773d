import { findCounterMismatches } from '@linnet/test/db/counters';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { registerPerson, setProtected } from '@linnet/test/api/people';
import type { Person, Sent } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

/** Reposts, deletions and followers of protected accounts. */

let database: TestDatabase;
let api: RunningApi;
let ada: Person;
let ben: Person;
let cleo: Person;
let hidden: Person;
const counter = { value: 0 };

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  counter.value += 1;
  const named = async (name: string) => await registerPerson(api, `${name}_${String(counter.value)}`);
  [ada, ben, cleo, hidden] = [await named('ada_a'), await named('ben_b'), await named('cleo_c'), await named('hidden')];
  await setProtected(api, hidden, true);
});
afterEach(async () => {
  const mismatches = await findCounterMismatches(api.db);
  if (mismatches.length > 0) throw new Error(JSON.stringify(mismatches));
});

async function remove(person: Person): Promise<void> {
  await api.db.prisma.account.update({ where: { id: person.id }, data: { deletedAt: new Date() } });
}

const outcome = ({ status, body }: Sent) => [status, body.code ?? body];
const mark = (post: number) => `item_id=${String(post)}&type=post`;
const notFound = [404, 'not-found'];

async function followStatus(follower: Person, followed: Person) {
  return (await follower.get(`/follows/is_following?id=${String(followed.id)}`)).body.response;
}

describe('D15 reposts', () => {
  test('Details 2 reposting and undoing it are idempotent and return the exact count', async () => {
    const post = await ada.writes('to be reposted');
    const reposted = async () => (await ben.get(`/reposts/is_reposted?${mark(post)}`)).body;
    expect(await reposted()).toEqual({ response: { reposted: 0 } });
    expect(outcome(await ben.reposts(post))).toEqual([200, { count: 1 }]);
    expect(outcome(await ben.reposts(post))).toEqual([200, { count: 1 }]);
    expect(outcome(await ada.reposts(post))).toEqual([200, { count: 2 }]);
    expect(await reposted()).toEqual({ response: { reposted: 1 } });
    expect((await cleo.get(`/post/show?id=${String(post)}`)).body.items.action.reposts).toBe(2);
    expect(outcome(await ben.unreposts(post))).toEqual([200, { count: 1 }]);
    expect(outcome(await ben.unreposts(post))).toEqual([200, { count: 1 }]);
    expect(await reposted()).toEqual({ response: { reposted: 0 } });
  });

  test('on an unknown post: 404', async () => {
    expect(outcome(await ben.reposts(1))).toEqual(notFound);
    expect(outcome(await ben.unreposts(1))).toEqual(notFound);
    expect(outcome(await ben.get('/reposts/is_reposted?item_id=1&type=post'))).toEqual(notFound);
  });

  test('D25 a follower may repost a protected post; for a stranger it does not exist', async () => {
    const post = await hidden.writes('for followers');
    await ben.follows(hidden);
    expect(outcome(await ben.reposts(post))).toEqual(notFound);
    await hidden.approves(ben);
    expect(outcome(await ben.reposts(post))).toEqual([200, { count: 1 }]);
    expect(outcome(await cleo.reposts(post))).toEqual(notFound);
    expect(outcome(await hidden.reposts(post))).toEqual([200, { count: 2 }]);
  });
});

test('Details 1 likes, reposts and comments can be undone, once, after the post became invisible', async () => {
  const post = await hidden.writes('soon unseen');
  await ben.follows(hidden);
  await hidden.approves(ben);
  await Promise.all([ben.likes(post), ben.reposts(post), hidden.likes(post)]);
  const comment = await ben.comments(post);
  await hidden.post('/followers/delete', { id: ben.id });
  expect(outcome(await ben.get(`/likes/is_liked?${mark(post)}`))).toEqual(notFound);
  expect(outcome(await ben.likes(post))).toEqual(notFound);
  expect(outcome(await ben.unlikes(post))).toEqual([200, { count: 1 }]);
  expect(outcome(await ben.unlikes(post))).toEqual(notFound);
  expect(outcome(await ben.unreposts(post))).toEqual([200, { count: 0 }]);
  expect(outcome(await ben.unreposts(post))).toEqual(notFound);
  expect((await ben.post('/comment/delete', { id: comment })).status).toBe(200);
  expect(outcome(await ben.post('/comment/delete', { id: comment }))).toEqual(notFound);
});

describe('D21 deletions', () => {
  test('deletes a post with its comments, likes and reposts, and updates the counters', async () => {
    const [post, other] = [await ada.writes('to be deleted'), await ada.writes('to stay')];
    await Promise.all([ben.likes(post), ben.reposts(post), ben.comments(post), ben.likes(other)]);
    expect(outcome(await ada.post('/post/delete', { id: post }))).toEqual([
      200,
      { status: 'succeeded', message: 'The post was deleted.' },
    ]);
    const { prisma } = api.db;
    const rows = { where: { postId: post } };
    expect([
      await prisma.comment.count(rows),
      await prisma.postLike.count(rows),
      await prisma.repost.count(rows),
    ]).toEqual([0, 0, 0]);
    expect(outcome(await ada.get(`/post/show?id=${String(post)}`))).toEqual(notFound);
    expect(outcome(await ada.post('/post/delete', { id: post }))).toEqual(notFound);
    expect((await ada.get(`/users/show?id=${String(ada.id)}`)).body.action.posts).toBe(1);
    expect((await ben.get(`/users/favorites?id=${String(ben.id)}`)).body.total).toBe(1);
  });

  test('Details 1 the author of a comment deletes it, and so does the author of the post; each updates the counter', async () => {
    const post = await ada.writes('commented');
    const [first, second, third] = [await ben.comments(post), await cleo.comments(post), await cleo.comments(post)];
    const refused = await cleo.post('/comment/delete', { id: first });
    expect(outcome(refused)).toEqual([403, 'not-owner']);
    expect(refused.body.detail).toContain('the author of the post');
    expect((await ada.post('/comment/delete', { id: third })).status).toBe(200);
    expect(outcome(await cleo.post('/comment/delete', { id: third }))).toEqual(notFound);
    expect((await ben.post('/comment/delete', { id: String(first) })).status).toBe(200);
    const listed = (await ada.get(`/comment?${mark(post)}`)).body;
    expect([listed.total, listed.items.map(({ id }: { id: number }) => id)]).toEqual([1, [second]]);
    expect(outcome(await ben.post('/comment/delete', { id: first }))).toEqual(notFound);
  });

  test('Details 1 a record of another account: 403 if it is visible, otherwise 404', async () => {
    const [open, secret] = [await ada.writes('seen by all'), await hidden.writes('seen by followers')];
    const comment = await hidden.comments(secret);
    expect(outcome(await ben.post('/post/delete', { id: open }))).toEqual([403, 'not-owner']);
    expect(outcome(await ben.post('/post/delete', { id: secret }))).toEqual(notFound);
    expect(outcome(await ben.post('/comment/delete', { id: comment }))).toEqual(notFound);
    expect(outcome(await ben.post('/post/delete', { id: 1 }))).toEqual(notFound);
    expect(outcome(await ben.post('/comment/delete', { id: 1 }))).toEqual(notFound);
    await ben.follows(hidden);
    await hidden.approves(ben);
    expect(outcome(await ben.post('/post/delete', { id: secret }))).toEqual([403, 'not-owner']);
    expect(outcome(await ben.post('/comment/delete', { id: comment }))).toEqual([403, 'not-owner']);
  });
});

describe('D25 followers of a protected account', () => {
  const followers = async (count: number, requested: 0 | 1) => {
    expect(outcome(await ben.follows(hidden))).toEqual([200, { count, requested }]);
  };

  test('Details 2 repeated follow requests are one request, which can be approved', async () => {
    await followers(0, 1);
    await followers(0, 1);
    expect(await followStatus(ben, hidden)).toEqual({ following: 0, requested: 1 });
    expect(outcome(await hidden.approves(ben))).toEqual([200, { count: 1 }]);
    expect(outcome(await hidden.approves(ben))).toEqual([200, { count: 1 }]);
    expect(await followStatus(ben, hidden)).toEqual({ following: 1, requested: 0 });
    await followers(1, 0);
    expect((await ben.get(`/users/followers?id=${String(hidden.id)}`)).body.total).toBe(1);
    expect((await ben.get(`/users/show?id=${String(ben.id)}`)).body.action.following).toBe(1);
  });

  test('a request can be rejected, withdrawn and repeated', async () => {
    await followers(0, 1);
    expect(outcome(await hidden.post('/follows/requests/reject', { id: ben.id }))).toEqual([200, { count: 0 }]);
    expect(outcome(await hidden.post('/follows/requests/reject', { id: ben.id }))).toEqual([200, { count: 0 }]);
    expect(await followStatus(ben, hidden)).toEqual({ following: 0, requested: 0 });
    expect(outcome(await hidden.approves(ben))).toEqual(notFound);
    await followers(0, 1);
    expect(outcome(await ben.unfollows(hidden))).toEqual([200, { count: 0 }]);
    expect(await followStatus(ben, hidden)).toEqual({ following: 0, requested: 0 });
    expect(outcome(await hidden.approves(ben))).toEqual(notFound);
  });

  test('a removed follower may send another request; works for open accounts too', async () => {
    await followers(0, 1);
    await hidden.approves(ben);
    expect(outcome(await hidden.post('/followers/delete', { id: ben.id }))).toEqual([200, { count: 0 }]);
    expect(outcome(await hidden.post('/followers/delete', { id: ben.id }))).toEqual([200, { count: 0 }]);
    expect(await followStatus(ben, hidden)).toEqual({ following: 0, requested: 0 });
    await followers(0, 1);
    await Promise.all([ben.follows(ada), cleo.follows(ada)]);
    expect(outcome(await ada.post('/followers/delete', { id: ben.id }))).toEqual([200, { count: 1 }]);
  });

  test('D25 followers from before the protection stay approved', async () => {
    await ben.follows(ada);
    await setProtected(api, ada, true);
    expect(outcome(await ben.follows(ada))).toEqual([200, { count: 1, requested: 0 }]);
    expect(outcome(await cleo.follows(ada))).toEqual([200, { count: 1, requested: 1 }]);
  });

  test('requests become follows when the account is no longer protected', async () => {
    await Promise.all([ben.follows(hidden), cleo.follows(hidden)]);
    await setProtected(api, hidden, false);
    expect(await followStatus(ben, hidden)).toEqual({ following: 1, requested: 0 });
    expect(outcome(await ada.follows(hidden))).toEqual([200, { count: 3, requested: 0 }]);
  });

  test('more requests than fit into a batch become follows', async () => {
    const askers = 1100;
    await api.db.prisma.$executeRaw`
      INSERT INTO account (username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name)
      SELECT 'asker_' || n, 'asker_' || n, n || '@asker.example', n || '@asker.example', '-', 'A', 'B', 'A B'
      FROM generate_series(1, ${askers}) n`;
    await api.db.prisma.$executeRaw`
      INSERT INTO follow_request (follower_id, followed_id)
      SELECT id, ${hidden.id} FROM account WHERE email LIKE '%@asker.example'`;
    await setProtected(api, hidden, false);
    expect((await ada.get(`/users/show?id=${String(hidden.id)}`)).body.action.followers).toBe(askers);
    expect(await api.db.prisma.followRequest.count({ where: { followedId: hidden.id } })).toBe(0);
  });

  test('the own account: 400; an unknown account: 404', async () => {
    expect((await hidden.follows(hidden)).status).toBe(400);
    for (const path of ['/follows/requests/approve', '/follows/requests/reject', '/followers/delete']) {
      expect([path, ...outcome(await hidden.post(path, { id: 1 }))]).toEqual([path, ...notFound]);
    }
  });
});

test('a deleted account and its posts are invisible to everybody', async () => {
  const post = await ada.writes('from the grave');
  const comment = await ada.comments(await ben.writes('alive'));
  await ben.likes(post);
  await remove(ada);
  const responses = [
    await ben.follows(ada),
    await ben.unfollows(ada),
    await ben.get(`/follows/is_following?id=${String(ada.id)}`),
    await ben.approves(ada),
    await ben.post('/follows/requests/reject', { id: ada.id }),
    await ben.post('/followers/delete', { id: ada.id }),
    await ben.reposts(post),
    await cleo.likes(post),
    await cleo.unlikes(post),
    await ben.post('/comment/create', { item_id: post, type: 'post', text: 'x' }),
    await ben.post('/post/delete', { id: post }),
    await ben.post('/comment/delete', { id: comment }),
  ];
  expect(responses.map(outcome)).toEqual(responses.map(() => notFound));
  expect(outcome(await ben.unlikes(post))).toEqual([200, { count: 0 }]);
});

test('Details 4 a deleted account writes nothing with a token that is still accepted', async () => {
  const post = await ben.writes('written before');
  const attempts: [status: number, attempt: (gone: Person) => Promise<Sent>][] = [
    [404, async (gone) => await gone.likes(post)],
    [404, async (gone) => await gone.reposts(post)],
    [404, async (gone) => await gone.follows(ben)],
    [404, async (gone) => await gone.post('/comment/create', { item_id: post, type: 'post', text: 'x' })],
    [403, async (gone) => await gone.post('/post/create', { message: 'x' })],
  ];
  for (const [expected, attempt] of attempts) {
    const statuses: number[] = [];
    // The server may learn about a deletion before the request arrives: then another account tries.
    do {
      counter.value += 1;
      const gone = await registerPerson(api, `gone_${String(counter.value)}`);
      await remove(gone);
      statuses.push((await attempt(gone)).status);
    } while (statuses.at(-1) === 401 && statuses.length < 20);
    expect(statuses.at(-1)).toBe(expected);
  }
});

test('D25 D14 a mention of a protected account is visible to its approved followers', async () => {
  await ben.follows(hidden);
  await hidden.approves(ben);
  const mentioned = async (person: Person) =>
    (
      await person.post('/post/create', { message: `hello @${hidden.username} @${ada.username}` })
    ).body.items.user_definition.map(({ username }: { username: string }) => username);
  expect(await mentioned(ben)).toEqual([hidden.username, ada.username]);
  expect(await mentioned(cleo)).toEqual([ada.username]);
  await remove(ada);
  expect(await mentioned(cleo)).toEqual([]);
});
