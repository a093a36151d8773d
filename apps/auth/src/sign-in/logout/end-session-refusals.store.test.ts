import { createTestDatabase } from '@linnet/test/db/test-database';
import { SignJWT, generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { isSignedIn, openLogout, registerSigningIn, signInTo } from '@linnet/test/auth/signing-out';
import type { ThirdParty } from '@linnet/test/auth/third-party';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let ada: Person;
let grace: Person;
let app: ThirdParty;
let other: ThirdParty;
const returnUri = 'https://app.example.com/signed-out';
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  ada = await registerPerson(auth.db, 'ada_lovelace');
  grace = await registerPerson(auth.db, 'grace_hopper');
  app = await registerSigningIn(auth, [returnUri, `${returnUri}?tenant=1`]);
  other = await registerSigningIn(auth, []);
});
afterAll(() => cleanup.disposeAsync());

describe('is refused with 400 and changes nothing:', () => {
  type Make = () => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;
  const foreignToken = async () => {
    const { privateKey } = await generateKeyPair('ES256');
    const claims = { iss: auth.baseUrl, aud: app.clientId, sub: String(ada.id) };
    return await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'x' }).sign(privateKey);
  };
  const table: readonly (readonly [name: string, make: Make])[] = [
    [
      'the hint of another person',
      async () => ({ id_token_hint: (await signInTo(app, createBrowser(auth), grace)).idToken }),
    ],
    [
      'the hint of another application',
      async () => ({
        id_token_hint: (await signInTo(other, createBrowser(auth), ada)).idToken,
        client_id: app.clientId,
      }),
    ],
    [
      'an access token as the hint',
      async () => ({ id_token_hint: (await signInTo(app, createBrowser(auth), ada)).accessToken }),
    ],
    ['a token of another issuer', async () => ({ id_token_hint: await foreignToken() })],
    [
      'a hint with another signature',
      async () => ({ id_token_hint: `${(await signInTo(app, createBrowser(auth), ada)).idToken}x` }),
    ],
    ['an unsigned hint', () => ({ id_token_hint: 'eyJhbGciOiJub25lIn0.e30.' })],
    ['a hint that is no JWT', () => ({ id_token_hint: 'x' })],
    ['an unknown client_id', () => ({ client_id: 'app_unknown' })],
    ['NUL in state', () => ({ client_id: app.clientId, state: '\0' })],
    ['a state that is too long', () => ({ client_id: app.clientId, state: 'x'.repeat(2049) })],
  ];

  test.each(table)('%s', async (_name, make) => {
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    const parameters = { post_logout_redirect_uri: returnUri, ...(await make()) };
    const page = await openLogout(browser, parameters);
    expect(page).toMatchObject({ isElsewhere: false, status: 400 });
    expect(page.text).toContain('Invalid sign-out request');
    const confirm = await openLogout(browser, { client_id: app.clientId });
    const sent = await browser.submit(confirm, confirm.formOf('sign-out'), { choice: 'sign-out', ...parameters });
    expect(sent).toMatchObject({ isElsewhere: false, status: 400 });
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('a repeated parameter', async () => {
    const page = await createBrowser(auth).open('/oauth/logout?state=a&state=b');
    expect(page.status).toBe(400);
  });

  test('a suspended application', async () => {
    const suspended = await registerSigningIn(auth, [returnUri]);
    await auth.db.prisma.application.update({
      where: { clientId: suspended.clientId },
      data: { suspendedAt: new Date() },
    });
    const page = await openLogout(createBrowser(auth), {
      client_id: suspended.clientId,
      post_logout_redirect_uri: returnUri,
    });
    expect(page).toMatchObject({ isElsewhere: false, status: 400 });
  });

  test('a confirmation that another site sends', async () => {
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    const cookie = browser.cookies.headerFor('/') ?? '';
    const { status } = await auth.send({
      method: 'POST',
      path: '/oauth/logout/confirm',
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie, 'sec-fetch-site': 'cross-site' },
      body: 'choice=sign-out',
    });
    expect(status).toBe(403);
    expect(await isSignedIn(browser)).toBe(true);
  });
});
