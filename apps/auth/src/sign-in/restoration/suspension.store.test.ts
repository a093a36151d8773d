import { createAccounts } from '@linnet/accounts/accounts';
import { eraseRegistrations } from '@linnet/applications/application/operator-changes-store';
import { processDeletions } from '@linnet/social/deletion/deletion-jobs';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { readArchive } from '@linnet/test/export-archive';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { addAuthenticator } from '@linnet/test/auth/authenticator';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { linkIn, mailTo } from '@linnet/test/auth/mailbox';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
});
afterAll(() => cleanup.disposeAsync());

let people = 0;
const register = async () => await registerPerson(auth.db, `held_${String((people += 1))}`);
const accountOf = async ({ id }: Person) => await auth.db.prisma.account.findUniqueOrThrow({ where: { id } });
const accounts = () => createAccounts(auth.db);
const suspend = async ({ username }: Person) => await accounts().suspend(username, 'Advertising <b>links</b>');

async function subjectsTo({ email }: Person): Promise<readonly string[]> {
  do await auth.deliverMail();
  while ((await auth.db.prisma.mail.count()) > 0);
  return (await mailTo(auth.mailDirectory, email)).map(({ subject }) => subject);
}

/** Signs in to the suspended account in a new browser. */
async function enter(person: Person): Promise<readonly [Browser, Page]> {
  const browser = createBrowser(auth);
  return [browser, await signIn(browser, person, await browser.open('/login'))];
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.open('/account')).url.pathname === '/account';
}

const tells = ({ html }: Page) => html.includes('Your account is suspended');

describe('D111 the owner of a suspended account', () => {
  test('learns why by mail and after the right password, and when it ends', async () => {
    const person = await register();
    await suspend(person);
    const [browser, page] = await enter(person);
    expect(tells(page)).toBe(true);
    expect(page.html).toContain('Advertising &lt;b>links&lt;/b>');
    expect(await isSignedIn(browser)).toBe(false);
    expect(await subjectsTo(person)).toContain('Your Linnet account was suspended');
    const mail = (await mailTo(auth.mailDirectory, person.email)).find(({ subject }) => subject.includes('suspended'));
    expect(mail?.text).toContain('Reason: Advertising <b>links</b>');
    await accounts().restore(person.username);
    expect(await subjectsTo(person)).toContain('Your Linnet account is no longer suspended');
    expect(await isSignedIn((await enter(person))[0])).toBe(true);
    expect(await accountOf(person)).toMatchObject({ suspensionReason: null, appeal: null });
  });

  test('learns nothing with a wrong password', async () => {
    const person = await register();
    const other = await register();
    await suspend(person);
    const refused = async (one: Person) => {
      const browser = createBrowser(auth);
      const page = await signIn(browser, { ...one, password: 'wrong horse' }, await browser.open('/login'));
      return [page.status, tells(page), await isSignedIn(browser)];
    };
    expect(await refused(person)).toEqual([422, false, false]);
    expect(await refused(other)).toEqual(await refused(person));
    expect(tells(await createBrowser(auth).open('/login/restore'))).toBe(false);
  });

  test('learns it after the second factor', async () => {
    const person = await register();
    const browser = createBrowser(auth);
    await signIn(browser, person);
    const { page: codes } = await addAuthenticator(browser);
    const code = /<li><code>([^<]+)<\/code><\/li>/.exec(codes.html)?.[1] ?? '';
    await suspend(person);
    const [again, page] = await enter(person);
    expect([page.url.pathname, tells(page)]).toEqual(['/login/second-factor', false]);
    expect(tells(await again.open('/login/restore'))).toBe(false);
    await again.submit(page, page.formWith('code'), { code });
    expect(tells(await again.open('/login/restore'))).toBe(true);
    expect(await isSignedIn(again)).toBe(false);
  });

  test('can appeal once', async () => {
    const person = await register();
    await suspend(person);
    const [browser, page] = await enter(person);
    const form = page.formOf('appeal');
    expect((await browser.submit(page, form, { appeal: ' ' })).status).toBe(422);
    expect((await browser.submit(page, form, { appeal: 'x'.repeat(2001) })).status).toBe(422);
    expect((await browser.submit(page, form, { appeal: 'It was <i>not</i> me.' })).html).toContain(
      'It was &lt;i>not&lt;/i> me.',
    );
    await browser.submit(page, form, { appeal: 'Another text' });
    expect((await accountOf(person)).appeal).toBe('It was <i>not</i> me.');
  });

  test('can export all that was stored, also what the job has archived', async () => {
    const [person, other] = [await register(), await register()];
    const post = await auth.db.prisma.post.create({
      data: {
        ...{ authorId: other.id, text: 'liked', mentionIds: [] },
        ...{ likesCount: 1, repostsCount: 1, commentsCount: 1 },
      },
    });
    const ids = { in: [person.id, other.id] };
    await auth.db.prisma.account.updateMany({ where: { id: ids }, data: { followersCount: 1, followingCount: 1 } });
    const about = { postId: post.id, authorId: other.id };
    await auth.db.prisma.postLike.create({ data: { ...about, accountId: person.id } });
    await auth.db.prisma.repost.create({ data: { ...about, accountId: person.id } });
    await auth.db.prisma.comment.create({ data: { postId: post.id, authorId: person.id, text: 'said' } });
    await auth.db.prisma.follow.create({ data: { followerId: person.id, followedId: other.id } });
    await auth.db.prisma.follow.create({ data: { followerId: other.id, followedId: person.id } });
    await suspend(person);
    const [browser, page] = await enter(person);
    const download = async () => {
      const { html } = await browser.submit(page, page.formOf('export-suspended'), {});
      const { json } = readArchive(Buffer.from(html, 'latin1'));
      const { reposts, comments, likes, following, followers } = json;
      const accountIds = [following, followers].map((list) => list.map(({ id }: { id: number }) => id));
      return [reposts, comments, likes, ...accountIds];
    };
    const before = await download();
    await processDeletions({ db: auth.db, accounts: accounts(), eraseRegistrations });
    expect(await auth.db.prisma.setAside.count({ where: { accountId: person.id } })).toBe(5);
    expect(await download()).toEqual(before);
    expect(before.map((list) => list.length)).toEqual([1, 1, 1, 1, 1]);
  });
});

test('the owner of a suspended account writes an appeal for longer than the proof is valid, and finds it again after the next sign-in', async () => {
  const person = await register();
  await suspend(person);
  const [browser, page] = await enter(person);
  browser.cookies.remove('__Host-linnet_restoration');
  const signInPage = await browser.submit(page, page.formOf('appeal'), { appeal: 'Many hours of typing' });
  expect([signInPage.url.pathname, (await accountOf(person)).appeal]).toEqual(['/login', null]);
  const shown = await signIn(browser, person, signInPage);
  expect(shown.formOf('appeal').fields).toContainEqual(['appeal', 'Many hours of typing']);
  const sent = await browser.submit(shown, shown.formOf('appeal'));
  expect([sent.text.includes('Your session had ended'), (await accountOf(person)).appeal]).toEqual([
    false,
    'Many hours of typing',
  ]);
});

test('the owner of a suspended account can delete it, and cannot undo that', async () => {
  const person = await register();
  await suspend(person);
  const [browser, page] = await enter(person);
  const form = page.formOf('delete-suspended');
  expect((await browser.submit(page, form, {})).status).toBe(422);
  expect((await accountOf(person)).deletedAt).toBeNull();
  await browser.submit(page, form, { confirm: '1' });
  expect((await accountOf(person)).deletedAt).not.toBeNull();
  const [again, shown] = await enter(person);
  expect([tells(shown), shown.html.includes('delete-suspended')]).toEqual([true, false]);
  await again.submit(shown, shown.formOf('appeal'), { restoration: 'keep' });
  expect((await accountOf(person)).deletedAt).not.toBeNull();
  expect(await isSignedIn(again)).toBe(false);
});

test('D111 the owner who forgot the password resets it, and then learns of the suspension', async () => {
  const person = await register();
  await suspend(person);
  const browser = createBrowser(auth);
  const forgot = await browser.open('/password/forgot');
  await browser.submit(forgot, forgot.formWith('email'), { email: person.email });
  expect(await subjectsTo(person)).toContain('Reset your Linnet password');
  const mail = (await mailTo(auth.mailDirectory, person.email)).find(({ subject }) => subject.startsWith('Reset'));
  if (mail === undefined) throw new Error('there is no message');
  const page = await browser.open(linkIn(mail));
  const password = 'a wholly new horse';
  const login = await browser.submit(page, page.formWith('new_password'), { new_password: password });
  expect([login.url.pathname, await isSignedIn(browser)]).toEqual(['/login', false]);
  expect(await subjectsTo(person)).toContain('Your Linnet password was changed');
  expect(tells((await enter(person))[1])).toBe(false);
  const [again, suspended] = await enter({ ...person, password });
  expect([tells(suspended), await isSignedIn(again)]).toEqual([true, false]);
});
