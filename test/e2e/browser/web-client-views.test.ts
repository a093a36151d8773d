import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { createApplication as createLinnetApplication } from '@linnet/sdk';
import type { Linnet } from '@linnet/sdk';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';

import { createClient, createNamedClient } from '../../support/api-client.ts';
import { noiseImage, pngImage } from '../../support/media/images.ts';
import { narrowWidth } from '../../support/page-measurements.ts';
import { inspectorScript } from '../../support/page-inspector.ts';
import { findViolations, home, openClient, openFromMenu } from '../../support/web-client.ts';

/**
 * Every view and dialog of the web client, in one walk: nothing lies outside the window, axe-core finds nothing, and the
 * console is silent. `SCREENSHOTS=<folder>` saves screenshots of all of them.
 */

const desktopWidth = 1280;
const username = 'sees_everything';
/** The rules of axe-core that depend on the colour scheme or the width of the window. */
const appearanceRules = ['color-contrast', 'target-size', 'scrollable-region-focusable'];
/** One word, wider than a narrow window. */
const longWord = 'Donaudampfschifffahrtsgesellschaftskapitänsmütze'.repeat(2);

/** Somebody with posts of every kind. */
async function createOther(): Promise<Linnet> {
  const { env, baseUrl } = inject('service');
  const { id, secret } = await createNamedClient(env, { username, firstName: 'Berta', lastName: 'Field' });
  const other = createLinnetApplication({ issuer: baseUrl, clientId: id, clientSecret: secret }).asItself();
  await other.account.update({
    displayName: `Berta ${longWord.slice(0, 40)}`,
    description: `${longWord} #birds https://example.org`,
  });
  const upload = async (media: Buffer) =>
    (await other.media.upload({ media: new Blob([new Uint8Array(media)], { type: 'image/png' }), alt: 'Finches' }))
      .media_id;
  const attachments = [
    await upload(await pngImage({ width: 900, height: 500 })),
    await upload(await noiseImage({ width: 90, height: 160 })),
  ];
  await other.posts.create({ message: `Two pictures #birds ${longWord}`, attachments });
  const secretPicture = await upload(await pngImage({ width: 200, height: 200 }, 'green'));
  await other.posts.create({ message: 'A sensitive one', attachments: [secretPicture], sensitive: true });
  await other.posts.create({ message: 'Ask me #anything', commenters: 'mentioned' });
  return other;
}

interface Walk {
  readonly page: Page;
  /** Problems, each with the view. */
  readonly found: string[];
}

/** Checks what is shown at both widths, and the colours in the dark. */
async function look({ page, found }: Walk, view: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  const [first, second] = [
    [narrowWidth, 'light'],
    [desktopWidth, 'dark'],
  ] as const;
  const shown =
    folder === undefined ? [first, second] : [first, second, [narrowWidth, 'dark'], [desktopWidth, 'light']];
  for (const [width, colorScheme] of shown as readonly (readonly [number, 'light' | 'dark'])[]) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const problems = [
      ...(await page.evaluate<readonly string[]>(`${inspectorScript}; ${checks}`)),
      ...(await findViolations(page, width === narrowWidth ? undefined : appearanceRules)),
    ];
    for (const one of problems) found.push(`${view}, ${String(width)} ${colorScheme}: ${one}`);
    if (folder === undefined) continue;
    await mkdir(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${view}-${String(width)}-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

const checks =
  '[inspector.findOverflow, inspector.findOutside, inspector.findSmallTargets].flatMap((find) => find(document))';

async function walkProfiles(walk: Walk): Promise<void> {
  const { page } = walk;
  await page.goto(`${home}/@${username}/`);
  await page.getByText('Ask me').waitFor();
  await look(walk, 'profile');
  await page.getByRole('link', { name: 'Followers', exact: true }).click();
  await page.getByText('No followers yet.').waitFor();
  await page.getByRole('button', { name: `Follow @${username}` }).click();
  await page.getByRole('list', { name: 'Followers' }).getByRole('link').first().waitFor();
  await look(walk, 'profile-followers');
  await page.getByRole('link', { name: 'Likes', exact: true }).click();
  await page.getByText('No likes yet.').waitFor();
  await look(walk, 'profile-likes-empty');
  await page.goto(`${home}/@nobody_here`);
  await page.getByText('There is no such account.').waitFor();
  await look(walk, 'profile-missing');
}

async function walkPosts(walk: Walk, other: Linnet): Promise<void> {
  const { page } = walk;
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByText('Two pictures').waitFor();
  await look(walk, 'feed');
  const post = page.getByRole('article').filter({ hasText: 'Two pictures' });
  await post.getByRole('button', { name: 'More about' }).click();
  await look(walk, 'person-menu');
  await page.getByRole('button', { name: 'Report' }).click();
  await look(walk, 'report');
  await page.keyboard.press('Escape');
  await post.getByRole('button', { name: 'Bookmark' }).click();
  const item_id = Number(await post.getAttribute('data-post'));
  const first = await other.comments.create({ item_id, text: `Who sees them? ${longWord}` });
  let parent_id = first.id;
  for (const text of ['I do.', `Me, too. ${longWord}`, 'And I.', 'All of us.']) {
    parent_id = (await other.comments.create({ item_id, text, parent_id })).id;
  }
  await post.getByRole('link', { name: /^Comment/ }).click();
  await page.getByText('All of us.').waitFor();
  await page.getByRole('button', { name: 'Reply' }).nth(1).click();
  await look(walk, 'post');
  await page.goto(`${home}/p/1`);
  await page.getByText('This post does not exist').waitFor();
  await look(walk, 'post-missing');
}

async function walkOwnPost(walk: Walk, other: Linnet, name: string): Promise<void> {
  const { page } = walk;
  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'Your post' }).fill(`I saw them, too. ${'o'.repeat(350)}`);
  const file = { name: 'picture.png', mimeType: 'image/png', buffer: await pngImage() };
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file);
  await page.getByAltText('Picture 1 of your post').waitFor();
  await look(walk, 'compose');
  await page.getByRole('dialog').getByRole('button', { name: 'Post', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('navigation').getByRole('link', { name: 'Profile' }).click();
  await page.getByText('I saw them, too.').waitFor();
  await look(walk, 'own-profile');
  await page.getByRole('button', { name: 'More about your post' }).click();
  await look(walk, 'own-post-menu');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await look(walk, 'edit');
  await page.keyboard.press('Escape');
  const liked = Number(await page.getByRole('article').getAttribute('data-post'));
  await other.likes.add({ item_id: liked });
  await other.posts.create({ message: `Hello @${name}, ${longWord}` });
  await page.getByRole('link', { name: 'Notifications 2' }).click();
  await page.getByText('Liked by').waitFor();
  await look(walk, 'notifications');
  const rows = page.getByRole('main').getByRole('listitem');
  for (const [filter, names] of shownBy) {
    await page.getByRole('button', { name: filter, exact: true }).click();
    await expect.poll(async () => (await rows.allInnerTexts()).map((text) => text.split(' by ')[0])).toEqual(names);
  }
  await look(walk, 'notifications-empty');
  // The like is not for this filter.
  await other.likes.delete({ item_id: liked });
  await other.likes.add({ item_id: liked });
  await page.getByRole('link', { name: 'Notifications 1' }).waitFor();
  await other.follows.add({ id: (await other.users.show({ username: name })).id });
  const newer = page.getByRole('button', { name: '1 new notification' });
  await newer.waitFor();
  await look(walk, 'notifications-newer');
  await newer.click();
  await expect.poll(async () => await rows.count()).toBe(1);
  expect(await newer.count()).toBe(0);
}

/** The notifications behind each filter. */
const shownBy = [
  ['Mentions and comments', ['Mentioned']],
  ['Likes and reposts', ['Liked']],
  ['All', ['Mentioned', 'Liked']],
  ['Followers', []],
] as const;

/** What the person saved, and what an agent proposes. */
async function walkDrafts(walk: Walk, name: string): Promise<void> {
  const { page } = walk;
  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'Your post' }).fill('Not yet');
  const file = { name: 'picture.png', mimeType: 'image/png', buffer: await pngImage() };
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file);
  await page.getByRole('textbox', { name: 'What does picture 1 show?' }).fill('A red square');
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await page.getByText('The draft is saved.').waitFor();
  await propose(name, '/post/create', { message: `Good morning ${longWord}` });
  await propose(name, '/likes/add', { item_id: 1, type: 'post' });
  await openFromMenu(page, 'Drafts');
  const rows = page.getByRole('list', { name: 'Drafts' }).getByRole('listitem');
  await expect.poll(async () => await rows.count()).toBe(3);
  await rows.nth(2).getByAltText('A red square').scrollIntoViewIfNeeded();
  await look(walk, 'drafts');
  await rows.nth(0).getByRole('textbox').fill('No robots');
  await rows.nth(0).getByRole('button', { name: 'Reject' }).click();
  await expect.poll(async () => await rows.count()).toBe(2);
  await rows.nth(0).getByRole('textbox', { name: 'Your post' }).fill('Good morning, everybody');
  await rows.nth(0).getByRole('button', { name: 'Save' }).click();
  await rows.nth(0).getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
  await rows.nth(0).getByRole('button', { name: 'Accept' }).click();
  await expect.poll(async () => await rows.count()).toBe(1);
  await rows.nth(0).getByRole('textbox', { name: 'Your post' }).fill('Not yet, but now');
  await rows.nth(0).getByRole('button', { name: 'Post', exact: true }).click();
  await page.getByText('No drafts.').waitFor();
  await walkSchedule(walk, name);
  await page.goto(`${home}/@${name}`);
  await page.getByText('Good morning, everybody').waitFor();
  await page.getByText('Not yet, but now').waitFor();
}

/** A post for later, until its time comes and it cannot be published. */
async function walkSchedule(walk: Walk, name: string): Promise<void> {
  const { page } = walk;
  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'Your post' }).fill('Good night');
  await page.getByRole('button', { name: 'Publish later' }).click();
  await look(walk, 'compose-later');
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByText('Scheduled for').waitFor();
  await propose(name, '/post/create', { message: 'Good evening' }, '3 days');
  await page.reload();
  const rows = page.getByRole('list', { name: 'Drafts' }).getByRole('listitem');
  await rows.nth(0).getByText('Suggested time').waitFor();
  await rows.nth(0).getByRole('button', { name: 'Publish later' }).click();
  await look(walk, 'schedule');
  await rows.nth(0).getByRole('button', { name: 'Schedule', exact: true }).click();
  await expect.poll(async () => await rows.getByText('Scheduled for').count()).toBe(2);
  const first = rows.nth(0).getByRole('textbox', { name: 'Your post' });
  await expect.poll(async () => await first.inputValue()).toBe('Good night');
  await rows.nth(1).getByRole('button', { name: 'Remove the time' }).click();
  await rows.nth(1).getByRole('button', { name: 'Publish later' }).waitFor();
  await failScheduled(name);
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /Notifications/ })
    .click();
  await page.getByRole('link', { name: 'Could not be published at the scheduled time' }).click();
  await page
    .getByText('It could not be published at the scheduled time. It no longer exists, or you cannot see it.')
    .waitFor();
  await look(walk, 'schedule-failed');
  for (const left of [1, 0]) {
    await page.getByRole('button', { name: 'Delete', exact: true }).first().click();
    await expect.poll(async () => await rows.count()).toBe(left);
  }
}

async function query(text: string, values: readonly unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: inject('service').env['DATABASE_URL'] });
  await client.connect();
  await client.query(text, [...values]);
  await client.end();
}

const propose = async (name: string, call: string, parameters: object, ahead?: string) =>
  await query(
    `INSERT INTO draft (account_id, status, client_id, call, parameters, publish_at)
     SELECT id, 'proposed', 'An agent', $2, $3, now() + $4::interval FROM account WHERE username = $1`,
    [name, call, JSON.stringify(parameters), ahead],
  );

const failScheduled = async (name: string) =>
  await query(
    `UPDATE draft SET status = 'draft', publish_at = NULL, failure = 'not-found'
     WHERE status = 'scheduled' AND account_id = (SELECT id FROM account WHERE username = $1)`,
    [name],
  );

async function walkDiscovery(walk: Walk): Promise<void> {
  const { page } = walk;
  await page.getByRole('navigation').getByRole('link', { name: 'Explore' }).click();
  await page.getByRole('article').first().waitFor();
  await look(walk, 'explore');
  const field = page.getByRole('searchbox', { name: 'Search people, posts and hashtags' });
  await field.fill('birds');
  await page.getByRole('link', { name: '#birds', exact: true }).first().waitFor();
  await page.getByRole('list', { name: 'Posts' }).getByText('Two pictures').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Follow #birds', exact: true }).click();
  await page.getByRole('main').getByRole('button', { name: 'Unfollow #birds' }).waitFor();
  await look(walk, 'search-posts');
  await field.fill('from:');
  await page.getByText('No posts found.').waitFor();
  await field.fill('sees_every');
  await page.getByText('1 person found').waitFor();
  await look(walk, 'search');
  await field.fill('xyzzy plugh');
  await page.getByText('No one found.').waitFor();
  await look(walk, 'search-nothing');
  await page.goto(`${home}/tags/birds/`);
  await page.waitForURL((url) => url.pathname === `${home}/tags/birds`);
  await page.getByRole('article').first().waitFor();
  const head = page.locator('.page-head');
  await head.getByRole('button', { name: 'Unfollow #birds' }).click();
  await head.getByRole('button', { name: 'Follow #birds', exact: true }).click();
  await head.getByRole('button', { name: 'Unfollow #birds' }).waitFor();
  await look(walk, 'hashtag');
  for (const impossible of ['2026', 'two%20words', 'a'.repeat(101), '%EF%B8%8F']) {
    await page.goto(`${home}/tags/${impossible}`);
    await page.getByText('No post can have this hashtag.').waitFor();
    expect(await head.getByRole('button', { name: /^Follow/ }).count()).toBe(0);
  }
  await look(walk, 'no-hashtag');
  await page.goto(`${home}/nowhere`);
  await page.getByText('This page does not exist.').waitFor();
  await look(walk, 'missing');
}

/** The settings are shown. The browser keeps them, and they win over the device. */
async function keepsAppearance(page: Page): Promise<void> {
  const background = async () =>
    await page.evaluate<string>('getComputedStyle(document.querySelector("main")).backgroundColor');
  const light = await background();
  await page.getByRole('radio', { name: 'Dark' }).check();
  await page.getByRole('radio', { name: 'Largest' }).check();
  const dark = await background();
  expect(dark).not.toBe(light);
  await page.reload();
  await page.getByRole('radio', { name: 'Dark', checked: true }).waitFor();
  expect([await background(), await page.evaluate('getComputedStyle(document.documentElement).fontSize')]).toEqual([
    dark,
    '20px',
  ]);
  await page.setViewportSize({ width: narrowWidth, height: 800 });
  expect(
    await page.evaluate(
      `${inspectorScript}; [...inspector.findOverflow(document), ...inspector.findOutside(document)]`,
    ),
  ).toEqual([]);
  await page.getByRole('radio', { name: 'As on this device' }).check();
  await page.getByRole('radio', { name: 'Usual' }).check();
  expect(await background()).toBe(light);
}

/** No label of the navigation is cut in a narrow window. */
async function showsLabels(page: Page): Promise<void> {
  await page.setViewportSize({ width: narrowWidth, height: 800 });
  const labels = '[...document.querySelectorAll(".navigation a span")]';
  const cut = `${labels}.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)`;
  expect(await page.evaluate(cut)).toEqual([]);
}

/** What the menu leads to. */
async function walkMenu(walk: Walk): Promise<void> {
  const { page } = walk;
  for (const [title, text] of [
    ['Bookmarks', 'Two pictures'],
    ['Filtered words', 'No filtered words.'],
    ['Muted people', 'You have not muted anyone.'],
    ['Blocked people', 'You have not blocked anyone.'],
  ] as const) {
    await openFromMenu(page, title);
    await page.getByRole('main').getByText(text).waitFor();
    await look(walk, title.toLowerCase().replace(' ', '-'));
  }
  await openFromMenu(page, 'Followed hashtags');
  // Trends may show the same hashtag beside the page.
  const followed = page.getByRole('main');
  await followed.getByRole('link', { name: '#birds', exact: true }).waitFor();
  await look(walk, 'followed-hashtags');
  await followed.getByRole('button', { name: 'Unfollow #birds' }).click();
  await followed.getByRole('button', { name: 'Follow #birds', exact: true }).waitFor();
  await page.reload();
  await page.getByText('You do not follow any hashtags.').waitFor();
  await openFromMenu(page, 'Settings');
  await page.getByRole('link', { name: 'Connected apps' }).waitFor();
  await look(walk, 'settings');
  await keepsAppearance(page);
  await showsLabels(page);
  await page.getByRole('navigation').getByRole('link', { name: 'Requests' }).click();
  await page.getByText('No requests.').waitFor();
  await look(walk, 'requests');
  await page.keyboard.press('?');
  await look(walk, 'keys');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await look(walk, 'menu');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  await page.goto(`${home}/callback?error=access_denied&state=s`);
  await page.getByRole('alert').waitFor();
  await look(walk, 'welcome');
}

test('every view and dialog fits and is accessible, at 320 and 1280 pixels', async () => {
  const [other, { page, person }] = await Promise.all([createOther(), openClient()]);
  const walk: Walk = { page, found: [] };
  await page.reload();
  await page.getByRole('heading', { name: 'Get started' }).waitFor();
  await look(walk, 'feed-new');
  await walkProfiles(walk);
  await walkPosts(walk, other);
  await walkOwnPost(walk, other, person.username);
  await walkDrafts(walk, person.username);
  await walkDiscovery(walk);
  await walkMenu(walk);
  expect(walk.found).toEqual([]);
});

test('D204 quoting a post, being quoted, and deciding about it', async () => {
  const { env, baseUrl } = inject('service');
  const { id, secret } = await createClient(env, 'is_quoted');
  const other = createLinnetApplication({ issuer: baseUrl, clientId: id, clientSecret: secret }).asItself();
  const { page } = await openClient();
  const walk: Walk = { page, found: [] };
  const post = await other.posts.create(`The loom weaves ${longWord}`);
  await page.goto(`${home}/p/${String(post.id)}`);
  await page.getByRole('button', { name: 'Quote', exact: true }).click();
  await page.getByRole('textbox', { name: 'Your post' }).fill('Read this');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove quote' }).waitFor();
  await look(walk, 'compose-quote');
  await page.getByRole('dialog').getByRole('button', { name: 'Post', exact: true }).click();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('group', { name: 'Quoted post' }).getByText('The loom weaves').waitFor();
  await look(walk, 'quote');

  const { items } = await other.notifications.list();
  const own = items[0]?.post?.id ?? 0;
  expect(items.map(({ type }) => type)).toEqual(['quote']);
  const quoting = await other.posts.create({ message: 'Read that', quote_id: own });
  await page.goto(`${home}/p/${String(quoting.id)}`);
  await page.getByRole('button', { name: 'More about @is_quoted' }).click();
  await page.getByRole('button', { name: 'Remove my post from this quote' }).click();
  await page.getByText('The quoted post is not available.').waitFor();
  await look(walk, 'quote-withdrawn');

  await openFromMenu(page, 'Settings');
  await page.getByRole('radio', { name: 'Nobody' }).check();
  const refused = async () => await other.posts.create({ message: 'Again', quote_id: own }).catch(String);
  await expect.poll(refused).toContain('cannot be quoted');
  await other.posts.delete({ id: post.id });
  await page.goto(`${home}/p/${String(own)}`);
  await page.getByText('The quoted post is not available.').waitFor();
  expect(walk.found).toEqual([]);
});
