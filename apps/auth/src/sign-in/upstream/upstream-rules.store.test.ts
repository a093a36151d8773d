import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { addAuthenticator } from '@linnet/test/auth/authenticator';
import { callbackParameters, createCodeFlow } from '@linnet/test/auth/code-flow';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { startUpstreamIssuer } from '@linnet/test/auth/upstream-issuer';
import type { UpstreamAnswer, UpstreamIssuer } from '@linnet/test/auth/upstream-issuer';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { grantOperator } from '@linnet/accounts/operators/role-store';
import { decideRequests } from '@linnet/accounts/registrations/request-store';
import { resetFactors } from '@linnet/applications/grants/first-proof-store';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { totpCode } from '../factors/totp.ts';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let issuer: UpstreamIssuer;
let others: UpstreamIssuer[];
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  issuer = cleanup.use(await startUpstreamIssuer());
  others = [];
  for (let count = 0; count < 3; count += 1) others.push(cleanup.use(await startUpstreamIssuer()));
  const operators = { claim: 'groups', value: 'admins' };
  const signInProviders = [
    issuer.provider('office', { operators }),
    ...(['approval', 'invitation', 'none'] as const).flatMap(
      (signUp, index) => others[index]?.provider(signUp, { signUp }) ?? [],
    ),
  ];
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false, signInProviders }));
});
afterAll(() => cleanup.disposeAsync());

let people = 0;
function newPerson() {
  people += 1;
  const name = `ruled_${String(people)}`;
  return { sub: name, email: `${name}@example.org`, email_verified: true, given_name: 'Grace', family_name: 'Hopper' };
}

async function start(answer: UpstreamAnswer, browser = createBrowser(auth)) {
  return { browser, page: await issuer.signIn(browser, await browser.open('/login'), answer) };
}

async function register(claims: ReturnType<typeof newPerson> & Record<string, unknown>): Promise<Browser> {
  const { browser, page } = await start({ claims });
  await browser.submit(page, page.formWith('first_name'), {});
  expect(await whoIs(browser)).toBe('signed in');
  return browser;
}

const whoIs = async (browser: Browser) => {
  const { url } = await browser.open('/account');
  return url.pathname === '/account' ? 'signed in' : url.pathname;
};
const accountOf = async (email: string) =>
  await auth.db.prisma.account.findUniqueOrThrow({ where: { emailCi: email } });

describe('who gets an account', () => {
  const at = async (index: number, id: string, claims: object) => {
    const browser = createBrowser(auth);
    const page = await others[index]?.signIn(browser, await browser.open('/login'), { id, claims: { ...claims } });
    if (page === undefined) throw new Error('there is no such issuer');
    return { browser, page };
  };

  test('approval: an operator decides, and the account that comes is linked and has a proved address', async () => {
    const claims = newPerson();
    const { browser, page } = await at(0, 'approval', claims);
    const sent = await browser.submit(page, page.formWith('first_name'), { reason: 'I work here' });
    expect([sent.title, await whoIs(browser)]).toEqual([
      expect.stringContaining('Your registration was sent'),
      '/login',
    ]);
    expect((await at(0, 'approval', claims)).page.title).toContain('Your registration was sent');
    const { id } = await auth.db.prisma.registrationRequest.findUniqueOrThrow({ where: { emailCi: claims.email } });
    await auth.db.transaction(async (tx) => await decideRequests(tx, [Number(id)], { decision: 'approved' }));
    expect(await whoIs((await at(0, 'approval', claims)).browser)).toBe('signed in');
    expect((await accountOf(claims.email)).emailVerifiedAt).not.toBeNull();
  });

  test('approval: who was refused is not remembered', async () => {
    const claims = newPerson();
    const { browser, page } = await at(0, 'approval', claims);
    await browser.submit(page, page.formWith('first_name'), {});
    const { id } = await auth.db.prisma.registrationRequest.findUniqueOrThrow({ where: { emailCi: claims.email } });
    await auth.db.transaction(async (tx) => await decideRequests(tx, [Number(id)], { decision: 'refused' }));
    expect(await auth.db.prisma.upstreamIdentity.count({ where: { subject: claims.sub } })).toBe(0);
  });

  test('invitation: nobody without a code', async () => {
    const { browser, page } = await at(1, 'invitation', newPerson());
    const refused = await browser.submit(page, page.formWith('first_name'), { invitation: 'wrong' });
    expect([refused.status, await whoIs(browser)]).toEqual([422, '/login']);
    expect(refused.text).toContain('This invitation is unknown');
  });

  test('none: only people who have an account and link it', async () => {
    const { page } = await at(2, 'none', newPerson());
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('You have no account here yet')]);
  });
});

describe('the strength of the sign-in', () => {
  test('an authenticator app is asked for, unless the provider says that it asked for two factors', async () => {
    const claims = newPerson();
    const { secret } = await addAuthenticator(await register(claims));
    const { browser, page } = await start({ claims });
    expect([page.url.pathname, await whoIs(browser)]).toEqual(['/login/second-factor', '/login']);
    const code = totpCode(secret, Date.now());
    await browser.submit(page, page.formWith('code'), { code });
    expect(await whoIs(browser)).toBe('signed in');
    const strong = await start({ claims: { ...claims, amr: ['pwd', 'mfa'] } });
    expect(await whoIs(strong.browser)).toBe('signed in');
  });

  test('an application learns amr, acr and auth_time of the provider, and its request continues', async () => {
    const claims = newPerson();
    await register(claims);
    const redirectUri = 'https://app.example/callback';
    const application = await auth.register({ redirectUris: [redirectUri], scopes: ['users', 'openid'] });
    const browser = createBrowser(auth);
    const flow = createCodeFlow({ auth, browser, application, redirectUri });
    const authTime = Math.floor(Date.now() / 1000) - 3000;
    const strength = { amr: ['hwk', 'mfa', 'face'], acr: 'phr', auth_time: authTime };
    const login = await browser.open(flow.address({ scope: 'openid users' }));
    const consent = await issuer.signIn(browser, login, { claims: { ...claims, ...strength } });
    const done = await browser.submit(consent, consent.formWith('decision', 'allow'), { decision: 'allow', scope: [] });
    const { json } = await flow.exchange(callbackParameters(done)['code']);
    expect(decodeJwt(String(json['id_token']))).toMatchObject({ amr: ['hwk', 'mfa'], acr: 'phr', auth_time: authTime });
    const logout = await issuer.logoutToken({ sub: claims.sub });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ logout_token: logout }).toString();
    await auth.send({ method: 'POST', path: '/sign-in/with/office/logout', headers, body });
    expect(await whoIs(browser)).toBe('/login');
  });

  test.each([
    ['prompt=login', { prompt: 'login' }, { prompt: 'login', max_age: '0' }],
    ['max_age', { max_age: '60' }, { prompt: null, max_age: '60' }],
    ['max_age=0', { max_age: '0' }, { prompt: 'login', max_age: '0' }],
    ['neither', {}, { prompt: null, max_age: null }],
  ])('%s of an application reaches the provider, whose old sign-in is not enough', async (_, parameters, sent) => {
    const claims = newPerson();
    await register(claims);
    const redirectUri = 'https://app.example/callback';
    const application = await auth.register({ redirectUris: [redirectUri], scopes: ['users', 'openid'] });
    const browser = createBrowser(auth);
    const flow = createCodeFlow({ auth, browser, application, redirectUri });
    const login = await browser.open(flow.address({ scope: 'openid users', ...parameters }));
    const { url } = await browser.submit(login, login.formWith('provider'), { provider: 'office' });
    const names = ['prompt', 'max_age'] as const;
    expect(Object.fromEntries(names.map((name) => [name, url.searchParams.get(name)]))).toEqual(sent);
    const now = Math.floor(Date.now() / 1000);
    const old = await issuer.comeBack(browser, url, { claims: { ...claims, auth_time: now - 3000 } });
    expect([old.status, old.text.includes('The sign-in failed')]).toEqual(
      sent.max_age === null ? [200, false] : [400, true],
    );
    if (sent.max_age === null) return;
    const silent = await issuer.comeBack(browser, url, { claims });
    expect([silent.status, await whoIs(browser)]).toEqual([400, '/login']);
    const consent = await issuer.comeBack(browser, url, { claims: { ...claims, auth_time: now - 5 } });
    const done = await browser.submit(consent, consent.formWith('decision', 'allow'), { decision: 'allow', scope: [] });
    const { json } = await flow.exchange(callbackParameters(done)['code']);
    expect(decodeJwt(String(json['id_token']))).toMatchObject({ auth_time: now - 5 });
  });

  test.each([
    ['an address', 'ada@example.org', 'ada@example.org'],
    ['a name, which the provider does not know', 'ada_lovelace', null],
    ['nothing', undefined, null],
  ])('login_hint: %s', async (_, login_hint, sent) => {
    const redirectUri = 'https://app.example/callback';
    const application = await auth.register({ redirectUris: [redirectUri], scopes: ['users'] });
    const browser = createBrowser(auth);
    const flow = createCodeFlow({ auth, browser, application, redirectUri });
    const hint = login_hint === undefined ? {} : { login_hint };
    const login = await browser.open(flow.address({ scope: 'users', ...hint }));
    const { url } = await browser.submit(login, login.formWith('provider'), { provider: 'office' });
    expect(url.searchParams.get('login_hint')).toBe(sent);
  });

  test('a person without a password confirms who they are with the provider, which has to ask again', async () => {
    const claims = { ...newPerson(), auth_time: Math.floor(Date.now() / 1000) };
    const browser = await register({ ...claims, auth_time: claims.auth_time - 3000 });
    const page = await browser.open('/account/security/authenticator');
    expect(page.html).not.toContain('type="password"');
    expect(page.text).toContain('Your account has no password.');
    const left = await browser.submit(page, page.formWith('provider'), { provider: 'office' });
    expect([left.url.searchParams.get('prompt'), left.url.searchParams.get('max_age')]).toEqual(['login', '0']);
    const stale = await issuer.comeBack(browser, left.url, {
      claims: { ...claims, auth_time: claims.auth_time - 3000 },
    });
    const silent = await issuer.comeBack(browser, left.url, { claims: { ...claims, auth_time: undefined } });
    expect([stale.status, silent.status]).toEqual([400, 400]);
    const confirmed = await issuer.comeBack(browser, left.url, { claims });
    expect([confirmed.url.pathname, confirmed.status]).toEqual(['/account/security/authenticator', 200]);
  });
});

describe('the rule about operators', () => {
  const isOperator = async (email: string) => (await accountOf(email)).operatorSince !== null;

  test('gives the role to an account with a factor, ends what it gave, and never the last', async () => {
    const claims = newPerson();
    const admin = { ...claims, groups: ['staff', 'admins'] };
    const { secret } = await addAuthenticator(await register(admin));
    expect(await isOperator(claims.email)).toBe(false);
    const withFactor = { amr: ['mfa'] };
    await start({ claims: { ...admin, ...withFactor } });
    expect([secret.length > 0, await isOperator(claims.email)]).toEqual([true, true]);
    await start({ claims: { ...claims, ...withFactor } });
    expect(await isOperator(claims.email)).toBe(true);
    const other = await registerPerson(auth.db, `boss_${String((people += 1))}`);
    await auth.db.prisma.totp.create({ data: { accountId: other.id, secretJwe: '-', lastStep: 1 } });
    await grantOperator(auth.db, other.username);
    await start({ claims: { ...claims, ...withFactor } });
    expect([await isOperator(claims.email), await isOperator(other.email)]).toEqual([false, true]);
    const events = await auth.db.prisma.auditEvent.findMany({ where: { event: { startsWith: 'account.operator_' } } });
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['account.operator_granted', 'account.operator_revoked']),
    );
  });

  test('leaves a role that was given by hand', async () => {
    const claims = newPerson();
    await addAuthenticator(await register(claims));
    const { username } = await accountOf(claims.email);
    await grantOperator(auth.db, username);
    await start({ claims: { ...claims, amr: ['mfa'] } });
    expect(await isOperator(claims.email)).toBe(true);
  });
});

describe('an account that is deleted, suspended or reset', () => {
  test('deleted: the person may keep it; suspended: the page says so', async () => {
    const claims = newPerson();
    await register(claims);
    const { id } = await accountOf(claims.email);
    await auth.db.prisma.account.update({ where: { id }, data: { deletedAt: new Date() } });
    const { page } = await start({ claims });
    expect([page.url.pathname, page.title]).toEqual(['/login/restore', expect.stringContaining('Keep your account?')]);
    await auth.db.prisma.account.update({ where: { id }, data: { deletedAt: null, suspendedAt: new Date() } });
    expect((await start({ claims })).page.title).toContain('Your account is suspended');
    await auth.db.prisma.account.update({ where: { id }, data: { deletedAt: new Date(), erasedAt: new Date() } });
    expect(await auth.db.prisma.upstreamIdentity.count({ where: { accountId: id } })).toBe(0);
  });

  test('reset-factors removes the link and ends the session', async () => {
    const claims = newPerson();
    const browser = await register(claims);
    await resetFactors(auth.db, (await accountOf(claims.email)).username);
    expect(await whoIs(browser)).toBe('/login');
    expect((await start({ claims })).page.url.pathname).toBe('/login/provider');
  });

  test('the person gets mail about a link, and the activity names it', async () => {
    const ada = await registerPerson(auth.db, `told_${String((people += 1))}`);
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    const page = await browser.open('/account/security');
    const left = await browser.submit(page, page.formOf('link-office'), { provider: 'office' });
    await issuer.comeBack(browser, left.url, { claims: newPerson() });
    expect((await browser.open('/account/activity')).text).toContain('Another service linked');
    const mail = await auth.db.prisma.mail.findMany({ where: { accountId: ada.id, kind: 'factor_changed' } });
    expect(mail.map(({ detail }) => detail)).toEqual([{ change: 'identity_added', names: ['Example office'] }]);
  });
});
