// Delivery through a real SMTP server: retries, contents and recipients.
import { randomUUID } from 'node:crypto';

import { createAccounts } from '@linnet/accounts/accounts';
import { openDatabase } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { findLastAuditEvents } from '@linnet/audit/audit-store';
import { addDraft } from '@linnet/social/draft/draft-store';
import { updatePreferences } from '@linnet/social/notification/notification-setting-store';
import { createMyApplications } from '@linnet/applications/my-applications';
import { createBrowser } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import { createOnPage } from '@linnet/test/auth/developer';
import { linkIn } from '@linnet/test/auth/mailbox';
import type { ReceivedMail } from '@linnet/test/auth/mailbox';
import { startMailServer } from '@linnet/test/auth/mail-server';
import type { DeliveredMail, MailServer } from '@linnet/test/auth/mail-server';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

import { requestEmailChange } from './email-change-store.ts';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let mailServer: MailServer;
let auth: RunningAuth;
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  mailServer = cleanup.use(await startMailServer());
  const smtpUrl = `smtp://127.0.0.1:${String(mailServer.port)}`;
  auth = cleanup.use(
    await startAuth(database.url, { rateLimits: false, smtpUrl, siteLinks: { contact: 'mailto:hello@example.org' } }),
  );
});
beforeEach(async () => {
  await auth.db.query(deleteAllMail, []);
  mailServer.arrived.length = 0;
  mailServer.rejection = undefined;
});
afterAll(() => cleanup.disposeAsync());

const deleteAllMail = statement<readonly [], never>('test_mail_delete_all', 'DELETE FROM mail');
// One second ago, not now(): times are rounded to milliseconds and may be rounded up.
const makeMailDue = statement<readonly [], never>(
  'test_mail_make_due',
  "UPDATE mail SET due_at = now() - interval '1 second'",
);
const ageMail = statement<readonly [hours: number], never>(
  'test_mail_age',
  "UPDATE mail SET due_at = now() - interval '1 second', created_at = created_at - make_interval(hours => $1::int)",
);

async function deliverTo({ email }: Pick<Person, 'email'>): Promise<readonly DeliveredMail[]> {
  await auth.deliverMail();
  return mailServer.arrived.filter(({ recipients }) => recipients.includes(email));
}

function linkOf(mail: ReceivedMail | undefined): string {
  return mail === undefined ? '' : linkIn(mail);
}

async function findQueuedMail(): Promise<readonly { readonly attempts: number; readonly waitSeconds: number }[]> {
  const rows = await auth.db.prisma.mail.findMany();
  return rows.map(({ attempts, dueAt }) => ({
    attempts,
    waitSeconds: Math.round((dueAt.getTime() - Date.now()) / 60_000) * 60,
  }));
}

describe('a message', () => {
  test('has one recipient, a sender, text and HTML parts and a Message-ID, and loads no external content', async () => {
    const ada = await registerPerson(auth.db, 'ada_by_smtp');
    const [mail, ...others] = await deliverTo(ada);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ sender: 'no-reply@linnet.example', recipients: [ada.email], to: ada.email });
    expect(mail?.subject).toBe('Confirm your Linnet e-mail address');
    expect(mail?.raw).toMatch(/^Message-ID: <\d+@linnet\.example>/m);
    expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated/m);
    expect(mail?.raw).toMatch(/^Content-Type: multipart\/alternative/m);
    expect(mail?.raw).not.toMatch(/<(?:img|script|link|iframe)|url\(/);
    expect(await auth.db.prisma.mail.count()).toBe(0);
  });

  test('says where to ask questions', async () => {
    const [mail] = await deliverTo(await registerPerson(auth.db, 'questioner'));
    // The reader of test mail cuts off the footer.
    expect(mail?.raw.replaceAll('=\r\n', '').replaceAll(/\s+/g, ' ')).toContain(
      'If you have a question, write to hello@example.org.',
    );
  });

  test('is written in the language of the account', async () => {
    const account = await createAccounts(auth.db).register({
      firstName: 'Käthe',
      lastName: 'Ö',
      username: 'kaethe_oe',
      email: 'kaethe@example.org',
      password: 'a long password',
      language: 'de-AT',
    });
    const [mail] = await deliverTo(account);
    expect(mail?.subject).toBe('Bestätige deine E-Mail-Adresse für Linnet');
    expect(mail?.text).toContain('Bitte bestätige, dass diese Adresse dir gehört, @kaethe_oe.');
    expect(mail?.raw).toContain('Content-Language: de');
  });

  test.each(["o'hara+tag@example.org", '"<x@y.example>,"@example.org', 'a,b@example.org', 'ä@example.org'])(
    'to %s is delivered to that address only, or not at all',
    async (email) => {
      const username = `odd_${Buffer.from(email).toString('hex').slice(0, 12)}`;
      const accounts = createAccounts(auth.db);
      await accounts.register({ firstName: 'A', lastName: 'B', username, email, password: 'a long password' });
      await auth.deliverMail();
      expect(
        mailServer.arrived
          .flatMap(({ recipients }) => recipients)
          .filter((to) => ![email, `"${email.replace('@', '"@')}`].includes(to)),
      ).toEqual([]);
    },
  );
});

test('SMTP_REQUIRE_TLS: nothing is sent to a server without TLS', async () => {
  const settings = { rateLimits: false, smtpUrl: `smtp://127.0.0.1:${String(mailServer.port)}`, smtpRequireTls: true };
  await using strict = await startAuth(database.url, { ...settings, owner: 'owner_of_strict_mail' });
  await strict.db.query(deleteAllMail, []);
  await registerPerson(strict.db, 'ada_over_tls');
  await strict.deliverMail();
  expect(mailServer.arrived).toEqual([]);
  expect(await findQueuedMail()).toEqual([{ attempts: 1, waitSeconds: 60 }]);
  await strict.db.query(deleteAllMail, []);
});

describe('an unreachable or rejecting mail server', () => {
  test('delays mail without blocking requests; retries keep the link and the Message-ID', async () => {
    const away = await startMailServer();
    const { port } = away;
    await away[Symbol.asyncDispose]();
    const smtpUrl = `smtp://127.0.0.1:${String(port)}`;
    await using slow = await startAuth(database.url, { rateLimits: false, smtpUrl, owner: 'owner_elsewhere' });
    await slow.db.query(deleteAllMail, []);
    const ada = await registerPerson(slow.db, 'ada_waits');
    await slow.deliverMail();
    expect(await findQueuedMail()).toEqual([{ attempts: 1, waitSeconds: 60 }]);
    await slow.deliverMail();
    expect(await findQueuedMail()).toEqual([{ attempts: 1, waitSeconds: 60 }]);
    await slow.db.query(makeMailDue, []);
    await slow.deliverMail();
    expect(await findQueuedMail()).toEqual([{ attempts: 2, waitSeconds: 300 }]);
    expect(slow.log.join('')).toContain('mail delayed');
    await using back = await startMailServer(port);
    await slow.db.query(makeMailDue, []);
    // The server stores the message but reports an error, so it is sent again.
    back.rejection = { at: 'end', code: 451 };
    await slow.deliverMail();
    back.rejection = undefined;
    await slow.db.query(makeMailDue, []);
    await slow.deliverMail();
    const [first, second] = back.arrived;
    expect(back.arrived).toHaveLength(2);
    expect(second?.recipients).toEqual([ada.email]);
    expect(back.arrived.map(linkIn)).toEqual([linkOf(first), linkOf(first)]);
    const idOf = (mail: ReceivedMail | undefined) => /^Message-ID: (.*)$/m.exec(mail?.raw ?? '')?.[1];
    expect(idOf(first)).toBe(idOf(second));
    expect(await slow.db.prisma.mail.count()).toBe(0);
  });

  test('gives up after a day or a permanent rejection, records it in the audit log, and logs no address', async () => {
    const { id } = await registerPerson(auth.db, 'ada_is_given_up');
    mailServer.rejection = { at: 'recipient', code: 450 };
    await auth.deliverMail();
    expect(await findQueuedMail()).toEqual([{ attempts: 1, waitSeconds: 60 }]);
    await auth.db.query(ageMail, [25]);
    await auth.deliverMail();
    expect(await auth.db.prisma.mail.count()).toBe(0);
    const refused = await registerPerson(auth.db, 'ada_is_refused');
    mailServer.rejection = { at: 'recipient', code: 550 };
    await auth.deliverMail();
    expect(await auth.db.prisma.mail.count()).toBe(0);
    const events = await findLastAuditEvents(auth.db, 100);
    const given = events.filter(
      ({ event, accountId }) => event === 'mail.given_up' && [id, refused.id].includes(accountId ?? 0),
    );
    expect(given.map(({ accountId, detail }) => [accountId, detail])).toEqual([
      [id, { kind: 'verify_email', reason: 'EENVELOPE 450' }],
      [refused.id, { kind: 'verify_email', reason: 'EENVELOPE 550' }],
    ]);
    expect(auth.log.join('')).toContain('mail given up');
    expect(auth.log.join('')).not.toContain('canary-address');
    expect(auth.log.join('')).not.toContain('ada_is_given_up@');
  });

  test('a person sees that an address refused its link, until a later one arrives', async () => {
    const ada = await registerPerson(auth.db, 'ada_of_a_full_mailbox');
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    const open = async () => await browser.open('/account/email');
    const isShown = async (address: string) => (await open()).text.includes(`We couldn’t deliver to ${address}`);
    const resend = async (testId: string) => {
      const page = await open();
      await browser.submit(page, page.formOf(testId));
      await auth.deliverMail();
    };
    mailServer.rejection = { at: 'recipient', code: 552 };
    await auth.deliverMail();
    expect(await isShown(ada.email)).toBe(true);
    mailServer.rejection = undefined;
    await resend('resend-verification');
    expect(await isShown(ada.email)).toBe(false);
    // An address of someone else gets another message, and looks the same.
    const { email: taken } = await registerPerson(auth.db, 'bob_of_a_full_mailbox');
    await auth.deliverMail();
    for (const next of ['nobody@example.com', taken]) {
      mailServer.rejection = { at: 'recipient', code: 550 };
      await requestEmailChange(auth.db, ada.id, next);
      await auth.deliverMail();
      expect(await isShown(next)).toBe(true);
      mailServer.rejection = undefined;
      await resend('resend-email-change');
      expect(await isShown(next)).toBe(false);
    }
  });

  test('parallel deliveries send each message once', async () => {
    const people = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => await registerPerson(auth.db, `one_of_${String(index)}`)),
    );
    await Promise.all(Array.from({ length: 4 }, async () => await auth.deliverMail()));
    const recipients = mailServer.arrived.flatMap((mail) => mail.recipients);
    expect(recipients.toSorted()).toEqual(people.map(({ email }) => email).toSorted());
  });
});

test('D205 a refused mail about proposals is not tried again for each further one', async () => {
  const { id } = await registerPerson(auth.db, 'ada_decides');
  await auth.db.prisma.account.update({ where: { id }, data: { emailVerifiedAt: new Date() } });
  await updatePreferences(auth.db, id, { wanted: [], unwanted: [], proposalMail: true });
  await auth.db.query(deleteAllMail, []);
  const proposed = { call: '/post/create', parameters: {}, mediaIds: [] } as const;
  mailServer.rejection = { at: 'recipient', code: 550 };
  for (let tries = 0; tries < 2; tries += 1) {
    await addDraft(auth.db, { accountId: id, clientId: 'a-bot' }, proposed);
    await auth.deliverMail();
    expect(await findQueuedMail()).toEqual([{ attempts: 0, waitSeconds: 3600 }]);
  }
});

describe('notices', () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const newer = firefox.replaceAll('140', '141');
  const safari = 'Mozilla/5.0 (Macintosh; Intel Mac OS X) AppleWebKit/605 (KHTML, like Gecko) Version/18.0 Safari/605';

  test('are sent for a sign-in from an unknown browser, but not for the first sign-in or a newer version of a browser', async () => {
    const ada = await registerPerson(auth.db, 'ada_signs_in');
    await deliverTo(ada);
    const notices = async (userAgent: string) => {
      mailServer.arrived.length = 0;
      await signIn(createBrowser(auth, { headers: { 'user-agent': userAgent } }), ada);
      return (await deliverTo(ada)).map(({ subject }) => subject);
    };
    expect(await notices(firefox)).toEqual([]);
    expect(await notices(newer)).toEqual([]);
    expect(await notices(safari)).toEqual(['New sign-in to your Linnet account']);
    expect(mailServer.arrived[0]?.text).toContain('Safari on macOS, IP address 127.0.0.1');
    expect(await notices(safari)).toEqual([]);
    expect(await notices('<b>curl')).toEqual(['New sign-in to your Linnet account']);
    expect(mailServer.arrived[0]?.raw).not.toContain('<b>');
  });

  test('are sent when an application is authorized for the first time, with its name escaped', async () => {
    const ada = await registerPerson(auth.db, 'ada_connects');
    await auth.db.prisma.account.update({ where: { id: ada.id }, data: { emailVerifiedAt: new Date() } });
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    const app = await connect(auth, browser, { name: '<b>Bcc: x@y</b> “Bird”', type: 'public' });
    const [mail, ...others] = (await deliverTo(ada)).filter(({ subject }) => subject.includes('app '));
    expect(others).toEqual([]);
    expect(mail?.text).toContain('“<b>Bcc: x@y</b> “Bird”” by @owner_of_all can now access your account');
    expect(mail?.raw).not.toMatch(/^bcc:/im);
    expect(mail?.raw.split('text/html')[1]).not.toContain('<b>');
    // Outlook for Windows knows no max-width.
    expect(mail?.raw).toMatch(/<!--\[if mso\]><table[^>]*width=(?:3D)?"560"/);
    mailServer.arrived.length = 0;
    await app.authorize(browser);
    expect(await deliverTo(ada)).toEqual([]);
  });

  test('are sent when an application is created or gains permissions, with its name escaped', async () => {
    const ada = await registerPerson(auth.db, 'ada_develops');
    await auth.db.prisma.account.update({ where: { id: ada.id }, data: { emailVerifiedAt: new Date() } });
    const applications = createMyApplications(auth.db, () => Promise.resolve());
    const settings = {
      name: '<b>Bcc: x@y</b>',
      redirectUris: [],
      scopes: ['users'],
      implicit: false,
      actAsOwner: true,
    };
    const created = await applications.create({
      ...settings,
      ownerId: ada.id,
      type: 'confidential',
      submissionId: randomUUID(),
    });
    const [mail, ...others] = await deliverTo(ada);
    expect([mail?.subject, others]).toEqual(['A new application was created in your Linnet account', []]);
    expect(mail?.text).toContain('“<b>Bcc: x@y</b>” was created in your account @ada_develops on Linnet');
    expect(mail?.text).toContain('It can act as your account with its own credentials.');
    expect(mail?.raw.split('text/html')[1]).not.toContain('<b>');
    if (created.kind !== 'created') throw new Error('the application was not created');
    const application = await applications.find({ ownerId: ada.id, clientId: created.application.clientId });
    if (application === undefined) throw new Error('the application was not found');
    mailServer.arrived.length = 0;
    await applications.edit(application, { ...settings, name: 'Bird', ownerId: ada.id });
    expect(await deliverTo(ada)).toEqual([]);
    await applications.edit(application, { ...settings, scopes: ['users', 'email'], ownerId: ada.id });
    const [changed] = await deliverTo(ada);
    expect(changed?.subject).toBe('An application in your Linnet account has more access');
    expect(changed?.text).toContain('Its permissions: email.');
  });

  test('are not sent for rehashed passwords; suspended accounts learn of a changed password; a deletion drops those that wait', async () => {
    const ada = await registerPerson(auth.db, 'ada_is_silent');
    await auth.db.query(deleteAllMail, []);
    await auth.db.prisma.account.update({ where: { id: ada.id }, data: { passwordHash: 'another hash of the same' } });
    expect(await auth.db.prisma.mail.count()).toBe(0);
    await createAccounts(auth.db).setPassword({ username: ada.username, password: 'by the operator' });
    await createAccounts(auth.db).suspend(ada.username);
    const sent = await deliverTo(ada);
    expect(sent.map(({ subject }) => subject).toSorted()).toEqual([
      'Your Linnet account was suspended',
      'Your Linnet password was changed',
    ]);
    await createAccounts(auth.db).restore(ada.username);
    await createAccounts(auth.db).setPassword({ username: ada.username, password: 'by the operator again' });
    await createAccounts(auth.db).delete({ accountId: ada.id, epoch: 3 });
    const waiting = await auth.db.prisma.mail.findMany();
    expect(waiting.map(({ kind }) => kind)).toEqual(['account_deleted']);
  });
});

describe('with a mail server', () => {
  test('userinfo states whether the e-mail address is verified', async () => {
    const ada = await registerPerson(auth.db, 'ada_of_userinfo');
    const setVerified = async (emailVerifiedAt: Date | null) =>
      await auth.db.prisma.account.update({ where: { id: ada.id }, data: { emailVerifiedAt } });
    await setVerified(new Date());
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    const app = await connect(auth, browser, { scopes: ['users', 'email', 'openid'] });
    const ask = async () =>
      (await auth.send({ path: '/oauth/userinfo', headers: { authorization: `Bearer ${app.accessToken}` } })).json;
    expect(await ask()).toMatchObject({ email: ada.email, email_verified: true });
    await setVerified(null);
    expect(await ask()).toMatchObject({ email: ada.email, email_verified: false });
  });

  test('D89 authorizing an application requires a verified address; accounts created by an operator are exempt', async () => {
    const ada = await registerPerson(auth.db, 'ada_unconfirmed');
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    await expect(connect(auth, browser)).rejects.toThrow('no form');
    const { clientId } = await auth.register({ redirectUris: ['https://app.example/cb'] });
    const request = new URLSearchParams({
      client_id: clientId,
      redirect_uri: 'https://app.example/cb',
      response_type: 'code',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
      scope: 'users',
    });
    const page = await browser.open(`/oauth/authorize?${request.toString()}`);
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('Confirm your e-mail address first')]);
    const resent = await browser.submit(page, page.formOf('resend-verification'));
    expect(resent.url.pathname).toBe(page.url.pathname);
    const mail = (await deliverTo(ada)).findLast(({ subject }) => subject.startsWith('Confirm'));
    const link = await createBrowser(auth).open(linkOf(mail));
    const forced = await browser.submit(page, page.formWith('decision', 'deny'), { decision: 'allow' });
    expect(forced.status).toBe(403);
    const reader = createBrowser(auth);
    const shown = await reader.open(link.url.href);
    await reader.submit(shown, shown.formOf('verify-email'));
    // The confirmation ended the session. The page leads through the sign-in to the consent page.
    const continueTo = /<a class="button wide" href="([^"]+)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const consent = await signIn(browser, ada, await browser.open(continueTo));
    expect(consent.formWith('decision', 'allow')).toBeDefined();

    await using operator = openDatabase({ url: database.url, poolSize: 1, prepare: true, actor: 'operator' });
    const adaOfOperator = await registerPerson(operator, 'ada_of_operator');
    const vouched = createBrowser(auth);
    await signIn(vouched, adaOfOperator);
    expect((await vouched.open(`/oauth/authorize?${request.toString()}`)).status).toBe(200);
  });

  test('an account with an unverified address can register applications; its developer page and the consent page say so', async () => {
    const ada = await registerPerson(auth.db, 'ada_publishes');
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    const { clientId } = await createOnPage(browser, { redirect_uris: 'https://app.example/cb' });
    const reader = createBrowser(auth);
    const bob = await registerPerson(auth.db, 'bob_is_asked');
    const confirm = async ({ id }: Person) =>
      await auth.db.prisma.account.update({ where: { id }, data: { emailVerifiedAt: new Date() } });
    await confirm(bob);
    await signIn(reader, bob);
    const request = new URLSearchParams({
      client_id: clientId,
      redirect_uri: 'https://app.example/cb',
      response_type: 'code',
      scope: 'users',
    });
    const readNotices = async () => [
      (await browser.open('/developer')).text.includes('Confirm your address'),
      (await reader.open(`/oauth/authorize?${request.toString()}`)).text.includes('(unconfirmed e-mail address)'),
    ];
    expect(await readNotices()).toEqual([true, true]);
    await confirm(ada);
    expect(await readNotices()).toEqual([false, false]);
  });
});
