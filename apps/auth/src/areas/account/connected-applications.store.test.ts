import { createTestDatabase } from '@linnet/test/db/test-database';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import { createOnPage, tokenOf } from '@linnet/test/auth/developer';
import { findElements } from '@linnet/test/auth/html';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const path = '/account/applications';

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

/** The form that revokes an application's access. */
function formOf(page: Page, clientId: string) {
  const form = page.forms.find(({ fields }) =>
    fields.some(([name, value]) => name === 'client_id' && value === clientId),
  );
  if (form === undefined) throw new Error(`${clientId} is not listed`);
  return form;
}

async function disconnect(clientId: string): Promise<Page> {
  const page = await browser.open(path);
  return await browser.submit(page, formOf(page, clientId));
}

describe('connected applications', () => {
  test('lists none at first', async () => {
    const page = await browser.open(path);
    expect(page.text).toContain('No apps can access your account.');
    expect(() => page.formOf('revoke-application')).toThrow('no form');
  });

  test('lists applications with their owner and scopes, including the account’s own', async () => {
    const app = await connect(auth, browser, { name: 'Bird <b>watch</b>' });
    const own = await createOnPage(browser, { name: 'My bot', scope: 'posts:read' });
    const other = createBrowser(auth);
    await signIn(other, await registerPerson(auth.db, `other_${String(people)}`));
    await connect(auth, other, { name: 'Of another' });
    const page = await browser.open(path);
    expect(page.text).toContain('Bird <b>watch</b> by @owner_of_all');
    expect(page.text).toContain(app.clientId);
    expect(page.text).toContain('See your e-mail address');
    expect(page.text).toContain(`My bot by @${ada.username}`);
    expect(page.text).toContain('Acts as you with its own credentials');
    expect(page.text).not.toContain('Of another');
    expect(findElements(page.html, 'script')).toEqual([]);
    expect(page.forms.filter(({ testIds }) => testIds.includes('revoke-application'))).toHaveLength(2);
    expect(formOf(page, own.clientId).testIds).toEqual(['revoke-application']);
  });

  test('lists an application once, however often it was authorized', async () => {
    const redirectUris = ['http://localhost:4711/callback'];
    const app = await connect(auth, browser, { type: 'public', redirectUris });
    await app.again(browser, ['email']);
    await app.again(browser, []);
    expect(await auth.db.prisma.grant.count({ where: { clientId: app.clientId } })).toBe(3);
    const page = await browser.open(path);
    expect(page.forms.filter(({ testIds }) => testIds.includes('revoke-application'))).toHaveLength(1);
    await disconnect(app.clientId);
    expect(await auth.db.prisma.grant.count({ where: { clientId: app.clientId, revokedAt: null } })).toBe(0);
  });
});

describe('UI7: revoking access', () => {
  test('revokes the refresh token and the unused code, and forgets the consent', async () => {
    const app = await connect(auth, browser);
    const kept = await connect(auth, browser, { name: 'Kept' });
    expect(app.refreshToken).not.toBe('');
    const code = await app.authorize(browser);
    const page = await disconnect(app.clientId);
    expect(page.text).toContain('Access revoked.');
    expect(page.text).not.toContain(app.clientId);
    expect(await app.refresh(app.refreshToken)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    expect(await app.exchange(code)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    expect((await app.send(browser)).text).toContain('wants to access your account');
    expect((await kept.refresh(kept.refreshToken)).status).toBe(200);
  });

  test('revokes the access token', async () => {
    const app = await connect(auth, browser, { scopes: ['openid', 'posts'] });
    const userinfo = () =>
      auth.send({ path: '/oauth/userinfo', headers: { authorization: `Bearer ${app.accessToken}` } });
    expect((await userinfo()).status).toBe(200);
    await disconnect(app.clientId);
    expect((await userinfo()).status).toBe(401);
  });

  test('an owned application acts for itself afterwards', async () => {
    const own = await createOnPage(browser);
    const acting = await tokenOf(auth, own.clientId, own.clientSecret);
    expect(decodeJwt(acting.json.access_token)).toMatchObject({ acct: ada.id });
    await disconnect(own.clientId);
    const alone = await tokenOf(auth, own.clientId, own.clientSecret);
    expect(alone.status).toBe(200);
    expect(decodeJwt(alone.json.access_token)).not.toHaveProperty('acct');
    const settings = await browser.open(`${own.path}/settings`);
    expect(settings.formWith('action', 'save').fields.map(([name]) => name)).not.toContain('act_as_owner');
  });

  test('repeating it, or naming an application that is not connected, changes nothing', async () => {
    const app = await connect(auth, browser);
    const page = await browser.open(path);
    const form = formOf(page, app.clientId);
    const { prisma } = auth.db;
    await browser.submit(page, form);
    const ended = await prisma.grant.findMany({ where: { clientId: app.clientId } });
    for (const clientId of [app.clientId, 'app_0123456789abcdef', '', '\'"', 'x'.repeat(5000)]) {
      expect((await browser.submit(page, form, { client_id: clientId })).status).toBe(200);
    }
    expect(await prisma.grant.findMany({ where: { clientId: app.clientId } })).toEqual(ended);
  });

  test('DV2: grants of other people stay', async () => {
    const app = await connect(auth, browser);
    const stranger = createBrowser(auth);
    await signIn(stranger, await registerPerson(auth.db, `stranger_${String(people)}`));
    await createOnPage(stranger);
    const page = await stranger.open(path);
    await stranger.submit(page, page.formOf('revoke-application'), { client_id: app.clientId });
    expect((await app.refresh(app.refreshToken)).status).toBe(200);
  });

  test('UI3: rejects a form without the token of this browser', async () => {
    const app = await connect(auth, browser);
    const page = await browser.open(path);
    expect((await browser.submit(page, formOf(page, app.clientId), { csrf: '' })).status).toBe(403);
    expect((await app.refresh(app.refreshToken)).status).toBe(200);
  });
});
