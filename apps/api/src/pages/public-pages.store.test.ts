import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { uploadImage } from '@linnet/test/api/media-requests';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

const origin = 'https://linnet.example';

let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const json = { 'content-type': 'application/json' };
async function act(acct: number, target: string, values: Record<string, unknown>) {
  const { status, body } = await api.call(`POST ${target}`, {
    claims: { acct },
    body: JSON.stringify(values),
    headers: json,
  });
  expect(status).toBe(200);
  return body;
}
const write = async (acct: number, message: string): Promise<number> =>
  (await act(acct, '/post/create', { message })).items.id;
const scriptsOf = (html: string) => [...html.matchAll(/<script src="([^"]*)" defer/g)].map(([, src]) => src);
const metaOf = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];

describe('/@username/followers and /following', () => {
  test('D25 are the lists of applications that act for nobody, 50 on a page', async () => {
    const [followed, fan] = [await api.register('Much_Followed'), await api.register('first_fan')];
    await act(fan.id, '/follows/add', { id: followed.id });
    await act(fan.id, '/account/update', { description: 'Numbers\n& <notes>' });
    await act(followed.id, '/account/update', { protected: 1 });
    const { status, headers, body } = await api.get('/@Much_Followed/followers');
    expect([status, metaOf(body, 'robots'), headers['cache-control']]).toEqual([200, 'noindex', 'no-cache']);
    expect(body).toContain('<h1>Followers of Ada Lovelace</h1>');
    expect(body).toContain(`<a class="name" href="${origin}/@first_fan">`);
    expect(body).toContain('Numbers &amp; &lt;notes>');
    expect(body).not.toContain('class="turn"');
    expect((await api.get('/@first_fan/following')).body).toContain(`href="${origin}/@Much_Followed"`);
    expect((await api.get('/@first_fan/followers')).body).toContain('No one here yet.');
    await api.db.prisma.$executeRaw`
      WITH fan AS (
        INSERT INTO account (username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name)
        SELECT n, n, n || '@example.org', n || '@example.org', '', 'Ada', 'Lovelace', 'Ada'
        FROM generate_series(1, 50) i, LATERAL (SELECT 'later_fan_' || i AS n) named ORDER BY i RETURNING id
      ) INSERT INTO follow (follower_id, followed_id) SELECT id, ${followed.id} FROM fan ORDER BY id`;
    const shown = (html: string) => [...html.matchAll(/class="name" href="[^"]*\/@(\w+)"/g)].map(([, name]) => name);
    const first = (await api.get('/@Much_Followed/followers')).body;
    expect([shown(first).length, shown(first)[0]]).toEqual([50, 'later_fan_50']);
    const next = /href="https:\/\/linnet\.example([^"]*)" rel="next"/.exec(first)?.[1] ?? '';
    expect(shown((await api.get(next)).body)).toEqual(['first_fan']);
    expect(shown((await api.get('/@Much_Followed/followers?cursor=nonsense')).body)).toEqual(shown(first));
  });

  test('another case and an old username redirect, an unknown one is not found', async () => {
    const { id } = await api.register('List_Before');
    await act(id, '/account/update_username', { username: 'List_After' });
    for (const name of ['list_after', 'List_Before']) {
      const { status, headers } = await api.get(`/@${name}/following?lang=de`);
      expect([status, headers.location]).toEqual([302, `${origin}/@List_After/following?lang=de`]);
    }
    expect((await api.get('/@nobody_here/followers')).status).toBe(404);
  });
});

describe('/@username', () => {
  test('shows the account and its latest posts, with metadata for previews', async () => {
    const { id } = await api.register('Profile_One');
    await act(id, '/account/update', { description: 'Numbers\n& <notes>', country: 'England' });
    const postId = await write(id, 'hello world');
    const { status, headers, body } = await api.get('/@Profile_One');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain('<html lang="en"');
    expect(body).toContain(`href="${origin}/p/${String(postId)}"`);
    expect(body).toContain('Numbers\n&amp; &lt;notes>');
    expect(body).toContain(`<link rel="canonical" href="${origin}/@Profile_One"/>`);
    expect({
      type: metaOf(body, 'og:type'),
      url: metaOf(body, 'og:url'),
      title: metaOf(body, 'og:title'),
      description: metaOf(body, 'og:description'),
      card: metaOf(body, 'twitter:card'),
      username: metaOf(body, 'profile:username'),
      robots: metaOf(body, 'robots'),
    }).toEqual({
      type: 'profile',
      url: `${origin}/@Profile_One`,
      title: 'Ada Lovelace (@Profile_One) on Linnet',
      description: 'Numbers &amp; &lt;notes>',
      card: 'summary_large_image',
      username: 'Profile_One',
      robots: undefined,
    });
    expect(metaOf(body, 'og:image')).toMatch(/^https:\/\/linnet\.example\/@Profile_One\.png\?v=[\w-]{16}$/);
  });

  test('D5 has 20 posts and a link to older ones, up to the latest 3000', async () => {
    const { id } = await api.register('many_posts');
    await api.db.prisma.post.createMany({
      data: Array.from({ length: 3021 }, (_, index) => ({
        authorId: id,
        text: `number ${String(index)}!`,
        mentionIds: [],
      })),
    });
    const ids = (await api.db.prisma.post.findMany({ where: { authorId: id }, orderBy: { id: 'desc' } })).map((one) =>
      Number(one.id),
    );
    const shown = (html: string) =>
      [...html.matchAll(/<a class="quiet small" href="[^"]*\/p\/(\d+)"/g)].map(([, one]) => Number(one));
    const first = (await api.get('/@many_posts')).body;
    expect(shown(first)).toEqual(ids.slice(0, 20));
    const older = /href="https:\/\/linnet\.example(\/@many_posts\?before=\d+)" rel="next"/.exec(first)?.[1] ?? '';
    const second = (await api.get(older)).body;
    expect(shown(second)).toEqual(ids.slice(20, 40));
    expect(metaOf(second, 'robots')).toBe('noindex');
    const last = (await api.get(`/@many_posts?before=${String(ids[2989])}`)).body;
    expect(shown(last)).toEqual(ids.slice(2990, 3000));
    expect(last).not.toContain('rel="next"');
    expect(shown((await api.get('/@many_posts?before=nonsense')).body)).toEqual(ids.slice(0, 20));
  });

  test('another case and an old username redirect to the current one while it is reserved', async () => {
    const { id } = await api.register('Former_Me');
    await act(id, '/account/update_username', { username: 'Present_Me' });
    for (const path of ['/@present_me', '/@Former_Me', '/@former_me']) {
      const { status, headers } = await api.get(path);
      expect([path, status, headers.location, headers['cache-control']]).toEqual([
        path,
        302,
        `${origin}/@Present_Me`,
        'no-cache',
      ]);
    }
    await api.db.prisma.oldUsername.updateMany({ where: { accountId: id }, data: { until: new Date(0) } });
    expect((await api.get('/@Former_Me')).status).toBe(404);
  });

  test('of a protected account shows no posts', async () => {
    const { id } = await api.register('shy_person');
    await write(id, 'a secret');
    await act(id, '/account/update', { protected: 1 });
    const { status, body } = await api.get('/@shy_person');
    expect([status, metaOf(body, 'robots')]).toEqual([200, 'noindex']);
    expect(body).toContain('Protected account');
    expect(body).toContain('<a href="/follow/shy_person" rel="nofollow">Sign in to see them');
    expect(body).not.toContain('a secret');
  });
});

describe('/p/{id}/history', () => {
  test('an edited post says so, and leads to its versions; search engines and strangers do not get them', async () => {
    const { id, username } = await api.register('reviser');
    await api.register('Mentioned_2');
    const postId = await write(id, 'first <b> @mentioned_2 #tag');
    const [page, versions] = [`/p/${String(postId)}`, `/p/${String(postId)}/history`];
    expect((await api.get(page)).body).not.toContain('/history');
    await act(id, '/post/edit', { id: postId, message: 'second' });
    const { body } = await api.get(page);
    expect(body).toMatch(
      new RegExp(`<a class="quiet" href="${origin}${versions}" rel="nofollow">Edited [^<]+ UTC</a>`),
    );
    expect(metaOf(body, 'article:modified_time')).toMatch(/Z$/);
    expect((await api.get(`/@${username}.atom`)).body).toContain(
      `<updated>${String(metaOf(body, 'article:modified_time'))}</updated>`,
    );
    const history = await api.get(versions);
    expect(history.body).toMatch(/second.*first &lt;b> <bdi><a href="[^"]+Mentioned_2">@mentioned_2<\/a>/s);
    expect(history.body).toContain('<meta name="robots" content="noindex"/>');
    expect((await api.get(`${versions}?lang=de`)).body).toContain('Aktuelle Version');
    await act(id, '/account/update', { protected: true });
    for (const path of [versions, '/p/1/history', '/p/0/history', '/p/x/history', `${versions}/x`]) {
      expect([path, (await api.get(path)).status]).toEqual([path, 404]);
    }
  });
});

describe('/p/{id}', () => {
  test('shows a post, escaped, with links for mentions and URLs', async () => {
    const { id } = await api.register('post_author');
    await api.register('Mentioned');
    const text = '<b>hi</b> @mentioned #Tag @nobody_here https://example.org/?a=1&b="2" javascript:alert(1)';
    const postId = await write(id, text);
    const { status, body } = await api.get(`/p/${String(postId)}`);
    expect(status).toBe(200);
    expect(body).toContain('&lt;b>hi&lt;/b> ');
    expect(body).toContain(`<a href="${origin}/@Mentioned">@mentioned</a>`);
    expect(body).toContain('<a href="/tags/tag">#Tag</a>');
    expect(body).toMatch(
      /<a href="https:\/\/example\.org\/\?a=1&amp;b=[^"<>]*" rel="nofollow noopener noreferrer ugc">/,
    );
    expect(body).not.toMatch(
      /href="javascript|nobody_here<\/a>|<script(?! type="application\/ld\+json">| src="\/p\/assets\/signed-in\.js\?v=)|style=/,
    );
    expect([metaOf(body, 'og:type'), metaOf(body, 'og:url'), metaOf(body, 'og:description')]).toEqual([
      'article',
      `${origin}/p/${String(postId)}`,
      expect.stringMatching(/^&lt;b>hi&lt;\/b> @mentioned #Tag/),
    ]);
    expect(body).toContain(`<link rel="canonical" href="${origin}/p/${String(postId)}"/>`);
  });

  test('a sensitive picture waits for a click, and is in no preview and no feed; the page says who can comment', async () => {
    const { id, username } = await api.register('careful_one');
    const settings = { commenters: 'followers', sensitive: true };
    const media = await uploadImage(api, id);
    const { items: post } = await act(id, '/post/create', { message: 'blood', media, ...settings });
    const { image } = post.media;
    const pictures = `<div class="pictures"><a class="picture" href="${image}"><img width="30" height="20" src="${image}"`;
    const hidden = new RegExp(`<details class="sensitive"><summary[^>]*>.*?</summary>${pictures}`);
    const [page, profile, feed] = [`/p/${String(post.id)}`, `/@${username}`, `/@${username}.atom`];
    const read = async (path: string) => (await api.get(path)).body;
    for (const path of [page, profile]) {
      expect(await read(path)).toMatch(hidden);
      expect(await read(path)).toContain('Followers and mentioned accounts can comment.');
      expect(await read(path)).toContain('<a href="/login" rel="nofollow">Sign in</a>');
    }
    expect(metaOf(await read(page), 'og:image')).toMatch(/\.png\?v=/);
    expect(await read(feed)).not.toContain(image);
    await act(id, '/post/settings/update', { id: post.id, commenters: 'everyone', sensitive: false });
    expect(metaOf(await read(page), 'og:image')).toBe(image);
    expect(await read(feed)).toContain(image);
    for (const path of [page, profile]) expect(await read(path)).not.toMatch(/<details|can comment/);
  });

  test('bidirectional text does not affect its surroundings', async () => {
    const { id } = await api.register('turned_round');
    // New names cannot contain it; older ones may.
    await database.db.prisma.account.update({ where: { id }, data: { displayName: 'Eve\u202Eada' } });
    const postId = await write(id, 'one\u202Etwo\nthree');
    const { body } = await api.get(`/p/${String(postId)}`);
    expect(body).not.toMatch(/\u202E/);
    expect(body).toContain('onetwo\nthree');
  });

  test('hidden, deleted, unknown and malformed posts are the same page, in the reader’s language', async () => {
    const shy = await api.register('shy_poster');
    const gone = await api.register('gone_poster');
    const hidden = [await write(shy.id, 'hidden'), await write(gone.id, 'deleted')];
    await act(shy.id, '/account/update', { protected: true });
    await act(gone.id, '/account/delete', { password: 'correct horse' });
    const paths = [
      ...hidden.map((id) => `/p/${String(id)}`),
      '/p/1',
      '/p/0',
      '/p/01',
      '/p/abc',
      '/p/',
      '/p/1/2',
      '/p/99999999999999999',
      '/@abcd',
      '/@',
      '/@unknown_name',
      '/@unknown_name/x',
      '/p/assets/other.css',
      '/tags/',
      '/tags/2026',
      '/tags/a-b',
      '/tags/a/b',
      '/tags/%',
      '/tags/%00',
      `/tags/${'x'.repeat(101)}`,
    ];
    const pages = await Promise.all(paths.map(async (path) => await api.get(path)));
    expect(pages.map(({ status, headers }) => [status, headers['content-type']])).toEqual(
      paths.map(() => [404, 'text/html; charset=utf-8']),
    );
    expect(new Set(pages.map(({ body }) => body)).size).toBe(1);
    expect(pages[0]?.body).toContain('<h1>Page not found</h1>');
    const german = await api.get('/p/1', { 'accept-language': 'it, de-AT;q=0.9, en;q=0.1' });
    expect(german.body).toContain('<html lang="de"');
    expect(german.body).toContain('<h1>Seite nicht gefunden</h1>');
  });
});

describe('/tags/{hashtag}', () => {
  test('shows the posts with a hashtag in any spelling, newest first, 20 on a page, with metadata for previews', async () => {
    const { id } = await api.register('tag_author');
    const ids: number[] = [];
    for (let number = 1; number <= 22; number += 1) ids.push(await write(id, `<i>${String(number)}</i> #Grüße`));
    await write(id, '#Grüße_nicht');
    const path = `/tags/${encodeURIComponent('grüsse')}`;
    for (const spelling of ['Grüße', 'GRÜSSE', 'GRÜẞE', 'grüße']) {
      const { status, headers } = await api.get(`/tags/${encodeURIComponent(spelling)}?lang=de`);
      expect([status, headers.location, headers['cache-control']]).toEqual([
        302,
        `${origin}${path}?lang=de`,
        'no-cache',
      ]);
    }
    const shown = (html: string) =>
      [...html.matchAll(/<a class="quiet small" href="[^"]*\/p\/(\d+)"/g)].map(([, one]) => Number(one));
    api.statements.length = 0;
    const { status, body } = await api.get(path);
    expect([status, api.statements.length, shown(body)]).toEqual([200, 1, ids.toReversed().slice(0, 20)]);
    expect(body).toContain('&lt;i>22&lt;/i> <bdi><a href="/tags/gr%C3%BCsse">#Grüße</a>');
    expect(body).toContain(`<link rel="canonical" href="${origin}${path}"/>`);
    expect([metaOf(body, 'og:type'), metaOf(body, 'og:title'), metaOf(body, 'og:url'), metaOf(body, 'robots')]).toEqual(
      ['website', 'Posts with #grüsse on Linnet', origin + path, undefined],
    );
    expect(metaOf(body, 'og:image')).toBe(`${origin}/p/card.png`);
    const older = /href="https:\/\/linnet\.example(\/tags\/[^"]*before=\d+)" rel="next"/.exec(body)?.[1] ?? '';
    const second = (await api.get(older)).body;
    expect([shown(second), metaOf(second, 'robots')]).toEqual([ids.toReversed().slice(20), 'noindex']);
    expect(second).not.toContain('rel="next"');
  });

  test('without posts says so, and search engines do not list it', async () => {
    const { status, body } = await api.get('/tags/never_used', { 'accept-language': 'fr' });
    expect([status, metaOf(body, 'robots')]).toEqual([200, 'noindex']);
    expect(body).toContain('Aucune publication avec ce hashtag pour le moment.');
  });

  test('shows the latest 3000 posts', async () => {
    const { id } = await api.register('many_tagged');
    const rows = Array.from({ length: 3003 }, () => ({ authorId: id, text: '#many_tagged', mentionIds: [] }));
    await api.db.prisma.post.createMany({ data: rows });
    await api.db.prisma.$executeRaw`INSERT INTO post_hashtag (post_id, author_id, hashtag)
      SELECT id, author_id, 'many_tagged' FROM post WHERE author_id = ${id}`;
    const posts = await api.db.prisma.post.findMany({ where: { authorId: id }, orderBy: { id: 'desc' } });
    const { body } = await api.get(`/tags/many_tagged?before=${String(posts[2994]?.id)}`);
    expect(body.match(/<article/g)).toHaveLength(5);
    expect(body).not.toContain('rel="next"');
  });
});

describe('comments on /p/{id}', () => {
  const comment = async (acct: number, postId: number, text: string) =>
    await act(acct, '/comment/create', { item_id: postId, type: 'post', text });

  test('are shown oldest first, escaped, with links, 20 on a page', async () => {
    const { id } = await api.register('many_comments');
    const postId = await write(id, 'discussed');
    for (let number = 1; number <= 22; number += 1) {
      await comment(id, postId, `<b>${String(number)}.</b> see https://example.org/`);
    }
    const shown = (html: string) => [...html.matchAll(/&lt;b>(\d+)\./g)].map(([, number]) => Number(number));
    const { body } = await api.get(`/p/${String(postId)}`);
    expect(shown(body)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(body).toContain('<a href="https://example.org/" rel="nofollow noopener noreferrer ugc">');
    expect(body).toContain(`href="/reply/${String(postId)}"`);
    const newer = /href="https:\/\/linnet\.example(\/p\/\d+\?after=\d+)#comments" rel="next"/.exec(body)?.[1] ?? '';
    const second = (await api.get(newer)).body;
    expect([shown(second), metaOf(second, 'robots')]).toEqual([[21, 22], 'noindex']);
    expect(second).not.toContain('rel="next"');
  });

  // What hides the account of the person who commented; protected people comment in public (as in GET /comment).
  test.each([
    ['a person whose account is protected', 'protected', true],
    ['a person whose account is suspended', 'suspended', false],
    ['a person who has deleted the account', 'deleted', false],
  ] as const)('of %s', async (_who, state, isShown) => {
    const author = await api.register(`asks_${state}`);
    const other = await api.register(`says_${state}`);
    const postId = await write(author.id, 'What do you think?');
    await comment(other.id, postId, `an opinion of the ${state}`);
    await comment(author.id, postId, 'another opinion');
    if (state === 'protected') await act(other.id, '/account/update', { protected: 1 });
    if (state === 'deleted') await act(other.id, '/account/delete', { password: 'correct horse' });
    if (state === 'suspended') {
      await api.db.prisma.account.update({ where: { id: other.id }, data: { suspendedAt: new Date() } });
    }
    const { body } = await api.get(`/p/${String(postId)}`);
    expect(body).toContain('another opinion');
    expect(body.includes(`an opinion of the ${state}`)).toBe(isShown);
  });
});

describe('every public page', () => {
  const rest = "style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  const withoutScript = `default-src 'none'; ${rest}`;

  test('has one script, which loads the web client, loads only our own files, and is revalidated', async () => {
    await api.register('page_rules');
    const { headers, body } = await api.get('/@page_rules');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; script-src ${origin}/p/assets/ ${origin}/home/; connect-src ${origin}/api/ ${origin}/oauth/token ${origin}/.well-known/; ${rest}`,
    );
    expect(scriptsOf(body)).toEqual([expect.stringMatching(/^\/p\/assets\/signed-in\.js\?v=/)]);
    const script = await api.get(scriptsOf(body)[0] ?? '');
    expect([script.status, script.body]).toEqual([200, expect.stringContaining('/home/public-page.js')]);
    expect([headers['cache-control'], headers['vary'], headers['x-content-type-options']]).toEqual([
      'no-cache',
      'Accept-Language',
      'nosniff',
    ]);
    const again = await api.get('/@page_rules', { 'if-none-match': String(headers.etag) });
    expect([again.status, again.body]).toEqual([304, '']);
    const style = /<link rel="stylesheet" href="([^"]+)"/.exec(body)?.[1] ?? '';
    const { status, headers: styleHeaders } = await api.get(style);
    expect([status, styleHeaders['content-type'], styleHeaders['cache-control']]).toEqual([
      200,
      'text/css; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
  });

  test('CLIENT=off: has no script', async () => {
    await api.register('page_clientless');
    await using off = await startApi(database.url, { config: { webClient: false } });
    const { headers, body } = await off.get('/@page_clientless');
    expect([headers['content-security-policy'], scriptsOf(body)]).toEqual([withoutScript, []]);
  });

  test('follows ?lang= and links to itself in each language', async () => {
    await api.register('page_tongues');
    const { body } = await api.get('/@page_tongues?before=5&lang=de', { 'accept-language': 'en' });
    expect(body).toContain('<html lang="de"');
    expect(body).toContain('href="?before=5&amp;lang=en"');
  });

  test('sends one statement', async () => {
    const { id } = await api.register('page_counts');
    const postId = await write(id, 'counted');
    for (const path of ['/@page_counts', `/p/${String(postId)}`]) {
      api.statements.length = 0;
      await api.get(path);
      expect([path, api.statements.length]).toEqual([path, 1]);
    }
  });
});
