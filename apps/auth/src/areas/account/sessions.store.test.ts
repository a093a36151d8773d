import { createTestDatabase } from '@linnet/test/db/test-database';
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

const path = '/account/sessions';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let ada: Person;
let here: Browser;
let there: Browser;
let people = 0;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { trustProxy: 1 }));
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  people += 1;
  ada = await registerPerson(auth.db, `person_${String(people)}`);
  here = await openSignedIn({ 'user-agent': firefox, 'x-forwarded-for': '203.0.113.7' });
  there = await openSignedIn({ 'user-agent': safari, 'x-forwarded-for': '2001:db8::1' });
});

async function openSignedIn(headers: Readonly<Record<string, string>> = {}): Promise<Browser> {
  const browser = createBrowser(auth, { headers });
  await signIn(browser, ada);
  return browser;
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.open('/account')).url.pathname === '/account';
}

/** `data-testid`s of the forms, in the order of the page. */
function testIds({ forms }: Page): readonly string[] {
  return forms.flatMap((form) => form.testIds);
}

describe('the list', () => {
  test('shows the browser, address and time of each session', async () => {
    const page = await here.open(path);
    const rows = page.html.match(/<li class="row.*?<\/li>/gs) ?? [];
    expect(rows).toHaveLength(2);
    const mine = rows.find((row) => row.includes('This browser')) ?? '';
    const other = rows.find((row) => !row.includes('This browser')) ?? '';
    expect(mine).toContain('Firefox on Linux');
    expect(mine).toContain('203.0.113.7');
    expect(other).toContain('Safari on iOS');
    expect(other).toContain('2001:db8::1');
    for (const row of rows) {
      const [signedIn, seen] = findElements(row, 'time').map(({ attributes }) =>
        Date.parse(attributes['datetime'] ?? ''),
      );
      expect(Date.now() - (signedIn ?? 0)).toBeLessThan(60_000);
      expect(Date.now() - (seen ?? 0)).toBeLessThan(60_000);
    }
    expect(testIds(page)).toEqual(['end-session', 'end-all-sessions']);
  });

  test('leaves out sessions that were signed out, expired, revoked, or belong to another account', async () => {
    await signIn(createBrowser(auth), await registerPerson(auth.db, `other_${String(people)}`));
    const third = await openSignedIn();
    const page = await third.open('/logout');
    await third.submit(page, page.formOf('sign-out'));
    await openSignedIn({ 'user-agent': 'expired' });
    await auth.db.prisma.session.updateMany({
      where: { userAgent: 'expired' },
      data: { expiresAt: new Date(Date.now() - 1000) },
    });
    expect(testIds(await here.open(path))).toEqual(['end-session', 'end-all-sessions']);
  });

  test('contains nothing that could take over a session', async () => {
    const { html } = await here.open(path);
    for (const browser of [here, there]) {
      const id = browser.cookies.value('__Host-linnet_session') ?? 'none';
      expect(id).not.toBe('none');
      expect(html).not.toContain(id);
    }
  });

  test('shows a hostile User-Agent and address as text', async () => {
    await openSignedIn({ 'user-agent': '<script>alert(1)</script>' });
    const page = await here.open(path);
    expect(findElements(page.html, 'script')).toEqual([]);
    expect(page.text).toContain('Unknown browser');
  });
});

describe('UI7: revoking one session', () => {
  test('takes effect at once and affects no other session', async () => {
    const third = await openSignedIn();
    const page = await here.open(path);
    const row = page.html.match(/<li class="row.*?<\/li>/gs)?.find((text) => text.includes('Safari')) ?? '';
    const uid = findElements(row, 'input').find(({ attributes }) => attributes['name'] === 'session')?.attributes[
      'value'
    ];
    const ended = await here.submit(page, page.formWith('session', uid));
    expect(ended.text).toContain('Signed out of that browser.');
    expect(await isSignedIn(there)).toBe(false);
    expect(await isSignedIn(third)).toBe(true);
    expect(await isSignedIn(here)).toBe(true);
    const again = await here.submit(page, page.formWith('session', uid));
    expect(again.status).toBe(200);
    expect(again.text).not.toContain('Signed out of that browser.');
  });

  test('a stolen cookie does not restore it', async () => {
    const thief = createBrowser(auth, { cookies: there.cookies.copy() });
    const page = await here.open(path);
    await here.submit(page, page.formOf('end-session'));
    expect(await isSignedIn(thief)).toBe(false);
    expect((await thief.open('/developer')).url.pathname).toBe('/login');
  });

  test('DV2: cannot revoke a session of another person', async () => {
    const stranger = createBrowser(auth);
    await signIn(stranger, await registerPerson(auth.db, `stranger_${String(people)}`));
    const sessions = await auth.db.prisma.session.findMany({ where: { accountId: ada.id } });
    const page = await stranger.open(path);
    for (const { uid } of sessions) {
      await stranger.submit(page, page.formOf('end-all-sessions'), { action: 'end', session: uid });
    }
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, true]);
  });

  test('UI3: rejects a form without the token of this browser', async () => {
    const page = await here.open(path);
    expect((await here.submit(page, page.formOf('end-session'), { csrf: 'x' })).status).toBe(403);
    expect(await isSignedIn(there)).toBe(true);
  });

  test.each([
    [{ action: 'end', session: '' }, 200],
    [{ action: 'end', session: '\'"' }, 200],
    [{ action: '' }, 400],
    [{ action: 'constructor' }, 400],
  ])('%j revokes no session', async (values, status) => {
    const page = await here.open(path);
    expect((await here.submit(page, page.formOf('end-all-sessions'), values)).status).toBe(status);
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, true]);
  });
});

describe('RT8: signing out everywhere', () => {
  test('revokes every session and every consent', async () => {
    const app = await connect(auth, here);
    const own = await createOnPage(here);
    const page = await here.open(path);
    expect(page.text).toContain('Any unconfirmed change of your e-mail address is canceled, too.');
    const left = await here.submit(page, page.formOf('end-all-sessions'));
    expect(left.text).toContain('You’re signed out');
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([false, false]);
    expect(await app.refresh(app.refreshToken)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    // An application that the account owns has its own credentials.
    expect((await tokenOf(auth, own.clientId, own.clientSecret)).status).toBe(200);
    await signIn(here, ada);
    expect(testIds(await here.open(path))).toEqual(['end-all-sessions']);
    expect((await here.open('/account/applications')).text).not.toContain(app.clientId);
  });

  test('a pending authorization starts again', async () => {
    const app = await connect(auth, here);
    const consent = await app.send(there, { prompt: 'consent' });
    const page = await here.open(path);
    await here.submit(page, page.formOf('end-all-sessions'));
    const rejected = await there.submit(consent, consent.formWith('decision', 'allow'), { decision: 'allow' });
    expect(rejected.isElsewhere).toBe(false);
    expect(rejected.text).toContain('Sign in to continue to Test application');
    expect(await auth.db.prisma.grant.count({ where: { clientId: app.clientId, revokedAt: null } })).toBe(0);
  });

  test('does not affect other people', async () => {
    const other = createBrowser(auth);
    await signIn(other, await registerPerson(auth.db, `other_${String(people)}`));
    const app = await connect(auth, other);
    const page = await here.open(path);
    await here.submit(page, page.formOf('end-all-sessions'));
    expect(await isSignedIn(other)).toBe(true);
    expect((await app.refresh(app.refreshToken)).status).toBe(200);
  });
});
