import { beforeAll, expect, inject, test } from 'vitest';

import { measureOverflow, narrowWidth, takeScreenshots } from '../../support/page-measurements.ts';
import { connectBrowser } from '../../support/open-browser.ts';
import { createApiCaller, createClient, requestToken } from '../../support/api-client.ts';

/** Requirements of every public page. `SCREENSHOTS=<folder>` saves screenshots of them. */

const maxBytes = 50_000;
let username: string;
let paths: Readonly<Record<string, string>>;

beforeAll(async () => {
  const { baseUrl, env } = inject('service');
  const suffix = crypto.randomUUID().slice(0, 8);
  username = `Public_${suffix}`;
  const { body: token } = await requestToken(baseUrl, await createClient(env, username));
  const call = createApiCaller(baseUrl, token.access_token);
  const description =
    'Counts things nobody asked to have counted.\nWrites about looms, engines and the weather in between.';
  await call('POST /account/update', { displayName: 'Ada Lovelace', description, country: 'London, England' });
  const texts = [
    'A post of one line.',
    `Hello @${username}, have a look at https://example.org/a/rather/long/address/that-has-no-end/${'x'.repeat(60)} #Looms #größe`,
    'Three\n\nlines 👩‍👩‍👧 and a word that is too long for its own good: '.concat('Donaudampfschifffahrt'.repeat(6)),
    ...Array.from({ length: 20 }, (_, index) => `Number ${String(index + 1)} of a row.`),
  ];
  const posts: number[] = [];
  for (const text of texts) posts.push((await call('POST /post/create', { message: text })).body.items.id);
  await call('POST /post/edit', { id: posts[4], message: `Number 2 of a row, by @${username}.` });
  const shy = await requestToken(baseUrl, await createClient(env, `Shy_${suffix}`));
  await createApiCaller(baseUrl, shy.body.access_token)('POST /account/update', {
    protected: true,
    displayName: 'X'.repeat(56),
  });
  const empty = `Empty_${suffix}`;
  await createClient(env, empty);
  paths = {
    profile: `/@${username}`,
    'profile-older': `/@${username}?before=${String(posts[3])}`,
    'profile-empty': `/@${empty}`,
    'profile-protected': `/@Shy_${suffix}`,
    post: `/p/${String(posts[1])}`,
    'post-long': `/p/${String(posts[2])}`,
    'post-edited': `/p/${String(posts[4])}`,
    'post-history': `/p/${String(posts[4])}/history`,
    'post-not-found': '/p/1',
    hashtag: '/tags/looms',
    'hashtag-new': `/tags/new_${suffix}`,
  };
});

// every-state.test.ts runs axe-core on these pages.
test('public pages have no faults, do not scroll sideways, and are small', async () => {
  await using browser = await connectBrowser({ locale: 'de-DE', width: narrowWidth });
  const { page } = browser;
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(path);
    expect([name, await page.locator('html').getAttribute('lang')]).toEqual([name, 'de']);
    expect([name, await page.locator('h1').count()]).toEqual([name, 1]);
    expect([name, await measureOverflow(page)]).toEqual([name, 0]);
    expect(Buffer.byteLength(await page.content())).toBeLessThan(maxBytes);
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await takeScreenshots(page, folder, name);
  }
  expect(browser.faults).toEqual([]);
});

test('a reader goes from a profile to a post and back, without scripts', async () => {
  await using browser = await connectBrowser({});
  const { page } = browser;
  await page.goto(`/@${username.toLowerCase()}`);
  expect(new URL(page.url()).pathname).toBe(`/@${username}`);
  await page.getByRole('link', { name: 'Older posts' }).click();
  await page.getByText('A post of one line.').waitFor();
  await page.getByRole('link', { name: '#Looms' }).click();
  await page.getByRole('heading', { name: '#looms' }).waitFor();
  await page.goBack();
  await page.locator('article time').last().click();
  expect(new URL(page.url()).pathname).toMatch(/^\/p\/\d+$/);
  await page.getByRole('link', { name: 'Ada Lovelace' }).click();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await page.getByRole('heading', { name: 'Beiträge' }).waitFor();
  expect(browser.faults).toEqual([]);
});
