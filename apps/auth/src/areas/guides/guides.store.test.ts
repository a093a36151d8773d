import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Page } from '@linnet/test/auth/browser';
import { createOnPage } from '@linnet/test/auth/developer';
import { findElements } from '@linnet/test/auth/html';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { guideSlugs } from './contents.ts';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
});
afterAll(async () => await cleanup.disposeAsync());

const examplesOf = ({ html }: Pick<Page, 'html'>) =>
  html.replace(/^.*<article[^>]*>/s, '').replaceAll(/<\/?span[^>]*>/g, '');

describe('/developers', () => {
  test('leads to every guide, each with its own title, description and canonical address', async () => {
    const browser = createBrowser(auth);
    const overview = await browser.open('/developers');
    const titles = new Set([overview.title]);
    for (const slug of guideSlugs.slice(1)) {
      const address = `/developers/${slug}`;
      expect(findElements(overview.html, 'a').map(({ attributes }) => attributes['href'])).toContain(address);
      const page = await browser.open(address);
      expect(page.status).toBe(200);
      expect(page.html).toContain(`<link rel="canonical" href="${auth.baseUrl}${address}"/>`);
      expect(page.html).toMatch(/<meta name="description" content="[^"]{40,300}"/);
      titles.add(page.title);
    }
    expect(titles.size).toBe(guideSlugs.length);
  });

  test('every guide leads to the previous and the next one', async () => {
    const browser = createBrowser(auth);
    const read: string[] = [];
    let address: string | undefined = '/developers';
    while (address !== undefined) {
      read.push(address);
      const { html }: Page = await browser.open(address);
      const links = findElements(html, 'a').map(({ attributes }) => attributes);
      expect(links.find((link) => link['rel'] === 'prev')?.['href']).toBe(read.at(-2));
      address = links.find((link) => link['rel'] === 'next')?.['href'];
    }
    expect(read).toHaveLength(guideSlugs.length);
  });

  test('shows the address of the service, and a placeholder for the client ID', async () => {
    const { html } = await createBrowser(auth).open('/developers/quickstart');
    expect(examplesOf({ html })).toContain(`BASE_URL=${auth.baseUrl}\n`);
    expect(html).toContain('YOUR_CLIENT_ID');
    expect(html).not.toContain('localhost:3000');
  });

  test('every link within a guide leads to a section that exists', async () => {
    const browser = createBrowser(auth);
    const ids = new Map<string, ReadonlySet<string | undefined>>();
    const links: string[] = [];
    for (const slug of guideSlugs) {
      const address = slug === 'overview' ? '/developers' : `/developers/${slug}`;
      const elements = findElements((await browser.open(address)).html);
      ids.set(address, new Set(elements.map(({ attributes }) => attributes['id'])));
      links.push(
        ...elements.flatMap(({ attributes: { href } }) => (/^\/developers.*#/.test(href ?? '') ? [href ?? ''] : [])),
      );
    }
    expect(links.length).toBeGreaterThan(5);
    const [paths, anchors] = [links.map((link) => link.split('#')[0] ?? ''), links.map((link) => link.split('#')[1])];
    expect(paths.filter((path, index) => ids.get(path)?.has(anchors[index]) !== true)).toEqual([]);
  });

  test('every guide is Markdown at the same address with .md, and /llms.txt lists them', async () => {
    const list = await auth.send({ path: '/llms.txt' });
    expect(list.headers['content-type']).toBe('text/plain; charset=utf-8');
    const listed = [...list.text.matchAll(/\]\((\S+\.md)\)/g)].map(([, address]) => address);
    expect(listed).toEqual(guideSlugs.map((slug) => `${auth.baseUrl}${pagePaths.guide(slug)}.md`));
    const titles = [...list.text.matchAll(/^- \[(.*?)\]/gm)].map(([, title]) => title);
    for (const [index, slug] of guideSlugs.entries()) {
      const { headers, text } = await auth.send({ path: pagePaths.guideMarkdown(slug) });
      expect(headers).toMatchObject({ 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'no-cache' });
      expect(text.split('\n')[0]).toBe(`# ${titles[index] ?? ''}`);
      expect(text).not.toContain('localhost:3000');
      for (const [, address] of text.matchAll(/\]\(([^)]*)\)/g)) expect(address).toMatch(/^(?:https?:\/\/|#)/);
    }
  });

  test.each([
    ...['/developers/', '/developers/no-such-guide', '/developers/quickstart/x', '/developers/overview'],
    ...['/developers/no-such-guide.md', '/developers/overview.md', '/developers/search.md'],
  ])('%s is 404', async (path) => {
    expect((await createBrowser(auth).open(path)).status).toBe(404);
  });
});

describe('a developer', () => {
  test('sees the client ID of their newest application, or of the one they choose', async () => {
    const browser = createBrowser(auth);
    await signIn(browser, await registerPerson(auth.db, 'ada_reads_guides'));
    expect((await browser.open('/developers/quickstart')).html).toContain('YOUR_CLIENT_ID');
    const first = await createOnPage(browser, { name: 'First' });
    const second = await createOnPage(browser, { name: 'Second' });
    const page = await browser.open('/developers/quickstart');
    expect(examplesOf(page)).toContain(`CLIENT_ID=${second.clientId}`);
    const chosen = await browser.open(`/developers/quickstart?client_id=${first.clientId}`);
    expect(examplesOf(chosen)).toContain(`CLIENT_ID=${first.clientId}`);
    expect(examplesOf(chosen)).not.toContain(second.clientId);
    expect(chosen.html).not.toContain('YOUR_CLIENT_ID');
  });

  test('cannot make the examples show anything else', async () => {
    const other = await auth.register();
    const browser = createBrowser(auth);
    await signIn(browser, await registerPerson(auth.db, 'bob_reads_guides'));
    for (const id of [other.clientId, '"><b>', '']) {
      const { html } = await browser.open(`/developers/quickstart?client_id=${encodeURIComponent(id)}`);
      expect(html).toContain('YOUR_CLIENT_ID');
      expect(html).not.toContain('<b>');
    }
  });
});

describe('/developers/search', () => {
  const search = async (query: string) =>
    await createBrowser(auth).open(`/developers/search?q=${encodeURIComponent(query)}`);

  test.each([
    ['retry after', '/developers/rate-limits'],
    ['refresh token rotation', '/developers/tokens'],
    ['cursor', '/developers/paging'],
    ['FAPI', '/developers/pushed-requests'],
    ['upload picture', '/developers/media'],
    ['idempotncy', '/developers/idempotency'],
    ['htu', '/developers/dpop'],
    ['slow_down', '/developers/devices'],
  ])('%j finds %s', async (query, address) => {
    const page = await search(query);
    expect(page.status).toBe(200);
    const found = [...page.html.matchAll(/<h2><a href="([^"#]*)/g)].map(([, href]) => href);
    expect(found.slice(0, 3)).toContain(address);
  });

  test('marks the words it found, and says how many sections have them', async () => {
    const page = await search('cursor');
    expect(page.html).toMatch(/<mark>cursors?<\/mark>/i);
    expect(page.text).toMatch(/\d+ results for “ cursor ”/);
  });

  test.each([
    '',
    ' ',
    'nothing-has-this-word',
    '<script>alert(1)</script>',
    '.*+?^${}()|[]\\',
    '\u202E',
    'x'.repeat(5000),
  ])('for %j responds with a page that search engines leave out', async (query) => {
    const page = await search(query);
    expect(page.status).toBe(200);
    expect(page.html).toContain('noindex');
    expect(page.html).not.toContain('<script>');
    expect(page.html.length).toBeLessThan(40_000);
  });
});
