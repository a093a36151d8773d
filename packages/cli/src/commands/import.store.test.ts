// `linnet user import`, as an operator runs it.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { timeOfId } from '@linnet/db/text/id-time';
import { createMedia } from '@linnet/media/media';
import type { Media } from '@linnet/media/media';
import { createLogger } from '@linnet/service/log/logger';
import { importFile } from '@linnet/social/import/import-account';
import { insertAccount } from '@linnet/test/db/insert-account';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { run } from '@linnet/test/cli/run';
import { readArchive, toArchive, toTarball } from '@linnet/test/export-archive';
import { pngImage } from '@linnet/test/media/images';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';

import { readConfig } from '../config.ts';

const cleanup = new AsyncDisposableStack();
let db: Db;
let media: Media;
let folder: string;
let ben: number;

beforeAll(async () => {
  const { url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  db = cleanup.use(openDatabase({ url, poolSize: 2, prepare: true }));
  folder = await mkdtemp(join(tmpdir(), 'linnet-import-'));
  cleanup.defer(async () => await rm(folder, { recursive: true }));
  vi.stubEnv('BASE_URL', undefined); // the test runner sets it to "/"
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('DATA_DIR', folder);
  const logger = createLogger({ level: 'error', pretty: false, destination: 'stderr' });
  const options = { ...readConfig(), mediaFetchAllow: [], rateLimits: false, workers: 1 };
  media = cleanup.use(createMedia(options, db, logger));
  ben = await insertAccount(db, 'ben_mentioned');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await cleanup.disposeAsync();
});

async function linnet(...args: readonly string[]) {
  const { status, stdout } = await run('user', ...args, '--reason', 'Ticket 4711', '--json');
  return { status, document: JSON.parse(stdout) };
}

/** A ZIP file of JSON files and others. */
async function write(name: string, files: Readonly<Record<string, unknown>>): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, toArchive(files));
  return path;
}

async function read(path: string) {
  return readArchive(await readFile(path)).json;
}

const post = (id: number, created_at: string, more: object = {}) => ({
  id,
  text: `Post ${String(id)}`,
  created_at,
  ...more,
});

const pictures = [21, 22].map((id) => ({ id, file: `media/${String(id)}.png`, alt: `Picture ${String(id)}` }));

/** What somebody brings: from before 2026, and since. */
async function writeWorld(name: string) {
  return await write(name, {
    'posts.json': [
      post(1, '2019-05-01T10:00:00.000Z', {
        text: 'Hello @ben_mentioned #Linnet',
        sensitive: 1,
        commenters: 'followers',
      }),
      post(2, '2019-05-01T10:00:01.000Z', { attachments: [{ id: 22 }, { id: 21 }], quote_id: 1 }),
      post(3, '2026-03-04T05:06:07.890Z', { quote_id: 99 }),
    ],
    'comments.json': [
      { id: 4, text: 'Of my own', created_at: '2026-03-05T05:06:07.890Z', item_id: 3, parent_id: 0 },
      { id: 5, text: 'And again', created_at: '2026-03-05T05:06:07.890Z', item_id: 3, parent_id: 4 },
      { id: 6, text: 'Elsewhere', created_at: '2026-03-05T05:06:07.890Z', item_id: 98, parent_id: 0 },
    ],
    'media.json': pictures,
    'media/21.png': await pngImage({ width: 20, height: 10 }),
    'media/22.png': await pngImage({ width: 10, height: 20 }),
    'reposts.json': [{ item_id: 98 }],
  });
}

const ofWorld = {
  source: 'linnet',
  posts: 3,
  comments: 2,
  pictures: 2,
  left_out: { comments: 1, quotes: 1, reposts: 1 },
};

async function count(accountId: number) {
  const { postsCount } = await db.prisma.account.findUniqueOrThrow({ where: { id: accountId } });
  const where = { authorId: accountId };
  return [postsCount, await db.prisma.post.count({ where }), await db.prisma.comment.count({ where })];
}

/** An export with the numbers of ids and of names of pictures, in the order in which they appear. */
function normalize(json: Readonly<Record<string, unknown>>): unknown {
  const numbers = new Map<string, number>();
  const kept = ['posts', 'comments', 'media', 'history', 'reposts', 'notifications'].map((name) => json[name]);
  const normal = JSON.stringify(kept).replaceAll(/[0-9a-f]{32}|\b\d{10,}\b/g, (id) => {
    numbers.set(id, numbers.get(id) ?? numbers.size);
    return String(numbers.get(id));
  });
  return JSON.parse(normal);
}

describe('D208 an export of Linnet', () => {
  test('comes back whole: posts at their dates, comments, pictures, quotes', async () => {
    const [one, two] = [await insertAccount(db, 'first_home'), await insertAccount(db, 'second_home')];
    const world = await writeWorld('world.zip');
    expect(await linnet('import', 'first_home', world)).toEqual({
      status: 0,
      document: { ...ofWorld, state: 'finished' },
    });
    const file = (name: string) => join(folder, name);
    await linnet('export', 'first_home', '--output', file('one.zip'));
    expect(await linnet('import', 'second_home', file('one.zip'))).toMatchObject({
      document: { posts: 3, comments: 2, pictures: 2, left_out: {} },
    });
    await linnet('export', 'second_home', '--output', file('two.zip'));
    const [first, second] = [await read(file('one.zip')), await read(file('two.zip'))];
    expect(normalize(second)).toEqual(normalize(first));
    expect(first.posts).toMatchObject([
      {
        text: 'Hello @ben_mentioned #Linnet',
        created_at: '2019-05-01T10:00:00.000Z',
        sensitive: 1,
        commenters: 'followers',
        imported: true,
      },
      {
        attachments: [
          { alt: 'Picture 22', width: 10 },
          { alt: 'Picture 21', width: 20 },
        ],
      },
      { created_at: '2026-03-04T05:06:07.890Z', action: { comments: 2 } },
    ]);
    expect(first.comments).toMatchObject([{ imported: true }, { imported: true }]);
    expect(timeOfId(first.posts[2].id).toISOString()).toBe('2026-03-04T05:06:07.890Z');
    expect(await count(one)).toEqual([3, 3, 2]);
    expect(await count(two)).toEqual([3, 3, 2]);
  });

  test('is found by its words, and is no news to anybody', async () => {
    expect(await db.prisma.postHashtag.count({ where: { hashtag: 'linnet' } })).toBe(2);
    expect(await db.prisma.postSearch.count()).toBe(6);
    expect(await db.prisma.mention.count({ where: { accountId: ben } })).toBe(2);
    expect(await db.prisma.notification.count()).toBe(0);
    expect(await db.prisma.outbox.count()).toBe(0);
  });

  test('adds nothing twice: the same file, another file with the same posts, the own posts', async () => {
    const id = Number((await db.prisma.account.findFirstOrThrow({ where: { username: 'first_home' } })).id);
    const before = new Date();
    const again = await linnet('import', 'first_home', join(folder, 'world.zip'));
    expect(again).toEqual({ status: 0, document: { ...ofWorld, state: 'finished' } });
    // Its day does not begin again.
    expect(await db.prisma.accountImport.count({ where: { accountId: id, createdAt: { gt: before } } })).toBe(0);
    const other = await write('other.zip', {
      'posts.json': [post(1, '2019-05-01T10:00:00.000Z'), post(7, '2026-01-02T03:04:05.000Z')],
    });
    expect(await linnet('import', 'first_home', other)).toMatchObject({ document: { posts: 1, comments: 0 } });
    await linnet('export', 'first_home', '--output', join(folder, 'own.zip'));
    const own = await linnet('import', 'first_home', join(folder, 'own.zip'));
    expect(own).toMatchObject({ document: { posts: 0, comments: 0, left_out: {} } });
    expect(await count(id)).toEqual([4, 4, 2]);
  });

  test('continues after it was interrupted', async () => {
    const accountId = await insertAccount(db, 'interrupted');
    const posts = Array.from({ length: 120 }, (_, index) => post(index + 1, '2026-02-03T04:05:06.000Z'));
    const path = await write('many.zip', { 'posts.json': posts });
    const target = { db, media, accountId, baseUrl: readConfig().baseUrl };
    const kill = () => {
      throw new Error('killed');
    };
    await expect(importFile(target, path, { mayContinue: kill })).rejects.toThrow('killed');
    expect(await count(accountId)).toEqual([50, 50, 0]);
    expect(await linnet('import', 'interrupted', path)).toMatchObject({ document: { state: 'finished', posts: 120 } });
    expect(await count(accountId)).toEqual([120, 120, 0]);
    const stored = await db.prisma.post.findMany({ where: { authorId: accountId }, orderBy: { id: 'asc' } });
    expect(new Set(stored.map(({ text }) => text)).size).toBe(120);
  });

  test('can be undone, without what is gone already, and come again', async () => {
    const accountId = await insertAccount(db, 'undoing');
    const path = await writeWorld('undone.zip');
    await linnet('import', 'undoing', path);
    const { id } = await db.prisma.post.findFirstOrThrow({ where: { authorId: accountId, text: 'Post 2' } });
    await db.prisma.post.create({ data: { authorId: accountId, text: 'New' } });
    await db.prisma.post.delete({ where: { id } });
    expect(await linnet('import', 'undoing', path, '--undo')).toEqual({ status: 0, document: { deleted: 4 } });
    const left = await db.prisma.post.findMany({ where: { authorId: accountId } });
    expect(left.map(({ text }) => text)).toEqual(['New']);
    const twice = await linnet('import', 'undoing', path, '--undo');
    expect(twice).toMatchObject({ status: 1, document: { error: { code: 'not-undoable' } } });
    expect(await linnet('import', 'undoing', path)).toMatchObject({ document: { posts: 3, comments: 2, pictures: 2 } });
    await db.prisma.accountImport.updateMany({ data: { createdAt: new Date(Date.now() - 25 * 3_600_000) } });
    expect(await linnet('import', 'undoing', path, '--undo')).toMatchObject({ status: 1 });
    const events = await db.prisma.auditEvent.findMany({ where: { accountId }, orderBy: { id: 'asc' } });
    const names = events.map(({ event }) => event).filter((event) => event.includes('import'));
    expect(names).toEqual(['account.imported', 'account.import_undone', 'account.imported']);
  });
});

/** As Mastodon writes it. */
function note(name: string, content: string, more: object = {}) {
  const actor = 'https://social.example/users/ada';
  const id = `${actor}/statuses/${name}`;
  const reach = { to: [everybody], cc: [`${actor}/followers`] };
  const object = { id, type: 'Note', summary: null, inReplyTo: null, published: `2022-11-${name}T10:00:00Z`, ...reach };
  const written = { attributedTo: actor, sensitive: false, content, attachment: [], tag: [], ...more };
  return {
    id: `${id}/activity`,
    type: 'Create',
    actor,
    published: object.published,
    ...reach,
    object: { ...object, ...written },
  };
}
const everybody = 'https://www.w3.org/ns/activitystreams#Public';

test.each([
  ['zip', toArchive],
  ['tar_gz', toTarball],
])('D208 an archive of Mastodon (%s) becomes posts, and plain answers to them comments', async (kind, toFile) => {
  const accountName = `mover_${kind}`;
  const accountId = await insertAccount(db, accountName);
  const file = '/media_attachments/files/109/original/a.png';
  const mention =
    '<span class="h-card"><a href="https://other.example/@ben_mentioned" class="u-url mention">@<span>ben_mentioned</span></a></span>';
  const hashtag =
    '<a href="https://social.example/tags/Linnet" class="mention hashtag" rel="tag">#<span>Linnet</span></a>';
  const link =
    '<a href="https://example.org/a/b?c=1&amp;d=2"><span class="invisible">https://</span><span class="ellipsis">example.org/a</span></a>';
  const own = (name: string) => ({ inReplyTo: `https://social.example/users/ada/statuses/${name}` });
  const items = [
    note('01', `<p>Hello ${mention} &amp; ${hashtag}<br />see ${link}</p><p>Bye</p>`),
    note('02', '<p>Soup</p>', {
      ...{ summary: 'Food', sensitive: true, to: [], cc: [everybody] },
      attachment: [{ type: 'Document', mediaType: 'image/png', url: file, name: 'A bowl', width: 30, height: 20 }],
    }),
    note('03', '<p>An answer</p>', own('01')),
    note('04', '<p>To the answer</p>', own('03')),
    note('05', '', { attachment: [{ type: 'Document', mediaType: 'image/png', url: `/bucket${file}`, name: null }] }),
    note('06', '<p>To somebody</p>', { inReplyTo: 'https://other.example/1' }),
    note('07', '<p>Psst</p>', { to: ['https://social.example/users/ada/followers'], cc: [] }),
    note('08', '<p>Which?</p>', { type: 'Question' }),
    note('09', `<p>${'x'.repeat(401)}</p>`),
    { id: 'https://social.example/1/activity', type: 'Announce', object: 'https://other.example/2' },
  ];
  const files = {
    'outbox.json': { id: 'outbox.json', type: 'OrderedCollection', totalItems: items.length, orderedItems: items },
    'actor.json': { id: 'https://social.example/users/ada', type: 'Person', preferredUsername: 'ada' },
    'likes.json': { id: 'likes.json', type: 'OrderedCollection', orderedItems: ['https://other.example/2'] },
    'bookmarks.json': { id: 'bookmarks.json', type: 'OrderedCollection', orderedItems: [] },
    [file.slice(1)]: await pngImage(),
  };
  const path = join(folder, `${accountName}.archive`);
  await writeFile(path, await toFile(files));
  const leftOut = { private: 1, polls: 1, text: 1, reposts: 1, likes: 1 };
  expect(await linnet('import', accountName, path)).toMatchObject({
    document: { source: 'mastodon', posts: 4, comments: 2, pictures: 2, left_out: leftOut },
  });
  const posts = await db.prisma.post.findMany({
    where: { authorId: accountId },
    include: { media: true },
    orderBy: { id: 'asc' },
  });
  expect(posts).toMatchObject([
    {
      text: 'Hello @ben_mentioned@other.example & #Linnet\nsee https://example.org/a/b?c=1&d=2\n\nBye',
      createdAt: new Date('2022-11-01T10:00:00Z'),
      mentionIds: [],
      commentsCount: 2,
    },
    { text: 'Food\n\nSoup', sensitive: true, media: [{ alt: 'A bowl' }] },
    { text: '📷', media: [{ alt: '' }] },
    { text: 'To somebody', sensitive: false },
  ]);
  const comments = await db.prisma.comment.findMany({ where: { authorId: accountId }, orderBy: { id: 'asc' } });
  expect(comments).toMatchObject([
    { text: 'An answer', parentId: null },
    { text: 'To the answer', parentId: comments[0]?.id },
  ]);
});

const now = '2026-01-02T03:04:05.000Z';
const tooMany = Array.from({ length: 10_001 }, (_, index) => post(index + 1, now));
const tarball = await toTarball({ 'posts.json': [post(1, now)] });
test.each<[name: string, files: Readonly<Record<string, unknown>> | string | Buffer, code: string]>([
  ['no archive', 'Dear Ada', 'not-an-archive'],
  ['an empty file', '', 'not-an-archive'],
  ['half a TAR file', tarball.subarray(0, -20), 'damaged'],
  ['no TAR file', gzipSync('Dear Ada'.repeat(100)), 'damaged'],
  ['other files in a TAR file', await toTarball({ 'hello.json': [] }), 'unknown-files'],
  ['other files', { 'hello.json': [] }, 'unknown-files'],
  ['broken JSON', { 'posts.json': '[{' }, 'damaged'],
  ['another shape', { 'posts.json': { id: 1 } }, 'damaged'],
  ['a post without a date', { 'posts.json': [{ id: 1, text: 'Hello' }] }, 'damaged'],
  ['broken comments', { 'posts.json': [post(1, now)], 'comments.json': [{}] }, 'damaged'],
  ['a broken outbox', { 'outbox.json': { orderedItems: 1 } }, 'damaged'],
  ['too many posts', { 'posts.json': tooMany }, 'too-many-posts'],
])('%s: nothing is stored', async (name, files, code) => {
  const isWhole = typeof files === 'string' || Buffer.isBuffer(files);
  const path = isWhole ? join(folder, name) : await write(name, files);
  if (isWhole) await writeFile(path, files);
  const accountId = await insertAccount(db, `bad_${name.replaceAll(/\W/g, '_')}`);
  const refused = await linnet('import', `bad_${name.replaceAll(/\W/g, '_')}`, path);
  expect(refused).toMatchObject({ status: 1, document: { error: { code } } });
  expect(await db.prisma.accountImport.count({ where: { accountId } })).toBe(0);
  expect(await count(accountId)).toEqual([0, 0, 0]);
});

test.each<[name: string, files: Readonly<Record<string, unknown>>, stored: object]>([
  ['posts', { 'posts.json': [post(1, now), post(2, now), post(1, now)] }, { posts: 2, comments: 0 }],
  [
    'comments',
    {
      'posts.json': [post(1, now)],
      'comments.json': [2, 2, 1].map((id) => ({ id, text: 'And', created_at: now, item_id: 1 })),
    },
    { posts: 1, comments: 1 },
  ],
  [
    'long ids of notes',
    {
      'outbox.json': {
        orderedItems: ['a', 'b'].map((begin) => note('01', 'Hi', { id: `${begin}${'x'.repeat(255)}` })),
      },
    },
    { posts: 1, comments: 0 },
  ],
  [
    'ids with a NUL',
    { 'outbox.json': { orderedItems: [note('01', 'Hi', { id: 'a\0' })] } },
    { posts: 0, left_out: { text: 1 } },
  ],
])('D208 a file may list something twice: %s', async (name, files, stored) => {
  const username = `twice_${name.replaceAll(' ', '_')}`;
  await insertAccount(db, username);
  const path = await write(`${username}.zip`, files);
  expect(await linnet('import', username, path)).toMatchObject({
    status: 0,
    document: { ...stored, state: 'finished' },
  });
});

test('what cannot be stored here is left out and counted', async () => {
  const accountId = await insertAccount(db, 'partly');
  const path = await write('partly.zip', {
    'posts.json': [
      post(1, now, { attachments: [{ id: 21 }, { id: 22 }] }),
      post(2, '2199-01-01T00:00:00.000Z'),
      post(3, '1969-07-20T20:17:40.000Z'),
      post(4, now, { text: 'x'.repeat(401) }),
      post(5, now, { text: ' ' }),
      post(6, now, { text: 'Zero\0' }),
    ],
    'comments.json': [{ id: 7, text: 'Of what is left out', created_at: now, item_id: 4 }],
    'media.json': pictures,
    'media/21.png': 'no picture',
  });
  expect(await linnet('import', 'partly', path)).toMatchObject({
    document: { posts: 1, pictures: 0, left_out: { date: 2, text: 3, pictures: 2, comments: 1 } },
  });
  expect(await count(accountId)).toEqual([1, 1, 0]);
});
