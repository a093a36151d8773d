import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

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

let people = 0;
async function register() {
  people += 1;
  return await api.register(`feed_of_${String(people)}`);
}
async function act(acct: number, target: string, values: Record<string, unknown>) {
  const headers = { 'content-type': 'application/json' };
  return (await api.call(`POST ${target}`, { claims: { acct }, body: JSON.stringify(values), headers })).body;
}
const write = async (acct: number, message: string): Promise<number> =>
  (await act(acct, '/post/create', { message })).items.id;

const formats = [
  ['.atom', 'application/atom+xml', 'entry'],
  ['.rss', 'application/rss+xml', 'item'],
] as const;

/** The content of every element of this name. */
function contentsOf(xml: string, name: string): readonly string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => text);
}

describe('/@username.atom', () => {
  test('has the posts of the public page, the newest first, and the page links it', async () => {
    const { id, username } = await register();
    const [first, second] = [await write(id, 'one'), await write(id, 'two\nlines')];
    const { status, headers, body } = await api.get(`/@${username}.atom`);
    expect([status, headers['content-type'], headers['cache-control'], headers['content-security-policy']]).toEqual([
      200,
      'application/atom+xml; charset=utf-8',
      'no-cache',
      "default-src 'none'",
    ]);
    expect(contentsOf(body, 'id')).toEqual([
      `${origin}/api/v2.0/users/show?id=${String(id)}`,
      `${origin}/p/${String(second)}`,
      `${origin}/p/${String(first)}`,
    ]);
    expect(contentsOf(body, 'title')).toEqual([`Ada Lovelace (@${username}) · Linnet`, 'two lines', 'one']);
    const line = (text: string) => `&lt;div dir=&quot;auto&quot;&gt;${text}&lt;/div&gt;`;
    expect(contentsOf(body, 'content')).toEqual([`${line('two')}\n${line('lines')}`, line('one')]);
    expect(/<link [^>]*>/.exec(body)?.[0]).toContain(`rel="alternate" type="text/html" href="${origin}/@${username}"`);
    const [updated, ...dates] = contentsOf(body, 'updated');
    expect([updated, dates]).toEqual([dates[0], contentsOf(body, 'published')]);
    expect((await api.get(`/@${username}`)).body).toContain(
      `<link rel="alternate" type="application/atom+xml" href="${origin}/@${username}.atom"`,
    );
  });

  test('escapes what people write, and leaves out what XML cannot contain', async () => {
    const { id, username } = await register();
    // What a form rejects, an operator can store.
    const data = { description: `<script>"&'\u0001\uFFFE]]>`, displayName: 'A & <B>' };
    await api.db.prisma.account.update({ where: { id }, data });
    await write(id, `<img src=x onerror=alert(1)> & ]]> \u0008\uFFFF "quoted" https://example.org/?a=1&b=2`);
    const { body } = await api.get(`/@${username}.atom`);
    expect(body).not.toMatch(/<script|<img|onerror=alert\(1\)>/);
    expect(body).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/);
    expect(body.replaceAll(/&(?:amp|lt|gt|quot);/g, '')).not.toContain('&');
    expect(contentsOf(body, 'title')[0]).toBe(`A &amp; &lt;B&gt; (@${username}) · Linnet`);
    expect(contentsOf(body, 'content')[0]).toContain('&lt;a href=&quot;https://example.org/?a=1&amp;amp;b=2&quot;');
  });

  test('is revalidated: 304 until a post is written or deleted', async () => {
    const { id, username } = await register();
    const read = async (etag = '') => await api.get(`/@${username}.atom`, { 'if-none-match': etag });
    const postId = await write(id, 'here');
    const first = await read();
    const etag = String(first.headers.etag);
    expect((await read(etag)).status).toBe(304);
    await act(id, '/post/delete', { id: postId });
    const after = await read(etag);
    expect([after.status, contentsOf(after.body, 'content')]).toEqual([200, []]);
    expect(after.headers).not.toHaveProperty('last-modified');
  });

  /** What happens to the account, and then the status of its feed and the number of entries. */
  const states: Readonly<Record<string, readonly [Record<string, unknown>, readonly [number, number]]>> = {
    public: [{}, [200, 1]],
    protected: [{ protected: true }, [200, 0]],
    suspended: [{ suspendedAt: new Date() }, [404, 0]],
    deleted: [{ deletedAt: new Date() }, [404, 0]],
  };
  test.each(Object.entries(states))('of a %s account shows what its page shows', async (_, [data, expected]) => {
    const { id, username } = await register();
    await write(id, 'shown?');
    await api.db.prisma.account.update({ where: { id }, data });
    const page = await api.get(`/@${username}`);
    expect([page.status, page.body.split('<article').length - 1]).toEqual(expected);
    for (const [suffix, type, entry] of formats) {
      const feed = await api.get(`/@${username}${suffix}`);
      expect([feed.status, feed.body.split(`<${entry}>`).length - 1]).toEqual(expected);
      expect(page.body.includes(type)).toBe(expected[1] === 1);
    }
  });

  test('moves with the username, and its id stays', async () => {
    const { id, username } = await register();
    const before = await api.get(`/@${username}.atom`);
    await act(id, '/account/update_username', { username: `moved_feed_${String(people)}` });
    const { status, headers } = await api.get(`/@${username}.atom`);
    expect([status, headers.location]).toEqual([302, `${origin}/@moved_feed_${String(people)}.atom`]);
    const after = await api.get(`/@moved_feed_${String(people)}.atom`);
    expect(contentsOf(after.body, 'id')).toEqual(contentsOf(before.body, 'id'));
    expect((await api.get(`/@MOVED_feed_${String(people)}.rss`)).headers.location).toBe(
      `${origin}/@moved_feed_${String(people)}.rss`,
    );
    for (const [suffix] of formats) expect((await api.get(`/@nobody_at_all${suffix}`)).status).toBe(404);
  });
});

test('the feed has pages (RFC 5005), and each entry its author and hashtags', async () => {
  const { id, username } = await register();
  for (let count = 0; count < 21; count += 1) await write(id, `#one #two ${String(count)}`);
  const self = `${origin}/@${username}.atom`;
  const linksOf = (xml: string) =>
    [...xml.matchAll(/<link rel="(self|first|next)" type="application\/atom\+xml" href="([^"]*)"\/>/g)].map(
      ([, ...link]) => link,
    );
  const { body } = await api.get(`/@${username}.atom`);
  const next = String(linksOf(body)[1]?.[1]);
  expect(linksOf(body)).toEqual([
    ['self', self],
    ['next', expect.stringMatching(/\.atom\?before=\d+$/)],
  ]);
  const last = (await api.get(next.slice(origin.length))).body;
  expect(linksOf(last)).toEqual([
    ['self', next],
    ['first', self],
  ]);
  expect([body, last].flatMap((xml) => contentsOf(xml, 'published'))).toHaveLength(21);
  const [, entry = ''] = last.split('<entry>');
  expect(entry.match(/<author>.*<\/author>|<category [^>]*>/g)).toEqual([
    `<author><name>Ada Lovelace</name><uri>${origin}/@${username}</uri></author>`,
    '<category term="one"/>',
    '<category term="two"/>',
  ]);
});

test('RSS 2.0 has the same posts and pages, and the author of each', async () => {
  const { id, username } = await register();
  for (let count = 0; count < 21; count += 1) await write(id, `#one <b> ${String(count)}`);
  const self = `${origin}/@${username}.rss`;
  const { status, headers, body } = await api.get(`/@${username}.rss`);
  expect([status, headers['content-type']]).toEqual([200, 'application/rss+xml; charset=utf-8']);
  const atom = (await api.get(`/@${username}.atom`)).body;
  expect(contentsOf(body, 'guid')).toEqual(contentsOf(atom, 'id').slice(1));
  expect(contentsOf(body, 'description').slice(1)).toEqual(
    contentsOf(atom, 'content').map((content) => content.replaceAll('&quot;', '"').replaceAll('"', '&quot;')),
  );
  expect(contentsOf(body, 'pubDate').map((date) => new Date(date).getTime())).toEqual(
    contentsOf(atom, 'published').map((date) => Math.floor(Date.parse(date) / 1000) * 1000),
  );
  expect([contentsOf(body, 'dc:creator')[0], contentsOf(body, 'category')[0]]).toEqual(['Ada Lovelace', 'one']);
  expect([...body.matchAll(/<atom:link rel="(\w+)" type="application\/rss\+xml" href="([^"?]*)/g)]).toMatchObject([
    { 1: 'self', 2: self },
    { 1: 'next', 2: self },
  ]);
});

test.each(formats)('/tags/{hashtag}%s has the posts of the page of the hashtag', async (suffix, type, entry) => {
  const { id, username } = await register();
  const tag = `feedtag${suffix.slice(1)}`;
  const postId = await write(id, `first #${tag}`);
  const feed = await api.get(`/tags/${tag}${suffix}`);
  expect([feed.status, feed.headers['content-type']]).toEqual([200, `${type}; charset=utf-8`]);
  expect(feed.body.split(`<${entry}>`)).toHaveLength(2);
  expect(feed.body).toContain(`${origin}/p/${String(postId)}`);
  expect(feed.body).toContain('Ada Lovelace');
  expect((await api.get(`/tags/${tag}`)).body).toContain(`type="${type}" href="${origin}/tags/${tag}${suffix}"`);
  const { status, headers } = await api.get(`/tags/${tag.toUpperCase()}${suffix}`);
  expect([status, headers.location]).toEqual([302, `${origin}/tags/${tag}${suffix}`]);
  await api.db.prisma.account.update({ where: { id }, data: { limitedAt: new Date() } });
  expect((await api.get(`/tags/${tag}${suffix}`)).body).not.toContain(username);
});

/** Writes a post with two pictures, of which the first is described. */
async function writePictured() {
  const { id, username } = await register();
  const data = ['A "loom" <b>', ''].map((alt) => ({
    ...{ ownerId: id, name: `${crypto.randomUUID().replaceAll('-', '')}.png` },
    ...{ bytes: 1, alt, width: 3200, height: 400 },
  }));
  const attachments = (await api.db.prisma.media.createManyAndReturn({ data })).map((media) => Number(media.id));
  const post = await act(id, '/post/create', { message: 'pictured', attachments });
  const addresses = data.map(({ name }) => `${origin}/media/display/${name}`);
  return { username, id: post.items.id, one: String(addresses[0]), two: String(addresses[1]) };
}
const escapedAlt = 'A &quot;loom&quot; &lt;b>';

/** The JSON-LD of a page. */
function dataOf(html: string): unknown {
  return JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? 'null');
}

test('pages have JSON-LD, and posts their feed and an oEmbed, which contain what people write as text', async () => {
  const { id, username } = await register();
  const text = '</script><b>"hi"</b> & <!--\nשלום';
  const link = `${origin}/p/${String(await write(id, text))}`;
  const page = (await api.get(link.slice(origin.length))).body;
  const author = {
    '@type': 'Person',
    name: 'Ada Lovelace',
    alternateName: `@${username}`,
    url: `${origin}/@${username}`,
  };
  expect(dataOf(page)).toMatchObject({ '@type': 'SocialMediaPosting', url: link, articleBody: text, author });
  const profile = dataOf((await api.get(`/@${username}`)).body);
  const written = { userInteractionCount: 1 };
  expect(profile).toMatchObject({
    '@type': 'ProfilePage',
    mainEntity: { ...author, agentInteractionStatistic: written },
  });
  expect(page).toContain(`type="application/atom+xml" href="${origin}/@${username}.atom"`);
  const path = /type="application\/json\+oembed" href="https:\/\/linnet\.example([^"]*)"/.exec(page)?.[1] ?? '';
  const { status, body: embed, headers } = await api.get(`${path}&maxwidth=300`);
  expect([status, headers['access-control-allow-origin']]).toEqual([200, '*']);
  expect(embed).toMatchObject({
    version: '1.0',
    type: 'rich',
    title: text.replace('\n', ' '),
    width: 300,
    author_url: author.url,
  });
  expect(embed.html.match(/<p dir="auto">/g)).toHaveLength(2);
  expect(embed.html.replaceAll(/<\/?(?:blockquote|p|a)[^<>]*>/g, '')).not.toMatch(/[<>]/);
  expect((await api.get(`${path}&format=xml`)).status).toBe(501);
  await api.db.prisma.account.update({ where: { id }, data: { protected: true } });
  expect((await api.get(path)).status).toBe(404);
  expect(dataOf((await api.get(`/@${username}`)).body)).toBeNull();
});

test.each(['', '?url=', '?url=https://elsewhere.example/p/1', '?url=x&url=y'])(
  'oEmbed of nothing: %s',
  async (query) => {
    expect((await api.get(`/p/oembed${query}`)).status).toBe(404);
  },
);

test('the feed has the pictures of a post, with what they show', async () => {
  const { username, one, two } = await writePictured();
  const [content = ''] = contentsOf((await api.get(`/@${username}.atom`)).body, 'content');
  const html = content
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  expect(html).toBe(`<div dir="auto">pictured</div><img src="${one}" alt="${escapedAlt}"/><img src="${two}" alt/>`);
});

test('each line has its own direction, and links, mentions and hashtags are isolated, in the feed and on pages', async () => {
  const { id, username } = await register();
  const { items } = await act(id, '/post/create', { message: `שלום @${username}!\n\nto #تجربة, https://example.org/` });
  const [content = ''] = contentsOf((await api.get(`/@${username}.atom`)).body, 'content');
  const feed = content.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"');
  const page = (await api.get(`/p/${String(items.id)}`)).body;
  const lines = [...feed.matchAll(/<div dir="auto">(.*?)<\/div>/g)].map(([, line]) => line);
  expect(lines.map((line) => line?.replaceAll(/<[^>]*>/g, ''))).toEqual([
    `שלום @${username}!`,
    '',
    'to #تجربة, https://example.org/',
  ]);
  for (const html of [feed, page]) {
    expect([...html.matchAll(/<bdi><a [^>]*>([@#h][^<]*)<\/a><\/bdi>/g)].map(([, text]) => text)).toEqual([
      `@${username}`,
      '#تجربة',
      'https://example.org/',
    ]);
  }
});

test('the page of a post has its pictures, with what they show, also for other sites', async () => {
  const { id, one, two } = await writePictured();
  const page = (await api.get(`/p/${String(id)}`)).body;
  const tags = [...page.matchAll(/<meta property="(og:image[^"]*)" content="([^"]*)"/g)].map(([, ...tag]) => tag);
  const size = [
    ['og:image:width', '1600'],
    ['og:image:height', '200'],
  ];
  expect(tags).toEqual([['og:image', one], ...size, ['og:image:alt', escapedAlt], ['og:image', two], ...size]);
  expect(page).toContain(`<img width="3200" height="400" src="${one}" alt="${escapedAlt}" loading="lazy"/>`);
  expect(page).toContain('alt="Picture posted by Ada Lovelace"');
});
