import { bindSession } from '@linnet/accounts/identity-store';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { startUpstreamIssuer } from '@linnet/test/auth/upstream-issuer';
import type { UpstreamAnswer, UpstreamIssuer } from '@linnet/test/auth/upstream-issuer';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let issuer: UpstreamIssuer;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  issuer = cleanup.use(await startUpstreamIssuer());
  const operators = { claim: 'groups', value: 'admins' };
  const down = issuer.provider('down', { issuer: 'http://127.0.0.1:1' });
  const signInProviders = [issuer.provider('office', { operators }), down];
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false, signInProviders }));
});
afterAll(() => cleanup.disposeAsync());

let people = 0;
/** Claims of a person whom nobody knows yet. */
function newPerson() {
  people += 1;
  const name = `person_${String(people)}`;
  return { sub: name, email: `${name}@example.org`, email_verified: true, given_name: 'Grace', family_name: 'Hopper' };
}

async function start(answer: UpstreamAnswer, browser = createBrowser(auth), at = '/login') {
  return { browser, page: await issuer.signIn(browser, await browser.open(at), answer) };
}

/** Registers the person, who is then signed in. */
async function register(claims: ReturnType<typeof newPerson> & Record<string, unknown>): Promise<Browser> {
  const { browser, page } = await start({ claims });
  const next = await browser.submit(page, page.formWith('first_name'), {});
  expect(next.status).toBe(200);
  return browser;
}

const whoIs = async (browser: Browser) => {
  const page = await browser.open('/account');
  return page.url.pathname === '/account' ? 'signed in' : page.url.pathname;
};
const accountOf = async (email: string) =>
  await auth.db.prisma.account.findUniqueOrThrow({ where: { emailCi: email } });

describe('signing in with a provider', () => {
  test('the first time, the person chooses names and gets an account with a proved address and without a password', async () => {
    const claims = newPerson();
    const { browser, page } = await start({ claims });
    expect(page.text).toContain(`You signed in with Example office as ${claims.email}`);
    expect(page.html).not.toContain('name="password"');
    await browser.submit(page, page.formWith('first_name'), { username: 'grace_hopper' });
    expect(await whoIs(browser)).toBe('signed in');
    const account = await accountOf(claims.email);
    expect([account.username, account.passwordHash, account.emailVerifiedAt !== null]).toEqual([
      'grace_hopper',
      '-',
      true,
    ]);
  });

  test('later, it leads to the account, and to where the person wanted to go', async () => {
    const claims = newPerson();
    await register(claims);
    const { browser, page } = await start({ claims }, createBrowser(auth), '/login?return_to=%2Faccount%2Fsessions');
    expect([page.url.pathname, await whoIs(browser)]).toEqual(['/account/sessions', 'signed in']);
  });

  test.each([
    ['the person denied', { error: 'access_denied' }, 403, 'You did not sign in'],
    ['the provider is busy', { error: 'temporarily_unavailable' }, 503, 'The other service does not respond'],
    ['the token endpoint is down', { status: 502 }, 503, 'The other service does not respond'],
    ['the token endpoint refuses', { status: 400 }, 400, 'The sign-in failed'],
    ['the nonce is another one', { claims: { ...newPerson(), nonce: 'another' } }, 400, 'The sign-in failed'],
    ['the token is for somebody else', { claims: { ...newPerson(), aud: 'another' } }, 400, 'The sign-in failed'],
    ['the issuer is another one', { claims: { ...newPerson(), iss: 'http://127.0.0.1:1' } }, 400, 'The sign-in failed'],
    ['the token has expired', { claims: { ...newPerson(), exp: 1000 } }, 400, 'The sign-in failed'],
    ['the state is another one', { query: { state: 'another' } }, 400, 'Start again'],
    ['the address is not verified', { claims: { ...newPerson(), email_verified: false } }, 403, 'not verified'],
    ['there is no address', { claims: { sub: 'nobody' } }, 403, 'not verified'],
    ['the subject is too long', { claims: { ...newPerson(), sub: 'x'.repeat(256) } }, 400, 'The sign-in failed'],
  ] as const)('%s: a page says what to do next', async (_, answer, status, text) => {
    const { browser, page } = await start(answer);
    expect(page.status).toBe(status);
    expect(page.text).toContain(text);
    expect((await browser.open(page.link('Back'), page)).url.pathname).toBe('/login');
    expect(await whoIs(browser)).toBe('/login');
  });

  test('a response in another browser, or twice, signs nobody in', async () => {
    const browser = createBrowser(auth);
    const page = await browser.open('/login');
    const left = await browser.submit(page, page.formWith('provider'), { provider: 'office' });
    const thief = createBrowser(auth);
    expect((await issuer.comeBack(thief, left.url, { claims: newPerson() })).status).toBe(400);
    expect((await issuer.comeBack(browser, left.url, { claims: newPerson() })).status).toBe(200);
    expect((await issuer.comeBack(browser, left.url, { claims: newPerson() })).status).toBe(400);
  });

  test('a provider that does not exist, or cannot be reached', async () => {
    const browser = createBrowser(auth);
    const page = await browser.open('/login');
    expect((await browser.submit(page, page.formWith('provider'), { provider: 'other' })).status).toBe(400);
    expect((await browser.submit(page, page.formWith('provider'), { provider: 'down' })).status).toBe(503);
    expect((await browser.open('/login/provider')).url.pathname).toBe('/login');
    expect((await browser.open('/sign-in/with/office/callback')).status).toBe(400);
  });
});

describe('an address that an account has', () => {
  test('is linked only after its password', async () => {
    const ada = await registerPerson(auth.db, `linked_${String((people += 1))}`);
    await auth.db.prisma.account.update({ where: { id: ada.id }, data: { emailVerifiedAt: new Date() } });
    const claims = { ...newPerson(), email: ada.email };
    const { browser, page } = await start({ claims });
    expect(page.title).toContain('Is this your account?');
    const wrong = await browser.submit(page, page.formWith('password'), { password: 'wrong' });
    expect([wrong.status, await whoIs(browser)]).toEqual([422, '/login']);
    await browser.submit(wrong, wrong.formWith('password'), { password: ada.password });
    expect(await whoIs(browser)).toBe('signed in');
    const again = await start({ claims });
    expect(await whoIs(again.browser)).toBe('signed in');
  });

  test('is not linked if it was never confirmed', async () => {
    const mallory = await registerPerson(auth.db, `unproven_${String((people += 1))}`);
    const { browser, page } = await start({ claims: { ...newPerson(), email: mallory.email } });
    expect(page.text).toContain('nobody has confirmed it');
    expect(page.html).not.toContain('name="password"');
    expect(await whoIs(browser)).toBe('/login');
  });
});

describe('back-channel logout', () => {
  const send = async (token: string) =>
    await auth.send({
      method: 'POST',
      path: '/sign-in/with/office/logout',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: token }).toString(),
    });

  test.each(['sid', 'sub'] as const)('by %s ends the sessions at once, and only those', async (by) => {
    const claims = { ...newPerson(), sid: `session-${String(people)}` };
    const browser = await register(claims);
    const other = await register(newPerson());
    expect((await send(await issuer.logoutToken({ [by]: claims[by] }))).status).toBe(200);
    expect([await whoIs(browser), await whoIs(other)]).toEqual(['/login', 'signed in']);
  });

  test('a token that is none, or is used twice, ends nothing', async () => {
    const claims = { ...newPerson(), sid: 'kept' };
    const browser = await register(claims);
    const now = Math.floor(Date.now() / 1000);
    const bad = [
      { sid: 'kept', nonce: 'a nonce' },
      { sid: 'kept', events: {} },
      { sid: 'kept', aud: 'another' },
      { sid: 'kept', iss: 'https://another.example' },
      { sid: 'kept', iat: now - 3600 },
      { sid: 'kept', jti: undefined },
      {},
    ];
    for (const one of bad) {
      const { status, json } = await send(await issuer.logoutToken(one));
      expect([status, json['error']]).toEqual([400, 'invalid_request']);
    }
    expect((await send('none')).status).toBe(400);
    expect((await send('')).status).toBe(400);
    expect(await whoIs(browser)).toBe('signed in');
    const token = await issuer.logoutToken({ sid: 'elsewhere' });
    expect([(await send(token)).status, (await send(token)).status]).toEqual([200, 400]);
  });
});

describe('the security page', () => {
  test('links and removes a provider, and keeps the only way in', async () => {
    const ada = await registerPerson(auth.db, `adding_${String((people += 1))}`);
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    const page = await browser.open('/account/security');
    const left = await browser.submit(page, page.formOf('link-office'), { provider: 'office' });
    const claims = newPerson();
    const linked = await issuer.comeBack(browser, left.url, { claims });
    expect(linked.text).toContain('Linked. You can now sign in with it.');
    const removed = await browser.submit(linked, linked.formOf('remove-identity'), {});
    expect(removed.text).toContain('Link removed.');
    expect((await start({ claims })).page.text).toContain('You signed in with Example office');

    const own = await register(newPerson());
    const security = await own.open('/account/security');
    const kept = await own.submit(security, security.formOf('remove-identity'), {});
    expect(kept.text).toContain('This is your only way to sign in');
  });
});

describe('unlinking', () => {
  test('ends the sessions that began with it, except the own one and those of other providers and people', async () => {
    const ada = await registerPerson(auth.db, `unlinking_${String((people += 1))}`);
    await auth.db.prisma.account.update({ where: { id: ada.id }, data: { emailVerifiedAt: new Date() } });
    const [byPassword, claims] = [createBrowser(auth), { ...newPerson(), email: ada.email }];
    await signIn(byPassword, ada);
    const { browser: own, page: question } = await start({ claims });
    await own.submit(question, question.formWith('password'), { password: ada.password });
    const { browser: other } = await start({ claims });
    const stranger = await register(newPerson());
    const page = await own.open('/account/security');
    const removed = await own.submit(page, page.formOf('remove-identity'), {});
    expect(removed.text).toContain('Other browsers that signed in with it are signed out.');
    const all = [own, byPassword, stranger, other];
    expect(await Promise.all(all.map(whoIs))).toEqual(['signed in', 'signed in', 'signed in', '/login']);
  });

  test('ends a session whose sign-in has not finished', async () => {
    const claims = newPerson();
    const browser = await register(claims);
    const { id: accountId } = await accountOf(claims.email);
    const { uid, issuer: at } = await auth.db.prisma.session.findFirstOrThrow({ where: { accountId } });
    await auth.db.prisma.upstreamIdentity.deleteMany({ where: { accountId } });
    expect(await whoIs(browser)).toBe('signed in');
    await bindSession(auth.db, uid, { issuer: at ?? '' });
    expect(await whoIs(browser)).toBe('/login');
  });
});

test.each(['export', 'delete'])('without a password, /account/%s says how to set one', async (path) => {
  const browser = await register(newPerson());
  const page = await browser.open(`/account/${path}`);
  const form = page.formWith('password');
  const given = { password: 'kestrel-lamp-42', ...(path === 'delete' ? { confirm: 'yes' } : {}) };
  const refused = await browser.submit(page, form, given);
  expect([refused.status, refused.text.includes('Your account has no password.')]).toEqual([422, true]);
});
