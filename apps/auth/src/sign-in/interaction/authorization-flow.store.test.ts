import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { findElements } from '@linnet/test/auth/html';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let auth: RunningAuth;
let ada: Person;
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  ada = await registerPerson(auth.db, 'ada_lovelace');
});
afterAll(() => cleanup.disposeAsync());

async function allow(browser: Browser, consent: Page, scope: readonly string[] = ['email']): Promise<Page> {
  return await browser.submit(consent, consent.formWith('decision', 'allow'), { decision: 'allow', scope });
}

async function deny(browser: Browser, consent: Page): Promise<Page> {
  return await browser.submit(consent, consent.formWith('decision', 'deny'), { decision: 'deny' });
}

/** Parameters of the callback. */
function parametersOf({ url }: Page): Record<string, string> {
  return Object.fromEntries(url.searchParams);
}

describe('authorize, sign in, consent, callback, token', () => {
  test('D50 of a confidential application', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const login = await app.send(browser);
    expect(login).toMatchObject({ status: 200, isElsewhere: false });
    const consent = await signIn(browser, ada, login);
    expect(consent).toMatchObject({ status: 200, isElsewhere: false });
    const callback = await allow(browser, consent);
    expect(callback.url.href).toMatch(/^https:\/\/app\.example\.com\/callback\?/);
    expect(parametersOf(callback)).toEqual({
      code: expect.any(String),
      state: 'c3RhdGU=',
      iss: auth.baseUrl,
      scope: 'users posts email',
    });
    const { status, json } = await app.exchange(callback);
    expect(status).toBe(200);
    expect(json).toMatchObject({ scope: 'users posts email', app_id: app.clientId, refresh_token: expect.any(String) });
    expect(decodeJwt(json.access_token)).toMatchObject({ sub: String(ada.id), acct: ada.id, client_id: app.clientId });
  });

  test('of a public application with PKCE', async () => {
    const app = await registerThirdParty(auth, { type: 'public' });
    const browser = createBrowser(auth);
    const callback = await allow(browser, await signIn(browser, ada, await app.send(browser)));
    const { status, json } = await app.exchange(callback);
    expect(status).toBe(200);
    expect(decodeJwt(json.access_token)).toMatchObject({ sub: String(ada.id), client_id: app.clientId });
  });

  test('with a registration', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const login = await app.send(browser);
    const register = await browser.open(login.link('Create an account'), login);
    expect(register.url.pathname).toBe(`${login.url.pathname}/register`);
    expect(register.text).toContain('to continue to Test application');
    const consent = await browser.submit(register, register.formWith('first_name'), {
      first_name: 'Grace',
      last_name: 'Hopper',
      email: 'grace@navy.example',
      password: 'nanosecond',
    });
    expect(consent.text).toContain('You are signed in as @grace_hopper');
    expect((await app.exchange(await allow(browser, consent))).status).toBe(200);
    // The link back, for people who have an account.
    expect(register.link('Sign in')).toBe(login.url.pathname);
  });

  test('does not ask a signed-in person to sign in again', async () => {
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    const consent = await (await registerThirdParty(auth)).send(browser);
    expect(consent.text).toContain('You are signed in as @ada_lovelace');
  });

  test('D49 AZ13: answers forms with 303 and requests with 302, never 307', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const login = await app.send(browser);
    const consent = await signIn(browser, ada, login);
    const callback = await allow(browser, consent);
    const statuses = [login, consent, callback].map(({ hops }) => hops.map(({ status }) => status));
    expect(statuses).toEqual([[302], [303, 302], [303, 302]]);
  });
});

describe('UI5: the consent page', () => {
  test('shows application, owner, destination, scopes, duration and account; deny and allow have equal weight', async () => {
    const redirectUris = ['https://xn--bcher-kva.example:8443/callback?a=b'];
    const app = await registerThirdParty(auth, { name: 'Bird <b>watch</b>', redirectUris });
    const browser = createBrowser(auth);
    const { text, html } = await signIn(browser, ada, await app.send(browser));
    for (const words of [
      'Bird <b>watch</b> wants to access your account',
      'Developer @owner_of_all',
      'Returns you to xn--bcher-kva.example:8443 ',
      'You are signed in as @ada_lovelace ( Ada Byron )',
      'Manage your account and who you follow',
      'Read and write posts as you',
      'Optional permissions See your e-mail address',
      'When you revoke it',
    ]) {
      expect(text).toContain(words);
    }
    const buttons = findElements(html, 'button').filter(({ attributes }) => attributes['name'] === 'decision');
    expect(buttons.map(({ attributes }) => [attributes['value'], attributes['class']])).toEqual([
      ['deny', 'button even'],
      ['allow', 'button even'],
    ]);
  });

  test('e-mail is optional and ticked; required scopes are granted whatever is sent', async () => {
    const app = await registerThirdParty(auth, { type: 'public' });
    const browser = createBrowser(auth);
    const consent = await signIn(browser, ada, await app.send(browser));
    const boxes = findElements(consent.html, 'input').filter(({ attributes }) => attributes['type'] === 'checkbox');
    expect(boxes.map(({ attributes }) => [attributes['name'], attributes['value'], 'checked' in attributes])).toEqual([
      ['scope', 'email', true],
    ]);
    const callback = await allow(browser, consent, []);
    expect(parametersOf(callback)).toMatchObject({ scope: 'users posts' });
    expect((await app.exchange(callback)).json.scope).toBe('users posts');
  });

  test('grants nothing that was not requested', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const consent = await signIn(browser, ada, await app.send(browser, { scope: 'posts:read' }));
    const callback = await allow(browser, consent, ['email', 'users', 'posts']);
    expect(parametersOf(callback)).toMatchObject({ scope: 'posts:read' });
  });

  test.each([
    ['http://127.0.0.1:4711/callback', 'public', '127.0.0.1:4711'],
    ['com.example.app:/callback', 'native', 'com.example.app'],
  ] as const)('%s is shown as what it is', async (redirectUri, type, shown) => {
    const app = await registerThirdParty(auth, { type, redirectUris: [redirectUri] });
    const browser = createBrowser(auth);
    const consent = await signIn(browser, ada, await app.send(browser));
    expect(consent.text).toContain(`Returns you to ${shown} `);
    expect((await allow(browser, consent)).url.href).toMatch(new RegExp(`^${redirectUri}\\?code=`));
  });
});

describe('denying', () => {
  test('sends the browser back with access_denied, and nothing is remembered', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const callback = await deny(browser, await signIn(browser, ada, await app.send(browser)));
    expect(parametersOf(callback)).toEqual({
      error: 'access_denied',
      error_description: expect.any(String),
      state: 'c3RhdGU=',
      iss: auth.baseUrl,
    });
    expect((await app.send(browser)).isElsewhere).toBe(false);
    expect(await auth.db.prisma.grant.count({ where: { clientId: app.clientId, kind: 'consent' } })).toBe(0);
  });
});

describe('UI6: consent', () => {
  test('is remembered for a confidential application, in another browser too', async () => {
    const app = await registerThirdParty(auth);
    const first = createBrowser(auth);
    await allow(first, await signIn(first, ada, await app.send(first)));
    const again = await app.send(first);
    expect(again.isElsewhere).toBe(true);
    expect((await app.exchange(again)).status).toBe(200);
    const second = createBrowser(auth);
    expect((await signIn(second, ada, await app.send(second))).isElsewhere).toBe(true);
  });

  test('is asked for again when more scopes are requested, and the earlier ones stay', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    await allow(browser, await signIn(browser, ada, await app.send(browser, { scope: 'posts' })));
    const more = await app.send(browser, { scope: 'posts email' });
    expect(more.isElsewhere).toBe(false);
    expect(parametersOf(await allow(browser, more))).toMatchObject({ scope: 'posts email' });
    expect((await app.send(browser, { scope: 'posts' })).isElsewhere).toBe(true);
  });

  test('with fewer scopes than before removes the unticked ones from the grant', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    await allow(browser, await signIn(browser, ada, await app.send(browser)));
    const callback = await allow(browser, await app.send(browser, { prompt: 'consent' }), []);
    expect(parametersOf(callback)).toMatchObject({ scope: 'users posts' });
    const where = { clientId: app.clientId, kind: 'consent' } as const;
    const { scopes } = await auth.db.prisma.grant.findFirstOrThrow({ where, orderBy: { createdAt: 'desc' } });
    expect(scopes).toEqual(['users', 'posts']);
    expect(parametersOf(await app.send(browser))).toMatchObject({ scope: 'users posts' });
  });

  const https = 'https://app.example.com/callback';
  const asked = 'this application is asked for consent every time with this redirect_uri';
  test.each([
    ['confidential', https, true],
    ['confidential', 'http://localhost:4711/callback', true],
    ['public', https, true],
    ['public', 'http://localhost:4711/callback', false],
    ['native', https, true],
    ['native', 'http://127.0.0.1/callback', false],
    ['native', 'com.example.app:/callback', false],
    ['native', 'cursor://app/callback', false],
  ] as const)('of a %s application at %s is remembered: %s', async (type, redirectUri, isRemembered) => {
    const app = await registerThirdParty(auth, { type, redirectUris: [redirectUri] });
    const browser = createBrowser(auth);
    await allow(browser, await signIn(browser, ada, await app.send(browser)));
    const again = await app.send(browser);
    expect([again.isElsewhere, again.text.includes('wants to access your account')]).toEqual([
      isRemembered,
      !isRemembered,
    ]);
    const { code, error, error_description: description } = parametersOf(await app.send(browser, { prompt: 'none' }));
    expect([code !== undefined, error, description]).toEqual(
      isRemembered ? [true, undefined, undefined] : [false, 'consent_required', asked],
    );
  });

  test('at an https address is not used for a loopback address of the same application', async () => {
    const app = await registerThirdParty(auth, { type: 'native', redirectUris: [https, 'http://127.0.0.1/callback'] });
    const browser = createBrowser(auth);
    await allow(browser, await signIn(browser, ada, await app.send(browser)));
    expect((await app.send(browser)).isElsewhere).toBe(true);
    expect((await app.send(browser, { redirect_uri: 'http://127.0.0.1:4711/callback' })).isElsewhere).toBe(false);
  });
});

describe('UI4, AZ16: the pages of an authorization', () => {
  test('let forms lead to the application and on from there, and are not cached', async () => {
    const app = await registerThirdParty(auth, { redirectUris: ['https://app.example.com:8443/callback'] });
    const browser = createBrowser(auth);
    const login = await app.send(browser);
    const register = await browser.open(login.link('Create an account'), login);
    const consent = await signIn(browser, ada, login);
    for (const { headers } of [login, register, consent]) {
      expect(headers['content-security-policy']).toMatch(/^default-src 'none';/);
      expect(headers['content-security-policy']).not.toContain('form-action');
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      });
    }
  });
});

test('LG2: the log has ids, and no names or addresses', async () => {
  const app = await registerThirdParty(auth);
  const browser = createBrowser(auth);
  auth.log.length = 0;
  await allow(browser, await signIn(browser, ada, await app.send(browser)));
  await deny(browser, await app.send(browser, { prompt: 'consent' }));
  const lines = auth.log
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ msg }) => msg !== 'request');
  const person = { requestId: expect.any(String), clientId: app.clientId, accountId: ada.id };
  expect(lines.filter(({ msg }) => /sign|consent/.test(String(msg)))).toEqual([
    expect.objectContaining({ msg: 'signed in', ...person }),
    expect.objectContaining({ msg: 'consent given', ...person, scope: 'users posts email' }),
    expect.objectContaining({ msg: 'consent refused', ...person }),
  ]);
  for (const secret of [ada.email, ada.username, ada.password]) expect(auth.log.join('')).not.toContain(secret);
});
