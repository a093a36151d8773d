import { idsPerMillisecond } from '@linnet/db/text/id-time';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { findCounterMismatches } from '@linnet/test/db/counters';
import { deletePost } from '@linnet/social/post/post-delete-store';
import { findKeptEvents, orderEvents, readEvents } from '@linnet/social/event/event-store';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { registerThree, setProtected } from '@linnet/test/api/people';
import type { Person, Sent } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

const cleanup = new AsyncDisposableStack();
let api: RunningApi;
/** A second server of the same database. */
let second: RunningApi;
let ada: Person;
let ben: Person;
let cleo: Person;

beforeAll(async () => {
  const database: TestDatabase = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(database.url));
  second = cleanup.use(await startApi(database.url));
  [ada, ben, cleo] = await registerThree(api);
});
afterAll(() => cleanup.disposeAsync());

const edit = async (by: Person, id: number, message: string): Promise<Sent> =>
  await by.post('/post/edit', { id, message });
const show = async (reader: Person, id: number) => (await reader.get(`/post/show?id=${String(id)}`)).body.items;
const history = async (reader: Person, id: number) =>
  (await reader.get(`/post/history?id=${String(id)}&count=100`)).body;
const textsOf = ({ items }: { items: readonly { text: string }[] }) => items.map(({ text }) => text);
const statusesOf = (sent: readonly Sent[]) => sent.map(({ status }) => status);

test('D140 the text and what follows from it are replaced; everything else stays', async () => {
  const id = await ada.writes(`old #Before https://old.example @${ben.username}`);
  await ben.likes(id);
  await cleo.reposts(id);
  await ben.comments(id);
  const before = await show(ada, id);
  const sent = await edit(ada, id, ` new #After https://new.example @${cleo.username}\n`);
  expect([sent.status, sent.body.status]).toEqual([200, 'succeeded']);
  const { edited, edited_at: editedAt, ...after } = sent.body.items;
  expect(Date.parse(editedAt)).toBeGreaterThanOrEqual(Date.parse(before.created_at));
  expect(edited).toMatch(/^\w{3}, \w{3} \d{1,2}, \d{4} \d{1,2}:\d{2} [AP]M$/);
  expect(after).toEqual({
    ...before,
    text: `new #After https://new.example @${cleo.username}`,
    hashtags: [{ text: 'After', indices: [4, 10] }],
    urls: [{ url: 'https://new.example', display_url: 'new.example', indices: [11, 30] }],
    mentions: [{ id: cleo.id, indices: expect.any(Array) }],
    user_definition: [expect.objectContaining({ id: cleo.id })],
  });
  expect(await show(ada, id)).toEqual(sent.body.items);
});

test('GET /post/history has the versions, newest first, with the time of each; a new post has one', async () => {
  const id = await ada.writes(`one #first @${ben.username}`);
  const only = await history(ben, id);
  const { created, created_at, hashtags, urls, mentions, user_definition } = await show(ada, id);
  const first = { objectType: 'version', kind: 'linnet#version', id, text: `one #first @${ben.username}` };
  const original = { ...first, created, created_at, hashtags, urls, mentions, user_definition };
  expect(only).toEqual({ total: 1, count: 1, items: [original], prev: expect.any(String) });
  for (const text of ['two', 'three']) await edit(ada, id, text);
  const { total, items } = await history(ben, id);
  expect([total, textsOf({ items })]).toEqual([3, ['three', 'two', first.text]]);
  expect(items[2]).toEqual(original);
  const current = await show(ada, id);
  expect(items[0]).toMatchObject({ created: current.edited, created_at: current.edited_at, hashtags: [] });
});

test('the text that a post has already changes nothing: no version, no time, no event', async () => {
  const id = await ada.writes('the same');
  await orderEvents(api.db);
  const { latest } = await findKeptEvents(api.db);
  const { status, body } = await edit(ada, id, 'the same ');
  expect([status, body.items]).toEqual([200, await show(ada, id)]);
  await orderEvents(api.db);
  expect([body.items.edited_at, (await history(ada, id)).total]).toEqual([undefined, 1]);
  expect(await readEvents(api.db, latest, 10)).toEqual([]);
});

/** Each list that has the post, by its path. `word` is in the text. */
const lists: readonly (readonly [path: string, pick: (body: Sent['body'], id: number) => { text: string }])[] = [
  ['/post/show?id=ID', ({ items }) => items],
  ['/post/lookup?id=ID', ({ items }) => items[0]],
  ['/post?user_id=AUTHOR', inList],
  ['/users/show?id=AUTHOR', ({ post }) => post],
  ['/feed', inList],
  ['/timeline/public', inList],
  ['/hashtags/posts?hashtag=kept', inList],
  ['/search/posts?query=findable', inList],
  ['/users/favorites?id=READER', inList],
  ['/bookmarks', inList],
  ['/mentions', ({ items }) => items[0].post],
  ['/notifications', ({ items }) => items[0].post],
];

function inList({ items }: Sent['body'], id: number): { text: string } {
  return items.find((item: { id: number }) => item.id === id);
}

test('an edit that one server has answered is seen by the next read of another, in every list and with a new ETag', async () => {
  const named = `#kept findable @${ben.username}`;
  const id = await ada.writes(`old ${named}`);
  await ben.likes(id);
  await ben.bookmarks(id);
  await ben.follows(ada);
  const read = async (path: string, acct: number, headers: Readonly<Record<string, string>> = {}) => {
    const target = path.replace('ID', String(id)).replace('AUTHOR', String(ada.id)).replace('READER', String(ben.id));
    const claims = { acct };
    return await api.call(`GET ${target}`, { claims, headers });
  };
  const readSecond = async (path: string, acct: number) => {
    const target = path.replace('ID', String(id)).replace('AUTHOR', String(ada.id)).replace('READER', String(ben.id));
    return (await second.call(`GET ${target}`, { claims: { acct } })).body;
  };
  const { headers } = await read('/post/show?id=ID', ben.id);
  for (const text of [`old ${named}`, `new ${named}`, `newer ${named}`]) {
    // The first text is the one it has.
    expect((await edit(ada, id, text)).status).toBe(200);
    for (const [path, pick] of lists) {
      const found = pick(await readSecond(path, ben.id), id);
      expect([path, found.text]).toEqual([path, text]);
    }
    // The page that all share, without marks and with those of another viewer.
    expect(inList(await readSecond('/post?user_id=AUTHOR', cleo.id), id).text).toBe(text);
  }
  const again = await read('/post/show?id=ID', ben.id, { 'if-none-match': String(headers['etag']) });
  expect([again.status, again.body.items.text]).toEqual([200, `newer ${named}`]);
  expect(again.headers['etag']).not.toBe(headers['etag']);
});

test('hashtags and words are those of the new text, whatever they were', async () => {
  const [one, two] = ['alpha', 'beta'].map((word) => `${word}_${ada.username}`);
  const id = await ada.writes(`#${String(one)} #both_${ada.username}`);
  await edit(ada, id, `#${String(two)} #both_${ada.username}`);
  const found = async (path: string) => (await cleo.get(path)).body.total;
  for (const [word, total] of [
    [one, 0],
    [two, 1],
    [`both_${ada.username}`, 1],
  ] as const) {
    expect([word, await found(`/hashtags/posts?hashtag=${String(word)}`)]).toEqual([word, total]);
    expect([word, await found(`/search/posts?query=${String(word)}`)]).toEqual([word, total]);
  }
  expect(await found(`/search/posts?query=from:${ada.username}+has:media`)).toBe(0);
});

test('a post with media keeps it, and is found by it', async () => {
  const id = await ada.writes('with a picture');
  const name = `${'f'.repeat(22)}${String(ada.id).slice(-10)}.png`;
  const media = await api.db.prisma.media.create({
    data: { ownerId: ada.id, postId: id, name, bytes: 1, width: 1, height: 1 },
  });
  await api.db.prisma.post.update({ where: { id }, data: { hasMedia: true } });
  await api.db.prisma.$executeRaw`DELETE FROM post_search WHERE post_id = ${id}`;
  const found = async () => (await cleo.get(`/search/posts?query=from:${ada.username}+has:media`)).body.total;
  for (const text of ['its row of words was missing', 'and now is there']) {
    expect((await edit(ada, id, text)).body.items.media.files).toHaveLength(1);
    expect(await found()).toBe(1);
  }
  await api.db.prisma.media.delete({ where: { id: media.id } });
  await edit(ada, id, 'without it');
  expect(await found()).toBe(0);
});

describe('mentions', () => {
  beforeEach(async () => {
    [ada, ben, cleo] = await registerThree(api);
  });

  const mentionsOf = async (person: Person) =>
    (await person.get('/mentions')).body.items.map(({ post }: { post: { id: number } }) => post.id);
  const unread = async (person: Person) => (await person.get('/notifications/unread')).body.count;

  test('those that stay are not notified twice, new ones are at the top, removed ones lose theirs', async () => {
    const [id, later] = [await ada.writes(`@${ben.username}`), await ada.writes(`@${cleo.username} later`)];
    const { id: seen } = (await cleo.get('/notifications')).body.items[0];
    await cleo.post('/notifications/read', { id: seen });
    const notified = (await ben.get('/notifications')).body.items;
    await edit(ada, id, `@${cleo.username} @${ben.username} @${ada.username}`);
    expect((await ben.get('/notifications')).body.items.map((one: { id: number }) => one.id)).toEqual([notified[0].id]);
    expect([await mentionsOf(ben), await mentionsOf(cleo), await unread(cleo)]).toEqual([[id], [id, later], 1]);
    await edit(ada, id, 'nobody');
    expect([await mentionsOf(ben), await mentionsOf(cleo), await unread(cleo)]).toEqual([[], [later], 0]);
    expect((await ben.get('/notifications')).body.total).toBe(0);
    await edit(ada, id, `@${ben.username} once more`);
    expect((await ben.get('/notifications')).body.items[0].id).toBeGreaterThan(notified[0].id);
    expect(await findCounterMismatches(api.db)).toEqual([]);
  });

  test('a comment that mentions the same account is not touched', async () => {
    const id = await ada.writes(`@${cleo.username}`);
    await ben.comments(id, `@${cleo.username}`);
    await edit(ada, id, 'nobody');
    const { items } = (await cleo.get('/mentions')).body;
    expect(items.map(({ type }: { type: string }) => type)).toEqual(['comment']);
    expect(await findCounterMismatches(api.db)).toEqual([]);
  });

  test('who is behind a block is not mentioned, and who may not see the post is not notified', async () => {
    const id = await ada.writes('nobody yet');
    await ben.post('/blocks/add', { id: ada.id });
    await setProtected(api, ada, true);
    const { body } = await edit(ada, id, `@${ben.username} @${cleo.username}`);
    expect(body.items.user_definition.map((one: { id: number }) => one.id)).toEqual([cleo.id]);
    expect([
      await mentionsOf(cleo),
      await unread(cleo),
      (await cleo.get(`/post/history?id=${String(id)}`)).status,
    ]).toEqual([[], 0, 404]);
    await ben.post('/blocks/delete', { id: ada.id });
    await setProtected(api, ada, false);
    expect([await mentionsOf(ben), await mentionsOf(cleo)]).toEqual([[], [id]]);
  });

  test('the event of the edit follows those of its mentions, also of an old post', async () => {
    const old = { id: 2 ** 40 + (ada.id & 4092), authorId: ada.id, text: 'soon', mentionIds: [] };
    const id = Number((await api.db.prisma.post.create({ data: old })).id);
    await api.db.prisma.account.update({ where: { id: ada.id }, data: { postsCount: 1 } });
    await orderEvents(api.db);
    const { latest } = await findKeptEvents(api.db);
    await edit(ada, id, `@${ben.username}`);
    await edit(ada, id, 'later');
    await deletePost({ db: api.db, outside: api.db }, { id, accountId: ada.id });
    await orderEvents(api.db);
    const about = { actorId: ada.id, postId: id, commentId: null };
    expect(await readEvents(api.db, latest, 10)).toMatchObject([
      { kind: 'mention.created', ...about, accountId: ben.id },
      { kind: 'post.edited', ...about, accountId: null },
      { kind: 'post.edited', ...about },
      { kind: 'post.deleted', ...about },
    ]);
  });
});

test('what is refused changes nothing', async () => {
  const id = await ada.writes('mine');
  const hidden = await cleo.writes('hidden');
  await setProtected(api, cleo, true);
  for (const [by, input, status, code] of [
    [ben, { id, message: 'yours' }, 403, 'not-owner'],
    [ben, { id: hidden, message: 'x' }, 404, 'not-found'],
    [ada, { id: 1, message: 'x' }, 404, 'not-found'],
    [ada, { id, message: ' ' }, 400, 'invalid-parameter'],
    [ada, { id, message: 'x'.repeat(401) }, 400, 'invalid-parameter'],
    [ada, { id, message: 'a\0b' }, 400, 'invalid-parameter'],
    [ada, { id }, 400, 'invalid-parameter'],
    [ada, { message: 'x' }, 400, 'invalid-parameter'],
  ] as const) {
    const { status: found, body } = await by.post('/post/edit', input);
    expect([input, found, body.code]).toEqual([input, status, code]);
  }
  expect(textsOf(await history(ada, id))).toEqual(['mine']);
});

const plainText = { text: 'before', hashtags: [], urls: [] };

test('a post can be edited 100 times, also by concurrent edits', async () => {
  const id = await ada.writes('0');
  await api.db.prisma.postVersion.createMany({
    data: Array.from({ length: 90 }, (_, n) => ({
      ...plainText,
      postId: id,
      id: id + n * idsPerMillisecond,
      authorId: ada.id,
    })),
  });
  await api.db.prisma.$executeRaw`ALTER TABLE post DISABLE TRIGGER post_edited`;
  await api.db.prisma.post.update({ where: { id }, data: { versionId: id + 90 * idsPerMillisecond } });
  await api.db.prisma.$executeRaw`ALTER TABLE post ENABLE TRIGGER post_edited`;
  const sent = await Promise.all(Array.from({ length: 20 }, async (_, n) => await edit(ada, id, `more ${String(n)}`)));
  expect(statusesOf(sent).toSorted((a, b) => a - b)).toEqual([
    ...Array.from({ length: 10 }, () => 200),
    ...Array.from({ length: 10 }, () => 409),
  ]);
  expect((await edit(ada, id, 'one more')).body.code).toBe('too-many-edits');
  expect((await history(ada, id)).total).toBe(101);
});

test('an edit that is repeated with its Idempotency-Key happens once', async () => {
  const id = await ada.writes('before');
  const send = async () =>
    await api.call('POST /post/edit', {
      claims: { acct: ada.id },
      body: JSON.stringify({ id, message: 'after' }),
      headers: { 'content-type': 'application/json', 'idempotency-key': `edit ${String(id)}` },
    });
  const first = await send();
  await edit(ada, id, 'later');
  expect([(await send()).text, (await show(ada, id)).text]).toEqual([first.text, 'later']);
  expect((await history(ada, id)).total).toBe(3);
});

describe('at the same moment', () => {
  /** Waits for all, and that nothing is wrong. */
  async function race(sent: readonly Promise<Sent>[]): Promise<readonly Sent[]> {
    const all = await Promise.all(sent);
    expect(all.filter(({ status }) => status >= 500)).toEqual([]);
    expect(await findCounterMismatches(api.db)).toEqual([]);
    return all;
  }

  const word = (n: number) => `w${String(n)}_${ada.username}`;

  test('edits of one post by two servers: each is a version, and the last one counts everywhere', async () => {
    const id = await ada.writes('start');
    await race(
      Array.from({ length: 12 }, async (_, n) => {
        const message = `#${word(n)} @${n % 2 === 0 ? ben.username : cleo.username}`;
        const body = JSON.stringify({ id, message });
        const headers = { 'content-type': 'application/json' };
        return await (n % 2 === 0 ? api : second).call('POST /post/edit', { claims: { acct: ada.id }, body, headers });
      }),
    );
    const { items } = await history(ada, id);
    expect([items.length, new Set(textsOf({ items })).size]).toEqual([13, 13]);
    const tags = await api.db.prisma.postHashtag.findMany({ where: { postId: id } });
    expect(tags.map(({ hashtag }) => `#${hashtag}`)).toEqual([items[0].text.split(' ')[0]]);
    const found = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => (await ben.get(`/search/posts?query=${word(n)}`)).body.total),
    );
    expect(found.filter((total) => total > 0)).toEqual([1]);
  });

  test('an edit and a deletion, likes, comments, a block and new posts', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [id, other] = [await ada.writes('start'), await ada.writes('other')];
      const sent = await race([
        ...Array.from({ length: 4 }, async (_, n) => await edit(ada, id, `@${ben.username} ${String(n)}`)),
        ada.post('/post/delete', { id }),
        ...[id, other].flatMap((post) => [ben.likes(post), cleo.reposts(post), cleo.bookmarks(post)]),
        cleo.post('/comment/create', { item_id: other, type: 'post', text: `@${ben.username}` }),
        edit(ada, other, `@${ben.username} @${cleo.username}`),
        ben.post('/blocks/add', { id: ada.id }),
        ...Array.from(
          { length: 5 },
          async (_, n) => await ada.post('/post/create', { message: `${word(n)} @${ben.username}` }),
        ),
      ]);
      expect(statusesOf(sent.slice(0, 4)).every((status) => status === 200 || status === 404)).toBe(true);
      expect((await ada.get(`/post/show?id=${String(id)}`)).status).toBe(404);
      expect(await api.db.prisma.postVersion.count({ where: { postId: id } })).toBe(0);
      expect((await show(ada, other)).edited_at).toEqual(expect.any(String));
      await ben.post('/blocks/delete', { id: ada.id });
    }
  });

  test('many posts are created, each is edited as soon as it has its id, and read', async () => {
    const texts = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const id = await ada.writes(`new ${String(n)} @${ben.username}`);
        const [sent] = await Promise.all([edit(ada, id, `edited ${String(n)} @${cleo.username}`), ben.likes(id)]);
        expect(sent.status).toBe(200);
        return sent.body.items.text;
      }),
    );
    const listed = textsOf((await cleo.get(`/post?user_id=${String(ada.id)}&count=100`)).body);
    expect(new Set(listed.filter((text) => text.startsWith('edited ')))).toEqual(new Set(texts));
    expect(await findCounterMismatches(api.db)).toEqual([]);
  });
});
