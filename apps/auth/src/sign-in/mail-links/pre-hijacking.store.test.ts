// Account pre-hijacking: someone registers a stranger's address and waits for its owner (docs/evidence/guarantees.md#remedies).
import { createMyApplications } from '@linnet/applications/my-applications';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import type { Connected } from '@linnet/test/auth/connected';
import { tokenOf } from '@linnet/test/auth/developer';
import { linkIn } from '@linnet/test/auth/mailbox';
import { startMailServer } from '@linnet/test/auth/mail-server';
import type { MailServer } from '@linnet/test/auth/mail-server';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { createSigningKey } from '@linnet/test/auth/signing-application';
import type { SigningKey } from '@linnet/test/auth/signing-application';

const cleanup = new AsyncDisposableStack();
let mailServer: MailServer;
let auth: RunningAuth;
/** The same service before mail was configured. */
let withoutMail: RunningAuth;
let bob: Person;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  mailServer = cleanup.use(await startMailServer());
  const smtpUrl = `smtp://127.0.0.1:${String(mailServer.port)}`;
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false, smtpUrl }));
  withoutMail = cleanup.use(await startAuth(database.url, { rateLimits: false, owner: 'owner_before_mail' }));
  bob = await registerPerson(auth.db, 'bob_uses_it');
});
afterAll(() => cleanup.disposeAsync());

async function linkTo(address: string, subject: string): Promise<string> {
  const find = () =>
    mailServer.arrived.findLast((mail) => mail.recipients.includes(address) && mail.subject.includes(subject));
  await vi.waitUntil(async () => {
    await auth.deliverMail();
    return find() !== undefined;
  }, 50_000);
  const mail = find();
  return mail === undefined ? '' : linkIn(mail);
}

async function changeAddress(browser: Browser, person: Person, email: string): Promise<void> {
  const page = await browser.open('/account/email');
  await browser.submit(page, page.formOf('change-email'), { email, current_password: person.password });
}

/** Everything that someone who registered a stranger's address can leave behind. */
interface Hijack {
  readonly person: Person;
  readonly browser: Browser;
  readonly connected: Connected;
  /** An application of the account that another person connected. */
  readonly used: Connected;
  readonly bot: { readonly clientId: string; readonly clientSecret: string };
  readonly signing: { readonly clientId: string; readonly key: SigningKey };
  readonly changeLink: string;
}

async function hijack(username: string): Promise<Hijack> {
  const person = await registerPerson(auth.db, username);
  const browser = createBrowser(withoutMail);
  await signIn(browser, person);
  const owner = person.username;
  const connected = await connect(withoutMail, browser);
  const user = createBrowser(withoutMail);
  await signIn(user, bob);
  const used = await connect(withoutMail, user, { owner, type: 'native' });
  const { clientId, clientSecret = '' } = await auth.register({ owner, actAsOwner: true });
  const key = await createSigningKey();
  const signing = await auth.register({ owner, jwks: { keys: [key.publicJwk] } });
  await auth.db.prisma.passkey.create({
    data: {
      accountId: person.id,
      credentialId: Buffer.from(username.padEnd(16)),
      publicKey: Buffer.alloc(77),
      name: 'Key',
    },
  });
  await auth.db.prisma.totp.create({ data: { accountId: person.id, secretJwe: '-', lastStep: 1 } });
  await changeAddress(browser, person, `thief_${username}@example.org`);
  const changeLink = await linkTo(`thief_${username}@example.org`, 'Confirm');
  return {
    person,
    browser,
    connected,
    used,
    bot: { clientId, clientSecret },
    signing: { clientId: signing.clientId, key },
    changeLink,
  };
}

async function confirmBy(link: string): Promise<Page> {
  const reader = createBrowser(auth);
  const page = await reader.open(link);
  expect(page.text).toContain('Confirming ends everything that was set up in this account before');
  return await reader.submit(page, page.formOf('verify-email'));
}

async function resetByMail({ person }: Hijack): Promise<Page> {
  const reader = createBrowser(auth);
  const asked = await reader.open('/password/forgot');
  await reader.submit(asked, asked.formOf('forgot-password'), { email: person.email });
  const page = await reader.open(await linkTo(person.email, 'Reset'));
  return await reader.submit(page, page.formOf('reset-password'), { new_password: 'chosen by the owner' });
}

const proofs: Readonly<Record<string, (hijacked: Hijack) => Promise<Page>>> = {
  'the first confirmation of the address': async ({ person }) =>
    await confirmBy(await linkTo(person.email, 'Confirm your')),
  'the first confirmation, of a new address': async ({ person, browser }) => {
    await changeAddress(browser, person, `next_${person.email}`);
    return await confirmBy(await linkTo(`next_${person.email}`, 'Confirm'));
  },
  'a password reset of an unconfirmed account': resetByMail,
};

async function countFactors({ person: { id: accountId } }: Hijack): Promise<readonly number[]> {
  const { passkey, totp } = auth.db.prisma;
  return await Promise.all([passkey.count({ where: { accountId } }), totp.count({ where: { accountId } })]);
}

async function requestSigned({ signing: { clientId, key } }: Hijack): Promise<number> {
  const form = { grant_type: 'client_credentials', client_id: clientId, ...(await key.assertion(auth, clientId)) };
  return (await auth.requestToken(form)).status;
}

async function isActive(token: string): Promise<boolean> {
  const { status } = await auth.send({ path: '/oauth/userinfo', headers: { authorization: `Bearer ${token}` } });
  // A token without `openid` is valid, but not sufficient.
  return status !== 401;
}

/** Each returns whether the access has ended. */
const accesses: Readonly<Record<string, (hijacked: Hijack) => Promise<boolean>>> = {
  'a session': async ({ browser }) => (await browser.open('/account')).url.pathname === '/login',
  'passkeys and the authenticator app': async (hijacked) => (await countFactors(hijacked)).join() === '0,0',
  'an access token of a connected app': async ({ connected }) => !(await isActive(connected.accessToken)),
  'a refresh token of a connected app': async ({ connected }) =>
    (await connected.refresh(connected.refreshToken)).json['error'] === 'invalid_grant',
  'a secret of an application': async ({ bot }) =>
    (await tokenOf(auth, bot.clientId, bot.clientSecret)).json['error'] === 'invalid_client',
  'a private key of an application': async (hijacked) => (await requestSigned(hijacked)) === 401,
  'tokens of other people who use an application': async ({ used }) =>
    !(await isActive(used.accessToken)) && (await used.refresh(used.refreshToken)).status >= 400,
  'a pending change of the address': async ({ changeLink }) =>
    (await createBrowser(auth).open(changeLink)).status >= 400,
};

let count = 0;

test('before the proof, all of it works', async () => {
  const hijacked = await hijack('pre_hijack_none');
  for (const [name, hasEnded] of Object.entries(accesses)) {
    expect([name, await hasEnded(hijacked)]).toEqual([name, false]);
  }
});

describe.each(Object.keys(proofs))('%s ends', (name) => {
  let hijacked: Hijack;
  let page: Page | undefined;
  beforeAll(async () => {
    count += 1;
    hijacked = await hijack(`pre_hijack_${String(count)}`);
    page = await proofs[name]?.(hijacked);
  });

  test.each(Object.keys(accesses))('%s', async (access) => {
    const hasEnded = async () => (await accesses[access]?.(hijacked)) === true;
    await vi.waitUntil(hasEnded, 50_000);
    expect(await hasEnded()).toBe(true);
  });

  test('all of it with a notice; an application that is resumed has no secrets, keys or access to the account', async () => {
    expect(page?.text).toContain('Everything set up in this account before was ended');
    const { id: ownerId } = hijacked.person;
    const applications = createMyApplications(auth.db, () => Promise.resolve());
    for (const { clientId } of [hijacked.bot, hijacked.signing]) {
      expect(await applications.resume({ ownerId, clientId })).toBe(true);
      expect(await auth.db.prisma.application.findUnique({ where: { clientId } })).toMatchObject({ jwks: null });
      expect(await auth.db.prisma.applicationSecret.count({ where: { clientId } })).toBe(0);
      expect(await auth.db.prisma.grant.count({ where: { clientId, revokedAt: null } })).toBe(0);
    }
  });
});

test('an account that was confirmed once keeps its sessions, factors and applications at later proofs', async () => {
  const hijacked = await hijack('pre_hijack_later');
  await auth.db.prisma.account.update({
    where: { id: hijacked.person.id },
    data: { emailVerifiedAt: new Date() },
  });
  const page = await resetByMail(hijacked);
  expect(page.text).not.toContain('Everything set up');
  expect(await countFactors(hijacked)).toEqual([1, 1]);
  expect(await requestSigned(hijacked)).toBe(200);
});

test('without a mail server, the first confirmation ends nothing', async () => {
  const hijacked = await hijack('pre_hijack_plain');
  const link = await linkTo(hijacked.person.email, 'Confirm your');
  const reader = createBrowser(withoutMail);
  const page = await reader.open(link);
  const done = await reader.submit(page, page.formOf('verify-email'));
  expect(done.text).toContain('E-mail address confirmed');
  expect(done.text).not.toContain('Everything set up');
  expect(await accesses['a session']?.(hijacked)).toBe(false);
  expect(await countFactors(hijacked)).toEqual([1, 1]);
  expect(await requestSigned(hijacked)).toBe(200);
});
