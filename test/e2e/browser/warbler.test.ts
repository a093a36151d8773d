import { createApplication as createLinnetApplication } from '@linnet/sdk';
import type { Linnet } from '@linnet/sdk';
import { pngImage } from '@linnet/media/testing/images';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, inject, test } from 'vitest';

import { serveWarbler } from '../../../examples/warbler/serve.ts';
import { createClient } from '../../support/api-client.ts';
import { openBrowser } from '../../support/open-browser.ts';
import type { BrowserOptions } from '../../support/open-browser.ts';
import { createApplication, decide, register } from '../../support/page-steps.ts';
import type { Person } from '../../support/page-steps.ts';
import { findFreePort } from '../../support/service.ts';

/** The example client, in a browser, as people use it. */

interface Warbler extends AsyncDisposable {
  readonly page: Page;
  readonly person: Person;
  readonly home: string;
}

/** Registers a person and Warbler, signs in there, and shows its first page. */
async function openWarbler(options: BrowserOptions = {}): Promise<Warbler> {
  const { page } = await openBrowser({ scripts: true, ...options });
  const person = await register(page);
  const port = await findFreePort();
  const redirectUris = [`http://127.0.0.1:${String(port)}/callback`];
  const { clientId } = await createApplication(page, { name: 'Warbler', type: 'public', redirectUris });
  const { baseUrl: issuer } = inject('service');
  const served = await serveWarbler({ issuer, clientId, serviceName: 'Linnet', port });
  await page.goto(served.home);
  await expectAccessible(page);
  await signIn(page);
  return { page, person, home: served.home, [Symbol.asyncDispose]: () => served[Symbol.asyncDispose]() };
}

async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Linnet' }).click();
  await decide(page, 'allow');
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}

async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<readonly string[]>(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
  );
  expect(found).toEqual([]);
}

async function publish(page: Page, text: string, picture?: Buffer): Promise<void> {
  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'Your post' }).fill(text);
  if (picture !== undefined) {
    const file = { name: 'picture.png', mimeType: 'image/png', buffer: picture };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByAltText('Picture 1 of your post').waitFor();
    await page.getByLabel('What does picture 1 show?').fill('Greenfinches');
    await page.getByLabel('The pictures are sensitive').check();
  }
  await page.getByRole('dialog').getByRole('button', { name: 'Post', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** The last post of the other person is in the feed. */
async function hidesWordsAndPeople({ page, home, person }: Warbler, other: Linnet): Promise<void> {
  await other.posts.create({ message: `A spoiler for @${person.username}` });
  await page.goto(`${home}filters`);
  await page.getByRole('textbox', { name: 'Word or phrase' }).fill('spoiler');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('button', { name: 'Delete spoiler' }).waitFor();
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
  await page.getByText('Thank you. The operators will look at it.').waitFor();
  await page.keyboard.press('m');
  await page.getByRole('button', { name: 'Mute for a day' }).click();
  await page.getByText('You no longer see posts of').waitFor();
  await page.getByText('A spoiler for').waitFor({ state: 'detached' });
}

describe('Warbler', () => {
  test('posts a picture, likes, comments, and offers sign-in after its access was revoked', async () => {
    await using warbler = await openWarbler();
    const { page, home, person } = warbler;
    await page.getByText('It is quiet here.').waitFor();
    await expectAccessible(page);

    await publish(page, 'Seven <b>greenfinches</b> on the wire #birds', await pngImage());
    const post = page.getByRole('article').filter({ hasText: 'Seven <b>greenfinches</b> on the wire' });
    await post.getByRole('button', { name: 'Show sensitive picture' }).click();
    await post.getByRole('img', { name: 'Greenfinches' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('l');
    await post.getByRole('button', { name: 'Like, 1 like', pressed: true }).waitFor();
    await page.keyboard.press('o');
    await page.getByRole('textbox', { name: 'Your comment' }).fill('And one more.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('list', { name: 'Comment' }).getByText('And one more.').waitFor();
    await expectAccessible(page);

    // Everything is at the service, not only on the screen.
    await page.goto(home);
    await post.getByRole('button', { name: 'Like, 1 like', pressed: true }).waitFor();
    await post.getByRole('link', { name: 'Comment, 1 comment' }).waitFor();

    const account = await page.context().newPage();
    await account.goto('/account/applications');
    await account.getByTestId('revoke-application').click();
    await account.locator('main').getByText('Warbler').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Profile' }).click();
    await page.getByText('Warbler no longer has access to your account.').waitFor();
    await signIn(page);
    // Where it was: on the profile.
    await post.waitFor();
    expect(page.url()).toBe(`${home}@${person.username}`);
  });
});

describe('Warbler, with other people', () => {
  let other: Linnet;
  const username = 'is_followed';

  beforeAll(async () => {
    const { env, baseUrl } = inject('service');
    const { id, secret } = await createClient(env, username);
    other = createLinnetApplication({ issuer: baseUrl, clientId: id, clientSecret: secret }).asItself();
    await other.posts.create({ message: 'Good morning' });
  });

  test('follows, shows what is new, and asks a protected account', async () => {
    await using warbler = await openWarbler({ colorScheme: 'dark', width: 390 });
    const { page, home, person } = warbler;
    await page.getByRole('main').getByRole('link', { name: 'Explore' }).click();
    await page.getByRole('article').first().waitFor();
    await expectAccessible(page);
    await page.goto(`${home}@${username}`);
    await page.getByRole('button', { name: `Follow @${username}` }).click();
    await page.getByText(`You follow @${username}.`).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByText('Good morning').waitFor();

    await other.posts.create({ message: 'Good evening' });
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.getByRole('button', { name: '1 new post' }).click();
    await page.getByRole('article').first().getByText('Good evening').waitFor();
    await hidesWordsAndPeople(warbler, other);
    const { items: restricted } = await other.posts.create({ message: 'Not for all', commenters: 'mentioned' });
    await other.posts.edit({ id: restricted.id, message: 'Not for everybody' });
    await page.goto(`${home}p/${String(restricted.id)}`);
    await page.getByText('Only mentioned people can comment.').waitFor();
    await page.getByText('Not for everybody').waitFor();
    expect(await page.getByRole('link', { name: 'Edited' }).getAttribute('href')).toBe(`${restricted.link}/history`);
    expect(await page.getByRole('textbox', { name: 'Your comment' }).count()).toBe(0);
    await expectAccessible(page);

    await other.account.update({ protected: true });
    await other.follows.remove({ id: (await other.users.show({ username: person.username })).id });
    await page.goto(`${home}@${username}`);
    await page.getByText('These posts are protected.').waitFor();
    await page.getByRole('button', { name: `Follow @${username}` }).click();
    await page.getByRole('button', { name: /^Requested/ }).waitFor();
  });
});
