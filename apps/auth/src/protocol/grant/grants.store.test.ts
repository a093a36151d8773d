import { createTestDatabase } from '@linnet/test/db/test-database';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import { createOnPage, fillInApplication } from '@linnet/test/auth/developer';
import { findElements } from '@linnet/test/auth/html';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';
import { revokeExpiredGrants } from '@linnet/applications/grants/consent-change-store';

/** Grants: required and optional scopes, the duration of access, and later changes. */
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
  ada = await registerPerson(auth.db, `grantor_${String(people)}`);
  browser = createBrowser(auth);
  await signIn(browser, ada);
});

const nowSeconds = () => Math.floor(Date.now() / 1000);
const hostile = '</p><script>alert(1)</script>"onload=x \'; DROP TABLE "grant" --';

function checkboxes({ html }: Page): readonly (string | undefined)[] {
  const boxes = findElements(html, 'input').filter(({ attributes }) => attributes['type'] === 'checkbox');
  return boxes.map(({ attributes }) => attributes['value']);
}

async function allow(page: Page, values: Readonly<Record<string, string | readonly string[]>> = {}): Promise<Page> {
  return await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow', ...values });
}

const grantsOf = async ({ clientId }: { readonly clientId: string }) =>
  await auth.db.prisma.grant.findMany({ where: { clientId, revokedAt: null }, orderBy: { number: 'asc' } });

/** Sets the end of every grant of the application, by the clock of the database. */
async function setGrantEnd({ clientId }: { readonly clientId: string }, seconds: number): Promise<void> {
  await auth.db.prisma.$executeRaw`
    UPDATE "grant" SET ends_at = now() + make_interval(secs => ${seconds}) WHERE client_id = ${clientId}`;
}

const pathOf = ({ clientId }: { readonly clientId: string }) => `/account/applications/${clientId}`;

async function change(
  app: { readonly clientId: string },
  values: Readonly<Record<string, string | readonly string[]>>,
) {
  const page = await browser.open(pathOf(app));
  return await browser.submit(page, page.formOf('change-application'), values);
}

/** Its consent is not remembered. */
const onDevice = { type: 'public', redirectUris: ['http://localhost:4711/callback'] } as const;

describe('the scopes that an application requests', () => {
  test('D61 are declared as required or optional, with reasons, in the developer area', async () => {
    const values = { scope: ['users', 'posts:read', 'email'], use_users: 'optional', use_email: 'required' };
    const { path, clientId } = await createOnPage(browser, {
      ...values,
      reason_users: ` ${hostile} `,
      reason_posts: 'x',
    });
    const where = { clientId };
    const stored = async () => await auth.db.prisma.application.findUniqueOrThrow({ where });
    expect(await stored()).toMatchObject({ optionalScopes: ['users'], scopeReasons: { users: hostile } });
    const page = await browser.open(`${path}/settings`);
    expect(page.html).not.toContain('<script');
    const form = page.formWith('action', 'save');
    const fields = new Map(form.fields);
    expect([fields.get('use_users'), fields.get('use_email'), fields.get('reason_users')]).toEqual([
      'optional',
      'required',
      hostile,
    ]);
    await browser.submit(page, form, { scope: ['users', 'posts'], use_posts: 'optional', reason_users: '' });
    expect(await stored()).toMatchObject({ optionalScopes: ['users', 'posts'], scopeReasons: {} });
  });

  test('a form without these fields keeps the stored values; email is optional by default', async () => {
    const app = await createOnPage(browser, {
      scope: ['users', 'email'],
      use_users: 'optional',
      reason_email: 'Mail.',
    });
    const { email, ...stored } = { email: 'email', where: { clientId: app.clientId } };
    const page = await browser.open(`${app.path}/settings`);
    const bare = {
      ...page.formWith('action', 'save'),
      fields: [['csrf', page.formWith('csrf').fields[0]?.[1] ?? '']] as const,
    };
    const values = { action: 'save', name: 'Renamed', scope: ['users', email], redirect_uris: '' };
    expect((await browser.submit(page, bare, values)).status).toBe(200);
    expect(await auth.db.prisma.application.findUniqueOrThrow(stored)).toMatchObject({
      name: 'Renamed',
      optionalScopes: ['users', 'email'],
      scopeReasons: { email: 'Mail.' },
    });
    const { clientId } = await auth.register({ scopes: ['openid', 'users', 'email'] });
    expect(await auth.db.prisma.application.findUniqueOrThrow({ where: { clientId } })).toMatchObject({
      optionalScopes: ['email'],
      scopeReasons: {},
    });
  });

  test.each([
    ['201 characters', '💙'.repeat(201), 'must be 200 characters or fewer'],
    ['a control character', 'a\u0007b', 'cannot be displayed'],
    ['bidirectional control characters', 'a\u202Eb', 'cannot be displayed'],
  ])('rejects a reason with %s, shows the error at its field and keeps the input', async (_, reason, message) => {
    const page = await fillInApplication(browser, { scope: ['users'], reason_users: reason });
    expect([page.status, page.text]).toEqual([422, expect.stringContaining(message)]);
    expect(new Map(page.formWith('redirect_uris').fields).get('reason_users')).toBe(reason);
  });

  test('a reason may have 200 characters', async () => {
    const { clientId } = await createOnPage(browser, { scope: ['users'], reason_users: '💙'.repeat(200) });
    expect(clientId).toMatch(/^app_/);
  });

  test('are shown on the consent page with their reasons, escaped', async () => {
    const optionalScopes = ['users', 'email'];
    const scopeReasons = { users: hostile, posts: 'To post the weather.' };
    const app = await registerThirdParty(auth, { optionalScopes, scopeReasons });
    const page = await app.send(browser);
    expect(page.text).toContain('The developer says: “ To post the weather. ”');
    expect(page.text).toContain(hostile);
    expect(findElements(page.html, 'script')).toEqual([]);
    expect(checkboxes(page)).toEqual(['users', 'email']);
    const { json } = await app.exchange(await allow(page, { scope: ['email', 'admin', 'users:read'] }));
    expect(json.scope).toBe('posts email');
    // A narrower scope is as optional as the registered one that implies it.
    const narrower = await app.send(browser, { scope: 'users:read', prompt: 'consent' });
    expect(checkboxes(narrower)).toEqual(['users:read']);
  });
});

describe('the duration of access', () => {
  const choices = ({ html }: Page) =>
    findElements(html, 'input').flatMap(({ attributes }) =>
      attributes['name'] === 'duration' ? [[attributes['value'], 'checked' in attributes]] : [],
    );

  test('is chosen on the consent page and is unlimited by default', async () => {
    const app = await registerThirdParty(auth, onDevice);
    const page = await app.send(browser);
    expect(choices(page)).toEqual([
      ['hour', false],
      ['day', false],
      ['month', false],
      ['until_stopped', true],
    ]);
    await allow(page, { duration: [] });
    for (const duration of ['until_stopped', 'hour', 'month']) await allow(await app.send(browser), { duration });
    const ends = (await grantsOf(app)).map(({ endsAt, createdAt }) =>
      endsAt === null ? null : Math.round((endsAt.getTime() - createdAt.getTime()) / 1000),
    );
    expect(ends).toEqual([null, null, 3600, 30 * 86_400]);
  });

  test.each(['forever', '3600', "hour' OR 1=1 --", 'HOUR'])(
    'rejects the duration %s and grants nothing',
    async (duration) => {
      const app = await registerThirdParty(auth);
      const page = await app.send(browser);
      expect((await allow(page, { duration })).status).toBe(400);
      expect(await grantsOf(app)).toEqual([]);
    },
  );

  test('D63 limits the lifetime of every token of the grant, by the clock of the database', async () => {
    const app = await connect(auth, browser);
    const usual = decodeJwt(app.accessToken);
    expect((usual.exp ?? 0) - (usual.iat ?? 0)).toBe(3600);
    await setGrantEnd(app, 100);
    const { json } = await app.refresh(app.refreshToken);
    expect(json['expires_in']).toBeLessThanOrEqual(100);
    const [grant] = await grantsOf(app);
    const end = (grant?.endsAt?.getTime() ?? 0) / 1000;
    expect(decodeJwt(json.access_token).exp).toBeLessThanOrEqual(end);
    expect(decodeJwt(json.access_token).exp).toBeGreaterThan(end - 5);
    // A later end also applies to existing refresh tokens.
    await setGrantEnd(app, 10 * 86_400);
    const later = await app.refresh(String(json['refresh_token']));
    expect([later.status, later.json['expires_in']]).toEqual([200, 3600]);
  });

  test('after the end, the code, the refresh token, userinfo and the remembered consent are rejected', async () => {
    const app = await connect(auth, browser, { scopes: ['openid', 'posts'] });
    const callback = await app.authorize(browser);
    const userinfo = async () =>
      (await auth.send({ path: '/oauth/userinfo', headers: { authorization: `Bearer ${app.accessToken}` } })).status;
    expect([callback.isElsewhere, await userinfo()]).toEqual([true, 200]);
    await setGrantEnd(app, 0);
    expect((await app.exchange(callback)).json['error']).toBe('invalid_grant');
    expect((await app.refresh(app.refreshToken)).json['error']).toBe('invalid_grant');
    expect(await userinfo()).toBe(401);
    expect((await app.send(browser, { scope: 'openid posts' })).text).toContain('wants to access your account');
    expect((await browser.open('/account/applications')).text).toContain('No apps can access your account.');
  });

  test('introspection reports the end, and only active: false after it', async () => {
    const { clientId, clientSecret } = await auth.register({ redirectUris: ['https://app.example.com/callback'] });
    const address = { client_id: clientId, response_type: 'code', redirect_uri: 'https://app.example.com/callback' };
    const page = await browser.open(`/oauth/authorize?${new URLSearchParams(address).toString()}`);
    const callback = await allow(page, { duration: 'hour' });
    const form = { grant_type: 'authorization_code', code: callback.url.searchParams.get('code') ?? '' };
    const credentials = basic(clientId, clientSecret);
    const { json } = await auth.requestToken({ ...form, redirect_uri: address.redirect_uri }, credentials);
    const introspect = async (token: string) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', ...credentials };
      const body = new URLSearchParams({ token }).toString();
      return (await auth.send({ method: 'POST', path: '/oauth/introspect', headers, body })).json;
    };
    const tokens = [json.access_token, String(json['refresh_token'])];
    for (const token of tokens) {
      const { active, exp } = await introspect(token);
      expect([active, Number(exp) <= nowSeconds() + 3600]).toEqual([true, true]);
    }
    await setGrantEnd({ clientId }, 0);
    expect(await introspect(tokens[1] ?? '')).toEqual({ active: false });
    await revokeExpiredGrants(auth.db);
    await expect.poll(async () => await introspect(tokens[0] ?? '')).toEqual({ active: false });
  });

  test('revokes each expired grant once, with one audit event, and keeps active grants', async () => {
    const [due, early] = [await connect(auth, browser), await connect(auth, browser)];
    await setGrantEnd(due, 0);
    await setGrantEnd(early, 60);
    await Promise.all(Array.from({ length: 8 }, async () => await revokeExpiredGrants(auth.db)));
    expect([await grantsOf(due), (await grantsOf(early)).length]).toEqual([[], 1]);
    const { clientId } = due;
    const events = await auth.db.prisma.auditEvent.findMany({ where: { clientId, event: 'consent.ended' } });
    expect(events.map(({ actor }) => actor)).toEqual(['service']);
  });
});

describe('narrowing a grant', () => {
  test('a scope removed under connected applications is missing after the next refresh', async () => {
    const app = await connect(auth, browser, { scopeReasons: { email: 'To write to you.' } });
    const page = await browser.open(pathOf(app));
    expect(page.text).toContain('The developer says: “ To write to you. ”');
    expect(checkboxes(page)).toEqual(['email']);
    const changed = await change(app, { scope: [] });
    expect(changed.text).toContain('Changes saved');
    expect(checkboxes(changed)).toEqual([]);
    const [grant] = await grantsOf(app);
    expect(grant).toMatchObject({ scopes: ['users', 'posts'], epoch: 1, endsAt: null });
    const { json } = await app.refresh(app.refreshToken);
    expect([json.scope, decodeJwt(json.access_token)]).toEqual([
      'users posts',
      expect.objectContaining({ scope: 'users posts', ge: 1 }),
    ]);
    const { clientId } = app;
    expect(await auth.db.prisma.auditEvent.count({ where: { clientId, event: 'consent.narrowed' } })).toBe(1);
  });

  test('required scopes cannot be removed and no scope can be added by a forged form', async () => {
    const app = await connect(auth, browser);
    await app.again(browser, []);
    await change(app, { scope: ['users:read', 'admin', 'email', 'openid'] });
    for (const { scopes } of await grantsOf(app)) expect(scopes).toEqual(expect.arrayContaining(['users', 'posts']));
    expect((await grantsOf(app)).some(({ scopes }) => scopes.some((one) => one === 'admin'))).toBe(false);
    expect((await change(app, { duration: 'forever' })).status).toBe(400);
    expect((await change(app, { action: 'widen' })).status).toBe(400);
  });

  test('D61 the consent page marks new scopes and those already granted', async () => {
    const app = await connect(auth, browser);
    expect((await app.send(browser)).isElsewhere).toBe(true);
    await change(app, { scope: [] });
    const page = await app.send(browser);
    expect(page.text).toContain('Read and write posts as you already granted');
    expect(page.text).toContain('See your e-mail address new');
    expect((await app.exchange(await allow(page, { scope: [] }))).json.scope).toBe('users posts');
    // The person declined the optional scope, so the next sign-in does not ask again.
    const silent = await app.send(browser);
    expect([silent.isElsewhere, (await app.exchange(silent)).json.scope]).toEqual([true, 'users posts']);
    const again = await app.send(browser, { prompt: 'consent' });
    expect((await app.exchange(await allow(again, { scope: 'email' }))).json.scope).toBe('users posts email');
    // An earlier token keeps only the scopes that are left.
    expect((await app.refresh(app.refreshToken)).json.scope).toBe('users posts');
  });

  test('D63 a new decision about a confidential application also applies to its earlier grants', async () => {
    const app = await connect(auth, browser);
    const page = await app.send(browser, { prompt: 'consent' });
    await allow(page, { scope: [], duration: 'hour' });
    const grants = await grantsOf(app);
    expect(grants.map(({ scopes, endsAt }) => [scopes, endsAt === null])).toEqual([
      [['users', 'posts'], false],
      [['users', 'posts'], false],
    ]);
    expect((await app.refresh(app.refreshToken)).json.scope).toBe('users posts');
  });

  test('each device of a public application has its own grant; a change in settings applies to all of them', async () => {
    const app = await connect(auth, browser, onDevice);
    await allow(await app.send(browser), { scope: [], duration: 'hour' });
    expect((await grantsOf(app)).map(({ endsAt }) => endsAt === null)).toEqual([true, false]);
    expect((await app.refresh(app.refreshToken)).json.scope).toBe('users posts email');
    await change(app, { scope: [], duration: 'month' });
    const month = 30 * 86_400_000;
    for (const { scopes, endsAt } of await grantsOf(app)) {
      expect(scopes).toEqual(['users', 'posts']);
      expect(Math.abs((endsAt?.getTime() ?? 0) - Date.now() - month)).toBeLessThan(60_000);
    }
    const shown = await change(app, { duration: 'until_stopped' });
    expect(shown.text).toContain('Access lasts until you revoke it');
  });

  test('RFC 6749 §6: a refresh can request fewer scopes, but no removed ones', async () => {
    const { clientId, clientSecret } = await auth.register({ redirectUris: ['https://app.example.com/callback'] });
    const app = await connectAs({ clientId, clientSecret });
    const refresh = async (refreshToken: string, scope: string) =>
      (await app.token({ grant_type: 'refresh_token', refresh_token: refreshToken, scope })).json;
    const part = await refresh(app.refreshToken, 'posts');
    expect(part.scope).toBe('posts');
    await change({ clientId }, { scope: [] });
    const next = await refresh(String(part['refresh_token']), 'posts email');
    expect(next.scope).toBe('posts');
    const wider = await refresh(String(next['refresh_token']), 'posts admin');
    expect(wider['error']).toBe('invalid_scope');
  });

  test('rejects the applications of other accounts and forms without a CSRF token', async () => {
    const app = await connect(auth, browser);
    const page = await browser.open(pathOf(app));
    const stranger = createBrowser(auth);
    await signIn(stranger, await registerPerson(auth.db, `strange_${String(people)}`));
    expect((await stranger.open(pathOf(app))).status).toBe(404);
    expect((await browser.submit(page, page.formOf('change-application'), { csrf: '', scope: [] })).status).toBe(403);
    const ended = await browser.submit(page, page.formOf('revoke-application'));
    expect([ended.url.pathname, ended.text]).toEqual([
      '/account/applications',
      expect.stringContaining('Access revoked'),
    ]);
    expect((await app.refresh(app.refreshToken)).json['error']).toBe('invalid_grant');
    for (const clientId of [app.clientId, 'app_0123456789abcdef', "'", '%2e%2e']) {
      expect((await browser.open(pathOf({ clientId }))).status).toBe(404);
    }
  });
});

/** Authorizes a confidential application whose credentials the test has. */
async function connectAs({
  clientId,
  clientSecret,
}: {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
}) {
  const token = async (form: Readonly<Record<string, string>>) =>
    await auth.requestToken(form, basic(clientId, clientSecret));
  const address = { client_id: clientId, response_type: 'code', redirect_uri: 'https://app.example.com/callback' };
  const callback = await allow(await browser.open(`/oauth/authorize?${new URLSearchParams(address).toString()}`));
  const code = callback.url.searchParams.get('code') ?? '';
  const { json } = await token({ grant_type: 'authorization_code', code, redirect_uri: address.redirect_uri });
  return { token, refreshToken: String(json['refresh_token']) };
}
