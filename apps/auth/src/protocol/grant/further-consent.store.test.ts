import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';

import { catalogues } from '../../pages/i18n/messages.ts';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { findElements } from '@linnet/test/auth/html';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';

/** A consent to an application that has one already: what the page lists, and what the new expiry applies to. */
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let browser: Browser;
let people = 0;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  people += 1;
  browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, `consenter_${String(people)}`));
});

interface App {
  readonly clientId: string;
}

async function decide(page: Page, values: Readonly<Record<string, string | readonly string[]>> = {}): Promise<Page> {
  return await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow', ...values });
}

const grantsOf = async ({ clientId }: App) =>
  await auth.db.prisma.grant.findMany({ where: { clientId, revokedAt: null }, orderBy: { number: 'asc' } });

/** The scopes of each grant, and whether it does not expire. */
const scopesOf = async (app: App) => (await grantsOf(app)).map(({ scopes, endsAt }) => [scopes, endsAt === null]);

const choices = ({ html }: Page) =>
  findElements(html, 'input').flatMap(({ attributes }) =>
    attributes['name'] === 'duration' ? [[attributes['value'], 'checked' in attributes]] : [],
  );
const shown = ({ html }: Page) => findElements(html, 'li').flatMap(({ attributes }) => attributes['data-scope'] ?? []);
const secondsLeft = async (app: App) =>
  (await grantsOf(app)).map(({ endsAt }) =>
    endsAt === null ? undefined : Math.round((endsAt.getTime() - Date.now()) / 1000),
  );
/** An application that has `posts` for an hour. */
const allowPostsForAnHour = async (type: 'confidential' | 'public' = 'confidential') => {
  const redirectUris = type === 'public' ? ['http://localhost:4711/callback'] : ['https://app.example.com/callback'];
  const app = await registerThirdParty(auth, { type, redirectUris });
  await decide(await app.send(browser, { scope: 'posts' }), { duration: 'hour' });
  return app;
};

test('the page lists what was granted before and until when, and keeps that expiry unless the person chooses another', async () => {
  const app = await allowPostsForAnHour();
  const page = await app.send(browser, { scope: 'users:read' });
  expect(page.text).toContain('This app already has access');
  expect(page.text).toMatch(/Read and write posts as you – until .+\d/);
  expect(shown(page)).toEqual(['posts']);
  expect(choices(page)).toEqual([
    ['earlier', true],
    ['hour', false],
    ['day', false],
    ['month', false],
    ['until_stopped', false],
  ]);
  // A form without the field keeps the expiry as well.
  await decide(page);
  await decide(await app.send(browser, { scope: 'users' }), { duration: [] });
  const left = await secondsLeft(app);
  expect(left).toHaveLength(3);
  for (const seconds of left) expect(Math.abs((seconds ?? Infinity) - 3600)).toBeLessThan(60);
  for (const { scopes } of await grantsOf(app)) expect(scopes).toContain('posts');
});

test('another expiry extends what the page lists, and the page says so', async () => {
  const app = await allowPostsForAnHour();
  const page = await app.send(browser, { scope: 'users' });
  expect(page.text).toContain('The expiry you choose below applies to these permissions, too.');
  await decide(page, { duration: 'until_stopped' });
  expect(await secondsLeft(app)).toEqual([undefined, undefined]);
  const next = await app.send(browser, { scope: 'email' });
  expect([shown(next), next.text]).toEqual([['posts', 'users'], expect.stringContaining('until you revoke it')]);
  expect(choices(next)).toEqual([
    ['hour', false],
    ['day', false],
    ['month', false],
    ['until_stopped', true],
  ]);
});

test('a consent extends nothing that was granted after its page was shown', async () => {
  const app = await registerThirdParty(auth);
  const old = await app.send(browser, { scope: 'users' });
  await decide(await app.send(browser, { scope: 'posts' }), { duration: 'hour' });
  expect(shown(old)).toEqual([]);
  await decide(old, { duration: 'until_stopped' });
  expect(await scopesOf(app)).toEqual([
    [['posts'], false],
    [['users'], true],
  ]);
});

test('a shorter expiry applies to everything, whatever the page lists', async () => {
  const app = await registerThirdParty(auth);
  const old = await app.send(browser, { scope: 'users' });
  await decide(await app.send(browser, { scope: 'posts' }), { duration: 'month' });
  await decide(old, { duration: 'hour' });
  for (const seconds of await secondsLeft(app)) expect(seconds).toBeLessThanOrEqual(3600);
});

test('keeping an expiry that has passed grants nothing and asks again', async () => {
  const app = await allowPostsForAnHour();
  const page = await app.send(browser, { scope: 'users' });
  await auth.db.prisma.grant.updateMany({ where: { clientId: app.clientId }, data: { endsAt: new Date() } });
  const again = await decide(page);
  expect([again.isElsewhere, shown(again), choices(again)[0]]).toEqual([false, [], ['hour', false]]);
  expect((await grantsOf(app)).map(({ scopes }) => scopes)).toEqual([['posts']]);
});

test('a consent that is not remembered lists the earlier one and does not change it', async () => {
  const app = await allowPostsForAnHour('public');
  const page = await app.send(browser, { scope: 'users' });
  expect(shown(page)).toEqual(['posts']);
  expect(page.text).toContain('What you choose below does not change these permissions.');
  expect(choices(page)[0]).toEqual(['earlier', true]);
  await decide(page, { duration: 'until_stopped' });
  expect(await scopesOf(app)).toEqual([
    [['posts'], false],
    [['users'], true],
  ]);
});

test.each(Object.entries(catalogues))('the page says what is already granted in %s', async (language, { consent }) => {
  const app = await allowPostsForAnHour();
  const page = await app.send(browser, { scope: 'users', ui_locales: language });
  for (const text of [consent.earlier.title, consent.earlier.shared]) expect(page.text).toContain(text);
});

test('the form of a connected application extends only the permissions that its page listed', async () => {
  const app = await registerThirdParty(auth);
  await decide(await app.send(browser, { scope: 'users' }), { duration: 'hour' });
  const page = await browser.open(`/account/applications/${app.clientId}`);
  await decide(await app.send(browser, { scope: 'posts' }));
  await browser.submit(page, page.formOf('change-application'), { duration: 'until_stopped' });
  expect(await scopesOf(app)).toEqual([
    [['users'], true],
    [['posts', 'users'], false],
  ]);
});
