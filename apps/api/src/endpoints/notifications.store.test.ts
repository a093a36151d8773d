import { notificationKinds } from '@linnet/contract/notifications';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { deletionJob } from '@linnet/test/api/list-queries';
import { registerPerson, setProtected } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

const cleanup = new AsyncDisposableStack();
let api: RunningApi;
let ben: Person;
let cleo: Person;
/** Who is notified; a new account for each test. */
let ada: Person;
const people = { last: 0 };

beforeAll(async () => {
  const database: TestDatabase = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(database.url));
  [ben, cleo] = [await registerPerson(api, 'notify_ben'), await registerPerson(api, 'notify_cleo')];
});
beforeEach(async () => {
  people.last += 1;
  ada = await registerPerson(api, `notify_ada_${String(people.last)}`);
});
afterAll(() => cleanup.disposeAsync());

interface Item {
  readonly id: number;
  readonly type: string;
  readonly count: number;
  readonly unread: number;
  readonly users: readonly { readonly id: number }[];
  readonly post?: { readonly id: number };
  readonly comment?: { readonly id: number };
}

async function itemsOf(person: Person): Promise<readonly Item[]> {
  const { body } = await person.get('/notifications');
  expect(body.total).toBe(body.count);
  const unread = body.items.filter((item: Item) => item.unread > 0).length;
  expect((await person.get('/notifications/unread')).body).toEqual({ count: unread });
  return body.items;
}

/** What each item says: the type, how many, by whom, about which post and comment. */
async function told(person: Person): Promise<readonly unknown[]> {
  return (await itemsOf(person)).map(({ type, count, users, post, comment }) => [
    ...[type, count, users.map(({ id }) => id)],
    ...(post === undefined ? [] : [post.id]),
    ...(comment === undefined ? [] : [comment.id]),
  ]);
}

async function replies(by: Person, post: number, parent_id: number, text = 'a reply'): Promise<number> {
  return Number((await by.post('/comment/create', { item_id: post, type: 'post', text, parent_id })).body.id);
}

const stored = async (person: Person) => await api.db.prisma.notification.count({ where: { accountId: person.id } });

describe('GET /notifications', () => {
  test('D134 has an item of each kind, grouped by post, newest first, and none of what the person does', async () => {
    const post = await ada.writes('mine');
    await ada.likes(post);
    await ada.reposts(post);
    const own = await ada.comments(post, `to myself, @${ada.username}`);
    await ada.writes(`@${ada.username}`);
    expect(await told(ada)).toEqual([]);
    await ben.likes(post);
    await cleo.reposts(post);
    await cleo.likes(post);
    const [first, second] = [await ben.comments(post, `@${ada.username}, one`), await cleo.comments(post)];
    const third = await ben.comments(post);
    await ben.follows(ada);
    const mention = await ben.writes(`hello @${ada.username} @${ada.username}`);
    const elsewhere = await ben.comments(mention, `@${ada.username} again`);
    expect(await told(ada)).toEqual([
      ['mention', 1, [ben.id], mention, elsewhere],
      ['mention', 1, [ben.id], mention],
      ['follow', 1, [ben.id]],
      ['reply', 3, [ben.id, cleo.id], post, third],
      ['like', 2, [cleo.id, ben.id], post],
      ['repost', 1, [cleo.id], post],
    ]);
    expect([first, second, own].every((id) => id < third)).toBe(true);
  });

  test.each([
    ['mention', ['mention']],
    ['reply,like,like', ['reply', 'like']],
    ['repost,follow', ['follow', 'repost']],
    ['follow_request,approved', []],
  ])('types=%s lists these alone, page by page, and counts them', async (types, listed) => {
    const post = await ada.writes('mine');
    await ben.reposts(post);
    await ben.likes(post);
    await ben.comments(post);
    await ben.follows(ada);
    await ben.writes(`hello @${ada.username}`);
    const { body } = await ada.get(`/notifications?types=${types}`);
    expect([body.total, body.items.map(({ type }: Item) => type)]).toEqual([listed.length, listed]);
    const first = (await ada.get(`/notifications?types=${types}&count=1`)).body;
    const rest =
      first.next === undefined ? [] : (await ada.get(`/notifications?types=${types}&cursor=${first.next}`)).body.items;
    expect([...first.items, ...rest]).toEqual(body.items);
  });

  test('has what its objects have elsewhere, and the time of the latest', async () => {
    const post = await ada.writes('mine');
    await ada.likes(post);
    const comment = await ben.comments(post, 'hello #tag');
    const [item] = (await ada.get('/notifications')).body.items;
    const shown = (await ada.get(`/comment/show?id=${String(comment)}`)).body.items;
    expect(item).toEqual({
      ...{ objectType: 'notification', kind: 'linnet#notification', type: 'reply', count: 1, unread: 1 },
      ...{ id: comment, created: shown.created, created_at: expect.any(String) },
      users: [(await api.call(`GET /users/lookup?id=${String(ben.id)}`)).body.items[0]],
      post: (await ada.get(`/post/show?id=${String(post)}`)).body.items,
      comment: shown,
    });
    expect(item.post.viewer.liked).toBe(1);
    expect(Math.abs(Date.parse(item.created_at) - Date.parse(shown.created_at))).toBeLessThan(1000);
  });

  test('tells both the author of the post and of the comment about a reply, once each', async () => {
    const post = await ada.writes('mine');
    const parent = await ben.comments(post);
    const reply = await replies(cleo, post, parent, `@${ada.username} @${ben.username} look`);
    expect((await told(ada))[0]).toEqual(['reply', 2, [cleo.id, ben.id], post, reply]);
    expect((await told(ben)).filter((item) => JSON.stringify(item).includes(String(reply)))).toEqual([
      ['reply', 1, [cleo.id], post, reply],
    ]);
  });
});

describe('a notification', () => {
  test('goes with its cause: each undone act leaves nothing behind', async () => {
    const post = await ada.writes('mine');
    await ben.likes(post);
    await ben.reposts(post);
    await ben.follows(ada);
    const comment = await ben.comments(post);
    expect(await itemsOf(ada)).toHaveLength(4);
    await ben.unlikes(post);
    await ben.unreposts(post);
    await ben.unfollows(ada);
    await ben.post('/comment/delete', { id: comment });
    expect(await stored(ada)).toBe(0);
    for (const one of [ben, cleo]) await one.likes(post);
    const withMention = await ben.writes(`@${ada.username}`);
    await cleo.comments(post);
    await ada.post('/post/delete', { id: post });
    await ben.post('/post/delete', { id: withMention });
    expect([await stored(ada), await told(ada)]).toEqual([0, []]);
  });

  test('follow requests: the request goes when it is answered, and the approval tells the other', async () => {
    await setProtected(api, ada, true);
    for (const one of [ben, cleo]) await one.follows(ada);
    expect(await told(ada)).toEqual([['follow_request', 2, [cleo.id, ben.id]]]);
    await ada.approves(ben);
    await ada.post('/follows/requests/reject', { id: cleo.id });
    expect(await told(ada)).toEqual([]);
    expect((await told(ben))[0]).toEqual(['approved', 1, [ada.id]]);
    expect((await told(cleo)).some((item) => JSON.stringify(item).includes(String(ada.id)))).toBe(false);
    await cleo.follows(ada);
    await setProtected(api, ada, false);
    expect([await told(ada), (await told(cleo))[0]]).toEqual([[], ['approved', 1, [ada.id]]]);
    await ben.unfollows(ada);
    expect((await told(ben)).some((item) => JSON.stringify(item).includes(String(ada.id)))).toBe(false);
    await ben.follows(ada);
    expect(await told(ada)).toEqual([['follow', 1, [ben.id]]]);
  });

  test('leaves out what is hidden or muted, and shows it again afterwards', async () => {
    const dora = await registerPerson(api, `notify_dora_${String(people.last)}`);
    const post = await ada.writes('mine');
    await dora.likes(post);
    const mention = await dora.writes(`@${ada.username}`);
    const onIt = await ben.comments(mention, `@${ada.username}`);
    const all = [
      ['mention', 1, [ben.id], mention, onIt],
      ['mention', 1, [dora.id], mention],
      ['like', 1, [dora.id], post],
    ];
    expect(await told(ada)).toEqual(all);
    const hidden = async (data: Readonly<Record<string, unknown>>) =>
      await api.db.prisma.account.update({ where: { id: dora.id }, data });
    await ada.post('/mutes/add', { id: dora.id });
    expect(await told(ada)).toEqual([all[0]]);
    expect((await ada.get('/mentions')).body.items.map(({ id }: Item) => id)).toEqual([onIt]);
    await ada.post('/mutes/delete', { id: dora.id });
    for (const [by, other] of [
      [ada, dora],
      [dora, ada],
    ] as const) {
      await by.post('/blocks/add', { id: other.id });
      expect(await told(ada)).toEqual([]);
      await by.post('/blocks/delete', { id: other.id });
    }
    await setProtected(api, dora, true);
    expect(await told(ada)).toEqual([all[2]]);
    await setProtected(api, dora, false);
    for (const column of ['deletedAt', 'suspendedAt']) {
      await hidden({ [column]: new Date() });
      expect(await told(ada)).toEqual([]);
      await deletionJob(api.db, api.db);
      expect(await stored(ada)).toBe(2);
      await hidden({ [column]: null });
      await deletionJob(api.db, api.db);
      expect(await told(ada)).toEqual(all);
    }
  });

  test('many of one kind hide none of another; an item counts at most 1000', async () => {
    const post = await ada.writes('popular');
    const mention = await ben.writes(`@${ada.username}`);
    await api.db.query(
      {
        name: 'test_many_likes',
        text: `INSERT INTO notification (account_id, kind, id, actor_id, owner_id, post_id)
          SELECT $1, 'like', $2::bigint - g, $3, $1, $2 FROM generate_series(1, 1100) g`,
      },
      [ada.id, post, cleo.id],
    );
    expect(await told(ada)).toEqual([
      ['mention', 1, [ben.id], mention],
      ['like', 1000, [cleo.id], post],
    ]);
  });
});

describe('POST /notifications/read', () => {
  const read = async (id: number) => await ada.post('/notifications/read', { id });

  test('marks up to an id, never back, and never what is still to come', async () => {
    const post = await ada.writes('mine');
    await ben.likes(post);
    await ben.comments(post);
    await cleo.likes(post);
    const [like, reply] = await itemsOf(ada);
    expect([like?.unread, reply?.unread]).toEqual([2, 1]);
    expect((await read(reply?.id ?? 0)).body).toEqual({ count: 1 });
    expect((await itemsOf(ada)).map(({ type, unread }) => [type, unread])).toEqual([
      ['like', 1],
      ['reply', 0],
    ]);
    expect((await read(2 ** 53 - 1)).body).toEqual({ count: 0 });
    expect((await read(1)).body).toEqual({ count: 0 });
    await ben.reposts(post);
    expect((await itemsOf(ada)).map(({ type, unread }) => [type, unread])).toEqual([
      ['repost', 1],
      ['like', 0],
      ['reply', 0],
    ]);
  });

  test('before there is any', async () => {
    expect((await read(2 ** 53 - 1)).body).toEqual({ count: 0 });
    await ben.follows(ada);
    expect((await itemsOf(ada)).map(({ unread }) => unread)).toEqual([1]);
  });

  test('refuses what is not an id', async () => {
    for (const id of [0, 'x', null, 2 ** 53]) {
      expect((await ada.post('/notifications/read', { id })).body.code).toBe('invalid-parameter');
    }
  });
});

describe('preferences', () => {
  test('all are wanted at first; what is switched off disappears, and comes back', async () => {
    const all = { ...Object.fromEntries(notificationKinds.map((kind) => [kind, 1])), proposal_mail: 0 };
    expect((await ada.get('/notifications/preferences')).body).toEqual(all);
    const post = await ada.writes('mine');
    await ben.likes(post);
    await ben.reposts(post);
    const update = async (change: Readonly<Record<string, unknown>>) =>
      (await ada.post('/notifications/preferences/update', change)).body;
    expect(await update({ like: false, follow: 0 })).toEqual({ ...all, like: 0, follow: 0 });
    expect(await told(ada)).toEqual([['repost', 1, [ben.id], post]]);
    expect(await update({})).toEqual({ ...all, like: 0, follow: 0 });
    await cleo.likes(post);
    expect(await update({ like: 1, repost: false, proposal_mail: true })).toEqual({
      ...all,
      ...{ follow: 0, repost: 0, proposal_mail: 1 },
    });
    expect(await update({ proposal_mail: false })).toEqual({ ...all, follow: 0, repost: 0 });
    expect((await ada.get('/notifications/preferences')).body).toEqual({ ...all, follow: 0, repost: 0 });
    expect(await told(ada)).toEqual([['like', 2, [cleo.id, ben.id], post]]);
    expect((await ada.post('/notifications/preferences/update', { like: 'maybe' })).status).toBe(400);
  });
});

test('a token without users:read sees nothing about follows', async () => {
  const post = await ada.writes('mine');
  await ben.follows(ada);
  await ben.likes(post);
  const claims = { acct: ada.id, scope: 'posts' };
  const { body } = await api.call('GET /notifications', { claims });
  expect(body.items.map(({ type }: Item) => type)).toEqual(['like']);
  expect((await api.call('GET /notifications/unread', { claims })).body).toEqual({ count: 1 });
  expect(await told(ada)).toHaveLength(2);
});

test('the export has each that may be seen, oldest first, and the preferences', async () => {
  const post = await ada.writes('mine');
  await ben.follows(ada);
  await ada.post('/notifications/read', { id: 2 ** 53 - 1 });
  const comment = await cleo.comments(post);
  await ada.post('/notifications/preferences/update', { follow: false, proposal_mail: true });
  const { body } = await ada.post('/account/export', {});
  const at = { created: expect.any(String), created_at: expect.any(String) };
  expect(body.notifications).toEqual([
    { type: 'follow', user: expect.objectContaining({ id: ben.id }), item_id: 0, comment_id: 0, read: 1, ...at },
    {
      type: 'reply',
      user: expect.objectContaining({ id: cleo.id }),
      item_id: post,
      comment_id: comment,
      read: 0,
      ...at,
    },
  ]);
  expect(body.notification_preferences).toMatchObject({ follow: 0, reply: 1, proposal_mail: 1 });
  await ada.post('/blocks/add', { id: cleo.id });
  expect((await ada.post('/account/export', {})).body.notifications).toHaveLength(1);
});

test('they are erased with the account, and what it did is erased with it', async () => {
  const other = await registerPerson(api, `notify_other_${String(people.last)}`);
  const post = await ada.writes('mine');
  await other.likes(await ben.writes(`@${ada.username}`));
  await other.likes(post);
  await ada.follows(other);
  await ada.post('/notifications/read', { id: 1 });
  const deletedAt = new Date(Date.now() - 15 * 86_400_000);
  await api.db.prisma.account.update({ where: { id: ada.id }, data: { deletedAt } });
  await deletionJob(api.db, api.db);
  expect([await stored(ada), await stored(other)]).toEqual([0, 0]);
  expect(await api.db.prisma.notificationSetting.count({ where: { accountId: ada.id } })).toBe(0);
});
