// Cards of links: what a page says about itself, below posts and comments that link to it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createTestDatabase } from '@linnet/test/db/test-database';
import { registerThree } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { download } from '@linnet/test/api/media-requests';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';
import { noiseImage, pngImage } from '@linnet/test/media/images';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

const cleanup = new AsyncDisposableStack();
let api: RunningApi;
let ada: Person;
let ben: Person;
let site: string;
const requested: string[] = [];
const agents = new Set<string | undefined>();

const meta = (property: string, content: string) => `<meta property="${property}" content="${content}">`;
const title = meta('og:title', 'A loom');
const hostile = `</a><script>alert(1)</script>`;

interface Page {
  readonly body: string | Buffer;
  readonly type?: string;
  readonly status?: number;
  readonly location?: string;
}

/** Each page, and the card that it gets; undefined: none. */
const pages: Readonly<Record<string, readonly [Page, object | undefined]>> = {
  graph: [
    { body: `<title>no</title>${title}${meta('og:description', 'It\n weaves')}${meta('og:site_name', 'Looms')}` },
    { title: 'A loom', description: 'It weaves', site_name: 'Looms' },
  ],
  'only-title': [{ body: '<title> Just\na title </title><p>text' }, { title: 'Just a title' }],
  named: [{ body: '<title>T</title><META NAME=Description CONTENT="as usual">' }, { description: 'as usual' }],
  entities: [{ body: '<title>Tom &amp; J&eacute;r&#xF4;me &lt;b&gt;</title>' }, { title: 'Tom & Jérôme <b>' }],
  header: [
    { body: Buffer.from('<title>Zürich</title>', 'latin1'), type: 'text/html; charset=ISO-8859-1' },
    { title: 'Zürich' },
  ],
  declared: [{ body: Buffer.from('<meta charset="iso-8859-1"><title>Genève</title>', 'latin1') }, { title: 'Genève' }],
  'unknown-charset': [{ body: '<title>Bâle</title>', type: 'text/html; charset=klingon' }, { title: 'Bâle' }],
  control: [
    { body: `<title>a\u0000b&#0;c\u0085d${'e'.repeat(400)}</title>` },
    { title: expect.stringMatching(/^.{300}$/u) },
  ],
  huge: [
    { body: `${title}${'<p>x'.repeat(600_000)}${meta('og:description', 'far')}` },
    { title: 'A loom', description: '' },
  ],
  hostile: [{ body: meta('og:title', hostile) }, { title: hostile }],
  moved: [
    { body: '', status: 302, location: '/graph' },
    { title: 'A loom', url: expect.stringContaining('/moved') },
  ],
  'no-title': [{ body: meta('og:description', 'of nothing') }, undefined],
  'to-private': [{ body: '', status: 302, location: 'http://127.0.0.2/' }, undefined],
  missing: [{ body: title, status: 404 }, undefined],
  text: [{ body: title, type: 'text/plain' }, undefined],
  'picture.png': [{ body: '', type: 'image/png' }, undefined],
  pictured: [
    { body: title + meta('og:image', '/picture.png') + meta('og:image:alt', 'Its shuttle') },
    { picture: expect.objectContaining({ alt: 'Its shuttle', width: 60, height: 40 }) },
  ],
  'picture-missing': [{ body: title + meta('og:image', '/none.png') }, { title: 'A loom' }],
  'picture-damaged': [{ body: title + meta('og:image', '/damaged.png') }, { title: 'A loom' }],
  'picture-large': [{ body: title + meta('og:image', '/large.png') }, { title: 'A loom' }],
  'picture-data': [{ body: title + meta('og:image', 'data:image/png;base64,AAAA') }, { title: 'A loom' }],
  'picture-ftp': [{ body: title + meta('og:image', 'ftp://127.0.0.1/a.png') }, { title: 'A loom' }],
  'picture-inside': [{ body: title + meta('og:image', 'http://127.0.0.2/a.png') }, { title: 'A loom' }],
};

async function serveSite(): Promise<string> {
  const files: Record<string, Page> = {
    ...Object.fromEntries(Object.entries(pages).map(([name, [page]]) => [name, page])),
    'picture.png': { body: await pngImage({ width: 60, height: 40 }), type: 'image/png' },
    'damaged.png': { body: (await noiseImage({ width: 60, height: 40 })).subarray(0, 900), type: 'image/png' },
    'large.png': { body: Buffer.alloc(6 * 1024 * 1024), type: 'image/png' },
  };
  const others = Promise.withResolvers<undefined>();
  const respond = async ({ url = '', headers }: IncomingMessage, response: ServerResponse) => {
    const [name = ''] = url.slice(1).split('?');
    requested.push(url);
    agents.add(headers['user-agent']);
    if (url === '/graph?last') others.resolve(undefined);
    if (url === '/graph?slow') await others.promise;
    const { body, status = 200, type = 'text/html', location } = files[name] ?? { body: '', status: 404 };
    response.writeHead(status, { 'content-type': type, ...(location === undefined ? {} : { location }) }).end(body);
  };
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  return `127.0.0.1:${String((server.address() as AddressInfo).port)}`; // it listens on TCP
}

beforeAll(async () => {
  const authority = await serveSite();
  site = `http://${authority}`;
  const { url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(url, { config: { mediaFetchAllow: [authority] } }));
  [ada, ben] = await registerThree(api);
});
afterAll(() => cleanup.disposeAsync());

async function run(name = 'link-cards'): Promise<void> {
  await api.app.jobs.find((job) => job.name === name)?.run(new AbortController().signal);
}
let statements = 0;
const sql = async (text: string) => await api.db.query({ name: `cards_${String((statements += 1))}`, text }, []);
const cardLike = (name: string, expected: object | undefined): unknown =>
  expected && expect.objectContaining({ url: `${site}/${name}`, ...expected });
const shown = async (id: number) => (await ben.get(`/post/show?id=${String(id)}`)).body.items;

test('D201 a card shows what the page says about itself, wherever a post is shown', async () => {
  const ids = new Map<string, number>();
  for (const name of Object.keys(pages)) ids.set(name, await ada.writes(`see ${site}/${name}`));
  requested.length = 0;
  await run();
  const { body: list } = await ben.get(`/post?user_id=${String(ada.id)}&count=70`);
  for (const [name, [, expected]] of Object.entries(pages)) {
    const id = ids.get(name) ?? 0;
    const { card } = await shown(id);
    expect([name, card]).toEqual([name, cardLike(name, expected)]);
    expect(list.items.find((post: { id: number }) => post.id === id)?.card).toEqual(card);
  }
  expect([...agents]).toEqual(['Linnet link cards (+https://linnet.example)']);
  expect(requested.filter((url) => url === '/pictured')).toHaveLength(1);
});

test('the picture is a copy of our own, whose files go with the card', async () => {
  const id = await ada.writes(`again ${site}/pictured`);
  const { picture } = (await shown(id)).card;
  for (const address of [picture.image, picture.thumbnail]) {
    expect(address).toMatch(/^https:\/\/linnet\.example\/media\//);
    expect(await download(api, address)).toMatchObject({ status: 200, headers: { 'content-type': 'image/png' } });
  }
  await sql(`DELETE FROM link_card WHERE url LIKE '%/pictured'`);
  await run('media-removed');
  expect((await download(api, picture.image)).status).toBe(404);
  expect((await shown(id)).card).toBeUndefined();
});

test('the page is fetched once for twenty posts and comments, and again after days', async () => {
  requested.length = 0;
  const link = `${site}/graph?twenty`;
  const ids = await Promise.all(
    Array.from({ length: 19 }, async (_none, number) => await ada.writes(`${String(number)} ${link}`)),
  );
  const commented = await ben.comments(ids[0] ?? 0, `I read ${link}`);
  await run();
  await ada.writes(`still fresh ${link}`);
  await run();
  expect(requested).toEqual(['/graph?twenty']);
  const comment = (await ben.get(`/comment/show?id=${String(commented)}`)).body.items;
  expect([(await shown(ids[7] ?? 0)).card.title, comment.card.title]).toEqual(['A loom', 'A loom']);
  await sql(`UPDATE link_card SET fresh_until = now() - interval '1 minute' WHERE url = '${link}'`);
  await ada.writes(`old by now ${link}`);
  await run();
  expect(requested).toHaveLength(2);
});

test('a slow page holds up no other', async () => {
  const slow = await ada.writes(`${site}/graph?slow`);
  for (let number = 0; number < 6; number += 1) await ada.writes(`${site}/graph?${String(number)}`);
  const last = await ada.writes(`${site}/graph?last`);
  await run();
  expect([(await shown(slow)).card?.title, (await shown(last)).card?.title]).toEqual(['A loom', 'A loom']);
});

test('a failure is tried again, some times', async () => {
  requested.length = 0;
  await ada.writes(`${site}/missing?later`);
  for (let attempts = 0; attempts < 7; attempts += 1) {
    await run();
    await sql(`UPDATE link_card SET due_at = now() - interval '1 minute' WHERE due_at IS NOT NULL`);
  }
  expect(requested.filter((url) => url === '/missing?later')).toHaveLength(5);
  await ada.writes(`once more ${site}/missing?later`);
  await run();
  expect(requested.filter((url) => url === '/missing?later')).toHaveLength(5);
});

test('an edit changes the card, and the first link decides', async () => {
  const id = await ada.writes(`${site}/only-title and ${site}/graph`);
  expect((await shown(id)).card.title).toBe('Just a title');
  const edited = await ada.post('/post/edit', { id, message: `${site}/graph and ${site}/only-title` });
  expect(edited.body.items.card.title).toBe('A loom');
  await ada.post('/post/edit', { id, message: 'without a link' });
  expect((await shown(id)).card).toBeUndefined();
});

test('a page shows a hostile title as text; feeds and the export have no card', async () => {
  const id = await ada.writes(`beware ${site}/hostile`);
  const { text, headers } = await api.get(`/p/${String(id)}`);
  expect(text).toContain('<strong dir="auto">&lt;/a>&lt;script>alert(1)&lt;/script></strong>');
  expect(text).toContain(`href="${site}/hostile" rel="nofollow noopener noreferrer ugc"`);
  expect(String(headers['content-security-policy'])).not.toContain('127.0.0.1');
  expect((await api.get(`/${ada.username}.atom`)).text).not.toContain('alert(1)');
  expect(JSON.stringify((await ada.get('/account/export')).body)).not.toContain('alert(1)');
});

test('a post with pictures has a card, which pages do not show', async () => {
  const id = await ada.writes(`${site}/graph and a picture`);
  await sql(`UPDATE post SET has_media = true WHERE id = ${String(id)}`);
  await sql(`INSERT INTO media (owner_id, post_id, name, bytes, width, height)
    VALUES (${String(ada.id)}, ${String(id)}, '${'a'.repeat(32)}.png', 1, 1, 1)`);
  expect((await shown(id)).card.title).toBe('A loom');
  expect((await api.get(`/p/${String(id)}`)).text).not.toContain('link-card');
});

test('an old card stays as long as a post needs it', async () => {
  const id = await ada.writes(`${site}/graph?swept`);
  await run();
  await sql(`UPDATE link_card SET fresh_until = now() - interval '1 minute'`);
  await run('old-link-cards');
  expect((await shown(id)).card.title).toBe('A loom');
  await ada.post('/post/delete', { id });
  await run('old-link-cards');
  expect(await sql(`SELECT 1 FROM link_card WHERE url = '${site}/graph?swept'`)).toEqual([]);
});

test('a host gets thirty requests in a minute, however many links lead to it', async () => {
  const { url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  const config = { mediaFetchAllow: [site.slice('http://'.length)], rateLimits: true };
  await using limited = await startApi(url, { config });
  const [author] = await registerThree(limited);
  for (let number = 0; number < 20; number += 1) await author.writes(`${site}/moved?${String(number)}`);
  requested.length = 0;
  await limited.app.jobs.find((job) => job.name === 'link-cards')?.run(new AbortController().signal);
  expect(requested).toHaveLength(30);
});

test('with LINK_CARDS=off there are no cards', async () => {
  const { url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  await using off = await startApi(url, { config: { linkCards: false } });
  const [author] = await registerThree(off);
  await author.writes(`${site}/graph`);
  expect(off.app.jobs.map(({ name }) => name)).not.toContain('link-cards');
  await off.app.jobs.find((job) => job.name === 'old-link-cards')?.run(new AbortController().signal);
  expect(await off.db.query({ name: 'cards', text: 'SELECT 1 FROM link_card' }, [])).toEqual([]);
});
