import { createAccounts } from '@linnet/accounts/accounts';
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import { linkIn, mailTo } from '@linnet/test/auth/mailbox';
import type { ReceivedMail } from '@linnet/test/auth/mailbox';
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

const age = statement<readonly [accountId: number, minutes: number], never>(
  'test_age_links',
  `UPDATE mail_link SET expires_at = expires_at - make_interval(mins => $2::int) WHERE account_id = $1`,
);

/** Sends all mail. Times are rounded up, so a message written just now may not be due yet. */
async function deliverAll(): Promise<void> {
  do await auth.deliverMail();
  while ((await auth.db.prisma.mail.count()) > 0);
}

/** Sends all mail. Returns the last message to the address. */
async function lastMail(address: string): Promise<ReceivedMail> {
  await deliverAll();
  const last = (await mailTo(auth.mailDirectory, address)).at(-1);
  if (last === undefined) throw new Error(`no mail to ${address}`);
  return last;
}

async function forget(browser: Browser, email: string): Promise<Page> {
  const page = await browser.open('/password/forgot');
  return await browser.submit(page, page.formOf('forgot-password'), { email });
}

async function resetLink(person: Person): Promise<string> {
  await forget(createBrowser(auth), person.email);
  return linkIn(await lastMail(person.email));
}

async function setPassword(browser: Browser, link: string, password: string): Promise<Page> {
  const page = await browser.open(link);
  return await browser.submit(page, page.formOf('reset-password'), { new_password: password });
}

async function isVerified({ id }: Person): Promise<boolean> {
  const row = await auth.db.prisma.account.findUniqueOrThrow({ where: { id } });
  return row.emailVerifiedAt !== null;
}

async function canSignIn(person: Person, password: string): Promise<boolean> {
  return (await signIn(createBrowser(auth), { ...person, password })).url.pathname !== '/login';
}

describe('a forgotten password', () => {
  test('is replaced with a link, which works once and revokes sessions and tokens', async () => {
    const ada = await registerPerson(auth.db, 'ada_forgets');
    const there = createBrowser(auth);
    await signIn(there, ada);
    const app = await connect(auth, there);
    const link = await resetLink(ada);
    const here = createBrowser(auth);
    const rejected = await setPassword(here, link, 'abc');
    expect([rejected.status, rejected.text]).toEqual([422, expect.stringContaining('at least 6 characters')]);
    expect((await setPassword(here, link, 'a new password')).text).toContain('Sign in with your new password');
    expect(await canSignIn(ada, 'a new password')).toBe(true);
    expect(await canSignIn(ada, ada.password)).toBe(false);
    expect((await there.open('/account')).url.pathname).toBe('/login');
    expect(await app.refresh(app.refreshToken)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    expect(await isVerified(ada)).toBe(true);
    expect((await here.open(link)).status).toBe(404);
    const told = await lastMail(ada.email);
    expect(told.subject).toBe('Your Linnet password was changed');
  });

  test('of many simultaneous uses of a link, one sets the password', async () => {
    const grace = await registerPerson(auth.db, 'grace_forgets');
    const link = await resetLink(grace);
    const browsers = Array.from({ length: 20 }, () => createBrowser(auth));
    const pages = await Promise.all(browsers.map(async (browser) => await browser.open(link)));
    const passwords = browsers.map((_, index) => `password number ${String(index)}`);
    const answers = await Promise.all(
      browsers.map(async (browser, index) => {
        const page = pages[index];
        if (page === undefined) throw new Error('no page');
        return await browser.submitOnly(page, page.formOf('reset-password'), { new_password: passwords[index] ?? '' });
      }),
    );
    const won = answers.flatMap(({ status }, index) => (status === 303 ? [index] : []));
    expect(won).toHaveLength(1);
    expect(answers.every(({ status }) => [303, 422, 503].includes(status))).toBe(true);
    expect(await canSignIn(grace, passwords[won[0] ?? -1] ?? '')).toBe(true);
  });

  test('the link expires after 30 minutes, and when the password or the address changes', async () => {
    const late = await registerPerson(auth.db, 'late_forgets');
    const browser = createBrowser(auth);
    const old = await resetLink(late);
    await auth.db.query(age, [late.id, 29]);
    expect((await browser.open(old)).status).toBe(200);
    await auth.db.query(age, [late.id, 1]);
    expect((await browser.open(old)).status).toBe(404);
    const [first, second] = [await resetLink(late), await resetLink(late)];
    expect(first).not.toBe(second);
    expect((await browser.open(first)).status).toBe(200);
    await setPassword(browser, second, 'the second link');
    expect((await browser.open(first)).status).toBe(404);
    const third = await resetLink(late);
    await auth.db.prisma.account.update({
      where: { id: late.id },
      data: { email: 'later@example.org', emailCi: 'later@example.org' },
    });
    expect((await browser.open(third)).status).toBe(404);
  });

  test('responds the same for an unknown address, with the same statements, and sends nothing', async () => {
    const known = await registerPerson(auth.db, 'known_forgets');
    const ask = async (email: string) => {
      const browser = createBrowser(auth);
      const page = await browser.open('/password/forgot');
      auth.statements.length = 0;
      const { status, headers, text } = await browser.submitOnly(page, page.formOf('forgot-password'), { email });
      return { status, location: headers.location, text, statements: [...auth.statements] };
    };
    const answer = await ask(known.email.toUpperCase());
    expect(answer).toEqual(await ask('nobody@example.org'));
    expect(answer.status).toBe(303);
    await auth.deliverMail();
    expect(await mailTo(auth.mailDirectory, 'nobody@example.org')).toEqual([]);
    expect((await mailTo(auth.mailDirectory, known.email)).at(-1)?.subject).toBe('Reset your Linnet password');
    expect(await auth.db.prisma.mail.count()).toBe(0);
  });

  test('neither the token nor its message is in the database, and files are readable by their owner only', async () => {
    const kept = await registerPerson(auth.db, 'kept_forgets');
    await forget(createBrowser(auth), kept.email);
    const before = JSON.stringify(await auth.db.prisma.mail.findMany({ omit: { id: true, accountId: true } }));
    const link = linkIn(await lastMail(kept.email));
    const token = new URL(link, auth.baseUrl).searchParams.get('token') ?? '';
    expect(token).toMatch(/^[\w-]{32}$/);
    const rows = await auth.db.prisma.mailLink.findMany({ omit: { accountId: true } });
    expect(before + JSON.stringify(rows)).not.toContain(token);
    const [file = ''] = await readdir(auth.mailDirectory);
    expect((await stat(join(auth.mailDirectory, file))).mode & 0o777).toBe(0o600);
  });
});

test('message files are deleted after 30 days, and other files in the folder are not', async () => {
  const person = await registerPerson(auth.db, 'files_are_kept');
  await lastMail(person.email);
  const [file = ''] = await readdir(auth.mailDirectory);
  const old = new Date(Date.now() - 30 * 86_400_000 - 60_000);
  const grow = async (name: string) => {
    await utimes(join(auth.mailDirectory, name), old, old);
  };
  for (const name of ['7.eml.draft', 'notes.txt', '8.eml']) await writeFile(join(auth.mailDirectory, name), '');
  for (const name of [file, '7.eml.draft', 'notes.txt']) await grow(name);
  const before = await readdir(auth.mailDirectory);
  await auth.runJob('mail-files');
  const left = new Set(await readdir(auth.mailDirectory));
  expect(before.filter((name) => !left.has(name)).toSorted()).toEqual([file, '7.eml.draft'].toSorted());
  await auth.runJob('mail-files');
  await rm(join(auth.mailDirectory, 'notes.txt'));
  await rm(join(auth.mailDirectory, '8.eml'));
});

describe('an invalid link', () => {
  test.each(['', '?token=', '?token=abc', `?token=${'x'.repeat(32)}`, '?token=a&token=b', '?token=%00'])(
    '%j is 404 and changes nothing',
    async (query) => {
      const browser = createBrowser(auth);
      expect((await browser.open(`/password/reset${query}`)).status).toBe(404);
      expect((await browser.open(`/verify-email${query}`)).status).toBe(404);
    },
  );

  test('is rejected on the page for links of another kind', async () => {
    const mixed = await registerPerson(auth.db, 'mixed_links');
    const verify = linkIn(await lastMail(mixed.email));
    const reset = await resetLink(mixed);
    const browser = createBrowser(auth);
    expect((await browser.open(verify.replace('/verify-email', '/password/reset'))).status).toBe(404);
    expect((await browser.open(reset.replace('/password/reset', '/verify-email'))).status).toBe(404);
  });
});

describe('an address', () => {
  test('is verified by the button and not by opening the link; repeating it changes nothing', async () => {
    const ada = await registerPerson(auth.db, 'ada_confirms');
    const link = linkIn(await lastMail(ada.email));
    const browser = createBrowser(auth);
    const page = await browser.open(link);
    expect(page.text).toContain(ada.email);
    expect(await isVerified(ada)).toBe(false);
    const done = await browser.submit(page, page.formOf('verify-email'));
    expect(done.text).toContain('E-mail address confirmed');
    expect(await isVerified(ada)).toBe(true);
    expect((await browser.open(link)).text).toContain('E-mail address confirmed');
    expect((await browser.submit(page, page.formOf('verify-email'))).text).toContain('E-mail address confirmed');
  });

  test('is not verified by its link while the account is suspended', async () => {
    const ada = await registerPerson(auth.db, 'ada_suspended');
    const link = linkIn(await lastMail(ada.email));
    const browser = createBrowser(auth);
    const page = await browser.open(link);
    await createAccounts(auth.db).suspend(ada.username);
    expect((await browser.open(link)).status).toBe(404);
    expect((await browser.submit(page, page.formOf('verify-email'))).status).toBe(422);
    expect(await isVerified(ada)).toBe(false);
    await createAccounts(auth.db).restore(ada.username);
    expect((await browser.submit(page, page.formOf('verify-email'))).text).toContain('E-mail address confirmed');
  });

  test('gets another link on request while it is not verified, and none afterwards', async () => {
    const ada = await registerPerson(auth.db, 'ada_again');
    const first = linkIn(await lastMail(ada.email));
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    const page = await browser.open('/account/email');
    expect((await browser.submit(page, page.formOf('resend-verification'))).text).toContain('E-mail sent');
    const second = linkIn(await lastMail(ada.email));
    expect(second).not.toBe(first);
    const shown = await browser.open(second);
    await browser.submit(shown, shown.formOf('verify-email'));
    await browser.submit(page, page.formOf('resend-verification'));
    await auth.deliverMail();
    expect(linkIn(await lastMail(ada.email))).toBe(second);
    expect((await browser.open('/account/email')).text).toContain('Confirmed');
  });
});

describe('a new address', () => {
  test('needs the password and a link; the old address is notified', async () => {
    const ada = await registerPerson(auth.db, 'ada_moves');
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    const next = 'Ada.Moved@example.org';
    const page = await browser.open('/account/email');
    const ask = async (values: Readonly<Record<string, string>>) =>
      await browser.submit(page, page.formOf('change-email'), values);
    const wrong = await ask({ email: next, current_password: 'wrong' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('Incorrect current password')]);
    expect((await ask({ email: 'nothing', current_password: ada.password })).status).toBe(422);
    expect((await ask({ email: ada.email, current_password: ada.password })).status).toBe(422);
    const sent = await ask({ email: next, current_password: ada.password });
    expect(sent.text).toContain('We sent a link to the new address');
    const link = linkIn(await lastMail(next));
    expect((await lastMail(ada.email)).text).toContain(`to ${next}`);
    expect((await browser.open('/account/email')).text).toContain(ada.email);
    const shown = await createBrowser(auth).open(link);
    const other = createBrowser(auth);
    const opened = await other.open(link);
    expect(shown.text).toContain(next);
    await other.submit(opened, opened.formOf('verify-email'));
    expect((await browser.open('/account/email')).text).toContain(next);
    expect(await isVerified(ada)).toBe(true);
    expect((await lastMail(ada.email)).subject).toBe('Your Linnet e-mail address was changed');
  });

  test('changing the password cancels the pending change', async () => {
    const ada = await registerPerson(auth.db, 'ada_stays');
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    const page = await browser.open('/account/email');
    await browser.submit(page, page.formOf('change-email'), {
      email: 'thief@example.org',
      current_password: ada.password,
    });
    const link = linkIn(await lastMail('thief@example.org'));
    const form = await browser.open('/account/password');
    await browser.submit(form, form.formOf('change-password'), {
      current_password: ada.password,
      new_password: 'safe again, I hope',
    });
    expect((await createBrowser(auth).open(link)).status).toBe(404);
  });

  test('that another account has is not revealed, and its owner is notified', async () => {
    const owner = await registerPerson(auth.db, 'owner_of_it');
    const other = await registerPerson(auth.db, 'wants_it_too');
    const browser = createBrowser(auth);
    await signIn(browser, other);
    const page = await browser.open('/account/email');
    const ask = async (email: string) =>
      await browser.submitOnly(page, page.formOf('change-email'), { email, current_password: other.password });
    const { status, headers } = await ask(owner.email.toUpperCase());
    const free = await ask('free_address@example.org');
    expect([status, headers.location]).toEqual([free.status, free.headers.location]);
    await ask(owner.email.toUpperCase());
    expect((await lastMail(owner.email)).subject).toBe('You already have a Linnet account');
    // It is pending like any other.
    const waiting = await browser.open('/account/email');
    expect([waiting.html.includes('pending-email'), waiting.text.includes(owner.email.toUpperCase())]).toEqual([
      true,
      true,
    ]);
    expect(await isVerified(other)).toBe(false);
  });

  test('of two accounts that verify one address in any case, one gets it', async () => {
    const people = [await registerPerson(auth.db, 'claims_one'), await registerPerson(auth.db, 'claims_two')];
    const links: string[] = [];
    for (const [index, person] of people.entries()) {
      const browser = createBrowser(auth);
      await signIn(browser, person);
      const page = await browser.open('/account/email');
      const email = index === 0 ? 'claimed@example.org' : 'CLAIMED@example.org';
      await browser.submit(page, page.formOf('change-email'), { email, current_password: person.password });
      links.push(linkIn(await lastMail(email)));
    }
    const answers = await Promise.all(
      links.map(async (link) => {
        const browser = createBrowser(auth);
        const page = await browser.open(link);
        return await browser.submitOnly(page, page.formOf('verify-email'));
      }),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 422]);
    expect(await auth.db.prisma.account.count({ where: { emailCi: 'claimed@example.org' } })).toBe(1);
  });
});

/** A person with a pending change of the address, on the page that shows it. */
async function askFor(username: string, email: string) {
  const person = await registerPerson(auth.db, username);
  const browser = createBrowser(auth);
  await signIn(browser, person);
  const form = await browser.open('/account/email');
  const values = { email, current_password: person.password };
  const page = await browser.submit(form, form.formOf('change-email'), values);
  const again = async () => await browser.submit(page, page.formOf('resend-email-change'));
  const cancel = async () => await browser.submit(page, page.formOf('cancel-email-change'));
  return { person, browser, page, again, cancel };
}

/** Follows a link in a new browser and presses its button. */
async function confirm(link: string): Promise<Page> {
  const browser = createBrowser(auth);
  const page = await browser.open(link);
  return await browser.submit(page, page.formOf('verify-email'));
}

const addressOf = async ({ id }: Person) => (await auth.db.prisma.account.findUniqueOrThrow({ where: { id } })).email;

describe('a pending new address', () => {
  test('is shown with its expiry, gets another link, and disappears once it is verified', async () => {
    const { person, browser, page, again } = await askFor('ada_waits', 'waits@example.org');
    expect(page.html).toContain('data-testid="pending-email"');
    expect(page.text).toContain('waits@example.org');
    const first = linkIn(await lastMail('waits@example.org'));
    const { expiresAt } = await auth.db.prisma.emailChange.findUniqueOrThrow({ where: { accountId: person.id } });
    expect((await browser.open('/account/email')).html).toContain(`<time datetime="${expiresAt.toISOString()}">`);
    expect((await again()).text).toContain('We sent a link to the new address');
    const second = linkIn(await lastMail('waits@example.org'));
    expect(second).not.toBe(first);
    expect((await createBrowser(auth).open(first)).status).toBe(200);
    expect((await confirm(second)).text).toContain('E-mail address confirmed');
    expect((await createBrowser(auth).open(first)).status).toBe(404);
    expect((await browser.open('/account/email')).html).not.toContain('pending-email');
    const late = await again();
    expect([late.status, late.text]).toEqual([409, expect.stringContaining('There is no pending change')]);
    expect(late.text).toContain('waits@example.org');
  });

  test('that was cancelled is verified by none of its links, even after it is requested again', async () => {
    const { person, browser, again, cancel } = await askFor('ada_repents', 'repents@example.org');
    const link = linkIn(await lastMail('repents@example.org'));
    const reader = createBrowser(auth);
    const opened = await reader.open(link);
    // A link that has not been sent yet is not sent anymore.
    await again();
    expect((await cancel()).text).toContain('Change canceled');
    await deliverAll();
    expect(await mailTo(auth.mailDirectory, 'repents@example.org')).toHaveLength(1);
    expect((await browser.open('/account/email')).html).not.toContain('pending-email');
    const rejected = await createBrowser(auth).open(link);
    expect([rejected.status, rejected.text]).toEqual([410, expect.stringContaining('was canceled or replaced')]);
    const forced = await reader.submit(opened, opened.formOf('verify-email'));
    expect([forced.status, forced.text]).toEqual([422, expect.stringContaining('was canceled or replaced')]);
    expect((await cancel()).status).toBe(409);
    const form = await browser.open('/account/email');
    await browser.submit(form, form.formOf('change-email'), {
      email: 'repents@example.org',
      current_password: person.password,
    });
    const newer = linkIn(await lastMail('repents@example.org'));
    expect((await browser.open(link)).status).toBe(410);
    expect(await addressOf(person)).toBe(person.email);
    await confirm(newer);
    expect(await addressOf(person)).toBe('repents@example.org');
  });

  test('is replaced by a later one', async () => {
    const { person, browser } = await askFor('ada_wavers', 'first@example.org');
    const first = linkIn(await lastMail('first@example.org'));
    const form = await browser.open('/account/email');
    const values = { email: 'second@example.org', current_password: person.password };
    const page = await browser.submit(form, form.formOf('change-email'), values);
    expect(page.text).toContain('second@example.org');
    expect(page.text).not.toContain('first@example.org');
    expect((await browser.open(first)).status).toBe(410);
    // The form for the first change cancels only the first.
    const old = await browser.submit(form, form.formOf('change-email'), { ...values, email: 'third@example.org' });
    const stale = await browser.submit(page, page.formOf('cancel-email-change'));
    expect([stale.status, stale.text]).toEqual([409, expect.stringContaining('third@example.org')]);
    expect((await browser.submit(old, old.formOf('cancel-email-change'))).status).toBe(200);
    expect(await auth.db.prisma.emailChange.count({ where: { accountId: person.id } })).toBe(0);
  });
});

describe('a change of the address', () => {
  test('that is verified and cancelled at once has one outcome', async () => {
    const outcomes: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      const email = `raced_${String(round)}@example.org`;
      const { person, browser, page } = await askFor(`ada_races_${String(round)}`, email);
      const link = linkIn(await lastMail(email));
      const reader = createBrowser(auth);
      const opened = await reader.open(link);
      const ways = [
        () => reader.submitOnly(opened, opened.formOf('verify-email')),
        () => browser.submitOnly(page, page.formOf('cancel-email-change')),
      ] as const;
      const answers = await Promise.all(round % 2 === 0 ? [ways[0](), ways[1]()] : [ways[1](), ways[0]()].toReversed());
      outcomes.push(
        `${answers.map(({ status }) => String(status)).join(' ')} ${String((await addressOf(person)) === email)}`,
      );
    }
    const either = /^(?:303 409 true|422 303 false)$/;
    expect(outcomes.filter((outcome) => !either.test(outcome))).toEqual([]);
  });

  test('cannot be cancelled or get another link from another account', async () => {
    const { person, page } = await askFor('ada_is_alone', 'alone@example.org');
    const other = await askFor('eve_is_there', 'eve_elsewhere@example.org');
    const change = /name="change" value="(\d+)"/.exec(page.html)?.[1] ?? '';
    for (const testId of ['resend-email-change', 'cancel-email-change']) {
      for (const given of [change, '', '0', '-1', 'x', '9'.repeat(16), '9'.repeat(400), '1e3']) {
        const answer = await other.browser.submit(other.page, other.page.formOf(testId), { change: given });
        expect([testId, given, answer.status]).toEqual([testId, given, 409]);
      }
    }
    expect(await auth.db.prisma.emailChange.count({ where: { accountId: person.id } })).toBe(1);
  });
});
