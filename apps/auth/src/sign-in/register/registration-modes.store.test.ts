// Who may register (REGISTRATION), on the page and inside the sign-in of an application, and how operators decide.
import { removeBlocks, saveBlocks } from '@linnet/accounts/registrations/block-store';
import type { BlockRule } from '@linnet/accounts/registrations/block';
import { createInvitation, deleteInvitation } from '@linnet/accounts/registrations/invitation-store';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { linkIn, mailTo } from '@linnet/test/auth/mailbox';
import { registerOperator } from '@linnet/test/auth/operator';
import type { PersonWithApp } from '@linnet/test/auth/operator';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { en } from '../../pages/i18n/en/en.ts';

const { notices } = en.signIn.register;
const { registrations: queue } = en.admin;
const modes = ['open', 'approval', 'invitation', 'closed'] as const;
type Mode = (typeof modes)[number];

const cleanup = new AsyncDisposableStack();
const servers = new Map<Mode, RunningAuth>();
let approving: RunningAuth;
let olga: PersonWithApp;
beforeAll(async () => {
  const { url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  for (const registration of modes) {
    const settings = { registration, rateLimits: false, owner: `owner_${registration}` };
    servers.set(registration, cleanup.use(await startAuth(url, settings)));
  }
  approving = serverOf('approval');
  olga = await registerOperator(approving, 'operator_olga');
});
afterAll(() => cleanup.disposeAsync());

function serverOf(mode: Mode): RunningAuth {
  const server = servers.get(mode);
  if (server === undefined) throw new Error(`no server for ${mode}`);
  return server;
}

let people = 0;
function newcomer() {
  people += 1;
  const username = `newcomer_${String(people)}`;
  return { first_name: 'Ada', last_name: 'Byron', username, email: `${username}@example.org`, password: 'nanosecond' };
}

const surfaces = {
  '/register': async (_auth: RunningAuth, browser: Browser) => await browser.open('/register'),
  'the sign-in of an application': async (auth: RunningAuth, browser: Browser) => {
    const login = await (await registerThirdParty(auth)).send(browser);
    return await browser.open(login.link('Create an account'), login);
  },
} as const;

const send = async (browser: Browser, page: Page, person: ReturnType<typeof newcomer>, reason = '') =>
  await browser.submit(page, page.formWith('first_name'), { ...person, reason });

describe.each(Object.entries(surfaces))('%s', (_surface, open) => {
  test.each([
    ['open', { status: 200, accounts: 1, requests: 0, notice: undefined }],
    ['approval', { status: 200, accounts: 0, requests: 1, notice: 'pending' }],
    ['invitation', { status: 422, accounts: 0, requests: 0, notice: undefined }],
    ['closed', { status: 403, accounts: 0, requests: 0, notice: 'closed' }],
  ] as const)('%s', async (mode, expected) => {
    const auth = serverOf(mode);
    const browser = createBrowser(auth);
    const person = newcomer();
    const shown = await open(auth, browser);
    const isClosed = expected.status === 403;
    expect([shown.status, shown.html.includes('name="first_name"')]).toEqual([isClosed ? 403 : 200, !isClosed]);
    expect(shown.html.includes('name="invitation"')).toBe(mode === 'invitation');
    const page = isClosed ? shown : await send(browser, shown, person, 'I like birds');
    expect(page.status).toBe(expected.status);
    const title = expected.notice === undefined ? 'Linnet' : notices[expected.notice].title;
    expect(page.text).toContain(title);
    const where = { where: { emailCi: person.email } };
    expect([await auth.db.prisma.account.count(where), await auth.db.prisma.registrationRequest.count(where)]).toEqual([
      expected.accounts,
      expected.requests,
    ]);
  });
});

test('a form that was open before registration was closed is refused', async () => {
  const before = createBrowser(serverOf('open'));
  const shown = await before.open('/register');
  const browser = createBrowser(serverOf('closed'), { cookies: before.cookies });
  const person = newcomer();
  const page = await send(browser, shown, person);
  expect([page.status, page.text.includes(notices.closed.title)]).toEqual([403, true]);
  expect(await approving.db.prisma.account.count({ where: { emailCi: person.email } })).toBe(0);
});

describe.each(['invitation', 'approval'] as const)('an invitation, with REGISTRATION=%s', (mode) => {
  test('creates the account as often as it says; a registration that fails takes no use', async () => {
    const auth = serverOf(mode);
    const { id, code } = await createInvitation(auth.db, { note: '', maxUses: 1, days: 1 });
    const attempt = async (person: ReturnType<typeof newcomer>) => {
      const browser = createBrowser(auth);
      return await send(browser, await browser.open(`/register?invitation=${code}`), person);
    };
    const person = newcomer();
    expect((await attempt({ ...person, username: 'operator_olga' })).status).toBe(422);
    expect((await attempt(person)).hops[0]?.to.pathname).toBe('/');
    const account = await auth.db.prisma.account.findUniqueOrThrow({ where: { emailCi: person.email } });
    const where = { accountId: account.id, event: 'invitation.used' };
    const events = await auth.db.prisma.auditEvent.findMany({ where });
    expect(events).toMatchObject([{ actor: 'person', detail: { invitation: String(id) } }]);
    const late = await attempt(newcomer());
    expect([late.status, late.text.includes(en.signIn.register.errors.invitation)]).toEqual([422, true]);
  });

  test('that has expired or was deleted is refused', async () => {
    const auth = serverOf(mode);
    const [expired, deleted] = [
      await createInvitation(auth.db, { note: '', maxUses: 9, days: -1 }),
      await createInvitation(auth.db, { note: '', maxUses: 9, days: 1 }),
    ];
    await deleteInvitation(auth.db, deleted.id);
    for (const { code } of [expired, deleted, { code: '\u0007' }]) {
      const browser = createBrowser(auth);
      const page = await browser.open(`/register?${new URLSearchParams({ invitation: code }).toString()}`);
      expect((await send(browser, page, newcomer())).status).toBe(422);
    }
  });
});

/** While the block is in force, which `auth` shares with all servers of this file. */
async function whileBlocked<Result>(rule: BlockRule, work: () => Promise<Result>, days = 1): Promise<Result> {
  const expiresAt = new Date(Date.now() + days * 86_400_000);
  const ids = await saveBlocks(approving.db, [{ ...rule, note: '', expiresAt }]);
  try {
    return await work();
  } finally {
    await removeBlocks(approving.db, ids);
  }
}

describe.each(Object.entries(surfaces))('a block, at %s,', (_surface, open) => {
  test.each([
    [
      { kind: 'mail_domain', value: 'example.org', act: 'refuse' },
      { status: 422, accounts: 0, requests: 0 },
    ],
    [
      { kind: 'network', value: '127.0.0.0/8', act: 'refuse' },
      { status: 422, accounts: 0, requests: 0 },
    ],
    [
      { kind: 'word', value: 'byron', act: 'refuse' },
      { status: 422, accounts: 0, requests: 0 },
    ],
    [
      { kind: 'word', value: 'byron', act: 'approve' },
      { status: 200, accounts: 0, requests: 1 },
    ],
    [
      { kind: 'word', value: 'byron', act: 'mark' },
      { status: 200, accounts: 1, requests: 0 },
    ],
  ] as const)('%o', async (rule, expected) => {
    const auth = serverOf('open');
    const browser = createBrowser(auth);
    const person = newcomer();
    const shown = await open(auth, browser);
    const page = await whileBlocked(rule, async () => await send(browser, shown, person));
    const where = { where: { emailCi: person.email } };
    const [accounts, requests] = [
      await auth.db.prisma.account.findMany(where),
      await auth.db.prisma.registrationRequest.findMany(where),
    ];
    expect({ status: page.status, accounts: accounts.length, requests: requests.length }).toEqual(expected);
    expect([...accounts, ...requests].map(({ mark }) => mark)).toEqual([...accounts, ...requests].map(() => rule.kind));
    expect(page.text.includes(en.signIn.register.errors.refused)).toBe(rule.act === 'refuse');
    expect(page.text.includes(notices.pending.title)).toBe(rule.act === 'approve');
  });
});

test('a block holds for people with an invitation, and no longer when it has ended', async () => {
  const auth = serverOf('invitation');
  const { code } = await createInvitation(auth.db, { note: '', maxUses: 2, days: 1 });
  const attempt = async () => {
    const browser = createBrowser(auth);
    return await send(browser, await browser.open(`/register?invitation=${code}`), newcomer());
  };
  const rule = { kind: 'word', value: 'byron', act: 'approve' } as const;
  expect((await whileBlocked(rule, attempt)).text).toContain(notices.pending.title);
  expect((await whileBlocked(rule, attempt, -1)).hops[0]?.to.pathname).toBe('/');
});

test('an address cannot be changed to a mail domain that is refused, or that an operator decides about', async () => {
  const auth = serverOf('open');
  const person = await registerPerson(auth.db, 'changing_her_address');
  const browser = createBrowser(auth);
  await signIn(browser, person);
  const change = async (act: BlockRule['act']) =>
    await whileBlocked({ kind: 'mail_domain', value: 'bad.example', act }, async () => {
      const page = await browser.open('/account/email');
      const values = { email: `${act}@mail.bad.example`, current_password: person.password };
      return await browser.submit(page, page.formWith('current_password'), values);
    });
  for (const act of ['refuse', 'approve'] as const) {
    const page = await change(act);
    expect([page.status, page.text.includes(en.email.page.providerRefused)]).toEqual([422, true]);
  }
  expect((await change('mark')).url.search).toBe('?done=sent');
});

test('the mail to a new person has no text that the sender of the registration chose, except the username', async () => {
  const auth = serverOf('open');
  const browser = createBrowser(auth);
  const person = { ...newcomer(), first_name: 'Claim', last_name: 'your prize' };
  await send(browser, await browser.open('/register'), person, 'at evil dot example');
  await auth.deliverMail();
  const mails = await mailTo(auth.mailDirectory, person.email);
  expect(mails.map(({ subject }) => subject)).toContain(en.mail.verifyEmail.subject('Linnet'));
  for (const { raw, text, subject } of mails) expect(raw + text + subject).not.toMatch(/Claim|prize|evil/);
});

/** Somebody who waits for a decision. */
async function ask(reason = 'I like birds') {
  const person = newcomer();
  const browser = createBrowser(approving);
  await send(browser, await browser.open('/register'), person, reason);
  const { id } = await approving.db.prisma.registrationRequest.findUniqueOrThrow({ where: { emailCi: person.email } });
  return { ...person, id };
}

async function decide(
  action: 'approved' | 'refused',
  ids: readonly bigint[],
  reason = 'Ticket 4711',
  shown?: Page,
): Promise<Page> {
  const page = shown ?? (await olga.browser.open('/admin/registrations'));
  const values = { request: ids.map(String), reason_registrations: reason, action };
  return await olga.browser.submit(page, page.formOf('decide'), values);
}

describe('a person who waits', () => {
  test('cannot sign in, is seen by nobody, and keeps the username and the address', async () => {
    const person = await ask();
    const browser = createBrowser(approving);
    const login = await signIn(browser, person);
    expect([login.status, login.url.pathname]).toEqual([422, '/login']);
    const again = await send(browser, await browser.open('/register'), person);
    expect([again.status, again.text.includes('already exists'), again.text.includes('is taken')]).toEqual([
      422,
      true,
      true,
    ]);
    const other = await registerPerson(approving.db, `other_${person.username}`);
    await signIn(browser, other);
    const page = await browser.open('/account/username');
    const renamed = await browser.submit(page, page.formWith('username'), { username: person.username });
    expect(renamed.status).toBe(422);
  });

  test('has a reason that is neither too long nor unprintable', async () => {
    const browser = createBrowser(approving);
    for (const reason of ['x'.repeat(501), 'a\u0007b']) {
      const page = await send(browser, await browser.open('/register'), newcomer(), reason);
      expect([page.status, page.text.includes(en.signIn.register.errors.reason)]).toEqual([422, true]);
    }
  });
});

describe('/admin/registrations', () => {
  test('lists who waits, with the reason and the application', async () => {
    const person = await ask('Because of <b>birds</b>');
    const page = await olga.browser.open('/admin/registrations');
    for (const text of [person.username, person.email, 'Because of <b>birds</b>', queue.page]) {
      expect(page.text).toContain(text);
    }
    expect((await olga.browser.open('/admin')).html).toContain('href="/admin/registrations"');
    for (const after of ['x', '1-x', '9999999999999999-1', '1-1']) {
      expect((await olga.browser.open(`/admin/registrations?after=${after}`)).status).toBe(200);
    }
  });

  test('approves several at once: they get mail, and can confirm the address and sign in', async () => {
    const asking = [await ask(), await ask()];
    const ids = asking.map(({ id }) => id);
    const page = await decide('approved', ids);
    expect([page.status, page.url.search, page.text.includes(queue.done.approved)]).toEqual([
      200,
      '?done=approved',
      true,
    ]);
    await approving.deliverMail();
    for (const person of asking) {
      const account = await approving.db.prisma.account.findUniqueOrThrow({ where: { emailCi: person.email } });
      expect([account.id, account.username, account.emailVerifiedAt]).toEqual([person.id, person.username, null]);
      const events = await approving.db.prisma.auditEvent.findMany({
        where: {
          accountId: person.id,
          event: { in: ['registration.requested', 'registration.approved', 'account.registered'] },
        },
        orderBy: { id: 'asc' },
      });
      const detail = { operator: String(olga.id), reason: 'Ticket 4711' };
      expect(events).toMatchObject([
        { event: 'registration.requested', actor: 'person', detail: {} },
        { event: 'account.registered', actor: 'operator', detail },
        { event: 'registration.approved', actor: 'operator', detail },
      ]);
      const [mail, ...others] = await mailTo(approving.mailDirectory, person.email);
      if (mail === undefined) throw new Error('no mail');
      expect([mail.subject, others]).toEqual([en.mail.registrationApproved.subject('Linnet'), []]);
      expect(mail.text).toContain(`@${person.username}`);
      expect(mail.text).not.toContain('Byron');
      const browser = createBrowser(approving);
      expect((await signIn(browser, person)).url.pathname).toBe('/');
      const confirm = await browser.open(linkIn(mail));
      expect(confirm.status).toBe(200);
    }
    await ask();
    expect((await decide('refused', ids)).status).toBe(409);
  });

  test('refuses: nothing is left but the audit event, and the person gets mail without the reason', async () => {
    const person = await ask();
    await decide('refused', [person.id], 'Spam');
    await approving.deliverMail();
    const where = { where: { emailCi: person.email } };
    expect(await approving.db.prisma.registrationRequest.count(where)).toBe(0);
    expect(await approving.db.prisma.account.count(where)).toBe(0);
    const event = await approving.db.prisma.auditEvent.findFirst({
      where: { accountId: person.id },
      orderBy: { id: 'desc' },
    });
    expect(event).toMatchObject({ event: 'registration.refused', detail: { reason: 'Spam' } });
    const [mail] = await mailTo(approving.mailDirectory, person.email);
    expect(mail?.subject).toBe(en.mail.registrationRefused.subject('Linnet'));
    expect(mail?.text).toContain(`@${person.username}`);
    expect(mail?.text).not.toMatch(/Spam|Byron/);
    const browser = createBrowser(approving);
    const again = await send(browser, await browser.open('/register'), person);
    expect(again.text).toContain(notices.pending.title);
  });

  test('an address that belongs to an account now cannot be approved, but refused', async () => {
    const [person, other] = [await ask(), await ask()];
    const { id } = await registerPerson(approving.db, `owner_of_${person.username}`);
    await approving.db.prisma.account.update({ where: { id }, data: { email: person.email, emailCi: person.email } });
    const page = await decide('approved', [person.id, other.id]);
    expect([page.url.search, page.text.includes(queue.done.taken)]).toEqual(['?done=taken', true]);
    expect(await approving.db.prisma.account.count({ where: { id: { in: [person.id, other.id] } } })).toBe(1);
    expect((await decide('refused', [person.id])).url.search).toBe('?done=refused');
  });

  test.each([
    ['nobody', [], 'Ticket', queue.noneChosen],
    ['no reason', [1n], '', en.admin.reason.errors.missing],
  ] as const)('needs people and a reason: %s', async (_, ids, reason, text) => {
    await ask();
    const page = await decide('approved', ids, reason);
    expect([page.status, page.text.includes(text)]).toEqual([422, true]);
  });
});
