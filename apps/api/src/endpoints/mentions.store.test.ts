import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { registerPerson, setProtected } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

const cleanup = new AsyncDisposableStack();
let api: RunningApi;
let ada: Person;
let ben: Person;
/** Mentioned by the others; a new account for each test. */
let eve: Person;
const people = { last: 0 };

beforeAll(async () => {
  const database: TestDatabase = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(database.url));
  [ada, ben] = [await registerPerson(api, 'mention_ada'), await registerPerson(api, 'mention_ben')];
});
beforeEach(async () => {
  people.last += 1;
  eve = await registerPerson(api, `mention_eve_${String(people.last)}`);
});
afterAll(() => cleanup.disposeAsync());

async function comment(by: Person, item_id: number, text: string, parent_id?: number) {
  return await by.post('/comment/create', {
    item_id,
    type: 'post',
    text,
    ...(parent_id === undefined ? {} : { parent_id }),
  });
}

/** The ids of the mentions that the person sees. */
async function mentionsOf(person: Person): Promise<readonly number[]> {
  const { body } = await person.get('/mentions');
  expect(body.total).toBe(body.count);
  return body.items.map(({ id }: { id: number }) => id);
}

describe('GET /mentions', () => {
  test('D132 has posts and comments of others, newest first, with what is needed to reply', async () => {
    const post = await ada.writes(`hello @${eve.username.toUpperCase()} @${eve.username}`);
    const other = await ben.writes('about something else');
    const { body: written } = await comment(ada, other, `look, @${eve.username}`);
    await eve.writes(`I am @${eve.username}`);
    await eve.likes(post);
    const { items } = (await eve.get('/mentions')).body;
    expect(items).toEqual([
      {
        ...{ objectType: 'mention', kind: 'linnet#mention', id: written.id, type: 'comment' },
        post: (await eve.get(`/post/show?id=${String(other)}`)).body.items,
        comment: (await eve.get(`/comment/show?id=${String(written.id)}`)).body.items,
      },
      {
        ...{ objectType: 'mention', kind: 'linnet#mention', id: post, type: 'post' },
        post: (await eve.get(`/post/show?id=${String(post)}`)).body.items,
      },
    ]);
    expect(items[1].post.viewer.liked).toBe(1);
    const reply = await comment(eve, items[0].post.id, `here, @${ada.username}`, items[0].comment.id);
    expect(reply.body.parent_id).toBe(written.id);
    expect((await mentionsOf(ada))[0]).toBe(reply.body.id);
  });

  test('a mention goes with its post or comment', async () => {
    const post = await ada.writes(`@${eve.username}`);
    const first = await ada.comments(post, `@${eve.username} one`);
    const second = await ben.comments(post, `@${eve.username} two`);
    expect(await mentionsOf(eve)).toEqual([second, first, post]);
    await ada.post('/comment/delete', { id: first });
    expect(await mentionsOf(eve)).toEqual([second, post]);
    await ada.post('/post/delete', { id: post });
    expect(await mentionsOf(eve)).toEqual([]);
    expect(await api.db.prisma.mention.count({ where: { accountId: eve.id } })).toBe(0);
  });

  test('leaves out what the account may not see: protected and deleted authors, and comments on their posts', async () => {
    const closed = await registerPerson(api, `mention_closed_${String(people.last)}`);
    const leaving = await registerPerson(api, `mention_leaving_${String(people.last)}`);
    const post = await closed.writes(`@${eve.username}`);
    const onIt = await ada.comments(post, `@${eve.username} on it`);
    const open = await ada.writes('open');
    const byClosed = await closed.comments(open, `@${eve.username} from me`);
    const byLeaving = await leaving.comments(open, `@${eve.username} bye`);
    expect(await mentionsOf(eve)).toEqual([byLeaving, byClosed, onIt, post]);
    await setProtected(api, closed, true);
    await api.db.prisma.account.update({ where: { id: leaving.id }, data: { deletedAt: new Date() } });
    expect(await mentionsOf(eve)).toEqual([byClosed]);
    await eve.follows(closed);
    await closed.approves(eve);
    expect(await mentionsOf(eve)).toEqual([byClosed, onIt, post]);
  });
});

describe('comments', () => {
  test('D133 have mentions, hashtags, links, a link and the post, wherever they are shown', async () => {
    const post = await ada.writes('to comment on');
    const text = `To @${eve.username} and @nobody_at_all: #Tag https://example.org/a`;
    const { body: created } = await comment(ben, post, text);
    expect(created).toMatchObject({
      link: `https://linnet.example/p/${String(post)}?after=${String(created.id - 1)}#comment-${String(created.id)}`,
      item_id: post,
      parent_id: 0,
      hashtags: [{ text: 'Tag' }],
      urls: [{ url: 'https://example.org/a' }],
      user_definition: [{ id: eve.id, username: eve.username }],
    });
    const { status: _status, ...expected } = created;
    const shown = (await ada.get(`/comment/show?id=${String(created.id)}`)).body.items;
    const listed = (await ada.get(`/comment?item_id=${String(post)}&type=post`)).body.items;
    expect([shown, listed]).toEqual([expected, [expected]]);
  });

  test('that store none of them show none', async () => {
    const postId = await ada.writes('without');
    const { id } = await api.db.prisma.comment.create({ data: { postId, authorId: ben.id, text: '#not @found' } });
    const { items } = (await ada.get(`/comment/show?id=${String(id)}`)).body;
    expect(items).toMatchObject({ parent_id: 0, hashtags: [], urls: [], user_definition: [] });
  });

  test('reply to a comment on the same post; any other is 404, and nothing is stored', async () => {
    const [post, another] = [await ada.writes('one'), await ada.writes('two')];
    const [parent, elsewhere] = [await ben.comments(post), await ben.comments(another)];
    const { body } = await comment(ada, post, 'a reply', parent);
    expect(body.parent_id).toBe(parent);
    for (const wrong of [elsewhere, 1]) {
      const refused = await comment(ada, post, 'a reply', wrong);
      expect([refused.status, refused.body.detail]).toEqual([404, expect.stringContaining('comment')]);
    }
    expect((await comment(ada, 1, 'a reply', parent)).body.detail).toContain('post');
    expect((await ada.get(`/comment?item_id=${String(post)}&type=post`)).body.total).toBe(2);
    expect((await ada.get(`/post/show?id=${String(post)}`)).body.items.action.comments).toBe(2);
  });

  test('a reply stays when the comment above it is deleted, which is 404 then', async () => {
    const post = await ada.writes('thread');
    const parent = await ben.comments(post);
    const { body: reply } = await comment(ada, post, 'a reply', parent);
    await ben.post('/comment/delete', { id: parent });
    expect((await eve.get(`/comment/show?id=${String(reply.id)}`)).body.items.parent_id).toBe(parent);
    expect((await eve.get(`/comment/show?id=${String(parent)}`)).status).toBe(404);
    expect((await comment(eve, post, 'too late', parent)).status).toBe(404);
  });

  test('have a link that leads to them, wherever they are in the list', async () => {
    const post = await ada.writes('linked');
    for (let number = 1; number <= 20; number += 1) await ada.comments(post, 'an earlier one');
    const { body: linked } = await comment(ben, post, `the last, for @${eve.username}`);
    expect((await api.get(`/p/${String(post)}`)).body).not.toContain('the last');
    const { pathname, search, hash } = new URL(linked.link);
    const { body } = await api.get(pathname + search);
    expect(body).toContain(`id="${hash.slice(1)}"`);
    expect(body).toContain(
      `the last, for <bdi><a href="https://linnet.example/@${eve.username}">@${eve.username}</a></bdi>`,
    );
    expect(body).not.toContain('an earlier one');
  });
});
