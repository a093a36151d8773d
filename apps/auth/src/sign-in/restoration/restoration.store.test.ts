import { createAccounts } from '@linnet/accounts/accounts';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { addAuthenticator } from '@linnet/test/auth/authenticator';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import { tokenOf } from '@linnet/test/auth/developer';
import { linkIn, mailTo } from '@linnet/test/auth/mailbox';
import type { ReceivedMail } from '@linnet/test/auth/mailbox';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';
import { stepSeconds, totpCode } from '../factors/totp.ts';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
});
afterAll(() => cleanup.disposeAsync());

let people = 0;
const register = async () => await registerPerson(auth.db, `leaver_${String((people += 1))}`);
const accountOf = async ({ id }: Person) => await auth.db.prisma.account.findUniqueOrThrow({ where: { id } });
const accounts = () => createAccounts(auth.db);

async function eventsOf({ id }: Person) {
  const rows = await auth.db.prisma.auditEvent.findMany({ where: { accountId: id }, orderBy: { id: 'asc' } });
  return rows.map(({ event, actor }) => `${event} by ${actor}`);
}

/** As after the form of the account area and `POST /account/delete`. */
async function removeAccount(person: Person): Promise<void> {
  const { epoch } = await accountOf(person);
  expect(await accounts().delete({ accountId: person.id, epoch })).toBe(true);
}

/** With the form of the account area. */
async function removeByForm(person: Person): Promise<Page> {
  const browser = createBrowser(auth);
  await signIn(browser, person);
  const page = await browser.open('/account/delete');
  const form = page.formOf('delete-account');
  return await browser.submit(page, form, { confirm: '1', password: person.password });
}

async function mailsTo({ email }: Person): Promise<readonly ReceivedMail[]> {
  do await auth.deliverMail();
  while ((await auth.db.prisma.mail.count()) > 0);
  return await mailTo(auth.mailDirectory, email);
}

const asks = ({ html }: Page) => html.includes('data-testid="keep-account"');
const keep = async (browser: Browser, page: Page) =>
  await browser.submit(page, page.formOf('keep-account'), { restoration: 'keep' });

/** Signs in to the deleted account in a new browser. */
async function returnTo(person: Person, path = '/login'): Promise<readonly [Browser, Page]> {
  const browser = createBrowser(auth);
  return [browser, await signIn(browser, person, await browser.open(path))];
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.open('/account')).url.pathname === '/account';
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const set = (data: { readonly deletedAt?: Date; readonly suspendedAt?: Date }) => async (person: Person) => {
  await auth.db.prisma.account.update({ where: { id: person.id }, data });
};

/** What happens to the deleted account before its owner signs in, and what the sign-in leads to. */
const states: Readonly<Record<string, readonly [(person: Person) => Promise<unknown>, 'asked' | 'in' | 'refused']>> = {
  'was deleted just now': [async () => undefined, 'asked'],
  'was deleted 13.9 days ago': [set({ deletedAt: daysAgo(13.9) }), 'asked'],
  'was deleted 14.1 days ago': [set({ deletedAt: daysAgo(14.1) }), 'refused'],
  'is suspended': [async ({ username }) => await accounts().suspend(username), 'refused'],
  'was restored by an operator': [async ({ username }) => await accounts().restore(username), 'in'],
};

interface Way {
  /** While the account exists. Returns what the way needs later. */
  readonly prepare: (person: Person) => Promise<string>;
  readonly signIn: (browser: Browser, person: Person, prepared: string) => Promise<Page>;
}

async function enrol(person: Person): Promise<{ readonly secret: string; readonly code: string }> {
  const browser = createBrowser(auth);
  await signIn(browser, person);
  const { secret, page } = await addAuthenticator(browser);
  return { secret, code: /<li><code>([^<]+)<\/code><\/li>/.exec(page.html)?.[1] ?? '' };
}

async function signInWithCode(browser: Browser, person: Person, code: string): Promise<Page> {
  const page = await signIn(browser, person);
  return page.url.pathname === '/login/second-factor'
    ? await browser.submit(page, page.formWith('code'), { code })
    : page;
}

async function outcomeOf(browser: Browser, page: Page): Promise<'asked' | 'in' | 'refused'> {
  if (await isSignedIn(browser)) return 'in';
  return asks(page) ? 'asked' : 'refused';
}

/** Whether the page could restore the account and sign in. */
async function isKept(browser: Browser, page: Page, person: Person): Promise<boolean> {
  if (!asks(page)) return false;
  await keep(browser, page);
  return (await isSignedIn(browser)) && (await accountOf(person)).deletedAt === null;
}

const nothing = async () => '';
const ways: Readonly<Record<string, Way>> = {
  'with the username': { prepare: nothing, signIn: async (browser, person) => await signIn(browser, person) },
  'with the e-mail address': {
    prepare: nothing,
    signIn: async (browser, person) => await signIn(browser, { ...person, username: person.email }),
  },
  'with a code of the app': {
    prepare: async (person) => (await enrol(person)).secret,
    signIn: async (browser, person, secret) =>
      await signInWithCode(browser, person, totpCode(secret, Date.now() + stepSeconds * 1000)),
  },
  'with a recovery code': {
    prepare: async (person) => (await enrol(person)).code,
    signIn: async (browser, person, code) => {
      const page = await signInWithCode(browser, person, code);
      return page.text.includes('recovery code') ? await browser.open(page.link('Continue'), page) : page;
    },
  },
  'with a new password from a link': {
    prepare: nothing,
    signIn: async (browser, person) => {
      const page = await browser.open('/password/forgot');
      await browser.submit(page, page.formOf('forgot-password'), { email: person.email });
      const mail = (await mailsTo(person)).find(({ text }) => text.includes('token='));
      const link = await browser.open(mail === undefined ? '/login' : linkIn(mail));
      if (mail !== undefined) await browser.submit(link, link.formOf('reset-password'), { new_password: 'a new one' });
      return await signIn(browser, mail === undefined ? person : { ...person, password: 'a new one' });
    },
  },
};

describe.each(Object.entries(states))('signing in to an account that its owner deleted and that %s', (_, state) => {
  const [change, expected] = state;
  // Every way for the first state; of the others, one for each that checks the account differently.
  const tried = Object.entries(ways).filter(
    ([name]) => name !== 'with the e-mail address' || state === states['was deleted just now'],
  );
  test.each(tried)(`%s: ${expected}`, async (_way, way) => {
    const person = await register();
    const prepared = await way.prepare(person);
    await removeAccount(person);
    await change(person);
    const browser = createBrowser(auth);
    const page = await way.signIn(browser, person, prepared);
    expect(await outcomeOf(browser, page)).toBe(expected);
    expect(await isKept(browser, page, person)).toBe(expected === 'asked');
  });
});

describe('keeping the account', () => {
  test('D120 leads where the sign-in leads, and is recorded', async () => {
    const person = await register();
    await removeByForm(person);
    const [browser, page] = await returnTo(person, '/login?return_to=%2Faccount%2Fsessions');
    expect(page.url.pathname).toBe('/login/restore');
    expect(page.text).toContain(`Your account @${person.username} was deleted on`);
    expect((await keep(browser, page)).url.pathname).toBe('/account/sessions');
    expect((await eventsOf(person)).slice(-4)).toEqual([
      'account.deleted by person',
      'session.ended by person',
      'account.restored by person',
      'session.begun by person',
    ]);
  });

  test('in the middle of an authorization leads on to the consent', async () => {
    const person = await register();
    await removeAccount(person);
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const page = await signIn(browser, person, await app.send(browser));
    expect(page.url.pathname).toMatch(/^\/interaction\/[^/]+\/restore$/);
    const consent = await keep(browser, page);
    const callback = await browser.submit(consent, consent.formWith('decision', 'allow'), { decision: 'allow' });
    expect((await app.exchange(callback)).status).toBe(200);
  });

  test('revives no session, and applications work again with their credentials', async () => {
    const person = await register();
    const bot = await auth.register({ owner: person.username });
    const token = async () => (await tokenOf(auth, bot.clientId, bot.clientSecret ?? '')).status;
    const earlier = createBrowser(auth);
    await signIn(earlier, person);
    expect(await token()).toBe(200);
    await removeAccount(person);
    await expect.poll(token).toBe(401);
    await keep(...(await returnTo(person)));
    await expect.poll(token).toBe(200);
    expect(await isSignedIn(earlier)).toBe(false);
  });

  test('ends the access of connected applications until then; their consents come back', async () => {
    const person = await register();
    const browser = createBrowser(auth);
    await signIn(browser, person);
    const app = await connect(auth, browser);
    await removeAccount(person);
    expect((await app.refresh(app.refreshToken)).status).toBe(400);
    const [here, page] = await returnTo(person);
    await keep(here, page);
    expect((await here.open('/account/applications')).html).toContain(app.clientId);
    expect(await app.refresh(app.refreshToken)).toMatchObject({ status: 200 });
  });

  test('by many simultaneous forms happens once, and each of them signs in', async () => {
    const person = await register();
    await removeAccount(person);
    const visits = await Promise.all(Array.from({ length: 8 }, async () => await returnTo(person)));
    const pages = await Promise.all(visits.map(async (visit) => await keep(...visit)));
    expect(pages.map(({ url }) => url.pathname)).toEqual(pages.map(() => '/'));
    const events = await eventsOf(person);
    expect(events.filter((one) => one.startsWith('account.restored'))).toHaveLength(1);
    expect(events.filter((one) => one.startsWith('session.begun')).length).toBeGreaterThanOrEqual(8);
  });

  const changes: Readonly<Record<string, (person: Person) => Promise<unknown>>> = {
    'the password was changed': async ({ username }) => await accounts().setPassword({ username, password: 'another' }),
    'the account was suspended': states['is suspended']?.[0] ?? nothing,
    'the 14 days ended': set({ deletedAt: daysAgo(14.1) }),
  };
  test.each(Object.entries(changes))('is not possible any more after %s', async (name, change) => {
    const person = await register();
    await removeAccount(person);
    const [browser, page] = await returnTo(person);
    // `setPassword` is for accounts that are not deleted.
    if (name.includes('password')) await accounts().restore(person.username);
    await change(person);
    if (name.includes('password')) await set({ deletedAt: new Date() })(person);
    expect((await keep(browser, page)).url.pathname).toBe('/login');
    expect((await accountOf(person)).deletedAt).not.toBeNull();
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('needs the cookie of the sign-in: neither another browser nor the cookie of the code will do', async () => {
    const person = await register();
    await enrol(person);
    await removeAccount(person);
    const [browser, page] = await returnTo(person);
    expect(page.url.pathname).toBe('/login/second-factor');
    const half = browser.cookies.value('__Host-linnet_second_factor');
    expect(half).toBeDefined();
    browser.cookies.take([`__Host-linnet_restoration=${half ?? ''}; Path=/; Secure`], '/');
    expect((await browser.open('/login/restore')).url.pathname).toBe('/login');
    expect((await createBrowser(auth).open('/login/restore')).url.pathname).toBe('/login');
  });
});

test('leaving the account deleted changes nothing, and the owner can still come back', async () => {
  const person = await register();
  await removeAccount(person);
  const before = await accountOf(person);
  const [browser, page] = await returnTo(person);
  const left = await browser.submit(page, page.formOf('leave-deleted'), { restoration: 'leave' });
  expect(left.text).toContain('Your account was deleted');
  expect(await accountOf(person)).toEqual(before);
  expect((await browser.open('/login/restore')).url.pathname).toBe('/login');
  expect(await isSignedIn(browser)).toBe(false);
  expect(asks((await returnTo(person))[1])).toBe(true);
});

describe('the owner of a deleted account', () => {
  test('gets mail that says until when it can be kept and how, and mail when it was restored', async () => {
    const person = await register();
    await mailsTo(person);
    await removeByForm(person);
    const [told] = (await mailsTo(person)).slice(-1);
    expect(told?.subject).toBe('Your Linnet account was deleted');
    const { deletedAt } = await accountOf(person);
    const until = new Date((deletedAt?.getTime() ?? 0) + 14 * 86_400_000);
    const day = until.toLocaleDateString('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });
    expect(told?.text).toContain(`Until ${day}`);
    expect(told?.text).toMatch(/Sign in to keep your account:\s+https:\/\/\S+\/login\s/);
    await keep(...(await returnTo(person)));
    const subjects = (await mailsTo(person)).map(({ subject }) => subject);
    expect(subjects).toContain('Your Linnet account was restored');
  });

  test('gets the mail of a deletion that was not undone, and no other that was waiting', async () => {
    const person = await register();
    await removeAccount(person);
    await keep(...(await returnTo(person)));
    await removeAccount(person);
    const subjects = (await mailsTo(person)).map(({ subject }) => subject);
    expect(subjects.filter((one) => one.includes('restored'))).toEqual([]);
    expect(subjects.filter((one) => one.includes('deleted'))).toHaveLength(1);
  });

  test('is the same answer as an unknown one for a wrong password', async () => {
    const person = await register();
    await removeAccount(person);
    const [, deleted] = await returnTo({ ...person, password: 'wrong' });
    const [, unknown] = await returnTo({ ...person, username: 'nobody_at_all', password: 'wrong' });
    expect(deleted.status).toBe(422);
    expect(deleted.text).toBe(unknown.text);
  });
});
