import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { catalogues } from '../../pages/i18n/messages.ts';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { createOnPage, tokenOf } from '@linnet/test/auth/developer';
import type { ShownApplication } from '@linnet/test/auth/developer';
import type { FormValues } from '@linnet/test/auth/page-forms';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

// Checklist DV2: an application of another person; and test people of another.

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let browser: Browser;
let application: ShownApplication;
let people = 0;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  people += 1;
  browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, `owner_${String(people)}`));
  application = await createOnPage(browser, { redirect_uris: 'https://a.example/cb' });
});

async function statusOf(secret: string): Promise<number> {
  return (await tokenOf(auth, application.clientId, secret)).status;
}

const forms: readonly FormValues[] = [
  { action: 'add-secret', mark: 'x' },
  { action: 'rename-secret' },
  { action: 'retire-secret' },
  { action: 'delete', confirm: 'Weather Bird' },
];
const settings = { action: 'save', name: 'Taken over', redirect_uris: 'https://evil.example/cb' };

async function strangerWithPage(): Promise<readonly [Browser, Page]> {
  const stranger = createBrowser(auth);
  await signIn(stranger, await registerPerson(auth.db, `stranger_${String(people)}`));
  const { path } = await createOnPage(stranger, { name: 'Their own' });
  return [stranger, await stranger.open(`${path}/credentials`)];
}

const pages = ['', '/credentials', '/settings', '/appearance', '/playground', '/activity', '/usage', '/usage.csv'];

test.each([...pages, '/history', '/danger'])('its page %s is as unknown as that of no application', async (page) => {
  const [stranger] = await strangerWithPage();
  expect((await browser.open(`${application.path}${page}`)).status).toBe(200);
  const unknown = await stranger.open(`/developer/applications/app_0123456789abcdef${page}`);
  const seen = await stranger.open(`${application.path}${page}`);
  expect([unknown.status, seen.status]).toEqual([404, 404]);
  const [seenText, unknownText] = [seen, unknown].map(({ text, headers }) =>
    text.replace(String(headers['x-request-id']), ''),
  );
  expect(seenText).toBe(unknownText);
});

test('cannot be changed', async () => {
  const [stranger, page] = await strangerWithPage();
  const [secret] = await auth.db.prisma.applicationSecret.findMany({ where: { clientId: application.clientId } });
  const before = await dumpApplication();
  const { path } = application;
  const sent = [
    [`${path}/settings`, settings],
    ...forms.map((values) => [path, values] as const),
    ...forms.slice(0, 3).map((values) => [`${path}/credentials`, values] as const),
    ...forms.slice(3).map((values) => [`${path}/danger`, values] as const),
  ] as const;
  for (const [action, values] of sent) {
    const form = { ...page.formOf('add-secret'), action };
    const answer = await stranger.submit(page, form, { secret: String(secret?.id), ...values });
    expect(answer).toMatchObject({ status: 404, hops: [] });
    expect(answer.text).not.toContain('Weather Bird');
  }
  expect(await dumpApplication()).toEqual(before);
  expect(await statusOf(application.clientSecret)).toBe(200);
});

test('its secret cannot be retired from the form of another application', async () => {
  const [stranger, page] = await strangerWithPage();
  const [secret] = await auth.db.prisma.applicationSecret.findMany({ where: { clientId: application.clientId } });
  const id = String(secret?.id);
  const renamed = { secret: id, [`secret_name_${id}`]: 'Taken over' };
  expect((await stranger.submit(page, page.formOf('rename-secret'), renamed)).status).toBe(409);
  expect(await auth.db.prisma.applicationSecret.count({ where: { name: 'Taken over' } })).toBe(0);
  await stranger.submit(page, page.formOf('retire-secret'), { secret: id });
  expect(await statusOf(application.clientSecret)).toBe(200);
});

test('without a form token, the response is the same for every application', async () => {
  const [stranger, page] = await strangerWithPage();
  const own = page.formOf('add-secret');
  const addresses = [page.url.pathname, application.path, '/developer/applications/app_0123456789abcdef'];
  for (const action of addresses) {
    expect((await stranger.submit(page, { ...own, action }, { csrf: 'x' })).status).toBe(403);
  }
});

test.each(['app_0123456789abcdef', 'x', '..', '%00', 'new/', '%E0%A4%A', 'x'.repeat(300)])('nor is %s', async (id) => {
  expect([400, 404]).toContain((await browser.open(`/developer/applications/${id}`)).status);
});

describe('D203: test people', () => {
  const path = '/developer/test-people';
  const texts = catalogues.en.developer.testPeople;

  async function create(as: Browser): Promise<readonly [Page, id: string]> {
    const empty = await as.open(path);
    const page = await as.submit(empty, empty.formOf('create-test-person'));
    expect(page.text).toContain(texts.done.created);
    const id = page.formOf('save-test-person').fields.find(([name]) => name === 'id')?.[1] ?? '';
    return [page, id];
  }
  const namesOf = (id: string, username: string) => ({
    [`username_${id}`]: username,
    [`first_name_${id}`]: 'Wren',
    [`last_name_${id}`]: 'Tester',
  });
  const find = async (id: string) => await auth.db.prisma.account.findUnique({ where: { id: BigInt(id) } });

  test('are renamed and deleted by their developer', async () => {
    const [page, id] = await create(browser);
    const form = page.formOf('save-test-person');
    const username = `wren_${String(people)}`;
    expect((await browser.submit(page, form, namesOf(id, username))).text).toContain(`@${username} Wren Tester`);
    for (const [wrong, text] of [
      ['no', texts.errors.username],
      ['administrator', texts.errors.taken],
      [`owner_${String(people)}`, texts.errors.taken],
    ] as const) {
      const refused = await browser.submit(page, form, namesOf(id, wrong));
      expect([refused.status, refused.text.includes(text)]).toEqual([422, true]);
    }
    const nameless = { ...namesOf(id, username), [`first_name_${id}`]: '' };
    expect((await browser.submit(page, form, nameless)).text).toContain(texts.errors.name);
    expect((await find(id))?.displayName).toBe('Wren Tester');
    expect((await browser.submit(page, page.formOf('delete-test-person'))).text).toContain(texts.empty);
    expect((await find(id))?.deletedAt).not.toBeNull();
  });

  test('are as unknown to others as no account', async () => {
    const [, id] = await create(browser);
    const before = await find(id);
    const [stranger] = await strangerWithPage();
    const [page] = await create(stranger);
    await stranger.submit(page, page.formOf('save-test-person'), { id, ...namesOf(id, 'taken_over') });
    await stranger.submit(page, page.formOf('delete-test-person'), { id });
    await stranger.submit(page, page.formOf('delete-test-person'), { id: 'x' });
    expect(await find(id)).toEqual(before);
  });

  test('cannot sign in with any password, and no mail is sent to them', async () => {
    const [, id] = await create(browser);
    const account = await find(id);
    for (const password of ['-', 'correct horse battery']) {
      const page = await signIn(createBrowser(auth), { username: String(account?.username), password });
      expect(page.status).toBe(422);
    }
    const address = String(account?.email).toUpperCase();
    await auth.db.prisma.$executeRaw`INSERT INTO mail (kind, recipient) VALUES ('reset_password', ${address})`;
    expect(await auth.db.prisma.mail.count({ where: { recipient: address } })).toBe(0);
  });
});

async function dumpApplication() {
  return await auth.db.prisma.application.findUniqueOrThrow({
    where: { clientId: application.clientId },
    include: { redirectUris: true, secrets: true, grants: true },
  });
}
