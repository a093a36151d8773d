import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { registerPerson } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { isSignedIn, openLogout, registerSigningIn, signInTo } from '@linnet/test/auth/signing-out';
import type { ThirdParty } from '@linnet/test/auth/third-party';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let ada: Person;
let app: ThirdParty;
let other: ThirdParty;
const returnUri = 'https://app.example.com/signed-out';
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  ada = await registerPerson(auth.db, 'ada_lovelace');
  app = await registerSigningIn(auth, [returnUri, `${returnUri}?tenant=1`]);
  other = await registerSigningIn(auth, []);
});
afterAll(() => cleanup.disposeAsync());

async function press(browser: Browser, page: Page, choice: 'sign-out' | 'stay'): Promise<Page> {
  return await browser.submit(page, page.formOf('sign-out'), { choice });
}

/** The reasons that owners of applications see. */
async function findReported(clientId: string): Promise<readonly (string | null)[]> {
  const read = async () => await auth.db.prisma.requestLog.findMany({ where: { clientId } });
  await expect.poll(read).not.toEqual([]);
  return (await read()).flatMap(({ reason, presented }) => [reason, presented]);
}

describe('RP-initiated sign-out', () => {
  test('D105 asks, ends the session, and returns to the application with its state', async () => {
    const browser = createBrowser(auth);
    const { idToken: hint } = await signInTo(app, browser, ada);
    const page = await openLogout(browser, {
      id_token_hint: hint,
      post_logout_redirect_uri: returnUri,
      state: 'a b&c=é',
    });
    expect(page.text).toContain('Test application wants to sign you out here, too.');
    expect(page.text).toContain('You are signed in to Linnet as ada_lovelace');
    expect(page.headers['content-security-policy']).not.toContain('form-action');
    expect(await isSignedIn(browser)).toBe(true);
    auth.log.length = 0;
    const back = await press(browser, page, 'sign-out');
    expect(back.url.href).toBe(`${returnUri}?state=a%20b%26c%3D%C3%A9`);
    expect(back.hops.map(({ status }) => status)).toEqual([303]);
    expect(auth.log.join('')).toContain('signed out');
    expect(auth.log.join('')).toContain(app.clientId);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('“Stay signed in” returns to the application, too, and keeps the session', async () => {
    const browser = createBrowser(auth);
    await signInTo(app, browser, ada);
    const page = await openLogout(browser, {
      client_id: app.clientId,
      post_logout_redirect_uri: `${returnUri}?tenant=1`,
      state: 's',
    });
    const back = await press(browser, page, 'stay');
    expect(back.url.href).toBe(`${returnUri}?tenant=1&state=s`);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('who is not signed in is sent back at once, or sees the signed-out page', async () => {
    const { idToken: hint } = await signInTo(app, createBrowser(auth), ada);
    const returning = { id_token_hint: hint, post_logout_redirect_uri: returnUri };
    expect((await openLogout(createBrowser(auth), returning)).url.href).toBe(returnUri);
    expect((await openLogout(createBrowser(auth), { id_token_hint: hint })).text).toContain('You’re signed out');
    expect((await openLogout(createBrowser(auth), {})).text).toContain('You’re signed out');
  });

  test('POST is redirected to GET, so that the browser sends its cookies', async () => {
    const browser = createBrowser(auth);
    const { idToken: hint } = await signInTo(app, browser, ada);
    const parameters = { id_token_hint: hint, post_logout_redirect_uri: returnUri, state: 's' };
    const { status, headers } = await auth.send({
      method: 'POST',
      path: '/oauth/logout',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams(parameters).toString(),
    });
    expect(status).toBe(303);
    const page = await browser.open(headers.location ?? '');
    expect((await press(browser, page, 'sign-out')).url.href).toBe(`${returnUri}?state=s`);
  });

  test('accepts a hint whose key was retired long ago, and refuses one whose key was revoked', async () => {
    const browser = createBrowser(auth);
    const { idToken: hint } = await signInTo(app, browser, ada);
    const kid = String(JSON.parse(Buffer.from(hint.split('.')[0] ?? '', 'base64url').toString())['kid']);
    const stored = await auth.db.prisma.signingKey.findUniqueOrThrow({ where: { kid } });
    await auth.db.prisma.signingKey.updateMany({
      where: { kid },
      data: { state: 'retired', stateSince: new Date('2020-01-01') },
    });
    expect((await openLogout(browser, { id_token_hint: hint })).status).toBe(200);
    await auth.db.prisma.signingKey.updateMany({ where: { kid }, data: { state: 'revoked', privateJwe: '' } });
    expect((await openLogout(browser, { id_token_hint: hint })).status).toBe(400);
    const { state, stateSince, privateJwe } = stored;
    await auth.db.prisma.signingKey.updateMany({ where: { kid }, data: { state, stateSince, privateJwe } });
  });

  test('ui_locales chooses the language of the page', async () => {
    const browser = createBrowser(auth);
    await signInTo(app, browser, ada);
    const page = await openLogout(browser, { client_id: app.clientId, ui_locales: 'it de', logout_hint: ada.email });
    expect(page.html).toContain('<html lang="de">');
  });

  test('a native application may return to any port of its loopback address', async () => {
    const native = await registerSigningIn(auth, ['http://127.0.0.1/bye', 'com.example.app:/bye'], 'native');
    const from = async (uri: string) =>
      (await openLogout(createBrowser(auth), { client_id: native.clientId, post_logout_redirect_uri: uri })).url.href;
    expect(await from('http://127.0.0.1:49152/bye')).toBe('http://127.0.0.1:49152/bye');
    expect(await from('com.example.app:/bye')).toBe('com.example.app:/bye');
    expect(await from('http://127.0.0.1:49152/other')).toContain('/oauth/logout');
    expect(await from('http://127.0.0.1.evil.example/bye')).toContain('/oauth/logout');
  });
});

describe('UI9: an address that is not registered', () => {
  const foreign = [
    'https://evil.example/',
    '//evil.example',
    'https://app.example.com/signed-out/',
    'https://app.example.com/signed-out?x=1',
    'https://app.example.com/signed-out#x',
    'HTTPS://app.example.com/signed-out',
    'javascript:alert(1)',
    'https://app.example.com/callback',
  ];

  test.each(foreign)('%s is never used, the person is signed out all the same', async (uri) => {
    const browser = createBrowser(auth);
    const { idToken: hint } = await signInTo(app, browser, ada);
    const page = await openLogout(browser, { id_token_hint: hint, post_logout_redirect_uri: uri, state: 's' });
    expect(page.headers['content-security-policy']).toContain("form-action 'self';");
    const out = await press(browser, page, 'sign-out');
    expect(out).toMatchObject({ isElsewhere: false, text: expect.stringContaining('You’re signed out') });
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('is not used for a visitor or without an application either, and the owner of the application sees why', async () => {
    const evil = { post_logout_redirect_uri: 'https://evil.example/' };
    for (const parameters of [evil, { post_logout_redirect_uri: returnUri }, { client_id: other.clientId, ...evil }]) {
      const page = await openLogout(createBrowser(auth), parameters);
      expect(page).toMatchObject({ isElsewhere: false, status: 200 });
    }
    const reported = await findReported(other.clientId);
    expect(reported).toContain('https://evil.example/');
    expect(reported.join(' ')).toContain('post_logout_redirect_uri is not registered');
  });

  test('cannot be put into the form that confirms', async () => {
    const browser = createBrowser(auth);
    const { idToken: hint } = await signInTo(app, browser, ada);
    const page = await openLogout(browser, { id_token_hint: hint, post_logout_redirect_uri: returnUri });
    const out = await browser.submit(page, page.formOf('sign-out'), {
      choice: 'sign-out',
      post_logout_redirect_uri: 'https://evil.example/',
    });
    expect(out.isElsewhere).toBe(false);
  });
});
