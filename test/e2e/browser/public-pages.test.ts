import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { Page } from 'playwright-core';

import { operate } from '../../support/operator.ts';
import { measureOverflow, narrowWidth, takeScreenshots } from '../../support/page-measurements.ts';
import { connectBrowser } from '../../support/open-browser.ts';
import { expectAccessible, openClient } from '../../support/web-client.ts';
import type { OpenClient } from '../../support/web-client.ts';
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
    followers: `/@${username}/followers`,
    following: `/@${username}/following`,
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

/** Saves what is shown at both widths, if somebody wants to look at it. */
async function takePictures(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder !== undefined) await takeScreenshots(page, folder, name);
}

/** What the script of the page has loaded. */
const loaded = async (page: Page) =>
  await page.evaluate<readonly string[]>(
    `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((path) => !/^.(?:media|p.assets)/.test(path))`,
  );

const signedIn = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' });

/** As for strangers, and nobody is noted as signed in. */
async function expectStrangersPage(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Comment' }).waitFor();
  expect(await page.locator('.signed-in').count()).toBe(0);
  expect(await page.evaluate('localStorage.getItem("linnet-client-person")')).toBe(null);
}

describe('people who are signed in', () => {
  test('follow, like and reply on public pages, at the service and not only on the screen', async () => {
    const { page, person } = await openClient({ width: narrowWidth });
    await page.goto(paths['profile'] ?? '');
    await signedIn(page).waitFor();
    await page.getByRole('button', { name: `Follow @${username}` }).click();
    await page.getByText(`You follow @${username}.`).waitFor();
    await page.getByRole('link', { name: '1 follower' }).waitFor();
    await expectAccessible(page);
    expect(await measureOverflow(page)).toBe(0);
    await takePictures(page, 'profile-signed-in');
    await page.reload();
    await page.getByRole('button', { name: `Unfollow @${username}` }).click();
    await page.getByRole('link', { name: '0 followers' }).waitFor();

    await page.goto(paths['post'] ?? '');
    await page.getByRole('button', { name: 'Like, 0 likes' }).click();
    await page.getByRole('button', { name: 'Comment, 0 comments' }).click();
    await page.keyboard.type('Written <b>here</b>.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Comment sent.').waitFor();
    await page.getByRole('listitem').getByText('Written <b>here</b>.').waitFor();
    await expectAccessible(page);
    expect(await measureOverflow(page)).toBe(0);
    await takePictures(page, 'post-signed-in');
    await page.reload();
    await page.getByRole('button', { name: 'Like, 1 like', pressed: true }).waitFor();
    const comment = page.getByRole('region', { name: 'Comments' }).getByRole('listitem');
    await comment.getByText('Written <b>here</b>.').waitFor();
    await comment.getByRole('button', { name: `Reply @${person.username}` }).click();
    await page.keyboard.type('A reply to it.');
    await takePictures(page, 'reply-signed-in');
    await page.keyboard.press('Control+Enter');
    await comment.getByRole('listitem').getByText('A reply to it.').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await expectAccessible(page);
    expect(await measureOverflow(page)).toBe(0);
    await page.reload();
    await comment.getByRole('listitem').getByText('A reply to it.').waitFor();

    await page.goto(`${paths['hashtag'] ?? ''}?lang=de`);
    await page.getByRole('button', { name: 'Folgen #looms' }).click();
    await page.getByRole('button', { name: 'Folge ich' }).waitFor();
    await expectAccessible(page);
    await takePictures(page, 'hashtag-signed-in');
  });

  test('edit their own profile', async () => {
    const { page, person } = await openClient();
    await page.goto(`/@${person.username}`);
    await page.getByRole('link', { name: 'Edit profile' }).waitFor();
    await expectAccessible(page);
    await takePictures(page, 'own-profile-signed-in');
    expect(
      await page
        .getByRole('main')
        .getByRole('link', { name: /^(?:Follow|Report)$/ })
        .count(),
    ).toBe(0);
    await page.getByRole('link', { name: 'Edit profile' }).click();
    await page.waitForURL('**/account');
  });

  /** In another tab. */
  async function endElsewhere({ page }: OpenClient, path: string, button: string): Promise<void> {
    const tab = await page.context().newPage();
    await tab.goto(path);
    await tab.getByTestId(button).click();
    await tab.getByTestId(button).waitFor({ state: 'detached' });
    await tab.close();
  }

  const ways: readonly (readonly [name: string, end: (client: OpenClient) => Promise<void>])[] = [
    [
      'revoked the access of the client',
      async (client) => await endElsewhere(client, '/account/applications', 'revoke-application'),
    ],
    ['signed out of the service', async (client) => await endElsewhere(client, '/logout', 'sign-out')],
    [
      'are suspended',
      async ({ person }) => void (await operate(['user', 'suspend', person.username], inject('service').env)),
    ],
  ];
  test.each(ways)('who %s are strangers again with the next press, and with the next page', async (_name, end) => {
    const client = await openClient();
    const { page } = client;
    await page.goto(paths['post'] ?? '');
    const like = page.getByRole('button', { name: /^Like/ });
    await like.waitFor();
    await end(client);
    // Every process knows it within a second.
    const press = async () => await like.click({ timeout: 1000 }).catch(() => undefined);
    await expect.poll(async () => await press().then(async () => await page.locator('.signed-in').count())).toBe(0);
    await expectStrangersPage(page);
    await page.reload();
    await expectStrangersPage(page);
    expect(await loaded(page)).toEqual([]);
  });
});

test('strangers load one script, which loads nothing', async () => {
  await using browser = await connectBrowser({ scripts: true });
  const { page } = browser;
  await page.goto(paths['post'] ?? '', { waitUntil: 'networkidle' });
  expect(await page.locator('script[src]').count()).toBe(1);
  expect(await loaded(page)).toEqual([]);
  await expectStrangersPage(page);
  expect(browser.faults).toEqual([]);
});
