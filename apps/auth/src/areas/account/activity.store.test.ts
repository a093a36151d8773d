import { createAccounts } from '@linnet/accounts/accounts';
import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { en } from '../../pages/i18n/en/en.ts';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const { events: titles, passkeys, actors } = en.activity;
const asOperator = statement<readonly [], never>(
  'test_as_operator',
  "SELECT set_config('linnet.actor', 'operator', true)",
);
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let people = 0;
let ada: Person;
let browser: Browser;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  people += 1;
  ada = await registerPerson(auth.db, `active_${String(people)}`);
  browser = createBrowser(auth, { headers: { 'user-agent': firefox } });
  await signIn(browser, ada);
});

const entriesOf = ({ html }: Page) =>
  [...html.matchAll(/<h2 id="event-\d+">([^<]*)<\/h2>/g)].map(([, title = '']) =>
    title.replaceAll('&#x27;', '’').replaceAll('&#39;', '’'),
  );

async function send(path: string, testId: string, values: Readonly<Record<string, string>> = {}): Promise<Page> {
  const page = await browser.open(path);
  return await browser.submit(page, page.formOf(testId), values);
}

const accounts = () => createAccounts(auth.db);

/** What happens to an account, and the latest entries that it adds, the latest first. */
const happenings: Readonly<Record<string, readonly [() => Promise<unknown>, readonly string[]]>> = {
  'a sign-in': [async () => await signIn(createBrowser(auth), ada), [titles['session.begun']]],
  'a changed password': [
    async () =>
      await send('/account/password', 'change-password', { current_password: ada.password, new_password: 'a new one' }),
    [titles['session.begun'], titles['account.password_changed']],
  ],
  'a wrong password': [
    async () =>
      await send('/account/password', 'change-password', { current_password: 'wrong', new_password: 'a new one' }),
    [titles['account.password_change_refused']],
  ],
  'an export': [
    async () => await send('/account/export', 'export-account', { password: ada.password }),
    [titles['account.exported']],
  ],
  'another username': [
    async () => await accounts().rename({ accountId: ada.id, username: `renamed_${String(people)}` }),
    [titles['account.renamed']],
  ],
  'a confirmed address': [
    async () => await accounts().confirmEmail({ accountId: ada.id, email: ada.email }, auth.db),
    [titles['account.email_confirmed']],
  ],
  'another address': [
    async () => await accounts().confirmEmail({ accountId: ada.id, email: `new.${ada.email}` }, auth.db),
    [titles['account.email_changed']],
  ],
  'a connected application': [async () => await connect(auth, browser), [titles['consent.given']]],
  'a passkey': [
    async () =>
      await auth.db.prisma.$executeRaw`
        INSERT INTO passkey (account_id, credential_id, public_key, name, transports)
        VALUES (${ada.id}, decode(md5(${ada.username}), 'hex'), '\\x00', 'key', '{}')`,
    [passkeys.added],
  ],
  'a deletion that was undone': [
    async () => {
      const { epoch } = await auth.db.prisma.account.findUniqueOrThrow({ where: { id: ada.id } });
      await accounts().delete({ accountId: ada.id, epoch });
      await accounts().undoDeletion({ accountId: ada.id, epoch: epoch + 1 });
      await signIn(browser, ada);
    },
    [titles['session.begun'], titles['account.restored'], titles['account.deleted']],
  ],
};

describe('/account/activity', () => {
  test.each(Object.entries(happenings))('lists %s', async (_, [happen, expected]) => {
    await happen();
    await expect
      .poll(async () => entriesOf(await browser.open('/account/activity')).slice(0, expected.length))
      .toEqual(expected);
  });

  test('names browser and address of a sign-in, and the application of a consent', async () => {
    const app = await connect(auth, browser, { name: 'Bird & Watch' });
    const page = await browser.open('/account/activity');
    expect(page.text).toMatch(/Signed in .{10,30} · Firefox on Linux · 127\.0\.0\.1/);
    expect(page.html).toContain('Bird &amp; Watch');
    expect(page.html).not.toContain(app.clientId);
  });

  test('says who did it if it was not the person', async () => {
    await auth.db.transaction(async (tx) => {
      await tx.query(asOperator, []);
      await createAccounts(auth.db).rename({ accountId: ada.id, username: `by_op_${String(people)}` }, tx);
    });
    const page = await browser.open('/account/activity');
    expect(page.text).toMatch(new RegExp(`Username changed .{10,30} · ${actors.operator}`));
  });

  test('shows a sign-in from a new browser once it was reported by mail', async () => {
    await auth.deliverMail();
    await signIn(
      createBrowser(auth, { headers: { 'user-agent': firefox.replace('Linux x86_64', 'Windows NT') } }),
      ada,
    );
    do await auth.deliverMail();
    while ((await auth.db.prisma.mail.count({ where: { accountId: ada.id } })) > 0);
    expect(entriesOf(await browser.open('/account/activity'))[0]).toBe(titles['session.new_place']);
  });

  test('has 50 entries per page, each once, and only those of the account', async () => {
    const other = await registerPerson(auth.db, `other_${String(people)}`);
    await auth.db.prisma.$executeRaw`
      INSERT INTO audit_event (event, actor, account_id)
      SELECT 'account.renamed', 'person', CASE WHEN number % 2 = 0 THEN ${ada.id}::bigint ELSE ${other.id}::bigint END
        FROM generate_series(1, 220) AS number`;
    const ids: string[] = [];
    let address = '/account/activity';
    for (let page = await browser.open(address); ; page = await browser.open(address)) {
      const found = [...page.html.matchAll(/id="event-(\d+)"/g)].map(([, id = '']) => id);
      expect(found.length).toBeLessThanOrEqual(50);
      ids.push(...found);
      if (!page.html.includes('rel="next"')) break;
      address = page.link('Older');
    }
    const own = await auth.db.prisma.auditEvent.findMany({
      where: { accountId: ada.id, event: { not: 'session.ended' } },
    });
    expect(ids.toSorted()).toEqual(own.map(({ id }) => String(id)).toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(['?before=x', '?before=-1', '?before=1&before=2', '?before=99999999999999999999'])(
    'ignores %s',
    async (query) => {
      const page = await browser.open(`/account/activity${query}`);
      expect([page.status, entriesOf(page).length]).toEqual([200, 2]);
    },
  );
});

describe('“This wasn’t me”', () => {
  test('ends every other session and all access of applications, and leads to the password form', async () => {
    const other = createBrowser(auth);
    await signIn(other, ada);
    const app = await connect(auth, other);
    const page = await browser.open('/account/activity');
    const asked = await browser.open(page.link('This wasn’t me'));
    const done = await browser.submit(asked, asked.formOf('end-other-access'));
    expect([done.url.pathname, done.text]).toEqual([
      '/account/password',
      expect.stringContaining(en.activity.notMe.done),
    ]);
    expect((await other.open('/account')).url.pathname).toBe('/login');
    expect((await app.refresh(app.refreshToken)).status).toBe(400);
    expect((await browser.open('/account')).url.pathname).toBe('/account');
    expect(entriesOf(await browser.open('/account/activity'))).toContain(titles['account.signed_out_everywhere']);
  });

  test('of several sessions that press it at the same time, one stays', async () => {
    const browsers = [browser, ...Array.from({ length: 4 }, () => createBrowser(auth))];
    for (const one of browsers.slice(1)) await signIn(one, ada);
    const pages = await Promise.all(browsers.map(async (one) => await one.open('/account/activity/not-me')));
    await Promise.all(
      browsers.map(async (one, index) => {
        const page = pages[index];
        if (page === undefined) throw new Error('no page');
        await one.submitOnly(page, page.formOf('end-other-access'));
      }),
    );
    const left = await Promise.all(browsers.map(async (one) => (await one.open('/account')).url.pathname));
    expect(left.filter((path) => path === '/account')).toHaveLength(1);
  });
});
