import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';

import { registerPerson, registerThree, setProtected } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { computeFeed } from '@linnet/test/api/timelines';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

/** Feeds that are read from timelines: at once after a change, after it was applied, and after the timeline was built again. */

let database: TestDatabase;
let api: RunningApi;
/** Ada follows Ben. */
let ada: Person;
let ben: Person;
let cleo: Person;
/** Posts of Ben and of Cleo, and the latter as Ben reposted it. */
let bens: number;
let cleos: number;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  [ada, ben, cleo] = await registerThree(api);
  await ada.follows(ben);
  bens = await ben.writes('by Ben');
  cleos = await cleo.writes('by Cleo');
  await ben.reposts(cleos);
  await ownTimeline(ada);
});

async function runJob(name: string): Promise<void> {
  await api.app.jobs.find((job) => job.name === name)?.run(new AbortController().signal);
}

const hasTimeline = async ({ id }: Person) => (await api.db.prisma.timeline.count({ where: { readerId: id } })) === 1;

/** Reads the feed until it has a timeline. */
async function ownTimeline(reader: Person): Promise<void> {
  await vi.waitFor(async () => {
    await runJob('timelines');
    await readFeed(reader);
    expect(await hasTimeline(reader)).toBe(true);
  }, 50_000);
}

/** The ids of the posts, newest first; the total is their number. */
async function readFeed(reader: Person): Promise<readonly number[]> {
  const { status, body } = await reader.get('/feed');
  expect([status, body.total]).toEqual([200, body.items.length]);
  return body.items.map(({ id }: { id: number }) => id);
}

/** How the feed is read by the next call. */
async function readsFrom(reader: Person): Promise<string> {
  api.statements.length = 0;
  await readFeed(reader);
  // Not those of a build that an earlier read has asked for.
  const reads = api.statements.filter((text) => !text.includes('INSERT INTO timeline'));
  const texts = reads.filter((text) => text.includes('FROM follow') || text.includes('FROM timeline '));
  return texts.length === 1 ? 'timeline' : 'computed';
}

test('D173 a feed is computed until it has a timeline, which is then read in one statement', async () => {
  expect(await readsFrom(ada)).toBe('timeline');
  expect(await hasTimeline(cleo)).toBe(false);
  expect(await readsFrom(cleo)).toBe('computed');
});

const withoutBen: readonly string[] = [];
const both = ['cleos', 'bens'];
const cases: readonly (readonly [name: string, act: () => Promise<unknown>, expected: readonly string[]])[] = [
  ['a new post', async () => void (await ben.writes('another')), ['another', ...both]],
  ['a post of her own', async () => void (await ada.writes('another')), ['another', ...both]],
  ['a repost of her own', async () => await ada.reposts(bens), ['bens', ...both]],
  ['a deleted post', async () => await ben.post('/post/delete', { id: bens }), ['cleos']],
  ['a deleted post that was reposted', async () => await cleo.post('/post/delete', { id: cleos }), ['bens']],
  ['a repost that was removed', async () => await ben.unreposts(cleos), ['bens']],
  ['a follow', async () => await ada.follows(cleo), ['cleos', 'cleos', 'bens']],
  ['an unfollow', async () => await ada.unfollows(ben), withoutBen],
  ['a follower who was removed', async () => await ben.post('/followers/delete', { id: ada.id }), withoutBen],
  ['a muted account', async () => await ada.post('/mutes/add', { id: ben.id }), withoutBen],
  ['a muted author', async () => await ada.post('/mutes/add', { id: cleo.id }), ['bens']],
  ['a blocked account', async () => await ada.post('/blocks/add', { id: ben.id }), withoutBen],
  ['an author who blocks', async () => await cleo.post('/blocks/add', { id: ada.id }), ['bens']],
  ['a protected account that she follows', async () => await setProtected(api, ben, true), both],
  ['an author who is protected now', async () => await setProtected(api, cleo, true), ['bens']],
  ['a deleted account', async () => await hide(ben, { deletedAt: new Date() }), withoutBen],
  ['an author who deleted the account', async () => await hide(cleo, { deletedAt: new Date() }), ['bens']],
  ['a suspended account', async () => await hide(ben, { suspendedAt: new Date() }), withoutBen],
  ['an author who is suspended', async () => await hide(cleo, { suspendedAt: new Date() }), ['bens']],
  ['a limited account that she follows', async () => await hide(ben, { limitedAt: new Date() }), both],
  ['an author who is limited', async () => await hide(cleo, { limitedAt: new Date() }), ['bens']],
];

type Hiding = Readonly<Partial<Record<'deletedAt' | 'suspendedAt' | 'limitedAt', Date | null>>>;
async function hide({ id }: Person, data: Hiding): Promise<void> {
  await api.db.prisma.account.update({ where: { id }, data });
}

async function readNamed(): Promise<readonly string[]> {
  return (await readFeed(ada)).map((id) => ({ [bens]: 'bens', [cleos]: 'cleos' })[id] ?? 'another');
}

test.each(cases)('shows at once: %s', async (_, act, expected) => {
  expect(await readNamed()).toEqual(both);
  await act();
  expect(await readNamed()).toEqual(expected);
  await runJob('timelines');
  expect(await readNamed()).toEqual(expected);
  await ownTimeline(ada);
  expect(await readsFrom(ada)).toBe('timeline');
  expect(await readNamed()).toEqual(expected);
});

/** Reads the feed in both ways. */
async function readBoth(reader: Person): Promise<readonly number[]> {
  const ids = await readFeed(reader);
  expect(await computeFeed(api.db, reader.id, { count: 70, page: 1 })).toMatchObject({ total: ids.length, ids });
  return ids;
}

describe('D199 followed hashtags', () => {
  let hashtag: string;
  let dora: Person;

  beforeEach(async () => {
    hashtag = `loom_${String(cleo.id)}`;
    dora = await registerPerson(api, `dora_${String(cleo.id)}`);
    await ben.unreposts(cleos);
    await ada.post('/hashtags/follows/add', { hashtag });
  });

  test('posts with one are in the feed, once, in one statement, by those whom a search of the hashtag shows', async () => {
    const write = async (author: Person) => await author.writes(`at the #${hashtag}`);
    const [own, followed, strangers] = [await write(ada), await write(ben), await write(cleo)];
    const expected = [strangers, followed, own, bens];
    expect(await readBoth(ada)).toEqual(expected);
    await ownTimeline(ada);
    expect([await readsFrom(ada), await readBoth(ada)]).toEqual(['timeline', expected]);
    expect(await readBoth(dora)).toEqual([]);
    // A repost of somebody whom she follows is an item of its own.
    await ben.reposts(strangers);
    const reposted = (await readFeed(ada)).filter((id) => id === strangers);
    expect(reposted).toHaveLength(2);
  });

  const ways: readonly (readonly [name: string, act: (dora: Person, post: number) => Promise<unknown>])[] = [
    ['she mutes the author', async ({ id }) => await ada.post('/mutes/add', { id })],
    ['she blocks the author', async ({ id }) => await ada.post('/blocks/add', { id })],
    ['the author blocks her', async (author) => await author.post('/blocks/add', { id: ada.id })],
    ['the author is protected', async (author) => await setProtected(api, author, true)],
    ['the author is limited', async (author) => await hide(author, { limitedAt: new Date() })],
    ['the author is suspended', async (author) => await hide(author, { suspendedAt: new Date() })],
    ['the author deletes the account', async (author) => await hide(author, { deletedAt: new Date() })],
    ['the author deletes the post', async (author, id) => await author.post('/post/delete', { id })],
    [
      'the author takes it out of the text',
      async (author, id) => await author.post('/post/edit', { id, message: 'no loom' }),
    ],
    ['she unfollows it', async () => await ada.post('/hashtags/follows/delete', { hashtag: hashtag.toUpperCase() })],
  ];

  test.each(ways)('a post leaves the feed at once: %s', async (_, act) => {
    const post = await dora.writes(`#${hashtag}`);
    expect(await readBoth(ada)).toEqual([post, bens]);
    await act(dora, post);
    expect(await readBoth(ada)).toEqual([bens]);
  });

  test('a post with several of them is there once, and pages lead through all', async () => {
    await ada.post('/hashtags/follows/add', { hashtag: `${hashtag}_b` });
    const posts: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      posts.unshift(await dora.writes(`${String(index)} #${hashtag} #${hashtag}_b`), await ben.writes(String(index)));
    }
    const expected = posts.toSorted((a, b) => b - a).concat(bens);
    const read: number[] = [];
    for (let cursor = ''; ;) {
      const { body } = await ada.get(`/feed?count=3${cursor}`);
      expect(body.total).toBe(11);
      read.push(...body.items.map(({ id }: { id: number }) => id));
      if (body.next === undefined) break;
      cursor = `&cursor=${String(body.next)}`;
    }
    expect(read).toEqual(expected);
  });
});

test.each(['deletedAt', 'suspendedAt'])('an account that returns is in feeds again: %s', async (column) => {
  await hide(ben, { [column]: new Date() });
  await ownTimeline(ada);
  expect(await readNamed()).toEqual(withoutBen);
  await hide(ben, { [column]: null });
  expect(await readNamed()).toEqual(both);
  await ownTimeline(ada);
  expect(await readNamed()).toEqual(both);
});

test('a mute that ends shows what it hid, without a change', async () => {
  await ada.post('/mutes/add', { id: cleo.id, ends_at: new Date(Date.now() + 3_600_000).toISOString() });
  await ownTimeline(ada);
  expect(await readNamed()).toEqual(['bens']);
  const past = new Date(Date.now() - 1000);
  // As if an hour had passed: without the change that the trigger writes.
  await api.db.prisma.mute.updateMany({ where: { muterId: ada.id }, data: { endsAt: past } });
  await api.db.prisma.timelineChange.deleteMany({ where: { accountId: ada.id } });
  await api.db.prisma.timeline.update({ where: { readerId: ada.id }, data: { validUntil: past } });
  expect(await readNamed()).toEqual(both);
});

test('a timeline that should not have an item shows nothing that the feed may not show', async () => {
  await setProtected(api, cleo, true);
  await api.db.prisma.timelineChange.deleteMany();
  expect(await hasTimeline(ada)).toBe(true);
  expect(await readNamed()).toEqual(['bens']);
});

test('timelines that nobody reads are deleted, and built again at the next read', async () => {
  const day = (days: number) => new Date(Date.now() - days * 86_400_000);
  await api.db.prisma.timeline.update({ where: { readerId: ada.id }, data: { readOn: day(3) } });
  await readFeed(ada);
  await vi.waitFor(async () => {
    const { readOn } = await api.db.prisma.timeline.findUniqueOrThrow({ where: { readerId: ada.id } });
    expect(readOn.getTime()).toBeGreaterThan(day(2).getTime());
  }, 50_000);
  await api.db.prisma.timeline.update({ where: { readerId: ada.id }, data: { readOn: day(9) } });
  await runJob('unread-timelines');
  expect(await hasTimeline(ada)).toBe(false);
  expect(await readNamed()).toEqual(both);
  await ownTimeline(ada);
});
