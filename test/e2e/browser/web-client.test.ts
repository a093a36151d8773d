import { createApplication as createLinnetApplication } from '@linnet/sdk';
import type { Linnet } from '@linnet/sdk';
import { pngImage } from '../../support/media/images.ts';
import type { Locator, Page, Request } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, inject, test } from 'vitest';

import { createClient } from '../../support/api-client.ts';
import { connectBrowser } from '../../support/open-browser.ts';
import { register } from '../../support/page-steps.ts';
import { expectAccessible, home, openClient, openFromMenu } from '../../support/web-client.ts';
import type { OpenClient } from '../../support/web-client.ts';

/** The service's own web client, in a browser, as people use it. */

async function publish(page: Page, text: string, picture?: Buffer): Promise<void> {
  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'Your post' }).fill(text);
  if (picture !== undefined) {
    const file = { name: 'picture.png', mimeType: 'image/png', buffer: picture };
    await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file);
    await page.getByAltText('Picture 1 of your post').waitFor();
    await page.getByLabel('What does picture 1 show?').fill('Greenfinches');
    await page.getByLabel('The pictures are sensitive').check();
  }
  await page.getByRole('dialog').getByRole('button', { name: 'Post', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** What the tab says about itself. Browsers of tests never hide one. */
async function setVisibility(page: Page, state: 'visible' | 'hidden'): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}

const isStream = (request: Request) =>
  request.method() === 'GET' && new URL(request.url()).pathname.endsWith('/events');

/** The feed is shown, with the stream open. */
async function hearsOfPostsAndMentions({ page, person }: OpenClient, other: Linnet): Promise<void> {
  await other.posts.create({ message: 'Good evening' });
  await page.getByRole('button', { name: '1 new post' }).click();
  await page.getByRole('article').first().getByText('Good evening').waitFor();

  const ended = page.waitForEvent('requestfailed', isStream);
  await setVisibility(page, 'hidden');
  await ended;
  const post = await other.posts.create('Written in the dark');
  const continued = page.waitForRequest(isStream);
  await setVisibility(page, 'visible');
  expect((await continued).headers()['last-event-id']).toMatch(/./);
  await page.getByRole('button', { name: '1 new post' }).click();
  await other.posts.edit({ id: post.id, message: 'Edited in the light' });
  await page.getByText('Edited in the light').waitFor();
  await other.posts.delete({ id: post.id });
  await page.getByText('Edited in the light').waitFor({ state: 'detached' });
  await other.posts.create({ message: `A spoiler for @${person.username}` });
  await page.getByRole('link', { name: 'Notifications 1' }).waitFor();
}

/** The other person has used #greenfinches. */
async function completesWhatIsTyped(page: Page, username: string): Promise<void> {
  await page.keyboard.press('n');
  await page.keyboard.type(`Hello @${username.slice(0, -2)}`);
  await page.getByRole('option', { name: `@${username}`, selected: true }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.keyboard.type('#greenfi');
  const hashtag = page.getByRole('option', { name: '#greenfinches' });
  await hashtag.waitFor();
  await page.keyboard.press('Escape');
  await hashtag.waitFor({ state: 'detached' });
  await page.keyboard.type('n');
  await hashtag.click();
  await page.keyboard.type('!');
  const field = page.getByRole('textbox', { name: 'Your post' });
  await expect.poll(async () => await field.inputValue()).toBe(`Hello @${username} #greenfinches !`);
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
}

/** The last post of the other person is in the feed. */
async function hidesWordsAndPeople(page: Page): Promise<void> {
  await openFromMenu(page, 'Filtered words');
  await page.getByText('No filtered words.').waitFor();
  await page.getByRole('textbox', { name: 'Word or phrase' }).fill('spoiler');
  await page.getByRole('combobox', { name: 'Ends' }).selectOption('In a week');
  await page.getByRole('button', { name: 'Add' }).click();
  await page
    .getByRole('listitem')
    .filter({ hasText: /spoiler.*until/ })
    .waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: /^Notifications/ }).click();
  await page.getByText('Mentioned by').waitFor();
  await page.getByText('Hidden: spoiler').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('A spoiler for').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('b');
  await page.getByRole('button', { name: 'Bookmark', pressed: true }).waitFor();
  await page.keyboard.press('m');
  await page.getByRole('button', { name: 'Report' }).click();
  await page.getByRole('combobox', { name: 'Reason' }).selectOption('other');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send report' }).click();
  await page.getByText('Thank you. The administrators will look at it.').waitFor();
  await page.keyboard.press('m');
  await page.getByRole('button', { name: 'Mute for a day' }).click();
  await page.getByText('You no longer see posts by').waitFor();
  await page.getByText('A spoiler for').waitFor({ state: 'detached' });
  await openFromMenu(page, 'Muted people');
  await page.getByText(/^until /).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Unmute @' }).click();
  await page.getByText('You have not muted anyone.').waitFor();
}

/** One post of the person is shown and has the focus. It has a sensitive picture. */
async function changesOwnPost(page: Page, post: Locator): Promise<void> {
  await page.keyboard.press('m');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(', and one in the hedge');
  await expectAccessible(page);
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await post.getByRole('button', { name: 'Edited' }).click();
  await page.getByRole('list', { name: 'Versions' }).getByText('#birds', { exact: true }).nth(1).waitFor();
  expect(await page.getByRole('list', { name: 'Versions' }).getByText('in the hedge').count()).toBe(1);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.keyboard.press('m');
  await page.getByRole('button', { name: 'Change who can comment, and the pictures' }).click();
  await page.getByRole('combobox', { name: 'Who can comment' }).selectOption('Only mentioned people');
  await page.getByLabel('The pictures are sensitive').uncheck();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await post.getByText('Only mentioned people can comment.').waitFor();
  await post.getByRole('button', { name: 'Show sensitive picture' }).waitFor({ state: 'detached' });
  await post.getByRole('img', { name: 'Greenfinches' }).waitFor();
}

async function readsForwards(page: Page, username: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Your comment' }).fill('A third.');
  await page.keyboard.press('Control+Enter');
  await page.getByText('A third.').waitFor();
  await page
    .getByRole('button', { name: `Reply @${username}` })
    .first()
    .click();
  await page.keyboard.type('Below the first.');
  await page.keyboard.press('Control+Enter');
  const replies = page.getByRole('list', { name: `Replies to @${username}` });
  await replies.getByText('Below the first.').waitFor();
  await page.reload();
  await replies.getByText('Below the first.').waitFor();
  const texts = page.getByRole('list', { name: 'Comment' }).locator('.text');
  expect(await texts.allInnerTexts()).toEqual(['And one more.', 'Below the first.', 'A third.']);
  await page.getByRole('button', { name: 'Hide replies' }).click();
  await replies.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Show 1 reply' }).click();
  await replies.getByText('Below the first.').waitFor();
}

describe('the web client', () => {
  test('posts a picture, likes, comments, and offers sign-in after its access was revoked', async () => {
    const { page, person } = await openClient();
    await page.getByText('It is quiet here.').waitFor();
    await expectAccessible(page);

    await publish(page, 'Seven <b>greenfinches</b> on the wire #birds', await pngImage());
    const post = page.getByRole('article').filter({ hasText: 'Seven <b>greenfinches</b> on the wire' });
    await post.getByRole('button', { name: 'Show sensitive picture' }).click();
    await post.getByRole('img', { name: 'Greenfinches' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('l');
    await post.getByRole('button', { name: 'Like, 1 like', pressed: true }).waitFor();
    await changesOwnPost(page, post);
    await page.keyboard.press('o');
    await page.getByRole('textbox', { name: 'Your comment' }).fill('And one more.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('list', { name: 'Comment' }).getByText('And one more.').waitFor();
    await readsForwards(page, person.username);
    await expectAccessible(page);

    // Everything is at the service, not only on the screen.
    await page.goto(home);
    await post.getByRole('button', { name: 'Like, 1 like', pressed: true }).waitFor();
    await post.getByRole('link', { name: 'Comment, 3 comments' }).waitFor();

    await page.keyboard.press('j');
    await page.keyboard.press('t');
    await page.getByRole('heading', { name: '#birds' }).waitFor();
    await page.getByRole('list', { name: '#birds' }).locator(post).waitFor();
    await expectAccessible(page);
    await page.goto(`${home}/tags/%`);
    await page.getByText('This page does not exist.').waitFor();

    await page.getByRole('link', { name: 'Profile' }).click();
    await post.waitFor();
    await page.keyboard.press('n');
    const composed = page.getByRole('textbox', { name: 'Your post' });
    await composed.fill('Half a post');
    await page.keyboard.press('Escape');
    await post.getByRole('link', { name: 'Comment, 3 comments' }).click();
    const comment = page.getByRole('textbox', { name: 'Your comment' });
    await comment.fill('Half a thought');
    const address = page.url();
    const account = await page.context().newPage();
    await account.goto('/account/applications');
    await account.getByText('This service’s own client').waitFor();
    await account.getByTestId('revoke-application').click();
    await account.getByText('This service’s own client').waitFor({ state: 'detached' });
    // The stream of events ends with its access.
    await page.getByText('Your access has ended.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign in' }).click();
    // Where it was, with what was being written.
    await composed.waitFor();
    expect(await composed.inputValue()).toBe('Half a post');
    await page.keyboard.press('Escape');
    await comment.waitFor();
    expect([page.url(), await comment.inputValue()]).toEqual([address, 'Half a thought']);
    await page.evaluate("sessionStorage.setItem('linnet-client-writer', 'another person')");
    await page.reload();
    await comment.waitFor();
    expect(await comment.inputValue()).toBe('');
  });
});

test('after a sign-in, the feed waits for its tokens alone', async () => {
  const { page } = await openClient();
  await page.getByText('It is quiet here.').waitFor();
  const requests = await page.evaluate<[path: string, bytes: number][]>(
    `performance.getEntriesByType('resource').filter((one) => one.initiatorType === 'fetch')
      .map(({ name, transferSize }) => [new URL(name).pathname, transferSize])`,
  );
  // The metadata was in the cache.
  expect(requests[0]).toEqual(['/.well-known/oauth-authorization-server', 0]);
  expect(requests.slice(1, 3).map(([path]) => path)).toEqual(['/oauth/token', '/api/v2.0/feed']);
});

test('without a connection, what was read and written stays, nothing is called gone, and the client says so', async () => {
  await using opened = await connectBrowser({ scripts: true, width: 390 });
  const { page, context, faults } = opened;
  await register(page);
  await page.goto(home);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  const write = async (text: string) => {
    await page.keyboard.press('n');
    await page.getByRole('textbox', { name: 'Your post' }).fill(text);
    await page.getByRole('dialog').getByRole('button', { name: 'Post', exact: true }).click();
  };
  await write('Read before');
  const post = page.getByRole('article').filter({ hasText: 'Read before' });
  const link = await post.getByRole('link', { name: /^Comment/ }).getAttribute('href');
  const banner = page.getByRole('main').getByRole('status').filter({ hasText: 'You are offline.' });

  await context.setOffline(true);
  await banner.waitFor();
  await write('Written offline');
  await page.getByText('You are offline.').nth(1).waitFor();
  expect(await page.getByRole('textbox', { name: 'Your post' }).inputValue()).toBe('Written offline');
  await page.keyboard.press('Escape');
  await page
    .locator(`a[href="${link ?? ''}"]`)
    .first()
    .click();
  const again = page.getByRole('button', { name: 'Try again' });
  await again.first().waitFor();
  expect(await page.getByText('does not exist').count()).toBe(0);
  expect(await banner.isVisible()).toBe(true);
  await expectAccessible(page);
  await context.setOffline(false);
  await post.waitFor();
  await again.waitFor({ state: 'detached' });
  await banner.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Home' }).click();
  await page.route('**/api/**', (route) => route.abort());
  await post.getByRole('button', { name: /^Like/ }).click();
  const unreachable = page.getByRole('main').getByText('is not responding.');
  await unreachable.waitFor();
  await post.getByRole('button', { name: /^Like/, pressed: false }).waitFor();
  await page.unrouteAll();
  await page.keyboard.press('n');
  await page.getByRole('dialog').getByRole('button', { name: 'Post', exact: true }).click();
  await page.getByRole('article').filter({ hasText: 'Written offline' }).waitFor();
  await unreachable.waitFor({ state: 'detached' });
  // The worker has the client itself.
  await context.setOffline(true);
  await page.goto(`${home}/settings`);
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.goto(home);
  await page.getByText('Read before').waitFor();
  await page.goto(link ?? '');
  await page.getByText('Read before').waitFor();
  expect(faults.filter((fault) => !/net::ERR_(?:INTERNET_DISCONNECTED|FAILED)/.test(fault))).toEqual([]);
});

describe('the web client, with other people', () => {
  let other: Linnet;
  const username = 'is_followed';

  beforeAll(async () => {
    const { env, baseUrl } = inject('service');
    const { id, secret } = await createClient(env, username);
    other = createLinnetApplication({ issuer: baseUrl, clientId: id, clientSecret: secret }).asItself();
    await other.posts.create({ message: 'Good morning #greenfinches' });
  });

  test('follows, shows what is new, and asks a protected account', async () => {
    const client = await openClient({ colorScheme: 'dark', width: 390 });
    const { page } = client;
    await page.getByRole('main').getByRole('link', { name: 'Explore' }).click();
    await page.getByRole('article').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('searchbox', { name: 'Search people, posts and hashtags' }).fill(`@${username.slice(0, -1)}`);
    await page.getByText('1 person found').waitFor();
    await expectAccessible(page);
    await page.getByRole('list', { name: 'People' }).getByRole('link').last().click();
    await page.getByRole('button', { name: `Follow @${username}` }).click();
    await page.getByText(`You follow @${username}.`).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByText('Good morning').waitFor();
    await completesWhatIsTyped(page, username);

    await hearsOfPostsAndMentions(client, other);
    await hidesWordsAndPeople(page);
    const restricted = await other.posts.create({ message: 'Not for all', commenters: 'mentioned' });
    await other.posts.edit({ id: restricted.id, message: 'Not for everybody' });
    await page.goto(`${home}/p/${String(restricted.id)}`);
    await page.getByText('Only mentioned people can comment.').waitFor();
    await page.getByText('Not for everybody').waitFor();
    await page.getByRole('button', { name: 'Edited' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Your comment' }).count()).toBe(0);
    await expectAccessible(page);

    await page.getByRole('button', { name: `More about @${username}` }).click();
    await page.getByRole('button', { name: 'Block', exact: true }).click();
    await page.getByText(`You blocked @${username}.`).waitFor();
    await openFromMenu(page, 'Blocked people');
    await page.getByRole('button', { name: 'Unblock @' }).click();
    await page.getByText('You have not blocked anyone.').waitFor();
    await expectAccessible(page);

    // The block has ended the follow.
    await other.account.update({ protected: true });
    await page.goto(`${home}/@${username}`);
    await page.getByText('These posts are protected.').waitFor();
    await page.getByRole('button', { name: `Follow @${username}` }).click();
    await page.getByRole('button', { name: /^Requested/ }).waitFor();
  });
});

test('a picture is moved under its frame, and its part is stored', async () => {
  const { page } = await openClient({ width: 320 });
  const quarter = (background: string) => ({ create: { width: 100, height: 100, channels: 3 as const, background } });
  const quarters = [
    { input: quarter('#f00'), left: 0, top: 0 },
    { input: quarter('#0f0'), left: 100, top: 0 },
    { input: quarter('#00f'), left: 0, top: 100 },
    { input: quarter('#ff0'), left: 100, top: 100 },
  ];
  const buffer = await sharp({ create: { width: 200, height: 200, channels: 4, background: '#fff' } })
    .composite(quarters)
    .png()
    .toBuffer();
  await page.locator('.first-profile input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await expectAccessible(page);
  await dialog.getByLabel('Zoom').fill('2');
  await dialog.getByRole('button', { name: /^Picture\./ }).focus();
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
  }
  await dialog.getByRole('button', { name: 'Use' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.locator('.first-profile').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').first().waitFor();
  const kept = await page.evaluate<string>(`JSON.parse(localStorage.getItem('linnet-client-person')).avatar`);
  const stored = sharp(await (await fetch(kept)).bytes()).removeAlpha();
  const { data, info } = await stored.raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([100, 100]);
  // All of it is the upper right quarter.
  const colours = new Set(
    Array.from({ length: data.length / 3 }, (_, index) => data.subarray(index * 3, index * 3 + 3).toString('hex')),
  );
  expect([...colours]).toEqual(['00ff00']);
});
