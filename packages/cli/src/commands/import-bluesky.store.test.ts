// `linnet user import` of what people bring from Bluesky.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { toBlob, toRepository, uriOf } from '@linnet/test/bluesky';
import { importLimits } from '@linnet/social/import/import-archive';
import { run } from '@linnet/test/cli/run';
import { insertAccount } from '@linnet/test/db/insert-account';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { toArchive } from '@linnet/test/export-archive';
import { pngImage } from '@linnet/test/media/images';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';

const cleanup = new AsyncDisposableStack();
let db: Db;
let folder: string;

beforeAll(async () => {
  const { url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  db = cleanup.use(openDatabase({ url, poolSize: 2, prepare: true }));
  folder = await mkdtemp(join(tmpdir(), 'linnet-bluesky-'));
  cleanup.defer(async () => await rm(folder, { recursive: true }));
  vi.stubEnv('BASE_URL', undefined); // the test runner sets it to "/"
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('DATA_DIR', folder);
  await insertAccount(db, 'alice');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await cleanup.disposeAsync();
});

/** Imports a file for a new account. */
async function importFor(username: string, content: Uint8Array) {
  const accountId = await insertAccount(db, username);
  const path = join(folder, username);
  await writeFile(path, content);
  const { stdout } = await run('user', 'import', username, path, '--reason', 'Ticket 4711', '--json');
  return { accountId, document: JSON.parse(stdout) };
}

const feed = 'app.bsky.feed.post';

/** A record of the collection of posts. `key` is a day of March 2024. */
function post(key: string, text: string, more: object = {}, name = key) {
  return {
    [`${feed}/${name}`]: { $type: feed, text, createdAt: `2024-03-${key}T10:00:00.000Z`, langs: ['en'], ...more },
  };
}

const subject = (key: string) => ({
  uri: uriOf(key),
  cid: 'bafyreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku',
});
const elsewhere = { ...subject('01'), uri: `at://did:plc:z72i7hdynmk6r22z27h6tvur/${feed}/3l6oveex3ii2l` };
const reply = (root: object, parent = root) => ({ reply: { root, parent } });
const quote = (record: object) => ({ embed: { $type: 'app.bsky.embed.record', record } });

/** A facet at the first place of `shown`, in bytes. */
function facet(text: string, shown: string, feature: object) {
  const byteStart = Buffer.from(text.slice(0, text.indexOf(shown))).length;
  return { index: { byteStart, byteEnd: byteStart + Buffer.from(shown).length }, features: [feature] };
}
const link = (text: string, shown: string, uri: string) =>
  facet(text, shown, { $type: 'app.bsky.richtext.facet#link', uri });

const findPosts = async (authorId: number) =>
  await db.prisma.post.findMany({ where: { authorId }, include: { media: true }, orderBy: { id: 'asc' } });
const findComments = async (authorId: number) =>
  await db.prisma.comment.findMany({ where: { authorId }, orderBy: { id: 'asc' } });

describe('D208 a repository of Bluesky', () => {
  test('has posts, and plain answers to them become comments', async () => {
    const { accountId, document } = await importFor(
      'from_bluesky',
      await toRepository({
        ...post('01', 'Hello #Linnet'),
        ...post('02', 'An answer', reply(subject('01'))),
        ...post('03', 'To the answer', reply(subject('01'), subject('02'))),
        ...post('04', 'To what somebody said below', reply(subject('01'), elsewhere)),
        ...post('05', 'To somebody', reply(elsewhere)),
        ...post('06', 'To myself at somebody', reply(elsewhere, subject('05'))),
        ...post('07', 'As I said', quote(subject('01'))),
        ...post('08', 'As they said', quote(elsewhere)),
        ...post('09', 'Look away', {
          labels: { $type: 'com.atproto.label.defs#selfLabels', values: [{ val: 'nudity' }] },
        }),
        ...post('10', 'x'.repeat(401)),
        ...post('11', ''),
        ...post('12', 'When?', { createdAt: 'yesterday' }),
        [`${feed}/13`]: { $type: feed, text: 5, createdAt: '2024-03-13T10:00:00.000Z' },
        'app.bsky.feed.like/01': { $type: 'app.bsky.feed.like', subject: elsewhere, createdAt: '2024-03-01T10:00:00Z' },
        'app.bsky.feed.repost/01': {
          $type: 'app.bsky.feed.repost',
          subject: elsewhere,
          createdAt: '2024-03-01T10:00:00Z',
        },
        'app.bsky.graph.follow/01': { $type: 'app.bsky.graph.follow', subject: 'did:plc:z72i7hdynmk6r22z27h6tvur' },
        'app.bsky.graph.follow/02': { $type: 'app.bsky.graph.follow', subject: 'did:plc:ewvi7nxzyoun6zhxrhs64oiz' },
        'app.bsky.actor.profile/self': { $type: 'app.bsky.actor.profile', displayName: 'Ada' },
      }),
    );
    const leftOut = { comments: 2, quotes: 1, text: 2, date: 1, polls: 1, likes: 1, reposts: 1, follows: 2 };
    expect(document).toMatchObject({ source: 'bluesky', posts: 4, comments: 3, pictures: 0, left_out: leftOut });
    const [hello, said, they, away] = await findPosts(accountId);
    expect(hello).toMatchObject({
      text: 'Hello #Linnet',
      createdAt: new Date('2024-03-01T10:00:00Z'),
      commentsCount: 3,
    });
    expect([said?.quoteId, they?.quoteId, away?.sensitive]).toEqual([hello?.id, null, true]);
    const comments = await findComments(accountId);
    expect(comments).toMatchObject([
      { text: 'An answer', parentId: null },
      { text: 'To the answer', parentId: comments[0]?.id },
      { text: 'To what somebody said below', parentId: null },
    ]);
  });

  test('has whole addresses, and names nobody here', async () => {
    const address = 'https://example.org/a/long/path?of=things';
    const text = '🦋 see example.org/a/long/pat..., here and @alice.bsky.social, @alice, me@alice.example';
    const short = 'example.org';
    const did = { $type: 'app.bsky.richtext.facet#mention', did: 'did:plc:z72i7hdynmk6r22z27h6tvur' };
    const external = (uri: string) => ({
      embed: { $type: 'app.bsky.embed.external', external: { uri, title: '', description: '' } },
    });
    const { accountId } = await importFor(
      'with_links',
      await toRepository({
        ...post('01', text, {
          facets: [
            facet(text, '@alice.bsky.social', did),
            link(text, 'here', 'https://example.com/'),
            link(text, 'example.org/a/long/pat...', address),
            link(text, 'org/a', 'https://overlapping.example'),
            { index: { byteStart: 5, byteEnd: 5000 }, features: [{ $type: 'x', uri: 'https://outside.example' }] },
          ],
        }),
        ...post('02', 'Read this', external(address)),
        ...post('03', `It is ${short}`, {
          facets: [link(`It is ${short}`, short, 'https://example.org')],
          ...external('https://example.org/'),
        }),
        ...post('04', `${'x'.repeat(290)} ${short}`, {
          facets: [link(`${'x'.repeat(290)} ${short}`, short, `${address}${'y'.repeat(200)}`)],
        }),
      }),
    );
    const posts = await findPosts(accountId);
    expect(posts.map((one) => one.text)).toEqual([
      `🦋 see ${address}, here (https://example.com/) and alice.bsky.social, @alice, me@alice.example`,
      `Read this\n\n${address}`,
      'It is https://example.org',
      `${'x'.repeat(290)} ${short}`,
    ]);
    expect(await db.prisma.mention.count({ where: { authorId: accountId } })).toBe(1);
  });

  test.each([false, true])(
    'deleted records stay deleted, also if their blocks are in the file: %s',
    async (withOrphans) => {
      const deleted = { ...post('02', 'Regretted'), ...post('03', 'Both', quote(subject('02'))) };
      const file = await toRepository(post('01', 'Kept'), { deleted, withOrphans });
      expect(file.includes('Regretted')).toBe(withOrphans);
      const { accountId, document } = await importFor(`deleted_${String(withOrphans)}`, file);
      expect(document).toMatchObject({ posts: 1, left_out: {} });
      expect((await findPosts(accountId)).map(({ text }) => text)).toEqual(['Kept']);
    },
  );
});

describe('D208 pictures of Bluesky', () => {
  const pictures = new Map<string, Buffer>();
  async function writeWorld() {
    const blobs: { image: object; alt: string }[] = [];
    for (const width of [10, 11, 12, 13, 14, 15]) {
      const bytes = await pngImage({ width, height: 10 });
      const image = await toBlob(bytes);
      pictures.set(String(image.ref), bytes);
      blobs.push({ image, alt: `Picture ${String(width - 10)}` });
    }
    const images = (...places: readonly number[]) => ({
      $type: 'app.bsky.embed.images',
      images: places.map((place) => blobs[place]),
    });
    const long = { ...blobs[1], alt: '🌍'.repeat(2000) };
    const old = { image: { cid: [...pictures.keys()][5], mimeType: 'image/png' }, alt: 'Old' };
    const video = await toBlob(Buffer.from('film'), 'video/mp4');
    return await toRepository({
      ...post('01', '', { embed: { ...images(), images: [blobs[0], long] } }),
      ...post('02', 'Many', { embed: images(0, 1, 2, 3, 4) }),
      ...post('03', 'Old', {
        embed: { ...images(), images: [old] },
      }),
      ...post('04', 'With', {
        embed: { $type: 'app.bsky.embed.recordWithMedia', record: { record: subject('02') }, media: images(2) },
      }),
      ...post('05', 'Film', { embed: { $type: 'app.bsky.embed.video', video } }),
      ...post('06', 'Answer with a picture', { embed: images(3), ...reply(subject('02')) }),
    });
  }

  test('are left out of a repository alone, with posts that have nothing else', async () => {
    const { accountId, document } = await importFor('without_pictures', await writeWorld());
    expect(document).toMatchObject({ posts: 5, pictures: 0, left_out: { pictures: 9, text: 1 } });
    expect((await findPosts(accountId)).map(({ text }) => text)).toEqual([
      'Many',
      'Old',
      'With',
      'Film',
      'Answer with a picture',
    ]);
  });

  test('come from files that are named by their CIDs, in any folder, and have that content', async () => {
    const car = await writeWorld();
    const [first = '', second = '', third = '', ...others] = pictures.keys();
    const files = {
      'ada.test.20240401000000.car': await toRepository(post('01', 'Earlier')),
      'ada.test.20240501000000.car': car,
      '__MACOSX/._ada.test.20240501000000.car': 'notes',
      [`ada.test_blobs/${first}`]: pictures.get(first),
      [`__MACOSX/ada.test_blobs/._${first}`]: 'notes',
      [`pictures/of/mine/${second}.png`]: pictures.get(second),
      [`ada.test_blobs/${third}`]: pictures.get(first),
      ...Object.fromEntries(others.map((cid) => [`ada.test_blobs/${cid}`, pictures.get(cid)])),
    };
    const { accountId, document } = await importFor('with_pictures', toArchive(files));
    expect(document).toMatchObject({ posts: 6, pictures: 7, left_out: { pictures: 4 } });
    const posts = await findPosts(accountId);
    const alts = posts.map(({ text, media }) => [
      text,
      media.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0)).map(({ alt }) => alt),
    ]);
    expect(alts).toEqual([
      ['📷', ['Picture 0', '🌍'.repeat(1500)]],
      ['Many', ['Picture 0', 'Picture 1', 'Picture 3']],
      ['Old', ['Old']],
      ['With', []],
      ['Film', []],
      ['Answer with a picture', ['Picture 3']],
    ]);
    expect(posts[3]?.quoteId).toEqual(posts[1]?.id);
  });
});

test.each([
  ['damaged', async () => (await toRepository(post('01', 'One'))).subarray(0, -1)],
  ['too-large', async () => Buffer.concat([await toRepository({}), Buffer.alloc(importLimits.carBytes)])],
])('a repository that is %s: nothing is stored', async (code, write) => {
  const { accountId, document } = await importFor(`refused_${code.replace('-', '_')}`, await write());
  expect(document).toMatchObject({ error: { code } });
  expect(await db.prisma.accountImport.count({ where: { accountId } })).toBe(0);
});
