import { resetFactors } from '@linnet/applications/grants/first-proof-store';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { Secret } from '@linnet/service/config/secret';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { addAuthenticator, earlierCode } from '@linnet/test/auth/authenticator';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { dumpDatabase } from '@linnet/test/auth/dump';
import { mailTo } from '@linnet/test/auth/mailbox';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { baseUrl, secretKeys, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';
import { createFactors } from './factors.ts';

import { stepSeconds, totpCode } from './totp.ts';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let ada: Person;
let browser: Browser;
let people = 0;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  people += 1;
  ada = await registerPerson(auth.db, `person_${String(people)}`);
  browser = createBrowser(auth);
  await signIn(browser, ada);
});

interface Enrolled {
  readonly secret: string;
  readonly codes: readonly string[];
  readonly page: Page;
}

const later = (secret: string) => totpCode(secret, Date.now() + stepSeconds * 1000);

async function enrol(): Promise<Enrolled> {
  const { secret, page } = await addAuthenticator(browser);
  return { secret, codes: codesOn(page), page };
}

function codesOn({ html }: Page): readonly string[] {
  return [...html.matchAll(/<li><code>([^<]+)<\/code><\/li>/g)].map(([, code = '']) => code);
}

/** A new browser after the password, on the page that asks for the code. */
async function atCode(): Promise<readonly [Browser, Page]> {
  const other = createBrowser(auth);
  return [other, await signIn(other, ada)];
}

const sendCode = (other: Browser, page: Page, code: string) => other.submit(page, page.formWith('code'), { code });

function statusesOf(pages: readonly Page[]): readonly number[] {
  return pages.map(({ status }) => status).toSorted((one, other) => one - other);
}

async function isIn(other: Browser): Promise<boolean> {
  return (await other.open('/account')).url.pathname === '/account';
}

async function eventsOf(accountId: number): Promise<readonly string[]> {
  const rows = await auth.db.prisma.auditEvent.findMany({ where: { accountId }, orderBy: { id: 'asc' } });
  return rows.map(({ event }) => event);
}

async function newestSession() {
  const where = { accountId: ada.id };
  return (await auth.db.prisma.session.findFirst({ where, orderBy: { createdAt: 'desc' } }))?.payload;
}

/** Moves the sign-in into the past. */
async function letTimePass(): Promise<void> {
  await auth.db.prisma.$executeRaw`
    UPDATE session SET payload = payload || jsonb_build_object('loginTs', (payload->>'loginTs')::int - 601)
     WHERE account_id = ${ada.id} AND revoked_at IS NULL`;
}

describe('an authenticator app', () => {
  test('is added with a code that it shows; a wrong code keeps the key', async () => {
    const shown = await browser.open('/account/security/authenticator');
    const rejected = await browser.submit(shown, shown.formOf('confirm-authenticator'), { code: '000000' });
    expect(rejected.status).toBe(422);
    const setupKeyOf = ({ html }: Page) => /setup-key">([^<]+)</.exec(html)?.[1];
    expect(setupKeyOf(rejected)).toBe(setupKeyOf(shown));
    const secret = setupKeyOf(rejected)?.replaceAll(' ', '') ?? '';
    const form = rejected.formOf('confirm-authenticator');
    const added = await browser.submit(rejected, form, { code: totpCode(secret, Date.now()) });
    expect(codesOn(added)).toHaveLength(10);
    expect(new Set(codesOn(added)).size).toBe(10);
    // Submitting the same form again shows no other codes.
    const again = await browser.submit(rejected, form, { code: totpCode(secret, Date.now()) });
    expect(codesOn(again)).toEqual([]);
    expect((await browser.open('/account/security')).text).toContain('You have 10 recovery codes left.');
    expect(await eventsOf(ada.id)).toEqual(expect.arrayContaining(['factor.added', 'factor.recovery_codes_made']));
  });

  test('is required after the password, and nobody is signed in before', async () => {
    const { secret } = await enrol();
    const [other, page] = await atCode();
    expect(page.url.pathname).toBe('/login/second-factor');
    expect(await isIn(other)).toBe(false);
    const rejected = await sendCode(other, page, '123456');
    expect([rejected.status, rejected.html.includes('aria-invalid="true"')]).toEqual([422, true]);
    expect(await isIn(other)).toBe(false);
    await sendCode(other, page, totpCode(secret, Date.now()));
    expect(await isIn(other)).toBe(true);
    expect(await newestSession()).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] });
  });

  test('RFC 6238 §5.2: accepts a code once, from anyone, and no earlier one', async () => {
    const { secret } = await enrol();
    const code = totpCode(secret, Date.now());
    const places = await Promise.all(Array.from({ length: 5 }, atCode));
    await auth.db.prisma.rateLimit.deleteMany();
    const pages = await Promise.all(places.map(([other, page]) => sendCode(other, page, code)));
    expect(statusesOf(pages)).toEqual([200, 422, 422, 422, 422]);
    await auth.db.prisma.rateLimit.deleteMany();
    const [other, page] = await atCode();
    expect((await sendCode(other, page, earlierCode(secret))).status).toBe(422);
    await sendCode(other, page, later(secret));
    expect(await isIn(other)).toBe(true);
  });

  test('UI11: counts guesses together, wherever they come from', async () => {
    const { secret } = await enrol();
    const places = await Promise.all(Array.from({ length: 7 }, atCode));
    const pages = await Promise.all(places.map(([other, page]) => sendCode(other, page, '000001')));
    expect(statusesOf(pages)).toEqual([422, 422, 422, 422, 422, 429, 429]);
    const [other, page] = places[0] ?? (await atCode());
    const throttled = await sendCode(other, page, totpCode(secret, Date.now()));
    expect([throttled.status, Number(throttled.headers['retry-after']) > 0]).toEqual([429, true]);
  });

  test('is required during an authorization too', async () => {
    const { secret } = await enrol();
    const app = await registerThirdParty(auth);
    const other = createBrowser(auth);
    const login = await app.send(other);
    const page = await signIn(other, ada, login);
    expect(page.url.pathname).toMatch(/^\/interaction\/[^/]+\/second-factor$/);
    expect((await other.open(page.url.pathname.replace('/second-factor', ''))).formWith('login')).toBeDefined();
    const consent = await sendCode(other, page, totpCode(secret, Date.now()));
    expect(consent.text).toContain('wants to access your account');
  });

  test('a password changed in between invalidates the step', async () => {
    const { secret } = await enrol();
    const [other, page] = await atCode();
    await auth.db.prisma.account.update({ where: { id: ada.id }, data: { epoch: { increment: 1 } } });
    expect((await sendCode(other, page, totpCode(secret, Date.now()))).url.pathname).toBe('/login');
  });

  test('is required when a registration is repeated with the correct password', async () => {
    await enrol();
    const other = createBrowser(auth);
    const page = await other.open('/register');
    const { username, email, password } = ada;
    const values = { first_name: 'Ada', last_name: 'Byron', username, email, password };
    expect((await other.submit(page, page.formWith('first_name'), values)).url.pathname).toBe('/login/second-factor');
    expect(await isIn(other)).toBe(false);
  });

  test('can be removed together with its recovery codes', async () => {
    await enrol();
    const page = await browser.open('/account/security');
    await browser.submit(page, page.formOf('remove-authenticator'));
    expect(await auth.db.prisma.recoveryCode.count({ where: { accountId: ada.id } })).toBe(0);
    const [other] = await atCode();
    expect(await isIn(other)).toBe(true);
    expect(await eventsOf(ada.id)).toContain('factor.removed');
  });
});

test('a password change keeps the second factor in amr of the session', async () => {
  const { secret } = await enrol();
  const [other, page] = await atCode();
  await sendCode(other, page, totpCode(secret, Date.now()));
  const form = await other.open('/account/password');
  const changed = await other.submit(form, form.formOf('change-password'), {
    current_password: ada.password,
    new_password: 'correct horse battery',
  });
  expect(changed.status).toBe(200);
  expect(await newestSession()).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] });
});

test('the ID token says how and when the person signed in, also after a refresh', async () => {
  const app = await registerThirdParty(auth, { scopes: ['openid', 'posts'] });
  const parameters = { scope: 'openid posts', acr_values: 'phr 1' };
  const claimsOf = ({ json }: Answer) => decodeJwt(String(json['id_token']));
  const began = Math.floor(Date.now() / 1000) - 1;
  const consent = await app.send(browser, parameters);
  const byPassword = claimsOf(
    await app.exchange(await browser.submit(consent, consent.formWith('decision', 'allow'), { decision: 'allow' })),
  );
  expect(byPassword).toMatchObject({
    amr: ['pwd'],
    acr: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
  });
  const { secret } = await enrol();
  const other = createBrowser(auth);
  const page = await signIn(other, ada, await app.send(other, parameters));
  const callback = await sendCode(other, page, totpCode(secret, Date.now()));
  const answer = await app.exchange(callback);
  const first = claimsOf(answer);
  expect(first).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], acr: 'https://refeds.org/profile/mfa' });
  expect(first['auth_time']).toBeGreaterThanOrEqual(began);
  const refreshed = claimsOf(await app.refresh(String(answer.json['refresh_token'])));
  for (const name of ['amr', 'acr', 'auth_time']) expect(refreshed[name]).toEqual(first[name]);
});

describe('recovery codes', () => {
  test('sign in instead of a code, and the page says how many are left', async () => {
    const { codes } = await enrol();
    const [other, page] = await atCode();
    const send = async (code: string) => await other.submit(page, page.formWith('code'), { recovery_code: code });
    expect((await send('abcd-abcd-abcd-abcd')).text).toContain('This recovery code is incorrect');
    const told = await send(` ${codes[3]?.toUpperCase().replaceAll('-', ' ') ?? ''}`);
    expect(told.text).toContain('You have 9 recovery codes left.');
    expect((await other.open(told.link('Continue'))).status).toBe(200);
    expect(await isIn(other)).toBe(true);
    const [again, form] = await atCode();
    expect((await sendCode(again, form, codes[3] ?? '')).status).toBe(422);
  });

  test('20 parallel uses of one code sign in once', async () => {
    const { codes } = await enrol();
    const { secondFactor } = createFactors({ db: auth.db, baseUrl, serviceName: 'linnet', secretKeys: [keyOf(0)] });
    const uses = Array.from({ length: 20 }, () => secondFactor.acceptCode(ada.id, codes[0] ?? ''));
    const taken = (await Promise.all(uses)).filter((one) => one !== undefined);
    expect(taken).toEqual([{ isRecoveryCode: true, codesLeft: 9 }]);
    expect((await eventsOf(ada.id)).filter((event) => event === 'factor.used')).toHaveLength(1);
  });

  test('new codes replace the old ones', async () => {
    const { codes } = await enrol();
    const page = await browser.open('/account/security');
    const renewed = codesOn(await browser.submit(page, page.formOf('renew-recovery-codes')));
    expect(renewed).toHaveLength(10);
    const [other, form] = await atCode();
    expect((await sendCode(other, form, codes[0] ?? '')).status).toBe(422);
    await sendCode(other, form, renewed[0] ?? '');
    expect(await isIn(other)).toBe(true);
  });

  test('neither codes nor key appear in the database, the log or later pages', async () => {
    const { secret, codes } = await enrol();
    const { html } = await browser.open('/account/security');
    for (const text of [await dumpDatabase(auth.db), auth.log.join(''), html]) {
      for (const canary of [secret, ...codes]) expect(text).not.toContain(canary);
    }
  });
});

function keyOf(index: number): Secret {
  return secretKeys[index] ?? new Secret('never used; 32 letters or more than that');
}

test('SECRET_KEYS: secrets are re-encrypted with the new key; without the old key only recovery codes work', async () => {
  const { secret, codes } = await enrol();
  const fresh = new Secret('another key of the tests. 32 letters or more');
  const with_ = (...keys: [Secret, ...Secret[]]) =>
    createFactors({ db: auth.db, baseUrl, serviceName: 'linnet', secretKeys: keys }).secondFactor;
  expect(await with_(fresh).acceptCode(ada.id, totpCode(secret, Date.now()))).toBeUndefined();
  expect(await with_(fresh).acceptCode(ada.id, codes[0] ?? '')).toMatchObject({ codesLeft: 9 });
  await with_(fresh, keyOf(0)).reseal();
  expect(await with_(keyOf(0)).acceptCode(ada.id, totpCode(secret, Date.now()))).toBeUndefined();
  expect(await with_(fresh).acceptCode(ada.id, totpCode(secret, Date.now()))).toMatchObject({ isRecoveryCode: false });
});

test('operators can remove every factor of an account, and erasing the account does too', async () => {
  await enrol();
  const passkey = { accountId: ada.id, publicKey: Buffer.alloc(77), name: 'Key' };
  await auth.db.prisma.passkey.create({ data: { ...passkey, credentialId: Buffer.from(ada.username) } });
  const left = async () => [
    await auth.db.prisma.passkey.count({ where: { accountId: ada.id } }),
    await auth.db.prisma.totp.count({ where: { accountId: ada.id } }),
  ];
  expect(await resetFactors(auth.db, 'nobody_of_that_name')).toBe(false);
  expect(await left()).toEqual([1, 1]);
  expect(await resetFactors(auth.db, ada.username.toUpperCase())).toBe(true);
  expect(await left()).toEqual([0, 0]);
  expect((await eventsOf(ada.id)).filter((event) => event === 'factor.removed')).toHaveLength(2);
  // Every session has ended.
  await signIn(browser, ada);
  await enrol();
  await auth.db.prisma.account.update({
    where: { id: ada.id },
    data: { deletedAt: new Date('2026-01-01'), erasedAt: new Date('2026-02-01') },
  });
  expect(await left()).toEqual([0, 0]);
});

describe('mail to the owner', () => {
  const addPasskey = async (name: string) => {
    const credentialId = Buffer.from(`${ada.username} ${name}`);
    await auth.db.prisma.passkey.create({
      data: { accountId: ada.id, publicKey: Buffer.alloc(77), name, credentialId },
    });
  };

  /** The messages since the last call. */
  let told = 0;
  beforeEach(() => (told = 0));
  async function news() {
    // Times are rounded up, so a message written just now may not be due yet.
    do await auth.deliverMail();
    while ((await auth.db.prisma.mail.count({ where: { accountId: ada.id } })) > 0);
    const all = (await mailTo(auth.mailDirectory, ada.email)).filter(
      ({ subject }) => !/^(?:Confirm|New sign-in)/.test(subject),
    );
    const since = all.slice(told);
    told = all.length;
    return since;
  }
  const subjects = async () => (await news()).map(({ subject }) => subject);

  test('reports each factor that is added or removed, and new recovery codes, once', async () => {
    await enrol();
    expect(await subjects()).toEqual(['An authenticator app was added to your Linnet account']);
    const page = await browser.open('/account/security');
    await browser.submit(page, page.formOf('renew-recovery-codes'));
    expect(await subjects()).toEqual(['New recovery codes for your Linnet account']);
    await addPasskey('<b>Key</b> of\u202E Ada');
    const [added, ...others] = await news();
    expect([added?.subject, others]).toEqual(['A passkey was added to your Linnet account', []]);
    expect(added?.text).toContain(`was added to your account @${ada.username} on Linnet`);
    expect(added?.raw).not.toMatch(/\u202E|=E2=80=AE/);
    expect(added?.raw.split('text/html')[1]).not.toContain('<b>');
    expect(added?.text).toMatch(/\/account\/security\s/);
    const shown = await browser.open('/account/security');
    await browser.submit(shown, shown.formOf('remove-passkey'));
    expect(await subjects()).toEqual(['A passkey was removed from your Linnet account']);
    await browser.submit(shown, shown.formOf('remove-passkey'));
    await browser.submit(shown, shown.formOf('remove-authenticator'));
    expect(await subjects()).toEqual(['The authenticator app was removed from your Linnet account']);
  });

  test('reports what an operator removes, in the language of the account; not the use of a factor, nor its removal with the account', async () => {
    await auth.db.prisma.account.update({ where: { id: ada.id }, data: { language: 'de' } });
    const { codes } = await enrol();
    for (const name of ['Telefon', 'Rechner']) await addPasskey(name);
    await news();
    const [other, page] = await atCode();
    await sendCode(other, page, codes[0] ?? '');
    await auth.db.prisma.passkey.updateMany({ where: { accountId: ada.id }, data: { lastUsedAt: new Date() } });
    expect(await subjects()).toEqual([]);
    await resetFactors(auth.db, ada.username);
    const removed = await news();
    expect(removed.map(({ subject }) => subject).toSorted()).toEqual([
      'Die Authenticator-App wurde aus deinem Konto bei Linnet entfernt',
      'Ein Passkey wurde aus deinem Konto bei Linnet entfernt',
    ]);
    expect(removed.map(({ text }) => text).join('')).toContain('Passkey „Telefon“, „Rechner“.');
    await addPasskey('Uhr');
    await news();
    await auth.db.prisma.account.update({
      where: { id: ada.id },
      data: { deletedAt: new Date('2026-01-01'), erasedAt: new Date('2026-02-01') },
    });
    expect(await auth.db.prisma.mail.count({ where: { accountId: ada.id } })).toBe(0);
  });
});

describe('UI13: sensitive actions need a sign-in within the last ten minutes', () => {
  const answer = (page: Page, values: Record<string, string>) =>
    browser.submit(page, page.formOf('confirm-identity'), values);

  test.each(['/account/security/authenticator', '/account/security/new-passkey'])('%s is not shown', async (path) => {
    await letTimePass();
    const confirmPage = await browser.open(path);
    expect(confirmPage.url.pathname).toBe('/reauthenticate');
    const rejected = await answer(confirmPage, { password: 'wrong' });
    expect([rejected.status, rejected.html.includes('aria-invalid="true"')]).toEqual([422, true]);
    expect((await browser.open(path)).url.pathname).toBe('/reauthenticate');
    expect((await answer(rejected, { password: ada.password })).url.pathname).toBe(path);
  });

  test.each([
    ['/account/security', { action: 'remove-authenticator' }],
    ['/account/security', { action: 'renew-recovery-codes' }],
    ['/account/security', { action: 'remove-passkey', passkey_id: '1' }],
    ['/account/security/authenticator', { code: '123456' }],
    ['/account/security/new-passkey', { name: 'x', passkey: '{}' }],
    ['/account/activity/not-me', {}],
    ['/account/password', { current_password: 'x', new_password: 'correct horse battery' }],
  ])('%s does nothing with %j', async (path, values) => {
    await enrol();
    const page = await browser.open('/logout');
    const [csrf = ['csrf', '']] = page.formOf('sign-out').fields;
    await letTimePass();
    const before = await dumpOf(ada.id);
    const form = { method: 'POST', action: path, fields: [csrf], buttons: [], testIds: [], html: '' } as const;
    const confirmPage = await browser.submit(page, form, values);
    expect([confirmPage.status, confirmPage.title]).toEqual([403, 'Confirm your identity · Linnet']);
    expect(await dumpOf(ada.id)).toBe(before);
  });

  test('after password and code, the form continues as typed, under a new session id', async () => {
    const { secret } = await enrol();
    const shown = await browser.open('/account/password');
    await letTimePass();
    const next = 'correct horse battery';
    const typed = { current_password: ada.password, new_password: next };
    const confirmPage = await browser.submit(shown, shown.formOf('change-password'), typed);
    expect(confirmPage.html).not.toContain(next);
    const code = totpCode(secret, Date.now());
    for (const name of ['code', 'recovery_code']) {
      expect((await answer(confirmPage, { password: ada.password, [name]: '000001' })).status).toBe(422);
    }
    const before = browser.cookies.value('__Host-linnet_session');
    const done = await answer(confirmPage, { password: ada.password, code });
    expect([done.status, done.text.includes('Password changed.')]).toEqual([200, true]);
    expect(browser.cookies.value('__Host-linnet_session')).not.toBe(before);
    expect(await eventsOf(ada.id)).toEqual(
      expect.arrayContaining(['session.confirmation_refused', 'session.confirmed', 'account.password_changed']),
    );
  });

  test('a form that asks for the password needs nothing else without an authenticator app', async () => {
    await letTimePass();
    const shown = await browser.open('/account/password');
    const typed = { current_password: ada.password, new_password: 'correct horse battery' };
    expect((await browser.submit(shown, shown.formOf('change-password'), typed)).text).toContain('Password changed');
  });

  test('UI1: the session gets a new id, and the old id stops working', async () => {
    await letTimePass();
    const thief = createBrowser(auth, { cookies: browser.cookies.copy() });
    const uids = async () =>
      (await auth.db.prisma.session.findMany({ where: { accountId: ada.id } })).map(({ uid }) => uid);
    const before = await uids();
    await answer(await browser.open('/account/security/authenticator'), { password: ada.password });
    expect(await isIn(browser)).toBe(true);
    expect(await isIn(thief)).toBe(false);
    expect(await uids()).toEqual(before);
  });

  test('a form that was kept for another page or person is not carried out', async () => {
    await enrol();
    const shown = await browser.open('/account/security');
    await letTimePass();
    const confirmPage = await browser.submit(shown, shown.formOf('renew-recovery-codes'));
    const stranger = createBrowser(auth);
    const other = await registerPerson(auth.db, `stranger_${String(people)}`);
    await signIn(stranger, other);
    const [csrf] = (await stranger.open('/account/sessions')).forms[0]?.fields ?? [];
    const form = { ...confirmPage.formOf('confirm-identity'), action: '/account/security' };
    const tried = await stranger.submit(confirmPage, form, { password: other.password, csrf: csrf?.[1] ?? '' });
    expect([tried.url.pathname, codesOn(tried)]).toEqual(['/account/security', []]);
    const elsewhere = { ...form, action: '/account/security/authenticator' };
    expect(codesOn(await browser.submit(confirmPage, elsewhere, { password: ada.password }))).toEqual([]);
    const forged = await browser.submit(confirmPage, form, { password: ada.password, held: 'x'.repeat(50) });
    expect(codesOn(forged)).toEqual([]);
  });
});

/** The factors of a person, as text. */
async function dumpOf(accountId: number): Promise<string> {
  const where = { accountId };
  const { account, totp, recoveryCode, passkey } = auth.db.prisma;
  const rows = await Promise.all([
    account.findMany({ where: { id: accountId } }),
    totp.findMany({ where }),
    recoveryCode.findMany({ where, orderBy: { sha256: 'asc' } }),
    passkey.findMany({ where }),
  ]);
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

describe('passkeys: malformed responses sign nobody in', () => {
  test.each(['', '{}', 'null', '[]', '{"id":"AAAA"}', '\u{1F511}', 'x'.repeat(5000)])('%j', async (passkey) => {
    const other = createBrowser(auth);
    const page = await other.open('/login');
    const rejected = await other.submit(page, page.formOf('passkey-sign-in'), { passkey });
    expect([rejected.status, rejected.text.includes('This passkey was not accepted.')]).toEqual([422, true]);
    expect(await isIn(other)).toBe(false);
  });

  test('add no passkey, and what was typed is kept', async () => {
    const page = await browser.open('/account/security/new-passkey');
    for (const passkey of ['', '{}', '{"id":"AAAA","rawId":"AAAA","type":"public-key"}']) {
      const rejected = await browser.submit(page, page.formOf('create-passkey'), { passkey, name: ' My  <b>key ' });
      expect(rejected.status).toBe(422);
      expect(rejected.formOf('create-passkey').fields).toContainEqual(['name', 'My <b>key']);
    }
    expect((await browser.submit(page, page.formOf('create-passkey'), { name: 'x'.repeat(61) })).status).toBe(422);
    expect(await auth.db.prisma.passkey.count({ where: { accountId: ada.id } })).toBe(0);
  });
});
