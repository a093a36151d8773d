import { createTestDatabase } from '@linnet/test/db/test-database';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { catalogues } from '../../pages/i18n/messages.ts';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { createOnPage, fillInApplication, shownAt, tokenOf } from '@linnet/test/auth/developer';
import { dumpDatabase } from '@linnet/test/auth/dump';
import { findElements } from '@linnet/test/auth/html';
import type { FormValues } from '@linnet/test/auth/page-forms';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const { errors: texts } = catalogues.en.developer.form;

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
  ada = await registerPerson(auth.db, `developer_${String(people)}`);
  browser = createBrowser(auth);
  await signIn(browser, ada);
});

async function storedApplications() {
  return await auth.db.prisma.application.findMany({
    where: { ownerId: ada.id },
    include: { redirectUris: { orderBy: { position: 'asc' } }, secrets: true, grants: true },
  });
}

/** The names of the fields that are marked as invalid. */
function wrongFields({ html }: Page): readonly (string | undefined)[] {
  return findElements(html)
    .filter(({ attributes }) => attributes['aria-invalid'] === 'true' || attributes['class'] === 'choices wrong')
    .map(({ attributes }) => attributes['name'] ?? attributes['id']);
}

/** Whether each fold of the form is open. */
function openFolds({ html }: Page): readonly boolean[] {
  return findElements(html)
    .filter(({ attributes }) => attributes['class'] === 'settings')
    .map(({ attributes }) => 'open' in attributes);
}

test('asks three questions, and opens a fold only for an error in it', async () => {
  const form = await browser.open('/developer/applications/new');
  expect(openFolds(form)).toEqual([false, false]);
  const folds: readonly (readonly [FormValues, readonly boolean[]])[] = [
    [{ name: '' }, [false, false]],
    [{ redirect_uris: 'nowhere' }, [false, false]],
    [{ scope: 'everything' }, [true, false]],
    [{ jwks_uri: 'nowhere' }, [false, true]],
    [{ implicit: 'yes' }, [false, true]],
    [{ access_token_lifetime: '1' }, [false, true]],
    [{ type: 'backend', name: '', scope: 'everything', access_token_lifetime: '1' }, [true, true]],
  ];
  for (const [values, open] of folds) {
    const refused = await fillInApplication(browser, values);
    expect(refused.status, JSON.stringify(values)).toBe(422);
    expect(openFolds(refused), JSON.stringify(values)).toEqual(open);
    const { type = 'confidential' } = values;
    expect(Object.fromEntries(refused.formWith('redirect_uris').fields)).toMatchObject({ type });
  }
});

test('“My applications” links to “Create application”, whose defaults suit most applications', async () => {
  const list = await browser.open('/developer');
  expect(list.title).toContain('My applications');
  const form = await browser.open(list.link('Create application'), list);
  expect(form.title).toContain('Create application');
  expect(
    form
      .formWith('redirect_uris')
      .fields.filter(
        ([name]) =>
          !/^(csrf|mark|settings|grant_types|token_endpoint_auth_signing_alg|id_token_signed_response_alg|.*_logout_.*|.*_lifetime|(use|reason)_.*)$/.test(
            name,
          ),
      ),
  ).toEqual([
    ['name', ''],
    ['type', 'confidential'],
    ['scope', 'users'],
    ['scope', 'posts'],
    ['jwks_uri', ''],
    ['act_as_owner', 'yes'],
    ['redirect_uris', ''],
  ]);
});

describe('creating an application', () => {
  test('a confidential application gets a secret, whose token acts as the owner', async () => {
    const page = await fillInApplication(browser, { scope: ['posts', 'email'], redirect_uris: 'https://a.example/cb' });
    expect(page.status).toBe(200);
    expect(page.headers['cache-control']).toBe('no-store');
    const clientId = shownAt(page, 'client-id') ?? '';
    const { status, json } = await tokenOf(auth, clientId, shownAt(page, 'client-secret') ?? '');
    expect(status).toBe(200);
    expect(json).toMatchObject({ scope: 'posts email', app_id: clientId });
    expect(decodeJwt(json.access_token)).toMatchObject({ sub: clientId, acct: ada.id, gid: expect.any(String) });
    const after = await browser.open(page.link('Go to the application'), page);
    expect(shownAt(after, 'client-id')).toBe(clientId);
    expect((await browser.open('/developer')).text).toContain('Weather Bird');
  });

  test.each(['public', 'native'])('a %s application gets no secret and never acts as the owner', async (type) => {
    const uris = { public: 'https://a.example/cb', native: 'com.example.app:/cb\r\nhttp://127.0.0.1/cb' };
    const redirectUris = uris[type as keyof typeof uris];
    const page = await fillInApplication(browser, { type, redirect_uris: redirectUris, act_as_owner: 'yes' });
    expect(page.status).toBe(200);
    expect(shownAt(page, 'client-id')).toMatch(/^app_/);
    expect(shownAt(page, 'client-secret')).toBeUndefined();
    const [application] = await storedApplications();
    expect(application).toMatchObject({ type, secrets: [], grants: [] });
    expect(application?.redirectUris.map(({ uri }) => uri)).toEqual(redirectUris.split('\r\n'));
  });

  test('a backend gets a secret and signs no one in, whatever the hidden fields contain', async () => {
    const page = await fillInApplication(browser, {
      type: 'backend',
      redirect_uris: 'http://typed.before/choosing',
      implicit: 'yes',
    });
    expect(page.status).toBe(200);
    expect(shownAt(page, 'client-secret')).toBeDefined();
    const [application] = await storedApplications();
    expect(application).toMatchObject({
      type: 'confidential',
      grantTypes: ['client_credentials'],
      redirectUris: [],
      grants: [expect.objectContaining({ accountId: BigInt(ada.id) })],
    });
  });

  test('stores exactly what the form contains', async () => {
    await fillInApplication(browser, {
      name: '  Bücher & <b>mehr</b> ',
      redirect_uris: [' https://a.example/cb \r\n\r\nhttp://localhost:8080/cb', 'https://b.example/cb'],
      scope: ['openid', 'users:read'],
      implicit: 'yes',
      act_as_owner: [],
    });
    const [application] = await storedApplications();
    expect(application).toMatchObject({
      name: 'Bücher & <b>mehr</b>',
      scopes: ['openid', 'users:read'],
      grantTypes: ['authorization_code', 'refresh_token', 'client_credentials', 'implicit'],
      grants: [],
    });
    expect(application?.redirectUris.map(({ uri }) => uri)).toEqual([
      'https://a.example/cb',
      'http://localhost:8080/cb',
      'https://b.example/cb',
    ]);
  });

  test('AC6: ignores fields that the form does not have', async () => {
    const [{ clientId: other }] = [await auth.register()];
    const page = await fillInApplication(browser, {
      client_id: other,
      clientId: other,
      owner: 'owner_of_all',
      owner_id: String(auth.ownerId),
      ownerId: String(auth.ownerId),
      client_secret: 'known',
      created_at: '2000-01-01',
      verified: 'yes',
      suspended: 'no',
      __proto__: 'x',
      constructor: 'x',
    });
    const [application] = await storedApplications();
    expect(application?.clientId).toBe(shownAt(page, 'client-id'));
    expect(application?.clientId).not.toBe(other);
    expect(application?.createdAt.getFullYear()).toBeGreaterThan(2000);
    expect((await tokenOf(auth, application?.clientId ?? '', 'known')).status).toBe(401);
  });
});

describe('CA3: the secret', () => {
  test('is shown once, and appears neither in the database nor in the log', async () => {
    const { clientSecret, path } = await createOnPage(browser);
    expect(clientSecret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    for (const address of ['/developer', path, '/developer/applications/new', '/account/applications']) {
      const page = await browser.open(address);
      expect(page.status).toBe(200);
      expect(page.html).not.toContain(clientSecret);
    }
    const dump = await dumpDatabase(auth.db);
    expect(dump).toContain('Weather Bird');
    for (const text of [
      clientSecret,
      Buffer.from(clientSecret).toString('hex'),
      Buffer.from(clientSecret, 'base64url').toString('hex'),
    ]) {
      expect(dump).not.toContain(text);
    }
    expect(auth.log.join('')).not.toContain(clientSecret);
  });

  test('reloading creates no second application and does not show the secret again', async () => {
    const form = await browser.open('/developer/applications/new');
    const send = () => browser.submit(form, form.formWith('redirect_uris'), { name: 'Weather Bird' });
    const created = await send();
    const again = await send();
    expect(again).toMatchObject({ status: 200, hops: [{ status: 303 }] });
    expect(again.url.pathname).toBe(`/developer/applications/${shownAt(created, 'client-id') ?? ''}`);
    expect(again.text).toContain('the application exists');
    expect(again.html).not.toContain(shownAt(created, 'client-secret'));
    expect(await storedApplications()).toMatchObject([{ secrets: [{}] }]);
  });

  test('a double click creates one application', async () => {
    const form = await browser.open('/developer/applications/new');
    const send = () => browser.submitOnly(form, form.formWith('redirect_uris'), { name: 'Weather Bird' });
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(2);
    expect(await storedApplications()).toHaveLength(1);
  });
});

describe('DV1: an invalid redirect URI', () => {
  test.each([
    ['https://a.example/cb#x', 'confidential', 'fragment'],
    ['https://ada@a.example/cb', 'confidential', 'userinfo'],
    ['http://a.example/cb', 'confidential', 'insecure-scheme'],
    ['javascript:alert(1)', 'public', 'unsupported-scheme'],
    ['com.example.app:/cb', 'public', 'unsupported-scheme'],
    ['myapp:/cb', 'native', 'scheme-without-dot'],
    ['https://localhost/cb', 'native', 'loopback-https'],
    ['https://*.a.example/cb', 'confidential', 'wildcard-host'],
    ['https://a.example/%0d%0aX:y', 'confidential', 'encoded-control'],
    ['https://a.example/a/../cb', 'confidential', 'dot-segment'],
    ['https://a.example/cb?code=1', 'confidential', 'reserved-parameter'],
    ['https://a.example/cb?state=%7B%7D', 'confidential', 'bad-state'],
    ['https://A.example:443/cb', 'confidential', 'not-normal'],
    ['/cb', 'confidential', 'not-absolute'],
    ['https://a.example/ü', 'confidential', 'not-ascii'],
    [`https://a.example/${'x'.repeat(2048)}`, 'confidential', 'too-long'],
  ] as const)('%s (%s) comes with its reason beside the field', async (uri, type, problem) => {
    const page = await fillInApplication(browser, { type, redirect_uris: `https://fine.example/cb\r\n${uri}` });
    expect(page.status).toBe(422);
    expect(wrongFields(page)).toEqual(['redirect_uris']);
    expect(page.text).toContain(texts.redirectUri('', problem).trim());
    expect(findElements(page.html).some(({ attributes }) => attributes['role'] === 'alert')).toBe(true);
    expect(page.formWith('redirect_uris').fields).toContainEqual([
      'redirect_uris',
      `https://fine.example/cb\r\n${uri}`,
    ]);
    expect(await storedApplications()).toEqual([]);
  });
});

describe('a rejected form', () => {
  test('reports all errors at once and keeps what was typed', async () => {
    const typed = {
      name: '\u202Eevil',
      type: 'native',
      redirect_uris: 'http://a.example/cb\r\nmyapp:/cb',
      scope: ['email', 'admin'],
      implicit: 'yes',
      act_as_owner: [],
    };
    const page = await fillInApplication(browser, typed);
    expect(page.status).toBe(422);
    expect(wrongFields(page)).toEqual(['name', 'redirect_uris', 'field-scope', 'implicit']);
    for (const text of [catalogues.en.names.errors.unprintable, texts.scopeUnknown('admin'), texts.implicitNative]) {
      expect(page.text).toContain(text);
    }
    const { fields } = page.formWith('redirect_uris');
    expect(
      fields.filter(
        ([name]) =>
          !/^(csrf|mark|redirect_uris|name|settings|grant_types|token_endpoint_auth_signing_alg|id_token_signed_response_alg|.*_logout_.*|.*_lifetime|(use|reason)_.*)$/.test(
            name,
          ),
      ),
    ).toEqual([
      ['type', 'native'],
      ['scope', 'email'],
      ['jwks_uri', ''],
      ['implicit', 'yes'],
    ]);
    const corrected = await browser.submit(page, page.formWith('redirect_uris'), {
      name: 'Good',
      redirect_uris: 'com.example.app:/cb',
      implicit: [],
    });
    expect(corrected.status).toBe(200);
    expect(await storedApplications()).toMatchObject([{ name: 'Good', type: 'native', scopes: ['email'] }]);
  });

  test.each([
    [{ name: ' ' }, 'name', texts.nameBlank],
    [{ name: 'x'.repeat(61) }, 'name', texts.nameTooLong],
    [{ type: [] }, 'field-type', texts.typeMissing],
    [{ type: 'admin' }, 'field-type', texts.typeMissing],
    [
      { redirect_uris: Array.from({ length: 21 }, (_, index) => `https://a.example/${String(index)}`) },
      'redirect_uris',
      texts.redirectUrisTooMany,
    ],
    [{ implicit: 'yes' }, 'implicit', texts.implicitWithoutRedirectUri],
  ])('%j: the field is marked', async (values, field, text) => {
    const page = await fillInApplication(browser, values);
    expect(page.status).toBe(422);
    expect(wrongFields(page)).toEqual([field]);
    expect(page.text).toContain(text);
    expect(await storedApplications()).toEqual([]);
  });

  test('errors are in the language of the page', async () => {
    const german = createBrowser(auth, { headers: { 'accept-language': 'de' } });
    await signIn(german, ada);
    const page = await fillInApplication(german, { name: '' });
    expect(page.text).toContain('Gib einen Namen ein.');
  });

  test('rejects the 26th application of an account', async () => {
    const row = { ownerId: ada.id, name: 'x', type: 'public' } as const;
    const ids = Array.from({ length: 25 }, (_, index) => `app_${String(people)}_${String(index).padStart(16, '0')}`);
    await auth.db.prisma.application.createMany({ data: ids.map((clientId) => ({ ...row, clientId })) });
    const page = await fillInApplication(browser);
    expect(page.status).toBe(422);
    expect(page.text).toContain(texts.tooManyApplications);
    expect(await storedApplications()).toHaveLength(25);
  });
});

describe('UI8: hostile names are always shown as text', () => {
  test.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "'; DROP TABLE application; --",
    '{{7*7}}${7*7}',
    '&lt;b&gt;',
    'javascript:alert(1)',
    '\u0627\u0644\u0639\u0631\u0628\u064A\u0629',
  ])('%s', async (name) => {
    const created = await fillInApplication(browser, { name });
    const application = await browser.open(created.link('Go to the application'), created);
    const rejected = await browser.submit(application, application.formOf('delete-application'), { confirm: 'x' });
    const settings = await browser.open(`${application.url.pathname}/settings`);
    for (const page of [created, application, settings, rejected, await browser.open('/developer')]) {
      expect(page.text).toContain(name);
      const scripts = findElements(page.html, 'script').map(({ attributes }) => attributes['src']);
      for (const script of scripts) expect(script).toMatch(/^\/assets\/copy\.js\?v=[\w-]+$/);
      expect(page.html.match(/<script[^>]*>(?!<\/script>)/)).toBe(null);
      expect(findElements(page.html, 'img')).toHaveLength(1);
    }
    expect(settings.formWith('name').fields).toContainEqual(['name', name]);
  });
});

describe('access', () => {
  test('redirects visitors to the sign-in page and back', async () => {
    const stranger = createBrowser(auth);
    for (const path of ['/developer', '/developer/applications/new', '/developer/applications/app_0123456789abcdef']) {
      const login = await stranger.open(path);
      expect(login.url.pathname).toBe('/login');
      expect(login.url.searchParams.get('return_to')).toBe(path);
    }
    const back = await signIn(stranger, ada, await stranger.open('/developer/applications/new'));
    expect(back.url.pathname).toBe('/developer/applications/new');
  });

  test('UI3: rejects other sites, and forms without the token of this browser', async () => {
    const form = await browser.open('/developer/applications/new');
    const fields = form.formWith('redirect_uris');
    const stale = await browser.submit(form, fields, { name: 'x', csrf: 'x' });
    expect(stale.status).toBe(403);
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }] as const) {
      const attacked = createBrowser(auth, { cookies: browser.cookies });
      const { status } = await auth.send({
        method: 'POST',
        path: '/developer/applications/new',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          cookie: attacked.cookies.headerFor('/developer') ?? '',
          ...headers,
        },
        body: new URLSearchParams(fields.fields.map(([name, value]) => [name, value])).toString(),
      });
      expect(status).toBe(403);
    }
    expect(await storedApplications()).toEqual([]);
  });
});

describe('CA2: an application with keys', () => {
  const jwksUri = 'https://app.example.com/jwks.json';

  test('never gets a secret, and can change but not remove its key set URL', async () => {
    const page = await fillInApplication(browser, { jwks_uri: jwksUri });
    const clientId = shownAt(page, 'client-id');
    expect([shownAt(page, 'client-secret'), page.text]).toEqual([
      undefined,
      expect.stringContaining('private_key_jwt'),
    ]);
    expect(await storedApplications()).toMatchObject([{ jwksUri, secrets: [] }]);

    const overview = await browser.open(`/developer/applications/${String(clientId)}`);
    expect(() => overview.formOf('add-secret')).toThrow('add-secret');
    const shown = await browser.open(`${overview.url.pathname}/settings`);
    const form = shown.formWith('redirect_uris');
    const moved = await browser.submit(shown, form, { jwks_uri: `${jwksUri}?v=2` });
    expect(moved.status).toBe(200);
    expect((await browser.submit(shown, form, { jwks_uri: ' ' })).status).toBe(422);
    await browser.submit(overview, overview.formOf('delete-application'), { action: 'add-secret' });
    expect(await storedApplications()).toMatchObject([{ jwksUri: `${jwksUri}?v=2`, secrets: [] }]);
  });

  test.each([
    [{ type: 'public', jwks_uri: jwksUri }, texts.jwksNotConfidential],
    [{ jwks_uri: 'http://app.example.com/jwks.json' }, texts.jwksUriBad],
  ])('rejects %j beside the field', async (values, text) => {
    const page = await fillInApplication(browser, values);
    expect([page.status, wrongFields(page)]).toEqual([422, ['jwks_uri']]);
    expect(page.text).toContain(text);
    expect(await storedApplications()).toEqual([]);
  });

  test('saving the settings does not replace a secret with keys', async () => {
    const { path } = await createOnPage(browser);
    const shown = await browser.open(`${path}/settings`);
    expect(() => shown.formWith('jwks_uri')).toThrow('jwks_uri');
    await browser.submit(shown, shown.formWith('redirect_uris'), { jwks_uri: jwksUri });
    expect(await storedApplications()).toMatchObject([{ jwksUri: null, secrets: [{}] }]);
  });
});
