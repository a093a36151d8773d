import { commenters } from '@linnet/contract/commenters';
import type { Commenters } from '@linnet/contract/commenters';
import type { ListedPost } from '@linnet/contract/objects';
import { statement } from '@linnet/db/statement/statement';
import { updatePostSettings } from '@linnet/social/post/post-store';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { registerPerson } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

const cleanup = new AsyncDisposableStack();
let api: RunningApi;
let author: Person;
/** By what they have to do with the author and with each post. */
let people: Readonly<Record<Relation, Person>>;
/** One of each kind. */
let posts: Readonly<Record<Commenters, number>>;

const relations = [
  ...(['author', 'follower', 'followed', 'mentioned', 'muting', 'stranger'] as const),
  ...(['blocked', 'blocking'] as const),
];
type Relation = (typeof relations)[number];

/** Who may comment. Those with a block do not even see the post. */
const allowed: Readonly<Record<Commenters, readonly Relation[]>> = {
  everyone: ['author', 'follower', 'followed', 'mentioned', 'muting', 'stranger'],
  followers: ['author', 'follower', 'muting', 'mentioned'],
  mentioned: ['author', 'mentioned'],
};
const behindBlock: ReadonlySet<Relation> = new Set(['blocked', 'blocking']);
const pairs = commenters.flatMap((kind) => relations.map((relation) => ({ kind, relation })));

async function registerPeople(): Promise<void> {
  const named = async (relation: Relation) => [relation, await registerPerson(api, `who_${relation}`)] as const;
  people = Object.fromEntries(await Promise.all(relations.map(named))) as Record<Relation, Person>;
  ({ author } = people);
  for (const one of ['follower', 'muting', 'blocked', 'blocking'] as const) await people[one].follows(author);
  await author.follows(people.followed);
  await people.muting.post('/mutes/add', { id: author.id });
}

async function createPosts(): Promise<void> {
  const message = '@who_mentioned @who_blocked @who_blocking look';
  const create = async (kind: Commenters) => {
    const { body } = await author.post('/post/create', { message, commenters: kind, sensitive: 1 });
    return [kind, Number(body.items.id)] as const;
  };
  posts = Object.fromEntries(await Promise.all(commenters.map(create))) as Record<Commenters, number>;
}

const comment = (post: number, text = 'a comment') => ({ item_id: post, type: 'post', text });

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(database.url));
  await registerPeople();
  await createPosts();
  await author.post('/blocks/add', { id: people.blocked.id });
  await people.blocking.post('/blocks/add', { id: author.id });
});
afterAll(() => cleanup.disposeAsync());

test.each(pairs)('D139 $relation of a post for $kind', async ({ kind, relation }) => {
  const [person, post] = [people[relation], posts[kind]];
  const mayComment = allowed[kind].includes(relation);
  const { body } = await person.get(`/post/show?id=${String(post)}`);
  const shown = body.items;
  const isHidden = behindBlock.has(relation);
  expect([shown?.commenters, shown?.sensitive, shown?.viewer.can_comment]).toEqual(
    isHidden ? [undefined, undefined, undefined] : [kind, 1, mayComment ? 1 : 0],
  );
  const own = await author.comments(post, 'of the author');
  const refused = isHidden ? [404, 'not-found'] : [403, 'comments-restricted'];
  const expected = mayComment ? [200, undefined] : refused;
  for (const sent of [comment(post), { ...comment(post), parent_id: own }]) {
    const { status, body: answer } = await person.post('/comment/create', sent);
    expect([status, answer.code]).toEqual(expected);
  }
});

const listPaths: Readonly<Record<string, () => string>> = {
  lookup: () => `/post/lookup?id=${Object.values(posts).join(',')}`,
  posts: () => `/post?user_id=${String(author.id)}`,
  timeline: () => '/timeline/public?',
  search: () => '/search/posts?query=look',
  feed: () => '/feed?',
  bookmarks: () => '/bookmarks?',
  mentions: () => '/mentions?',
};

/** Of the posts in a list. */
async function readMarks(path: string, relation: Relation) {
  const { body } = await people[relation].get(path);
  const kinds = new Map(commenters.map((kind) => [posts[kind], kind]));
  const found = body.items.map((one: { post?: unknown }) => one.post ?? one);
  const own = found.filter(({ id }: { id: number }) => kinds.has(id));
  return own.map(({ id, commenters: kind, sensitive, viewer }: ListedPost) => {
    expect([kind, sensitive]).toEqual([kinds.get(id), 1]);
    return `${kind} ${String(viewer?.can_comment)}`;
  });
}

const readers = ['author', 'follower', 'mentioned', 'stranger'] as const;

/** How many of the readers have the posts in lists of their own. */
const readersOf: Readonly<Record<string, number>> = { feed: 2, bookmarks: 2, mentions: 1 };

test('all lists say who can comment, and whether the reader can, alone and concurrently', async () => {
  for (const relation of ['follower', 'mentioned'] as const) {
    for (const post of Object.values(posts)) await people[relation].bookmarks(post);
  }
  for (const [list, path] of Object.entries(listPaths)) {
    const pages = await Promise.all(readers.map(async (relation) => await readMarks(path(), relation)));
    for (const [index, relation] of readers.entries()) {
      const expected = commenters.map((kind) => `${kind} ${allowed[kind].includes(relation) ? '1' : '0'}`);
      for (const page of [pages[index], await readMarks(path(), relation)]) {
        expect([list, relation, page.length === 0 ? [] : page.toSorted()]).toEqual([
          list,
          relation,
          page.length === 0 ? [] : expected,
        ]);
      }
    }
    expect([list, pages.flat().length]).toEqual([list, commenters.length * (readersOf[list] ?? readers.length)]);
  }
});

test('the export, and tokens that act for nobody, have the settings without marks', async () => {
  const { body } = await author.post('/account/export', {});
  const settings = (items: Record<string, unknown>[]) =>
    new Set(items.map((one) => `${String(one['commenters'])} ${String(one['sensitive'])}`));
  const expected = new Set(commenters.map((kind) => `${kind} 1`));
  expect(settings(body.posts)).toEqual(expected);
  const page = await api.call(`GET /post?user_id=${String(author.id)}`);
  expect(settings(page.body.items)).toEqual(expected);
  expect(JSON.stringify(page.body)).not.toContain('"viewer"');
});

const change = async (person: Person, id: number, changed: object) =>
  await person.post('/post/settings/update', { id, ...changed });
const show = async (id: number) => (await author.get(`/post/show?id=${String(id)}`)).body.items;

test('the settings change one by one, and old comments stay', async () => {
  const { body } = await author.post('/post/create', { message: 'open' });
  const { id } = body.items;
  expect(body.items).toMatchObject({ commenters: 'everyone', sensitive: 0, viewer: { can_comment: 1 } });
  const old = await people.stranger.comments(id);
  const steps = [
    [{ commenters: 'mentioned' }, 'mentioned', 0],
    [{ sensitive: true }, 'mentioned', 1],
    [{}, 'mentioned', 1],
    [{ commenters: 'followers', sensitive: 0 }, 'followers', 0],
  ] as const;
  for (const [changed, kind, sensitive] of steps) {
    const { status, body: answer } = await change(author, id, changed);
    expect([status, answer.items]).toEqual([200, await show(id)]);
    expect(answer.items).toMatchObject({ commenters: kind, sensitive, action: { comments: 1 } });
  }
  expect((await people.stranger.get(`/comment/show?id=${String(old)}`)).status).toBe(200);
});

test('only the author changes the settings', async () => {
  const id = posts.everyone;
  const before = await show(id);
  const refused = await change(people.stranger, id, { sensitive: 0 });
  expect([refused.status, refused.body.code]).toEqual([403, 'not-owner']);
  expect((await change(people.blocked, id, { sensitive: 0 })).status).toBe(404);
  const wrong = await change(author, id, { commenters: 'nobody', sensitive: 2 });
  expect([wrong.status, wrong.body.errors.length]).toEqual([400, 2]);
  expect(await show(id)).toEqual(before);
});

const countWaiting = statement<readonly [], { readonly count: number }>(
  'test_waiting_for_lock',
  `SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
);

/** Sends comments while the author changes the post, and returns their statuses. `then`: done before the change is committed. */
async function commentDuring(post: number, count: number, then: () => Promise<unknown>, kind?: Commenters) {
  const waiting: Promise<{ readonly status: number }>[] = [];
  const send = async () => await people.follower.post('/comment/create', comment(post, 'in a race'));
  await api.db.transaction(async (tx) => {
    await updatePostSettings(tx, { id: post, accountId: author.id }, { commenters: kind, sensitive: true });
    waiting.push(...Array.from({ length: count }, send));
    await expect.poll(async () => (await tx.query(countWaiting, []))[0]?.count).toBeGreaterThan(0);
    await then();
  });
  return [...new Set((await Promise.all(waiting)).map(({ status }) => status))];
}

// A single comment takes one statement, several at once another.
test.each([1, 5])('%i comments that wait for the post see what was changed in the meantime', async (count) => {
  const { follower } = people;
  const create = async (kind: Commenters) =>
    Number((await author.post('/post/create', { message: 'race', commenters: kind })).body.items.id);
  const nothing = async () => undefined;
  const commentsOn = async (id: number) => (await show(id)).action.comments;

  const [narrowed, unfollowed] = [await create('everyone'), await create('followers')];
  expect(await commentDuring(narrowed, count, nothing, 'mentioned')).toEqual([403]);
  expect(await commentDuring(unfollowed, count, async () => await follower.unfollows(author))).toEqual([403]);
  await follower.follows(author);
  expect([await commentsOn(narrowed), await commentsOn(unfollowed)]).toEqual([0, 0]);
  expect((await follower.post('/comment/create', comment(unfollowed))).status).toBe(200);
});
