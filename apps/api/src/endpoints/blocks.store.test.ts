import { findCounterMismatches } from '@linnet/test/db/counters';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { deletionJob } from '@linnet/test/api/list-queries';
import { registerThree, setProtected } from '@linnet/test/api/people';
import type { Person, Sent } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;
/** Ada blocks Ben in most tests; Cleo has nothing to do with it. */
let ada: Person;
let ben: Person;
let cleo: Person;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
});
afterEach(async () => {
  const mismatches = await findCounterMismatches(api.db);
  if (mismatches.length > 0) throw new Error(JSON.stringify(mismatches));
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  [ada, ben, cleo] = await registerThree(api);
});

const blocks = async (one: Person, other: Person) => await one.post('/blocks/add', { id: other.id });
const unblocks = async (one: Person, other: Person) => await one.post('/blocks/delete', { id: other.id });
const ids = ({ body }: Sent) => body.items.map(({ id }: { id: number }) => id);
/** The total, and the ids. */
const list = async (reader: Person, path: string) => {
  const sent = await reader.get(path);
  return sent.status === 200 ? [sent.body.total, ids(sent)] : sent.status;
};
const of = ({ id }: Person) => String(id);
const both = () =>
  [
    [ada, ben],
    [ben, ada],
  ] as const;

describe('adding, listing and removing', () => {
  test('lists the blocked accounts to the one that blocks, newest first, and says so in `viewer`', async () => {
    expect([(await blocks(ada, ben)).body, (await blocks(ada, cleo)).body, (await blocks(ada, ben)).body]).toEqual(
      Array.from({ length: 3 }, () => ({ response: { blocking: 1 } })),
    );
    expect(await list(ada, '/blocks')).toEqual([2, [cleo.id, ben.id]]);
    expect(await list(ben, '/blocks')).toEqual([0, []]);
    const shown = async (reader: Person, other: Person) =>
      (await reader.get(`/users/show?id=${of(other)}`)).body.viewer;
    expect(await shown(ada, ben)).toMatchObject({ blocking: 1, blocked: 0 });
    expect(await shown(ben, ada)).toMatchObject({ blocking: 0, blocked: 1 });
    expect(await shown(ben, cleo)).toMatchObject({ blocking: 0, blocked: 0 });
    expect((await unblocks(ada, ben)).body).toEqual({ response: { blocking: 0 } });
    expect(await list(ada, '/blocks')).toEqual([1, [cleo.id]]);
    expect(await shown(ada, ben)).toMatchObject({ blocking: 0, blocked: 0 });
  });

  test('refuses oneself and accounts that do not exist', async () => {
    expect((await blocks(ada, ada)).body).toMatchObject({ code: 'invalid-parameter', errors: [{ parameter: 'id' }] });
    for (const path of ['/blocks/add', '/blocks/delete']) {
      expect((await ada.post(path, { id: 1 })).body.code).toBe('not-found');
    }
  });

  test('both may block each other; each ends its own block only', async () => {
    const post = await ada.writes('hello');
    await Promise.all([blocks(ada, ben), blocks(ben, ada)]);
    await unblocks(ada, ben);
    expect((await ben.get(`/post/show?id=${String(post)}`)).status).toBe(404);
    await unblocks(ben, ada);
    expect((await ben.get(`/post/show?id=${String(post)}`)).status).toBe(200);
  });
});

test('D130 ends follows and requests in both directions, with their counts; they do not come back', async () => {
  await Promise.all([ada.follows(ben), ben.follows(ada), cleo.follows(ada)]);
  await blocks(ada, ben);
  const counts = async (person: Person) => (await cleo.get(`/users/show?id=${of(person)}`)).body.action;
  expect([await counts(ada), await counts(ben)]).toEqual([
    { followers: 1, following: 0, posts: 0 },
    { followers: 0, following: 0, posts: 0 },
  ]);
  await unblocks(ada, ben);
  expect((await counts(ben)).followers).toBe(0);

  await setProtected(api, ada, true);
  await ben.follows(ada);
  expect(await list(ada, '/follows/requests')).toEqual([1, [ben.id]]);
  await blocks(ada, ben);
  expect(await list(ada, '/follows/requests')).toEqual([0, []]);
  expect((await ada.approves(ben)).status).toBe(404);
});

test('both are refused new follows, likes, reposts and comments, as of something that does not exist', async () => {
  await blocks(ada, ben);
  for (const [one, other] of both()) {
    const post = await other.writes('out of reach');
    const absent = { item_id: 1, type: 'post' };
    for (const [path, input, none] of [
      ['/follows/add', { id: other.id }, { id: 1 }],
      ['/likes/add', { item_id: post, type: 'post' }, absent],
      ['/reposts/add', { item_id: post, type: 'post' }, absent],
      ['/comment/create', { item_id: post, type: 'post', text: 'x' }, { ...absent, text: 'x' }],
    ] as const) {
      const [refused, missing] = [await one.post(path, input), await one.post(path, none)];
      expect([path, refused.body.detail, refused.body.code]).toEqual([path, missing.body.detail, 'not-found']);
      expect(refused.status).toBe(404);
    }
    expect((await cleo.get(`/post/show?id=${String(post)}`)).body.items.action).toEqual({
      likes: 0,
      comments: 0,
      reposts: 0,
    });
  }
});

test('neither can mention the other; the text stays', async () => {
  await blocks(ada, ben);
  for (const [one, other] of both()) {
    const { body } = await one.post('/post/create', { message: `hello @${other.username} and @${cleo.username}` });
    expect(body.items.user_definition.map(({ id }: { id: number }) => id)).toEqual([cleo.id]);
    const shown = (await cleo.get(`/post/show?id=${String(body.items.id)}`)).body.items;
    expect(shown.user_definition.map(({ id }: { id: number }) => id)).toEqual([cleo.id]);
    expect(shown.text).toContain(`@${other.username}`);
  }
});

test('hides what there was before from both, in every list, with exact totals, and from nobody else', async () => {
  const [adas, bens, cleos] = [await ada.writes('by ada'), await ben.writes('by ben'), await cleo.writes('by cleo')];
  const mention = await cleo.writes(`@${ada.username} @${ben.username}`);
  for (const person of [ada, ben, cleo]) {
    await Promise.all([cleo.id === person.id ? undefined : person.follows(cleo), person.likes(cleos)]);
    await Promise.all([person.reposts(cleos), person.comments(cleos)]);
  }
  await Promise.all([cleo.reposts(adas), cleo.reposts(bens), cleo.likes(adas), cleo.likes(bens)]);
  await Promise.all([cleo.follows(ada), cleo.follows(ben)]);
  await blocks(ada, ben);

  const item = `item_id=${String(cleos)}&type=post`;
  for (const [reader, hidden] of [
    [ada, [bens]],
    [ben, [adas]],
    [cleo, []],
  ] as const) {
    const others = [ada, ben, cleo].filter(({ id }) => id === reader.id || id === cleo.id || reader === cleo);
    const people = others.map(({ id }) => id).toSorted((a, b) => a - b);
    const posts = [cleos, mention, adas, bens].filter((id) => !hidden.some((one) => one === id));
    const sorted = async (path: string) => {
      const sent = await reader.get(path);
      return [sent.body.total, ids(sent).toSorted((a: number, b: number) => a - b)];
    };
    const inOrder = (found: readonly number[]) => [found.length, found.toSorted((a, b) => a - b)];
    expect(await sorted(`/likes?${item}`)).toEqual(inOrder(people));
    expect(await sorted(`/reposts?${item}`)).toEqual(inOrder(people));
    const commenters = (await reader.get(`/comment?${item}`)).body;
    const authors: number[] = commenters.items.map(({ user }: { user: Person }) => user.id);
    expect([commenters.total, new Set(authors)]).toEqual([people.length, new Set(people)]);
    expect(await sorted(`/users/favorites?id=${of(cleo)}`)).toEqual(
      inOrder([cleos, adas, bens].filter((id) => posts.includes(id))),
    );
    // Cleo has reposted her own post, too.
    expect(await sorted(`/post?user_id=${of(cleo)}`)).toEqual(inOrder([...posts, cleos]));
    const notCleo = people.filter((id) => id !== cleo.id);
    expect(await sorted(`/users/followers?id=${of(cleo)}`)).toEqual(inOrder(notCleo));
    expect(await sorted(`/users/following?id=${of(cleo)}`)).toEqual(inOrder(notCleo));
    const mentioned = [
      (await reader.get(`/post/show?id=${String(mention)}`)).body.items,
      (await reader.get(`/post?user_id=${of(cleo)}`)).body.items.find(({ id }: { id: number }) => id === mention),
      (await reader.get('/timeline/public')).body.items.find(({ id }: { id: number }) => id === mention),
      (await reader.get('/feed')).body.items.find(({ id }: { id: number }) => id === mention),
    ];
    for (const { user_definition } of mentioned) {
      expect(user_definition.map(({ id }: { id: number }) => id)).toEqual(notCleo);
    }
    for (const path of ['/timeline/public', '/feed']) {
      const { total, items } = (await reader.get(path)).body;
      expect([path, items.length]).toEqual([path, total]);
      expect(items.filter(({ id }: { id: number }) => hidden.some((one) => one === id))).toEqual([]);
    }
  }
});

test('the lists and posts of the other do not exist; its account is shown, without a post', async () => {
  const [adas, bens] = [await ada.writes('by ada'), await ben.writes('by ben')];
  const comment = await ada.comments(adas);
  await blocks(ada, ben);
  for (const [reader, other, post] of [
    [ada, ben, bens],
    [ben, ada, adas],
  ] as const) {
    for (const path of [
      '/post?user_id',
      '/media?user_id',
      '/users/favorites?id',
      '/users/followers?id',
      '/users/following?id',
    ]) {
      const [found, absent] = [await reader.get(`${path}=${of(other)}`), await reader.get(`${path}=1`)];
      expect([path, found.status, found.body.detail]).toEqual([path, 404, absent.body.detail]);
    }
    for (const path of ['/comment', '/likes', '/reposts', '/likes/is_liked', '/reposts/is_reposted']) {
      expect((await reader.get(`${path}?item_id=${String(post)}&type=post`)).status).toBe(404);
    }
    expect((await reader.get(`/post/show?id=${String(post)}`)).status).toBe(404);
    const shown = await reader.get(`/users/show?id=${of(other)}`);
    expect([shown.status, shown.body.id, shown.body.post]).toEqual([200, other.id, undefined]);
    expect((await reader.get(`/follows/is_following?id=${of(other)}`)).body.response).toEqual({
      following: 0,
      requested: 0,
    });
  }
  expect((await ben.post('/comment/delete', { id: comment })).status).toBe(404);
  expect((await ben.post('/post/delete', { id: adas })).status).toBe(404);
});

test('what one had done on posts of the other can be undone, with exact counts', async () => {
  const post = await ada.writes('liked before');
  const comment = await ben.comments(post);
  await Promise.all([ben.likes(post), ben.reposts(post)]);
  await blocks(ada, ben);
  const counts = async () => (await cleo.get(`/post/show?id=${String(post)}`)).body.items.action;
  expect(await counts()).toEqual({ likes: 1, comments: 1, reposts: 1 });
  expect((await ben.unlikes(post)).body).toEqual({ count: 0 });
  expect((await ben.unreposts(post)).body).toEqual({ count: 0 });
  expect((await ben.post('/comment/delete', { id: comment })).status).toBe(200);
  expect(await counts()).toEqual({ likes: 0, comments: 0, reposts: 0 });
});

test('the author of a post deletes a comment on it that the block hides', async () => {
  const post = await ada.writes('discussed before');
  const comments = [await ben.comments(post), await ben.comments(post)] as const;
  await blocks(ada, ben);
  expect((await ada.post('/comment/delete', { id: comments[0] })).status).toBe(200);
  await ada.post('/blocks/delete', { id: ben.id });
  await blocks(ben, ada);
  expect((await ada.post('/comment/delete', { id: comments[1] })).status).toBe(200);
  expect((await cleo.get(`/post/show?id=${String(post)}`)).body.items.action.comments).toBe(0);
});

test('a reader without an account sees both, as a stranger does', async () => {
  const post = await ada.writes('for everybody');
  await blocks(ada, ben);
  const read = async (path: string) => (await api.call(`GET ${path}`)).status;
  expect([await read(`/post/show?id=${String(post)}`), await read(`/post?user_id=${of(ada)}`)]).toEqual([200, 200]);
});

/** Deletes and restores Ada, and runs the job. */
async function setDeleted(deletedAt: Date | null): Promise<void> {
  await api.db.prisma.account.update({ where: { id: ada.id }, data: { deletedAt } });
  await deletionJob(api.db, api.db);
}

describe('exported, deleted, restored and erased: Ada and Ben block and mute each other, Ada and Cleo follow each other', () => {
  beforeEach(async () => {
    await Promise.all([ada.follows(ben), ben.follows(ada), ada.follows(cleo), cleo.follows(ada)]);
    for (const [one, other] of [
      [ada, ben],
      [ben, ada],
    ] as const) {
      await one.post('/blocks/add', { id: other.id });
      await one.post('/mutes/add', { id: other.id, ends_at: '2099-01-01T00:00:00Z' });
    }
  });

  test('the export has both with their times, and nothing of who blocks or mutes the account', async () => {
    await cleo.post('/blocks/add', { id: ada.id });
    const { body } = await ada.post('/account/export', {});
    const times = { created: expect.any(String), created_at: expect.stringMatching(/Z$/) };
    expect([body.blocks, body.mutes]).toEqual([
      [{ user: expect.objectContaining({ id: ben.id }), ...times }],
      [
        {
          user: expect.objectContaining({ id: ben.id }),
          ...times,
          ends: 'Thu, Jan 1, 2099 12:00 AM',
          ends_at: '2099-01-01T00:00:00.000Z',
        },
      ],
    ]);
  });

  test('a deleted account disappears from the lists; restored, it is blocked and mutes as before, without the follows', async () => {
    const post = await ada.writes('hidden from ben');
    await setDeleted(new Date());
    expect([await list(ben, '/blocks'), await list(ben, '/mutes')]).toEqual([
      [0, []],
      [0, []],
    ]);
    await setDeleted(null);
    // The tokens of the deleted account stay revoked, so others look.
    expect([await list(ben, '/blocks'), await list(ben, '/mutes')]).toEqual([
      [1, [ada.id]],
      [1, [ada.id]],
    ]);
    expect(await api.db.prisma.mute.count({ where: { muterId: ada.id } })).toBe(1);
    await ben.post('/blocks/delete', { id: ada.id });
    // The block by the restored account is left.
    expect((await ben.get(`/post/show?id=${String(post)}`)).status).toBe(404);
    expect(await list(cleo, `/users/followers?id=${String(ada.id)}`)).toEqual([1, [cleo.id]]);
  });

  test('a follow that is archived with a deleted account does not come back if a block was made since then', async () => {
    await setDeleted(new Date());
    // Between the restoration and the job that brings the follows back.
    await api.db.prisma.account.update({ where: { id: ada.id }, data: { deletedAt: null } });
    await cleo.post('/blocks/add', { id: ada.id });
    await deletionJob(api.db, api.db);
    expect((await cleo.get('/users/show')).body.action).toEqual({ followers: 0, following: 0, posts: 0 });
    await cleo.post('/blocks/delete', { id: ada.id });
    await deletionJob(api.db, api.db);
    expect((await cleo.get('/users/show')).body.action).toEqual({ followers: 0, following: 0, posts: 0 });
  });

  test('erasing an account deletes the blocks and mutes by and of it', async () => {
    await setDeleted(new Date(Date.now() - 15 * 86_400_000));
    const about = { in: [ada.id] };
    const left = await Promise.all([
      api.db.prisma.block.count({ where: { OR: [{ blockerId: about }, { blockedId: about }] } }),
      api.db.prisma.mute.count({ where: { OR: [{ muterId: about }, { mutedId: about }] } }),
    ]);
    expect(left).toEqual([0, 0]);
  });
});
