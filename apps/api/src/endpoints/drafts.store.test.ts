import { sweepDrafts } from '@linnet/social/draft/draft-store';
import { deleteUnattachedMedia } from '@linnet/media/media-sweep-store';
import { uploadImage } from '@linnet/test/api/media-requests';
import { registerThree } from '@linnet/test/api/people';
import type { Person, Sent } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

/** Drafts of posts and comments (decisions D192). */
const cleanup = new AsyncDisposableStack();
let api: RunningApi;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(database.url));
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  [ada, ben] = await registerThree(api);
});

const drafts = async (person: Person, status = 'draft') => (await person.get(`/drafts?status=${status}`)).body.items;
const postsOf = async (person: Person) => (await person.get(`/post?user_id=${String(person.id)}`)).body.items;
const outcome = ({ status, body }: Sent) => (status === 200 ? status : [status, body.code]);

async function draft(person: Person, parameters: Readonly<Record<string, unknown>>): Promise<number> {
  const { status, body } = await person.post('/drafts/create', parameters);
  expect([status, body.status, body.version]).toEqual([200, 'draft', 1]);
  return Number(body.id);
}

test('D192 a draft of a post has what the post will have, and nobody else sees it', async () => {
  const media = await uploadImage(api, ada.id);
  const parameters = { message: ' Hello #drafts ', media, commenters: 'followers', sensitive: true };
  const id = await draft(ada, parameters);
  const { body } = await ada.get(`/drafts/show?id=${String(id)}`);
  const stored = { message: 'Hello #drafts', commenters: 'followers', sensitive: true, attachments: [media] };
  expect(body).toMatchObject({ call: '/post/create', parameters: stored });
  expect(await postsOf(ada)).toEqual([]);
  for (const [path, sent] of [
    ['/drafts/show', undefined],
    ['/drafts/update', { version: 1, message: 'x' }],
    ['/drafts/publish', {}],
    ['/drafts/delete', {}],
  ] as const) {
    const answer = sent === undefined ? ben.get(`${path}?id=${String(id)}`) : ben.post(path, { id, ...sent });
    expect(outcome(await answer)).toEqual([404, 'not-found']);
  }
  expect(await drafts(ben)).toEqual([]);
  const published = (await ada.post('/drafts/publish', { id })).body;
  const [post] = await postsOf(ada);
  expect(post).toMatchObject({ id: published.published_id, text: 'Hello #drafts', commenters: 'followers' });
  expect(post.attachments.map((picture: { id: number }) => picture.id)).toEqual([media]);
  expect([await drafts(ada), (await drafts(ada, 'published')).length]).toEqual([[], 1]);
});

test('D192 a draft of a comment keeps its post, and still waits if it cannot be published', async () => {
  const post = await ben.writes('hello');
  const id = await draft(ada, { item_id: post, type: 'post', text: 'Well sad' });
  const updated = await ada.post('/drafts/update', { id, version: 1, text: 'Well said' });
  expect(updated.body.parameters).toEqual({ item_id: post, type: 'post', text: 'Well said' });
  const restrict = async (commenters: string) => await ben.post('/post/settings/update', { id: post, commenters });
  await restrict('mentioned');
  expect(outcome(await ada.post('/drafts/publish', { id }))).toEqual([403, 'comments-restricted']);
  expect(await drafts(ada)).toMatchObject([{ id, status: 'draft', version: 2 }]);
  await restrict('everyone');
  const { body } = await ada.post('/drafts/publish', { id });
  expect((await ada.get(`/comment/show?id=${String(body.published_id)}`)).body.items.text).toBe('Well said');
});

test.each([
  ['nothing', {}, 'invalid-parameter'],
  ['a text without its post', { text: 'Hello' }, 'invalid-parameter'],
  ['a post without a text', { sensitive: true }, 'invalid-parameter'],
  ['a comment without a text', { item_id: 1, type: 'post' }, 'invalid-parameter'],
  ['an unknown picture', { message: 'Hello', media: 1 }, 'media-not-usable'],
  ['a picture in two ways', { message: 'Hello', media: 1, attachments: [1] }, 'invalid-parameter'],
])('what the call would refuse is no draft: %s', async (_, parameters, code) => {
  expect((await ada.post('/drafts/create', parameters)).body.code).toBe(code);
  expect(await drafts(ada)).toEqual([]);
});

test('an update needs the current version, and a draft that waits', async () => {
  const id = await draft(ada, { message: 'one', sensitive: true });
  const edit = async (version: number, message: string) => await ada.post('/drafts/update', { id, version, message });
  expect((await edit(1, 'two')).body).toMatchObject({ version: 2, parameters: { message: 'two' } });
  expect((await ada.get(`/drafts/show?id=${String(id)}`)).body.parameters).toEqual({ message: 'two' });
  expect(outcome(await edit(1, 'three'))).toEqual([409, 'draft-changed']);
  expect(outcome(await ada.post('/drafts/publish', { id, version: 1 }))).toEqual([409, 'draft-changed']);
  const picture = await uploadImage(api, ben.id);
  const stolen = await ada.post('/drafts/update', { id, version: 2, message: 'three', media: picture });
  expect(outcome(stolen)).toEqual([403, 'media-not-usable']);
  expect(outcome(await ada.post('/drafts/publish', { id, version: 2 }))).toBe(200);
  expect(outcome(await edit(2, 'three'))).toEqual([409, 'draft-changed']);
  expect((await ada.post('/drafts/delete', { id })).status).toBe(200);
  expect((await postsOf(ada)).map(({ text }: { text: string }) => text)).toEqual(['two']);
});

describe('races', () => {
  test('D192 of many that publish a draft at a time, one does, and all get the same post', async () => {
    const media = await uploadImage(api, ada.id);
    const id = await draft(ada, { message: 'once', media });
    const all = await Promise.all(Array.from({ length: 20 }, async () => await ada.post('/drafts/publish', { id })));
    const posts = await postsOf(ada);
    expect(posts).toHaveLength(1);
    expect(new Set(all.map(({ body }) => body.published_id))).toEqual(new Set([posts[0].id]));
    expect((await ada.post('/drafts/publish', { id, version: 1 })).body.published_id).toBe(posts[0].id);
  });

  test('D192 what is published is what an edit left, in either order', async () => {
    for (const _ of Array.from({ length: 10 })) {
      const id = await draft(ada, { message: 'before' });
      const [edited, published] = await Promise.all([
        ada.post('/drafts/update', { id, version: 1, message: 'after' }),
        ada.post('/drafts/publish', { id, version: 1 }),
      ]);
      // One of them finds another draft than it has read.
      expect(new Set([edited.status, published.status])).toEqual(new Set([200, 409]));
      const after = (await ada.post('/drafts/publish', { id })).body;
      const text = edited.status === 200 ? 'after' : 'before';
      expect((await ada.get(`/post/show?id=${String(after.published_id)}`)).body.items.text).toBe(text);
    }
    expect(await postsOf(ada)).toHaveLength(10);
  });

  test('an account never has more than 100 drafts', async () => {
    const row = { accountId: ada.id, status: 'draft', call: '/post/create', parameters: { message: 'x' } } as const;
    await api.db.prisma.draft.createMany({ data: Array.from({ length: 95 }, () => row) });
    const sent = Array.from({ length: 10 }, async () => await ada.post('/drafts/create', { message: 'x' }));
    const outcomes = (await Promise.all(sent)).map(outcome);
    expect(outcomes.filter((one) => one === 200)).toHaveLength(5);
    expect(outcomes.filter((one) => one !== 200)).toEqual(Array.from({ length: 5 }, () => [409, 'too-many-drafts']));
    expect(await drafts(ada)).toHaveLength(100);
  });
});

test('the pictures of a draft stay until it is published or deleted', async () => {
  const [kept, alone] = [await uploadImage(api, ada.id), await uploadImage(api, ada.id)];
  const id = await draft(ada, { message: 'with a picture', media: kept });
  const sweep = async () => {
    await api.db.prisma
      .$executeRaw`UPDATE media SET created_at = now() - interval '25 hours' WHERE owner_id = ${ada.id}`;
    await deleteUnattachedMedia(api.db);
    const left = await api.db.prisma.media.findMany({ where: { ownerId: ada.id }, select: { id: true } });
    return left.map((media) => Number(media.id));
  };
  expect(alone).not.toBe(kept);
  expect(await sweep()).toEqual([kept]);
  await ada.post('/drafts/delete', { id });
  expect(await sweep()).toEqual([]);
});

test('a picture that another post got first leaves the draft as it is', async () => {
  const media = await uploadImage(api, ada.id);
  const id = await draft(ada, { message: 'with a picture', media });
  await ada.post('/post/create', { message: 'first', media });
  expect(outcome(await ada.post('/drafts/publish', { id }))).toEqual([409, 'media-attached']);
  expect((await ada.post('/drafts/update', { id, version: 1, message: 'without' })).status).toBe(200);
  expect((await ada.post('/drafts/publish', { id })).status).toBe(200);
});

test('an export has the drafts; a suspended account keeps them and gets no new one', async () => {
  const id = await draft(ada, { message: 'mine' });
  expect((await ada.post('/account/export', {})).body.drafts).toMatchObject([{ id, parameters: { message: 'mine' } }]);
  const claims = { acct: ada.id, scope: 'users' };
  expect((await api.call('POST /account/export', { claims })).body.drafts).toEqual([]);
  const hide = async (hiddenAt: Date | null) =>
    await api.db.prisma.account.update({ where: { id: ada.id }, data: { suspendedAt: hiddenAt } });
  await hide(new Date());
  const refused = [
    await ada.post('/drafts/create', { message: 'another' }),
    await ada.post('/drafts/publish', { id }),
  ].map(({ status }) => status);
  await hide(null);
  expect(refused.every((status) => status === 401 || status === 403)).toBe(true);
  expect(await api.db.prisma.draft.findMany({ where: { accountId: ada.id }, select: { status: true } })).toEqual([
    { status: 'draft' },
  ]);
});

test('what was published is forgotten after 30 days; what waits is not', async () => {
  const [id, waiting] = [await draft(ada, { message: 'one' }), await draft(ada, { message: 'two' })];
  await ada.post('/drafts/publish', { id });
  await api.db.prisma.draft.update({ where: { id }, data: { decidedAt: new Date(Date.now() - 31 * 86_400_000) } });
  await sweepDrafts(api.db);
  const left = await api.db.prisma.draft.findMany({ where: { accountId: ada.id } });
  expect(left.map((one) => Number(one.id))).toEqual([waiting]);
});
