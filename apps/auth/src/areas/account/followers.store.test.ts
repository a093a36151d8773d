import { createAccounts } from '@linnet/accounts/accounts';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { addFollow } from '@linnet/social/follow/follow-store';
import type { Cache } from '@linnet/service/cache/cache';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { en } from '../../pages/i18n/en/en.ts';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import type { PageForm } from '@linnet/test/auth/page-forms';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const texts = en.account.followers;
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let people = 0;
/** Who has written, in the order of the writes. */
const writers: (number | string)[] = [];
/** A cache in the memory of this process. */
const cache: Cache = {
  isReady: () => true,
  counts: { isReady: () => false, add: async () => ({ requests: 0, milliseconds: 0 }) },
  marks: {
    add: async (caller) => void writers.push(caller),
    has: async (caller) => writers.includes(caller),
    areComplete: () => true,
  },
  [Symbol.asyncDispose]: async () => undefined,
};
let ada: Person;
let browser: Browser;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false, cache }));
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  ada = await newPerson();
  browser = createBrowser(auth);
  await signIn(browser, ada);
});

const newPerson = async () => await registerPerson(auth.db, `follower_${String((people += 1))}`);

/** Accounts without passwords, which is quicker, that follow Ada; the oldest follower first. */
async function follow(count: number): Promise<readonly number[]> {
  const first = people + 1;
  people += count;
  const rows = await auth.db.prisma.$queryRaw<readonly { id: bigint }[]>`
    INSERT INTO account (username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name)
    SELECT name, name, name || '@example.org', name || '@example.org', '-', 'A', 'B', name
      FROM (SELECT 'follower_' || number AS name FROM generate_series(${first}::int, ${people}::int) AS number) n
    RETURNING id`;
  const ids = rows.map(({ id }) => Number(id));
  for (const id of ids) await addFollow(auth.db, id, ada.id);
  return ids;
}

const listed = ({ html }: Page) => [...html.matchAll(/id="follower-(\d+)"/g)].map(([, id]) => Number(id));

function removalOf({ forms }: Page, id: number): PageForm {
  const form = forms.find(
    ({ testIds, fields }) =>
      testIds.includes('remove-follower') &&
      fields.some(([name, value]) => name === 'follower' && value === String(id)),
  );
  if (form === undefined) throw new Error(`no form removes ${String(id)}`);
  return form;
}

/** Counters of the account and of the follower, with the number of rows. */
async function countsOf(followerId: number) {
  const [account, follower, rows] = await Promise.all([
    auth.db.prisma.account.findUniqueOrThrow({ where: { id: ada.id } }),
    auth.db.prisma.account.findUniqueOrThrow({ where: { id: followerId } }),
    auth.db.prisma.follow.count({ where: { followedId: ada.id } }),
  ]);
  return [account.followersCount, follower.followingCount, rows];
}

describe('the followers of an account', () => {
  test('are listed on pages of 15, the newest first, without deleted accounts', async () => {
    const ids = await follow(35);
    const [deleted = 0] = ids;
    await createAccounts(auth.db).delete({ accountId: deleted, epoch: 0 });
    const first = await browser.open('/account/followers');
    const second = await browser.open(first.link('Older'), first);
    const third = await browser.open(second.link('Older'), second);
    expect([first, second, third].map((page) => listed(page).length)).toEqual([15, 15, 4]);
    expect([first, second, third].flatMap(listed)).toEqual(ids.slice(1).toReversed());
    expect(listed(await browser.open(third.link('Newer'), third))).toEqual(listed(second));
  });

  test('are removed from where they are listed; both counters follow', async () => {
    await follow(16);
    const page = await browser.open((await browser.open('/account/followers')).link('Older'));
    const [id = 0] = listed(page);
    expect(await countsOf(id)).toEqual([16, 1, 16]);
    const done = await browser.submit(page, removalOf(page, id), {});
    expect([done.url.searchParams.has('followers'), done.text.includes(texts.done.removed)]).toEqual([true, true]);
    expect(listed(done)).not.toContain(id);
    expect(await countsOf(id)).toEqual([15, 0, 15]);
    // API servers then read from the primary what the person sees.
    expect(writers.at(-1)).toBe(ada.id);
    // Following again is possible, as the page says.
    expect(page.text).toContain(texts.removeOpen);
    await addFollow(auth.db, id, ada.id);
    expect(await countsOf(id)).toEqual([16, 1, 16]);
  });

  test('of a protected account need approval to follow again', async () => {
    const [id = 0] = await follow(1);
    await auth.db.prisma.account.update({ where: { id: ada.id }, data: { protected: true } });
    const page = await browser.open('/account/followers');
    expect(page.text).toContain(texts.removeProtected);
    await browser.submit(page, removalOf(page, id), {});
    await addFollow(auth.db, id, ada.id);
    expect(await countsOf(id)).toEqual([0, 0, 0]);
    expect(await auth.db.prisma.followRequest.count({ where: { followedId: ada.id } })).toBe(1);
  });

  test('are counted exactly when a form is sent many times while others follow', async () => {
    const [id = 0] = await follow(1);
    const page = await browser.open('/account/followers');
    const forms = Array.from({ length: 5 }, async () => await browser.submitOnly(page, removalOf(page, id), {}));
    const [answers] = await Promise.all([Promise.all(forms), follow(5)]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 303));
    expect(await countsOf(id)).toEqual([5, 0, 5]);
  });

  test.each(['', '0', '-1', 'x', '9'.repeat(30), '1'])('the value %j removes nobody', async (follower) => {
    const [id = 0] = await follow(1);
    const page = await browser.open('/account/followers');
    const { status } = await browser.submitOnly(page, removalOf(page, id), { follower });
    expect([status, await countsOf(id)]).toEqual([303, [1, 1, 1]]);
  });

  test('of another account are not removed', async () => {
    const [id = 0] = await follow(1);
    const other = createBrowser(auth);
    await signIn(other, await newPerson());
    const page = await browser.open('/account/followers');
    const others = await other.open('/account/followers');
    const csrf = Object.fromEntries(others.formOf('protect-account').fields)['csrf'] ?? '';
    await other.submit(others, removalOf(page, id), { csrf });
    expect(await countsOf(id)).toEqual([1, 1, 1]);
  });
});
