import { createTestPerson, listTestPeople } from '@linnet/accounts/test-people-store';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { catalogues } from '../../pages/i18n/messages.ts';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { createOnPage } from '@linnet/test/auth/developer';
import type { ShownApplication } from '@linnet/test/auth/developer';
import { dumpDatabase } from '@linnet/test/auth/dump';
import { startFrontedAuth } from '@linnet/test/auth/fronted-auth';
import type { FrontedAuth } from '@linnet/test/auth/fronted-auth';
import { findElements } from '@linnet/test/auth/html';
import type { FormValues } from '@linnet/test/auth/page-forms';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { basic } from '@linnet/test/auth/running-auth';
import type { Person } from '@linnet/test/auth/person';

const texts = catalogues.en.developer.playground;
const callbackPath = '/developer/playground/callback';

const cleanup = new AsyncDisposableStack();
let auth: FrontedAuth;
let ada: Person;
let browser: Browser;
let app: ShownApplication;
let people = 0;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startFrontedAuth(database.url, { rateLimits: false }));
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  [ada, browser] = await newPerson();
  app = await createOnPage(browser);
  auth.requests.length = 0;
  auth.answerApi((_request, _body, response) => response.end('{}'));
});

async function newPerson(): Promise<[Person, Browser]> {
  people += 1;
  const person = await registerPerson(auth.db, `player_${String(people)}`);
  const own = createBrowser(auth);
  await signIn(own, person);
  return [person, own];
}

const open = async (query = '') => await browser.open(`${app.path}/playground${query}`);

async function begin(values: FormValues = {}): Promise<Page> {
  const page = await open();
  return await browser.submit(page, page.formOf('playground-begin'), values);
}

/** Target of the button of the first step. */
function authorizeAddress({ html }: Page): string {
  const links = findElements(html, 'a');
  const found = links.find(({ attributes }) => attributes['data-testid'] === 'playground-authorize');
  if (found === undefined) throw new Error('the page sends nobody anywhere');
  return found.attributes['href'] ?? '';
}

async function decide(page: Page, decision: 'allow' | 'deny', as = browser): Promise<Page> {
  const consentPage = await as.open(authorizeAddress(page));
  return await as.submit(consentPage, consentPage.formWith('decision', decision), { decision });
}

async function comeToTokens(): Promise<Page> {
  return await decide(await begin(), 'allow');
}

async function call(id: string, values: FormValues): Promise<Page> {
  const page = await open(`?call=${id}`);
  return await browser.submit(page, page.formOf('playground-call'), values);
}

const tokenRequests = () => auth.requests.filter((one) => one === 'POST /oauth/token').length;

test('gets a token in three clicks for an application without redirect URIs, through the real endpoints', async () => {
  const page = await comeToTokens();
  expect(page.hops.map(({ from }) => from.pathname)).toContain(callbackPath);
  expect(auth.requests).toEqual(['POST /oauth/token']);
  expect(page.text).toContain('"access_token": "$ACCESS_TOKEN"');
  expect(page.text).toContain(texts.callTitle);
  const [grant] = await auth.db.prisma.grant.findMany({ where: { accountId: ada.id, kind: 'consent' } });
  expect(grant?.clientId).toBe(app.clientId);
  const secrets = await auth.db.prisma.applicationSecret.findMany({ where: { clientId: app.clientId } });
  const made = secrets.find(({ name }) => name === 'Playground');
  expect(Math.round(((made?.expiresAt?.getTime() ?? 0) - Date.now()) / 600_000)).toBe(6);
});

test('client credentials request the token at once', async () => {
  const page = await begin({ flow: 'application' });
  expect(auth.requests).toEqual(['POST /oauth/token']);
  expect(page.text).toContain('grant_type=client_credentials');
  expect(page.text).toContain(texts.tokensTitle);
});

test('stores and logs no secrets', async () => {
  const page = await comeToTokens();
  const [, token = ''] = /<code[^>]*>(ey[\w-]+\.[\w-]+\.[\w-]+)/.exec(page.html) ?? [];
  expect(token.length).toBeGreaterThan(100);
  const code = page.hops.flatMap(({ to }) => to.searchParams.get('code') ?? [])[0] ?? '-';
  const kept = await dumpDatabase(auth.db);
  const { sealedJwe } = await auth.db.prisma.playgroundRun.findFirstOrThrow({ where: { accountId: ada.id } });
  expect(kept).toContain(sealedJwe);
  for (const secret of [token, code]) {
    expect(secret.length).toBeGreaterThan(20);
    expect(`${kept}${auth.log.join('')}`).not.toContain(secret);
  }
});

test('D203: signs a test person in without a consent page, and refuses those of others', async () => {
  await createTestPerson(auth.db, ada.id);
  const [tester] = await listTestPeople(auth.db, ada.id);
  const page = await begin({ person: String(tester?.id) });
  expect(auth.requests).toEqual(['POST /oauth/token']);
  expect(page.text).toContain(`@${String(tester?.username)}`);
  expect(page.text).toContain(texts.callTitle);
  const [, token = ''] = /<code[^>]*>(ey[\w-]+\.[\w-]+\.[\w-]+)/.exec(page.html) ?? [];
  expect(decodeJwt(token)).toMatchObject({ acct: tester?.id, sb: ada.id });
  const id = String((await registerPerson(auth.db, 'no_test_person')).id);
  expect((await begin({ person: id })).text).toContain(texts.errors.person);
});

const authorizeUrl = (values: Readonly<Record<string, string>> = {}) => {
  const query = { client_id: app.clientId, redirect_uri: `${auth.baseUrl}${callbackPath}`, scope: 'users' };
  return `/oauth/authorize?${new URLSearchParams({ response_type: 'code', ...query, ...values }).toString()}`;
};

describe('the redirect URI of the playground', () => {
  test('is accepted at once while the owner has a run, byte for byte, and is not stored', async () => {
    const own = await createOnPage(browser, { name: 'With its own', redirect_uris: 'https://own.example/back' });
    for (const one of [app, own]) {
      app = one;
      const before = await browser.open(authorizeUrl());
      expect([before.status, before.url.pathname]).toEqual([400, '/oauth/authorize']);
      await begin();
      expect((await browser.open(authorizeUrl())).url.pathname).toMatch(/^\/interaction\//);
      expect((await browser.open(authorizeUrl({ redirect_uri: `${auth.baseUrl}${callbackPath}/` }))).status).toBe(400);
    }
    expect(await auth.db.prisma.redirectUri.findMany({ where: { clientId: app.clientId } })).toHaveLength(1);
    const settings = await browser.open(`${app.path}/settings`);
    expect(settings.formWith('redirect_uris').fields).toContainEqual(['redirect_uris', 'https://own.example/back']);
  });

  test('is rejected after the run has expired, and the sweep deletes the run', async () => {
    await begin();
    const { clientId } = app;
    await auth.db.prisma.playgroundRun.updateMany({
      where: { clientId },
      data: { createdAt: new Date(0), endsAt: new Date(Date.now() - 1000) },
    });
    await expect.poll(async () => (await browser.open(authorizeUrl())).status).toBe(400);
    expect((await open()).text).toContain(texts.begin);
    await auth.runJob('playground-runs');
    expect(await auth.db.prisma.playgroundRun.count({ where: { clientId } })).toBe(0);
  });

  test('accepts a response once, with its state and this issuer, from the signed-in owner', async () => {
    const page = await begin();
    const { searchParams } = new URL(authorizeAddress(page), auth.baseUrl);
    const good = { state: searchParams.get('state') ?? '', iss: auth.baseUrl, error: 'access_denied' };
    const answer = async (as: Browser, values: readonly (readonly [string, string])[]) =>
      (await as.open(`${callbackPath}?${new URLSearchParams(values.map(([a, b]) => [a, b])).toString()}`)).status;
    const pairs = Object.entries(good);
    const strangers: [Browser, readonly (readonly [string, string])[]][] = [
      [createBrowser(auth), pairs],
      [browser, []],
      [browser, Object.entries({ ...good, state: `${good.state}x` })],
      [browser, Object.entries({ ...good, iss: 'https://evil.example' })],
      [browser, [...pairs, ['state', good.state]]],
    ];
    for (const [as, values] of strangers) expect(await answer(as, values)).toBe(400);
    expect(await answer(browser, pairs)).toBe(200);
    expect(await answer(browser, pairs)).toBe(400);
    expect((await open()).text).toContain(texts.explained.denied);
  });
});

describe('the redirect URI of the playground is refused for anyone but the owner, without a consent page or a consent', () => {
  const expectRefused = async (page: Page) => {
    expect([page.status, page.url.pathname]).toEqual([400, expect.stringMatching(/^\/oauth\/authorize/)]);
    expect(page.text).toContain(catalogues.en.errors['bad-authorization'].title);
    expect(await auth.db.prisma.grant.count({ where: { clientId: app.clientId, kind: 'consent' } })).toBe(0);
    expect(page.hops.some(({ to }) => to.searchParams.has('code'))).toBe(false);
  };

  test('in the browser of another account, silent requests included', async () => {
    const address = authorizeAddress(await begin());
    const [, bob] = await newPerson();
    for (const prompt of ['', '&prompt=none', '&prompt=consent', '&prompt=login']) {
      await expectRefused(await bob.open(`${address}${prompt}`));
    }
    expect((await open()).text).toContain(texts.sendTitle);
  });

  test('in the browser of another account, after a pushed request', async () => {
    const { clientId, clientSecret } = app;
    await begin();
    const form = {
      client_id: clientId,
      redirect_uri: `${auth.baseUrl}${callbackPath}`,
      response_type: 'code',
      scope: 'users',
    };
    const pushed = await auth.send({
      method: 'POST',
      path: '/oauth/par',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...basic(clientId, clientSecret) },
      body: new URLSearchParams(form).toString(),
    });
    expect(pushed.status).toBe(201);
    const query = new URLSearchParams({ client_id: clientId, request_uri: String(pushed.json['request_uri']) });
    const [, bob] = await newPerson();
    await expectRefused(await bob.open(`/oauth/authorize?${query.toString()}`));
  });

  test('for a visitor who then signs in as someone else', async () => {
    const address = authorizeAddress(await begin());
    const visitor = createBrowser(auth);
    const [bob] = await newPerson();
    await expectRefused(await signIn(visitor, bob, await visitor.open(address)));
  });

  test('when the owner’s browser changes to another account on the consent page', async () => {
    const consentPage = await browser.open(authorizeAddress(await begin()));
    const other = consentPage.formWith('decision', 'switch-account');
    const login = await browser.submit(consentPage, other);
    const [bob] = await newPerson();
    await expectRefused(await signIn(browser, bob, login));
  });

  test('although that person authorized the application before', async () => {
    const own = await createOnPage(browser, { name: 'Remembered', redirect_uris: 'https://own.example/back' });
    app = own;
    const address = authorizeAddress(await begin());
    const [, bob] = await newPerson();
    const usual = await bob.open(authorizeUrl({ redirect_uri: 'https://own.example/back' }));
    await bob.submit(usual, usual.formWith('decision', 'allow'), { decision: 'allow' });
    const page = await bob.open(address);
    expect([page.status, page.url.pathname]).toEqual([400, '/oauth/authorize']);
  });

  test('although the application registered it', async () => {
    const callback = `${auth.baseUrl}${callbackPath}`;
    await auth.db.prisma.redirectUri.create({ data: { clientId: app.clientId, uri: callback, position: 0 } });
    await begin();
    const [, bob] = await newPerson();
    for (const query of ['', '?state=YQ==']) {
      await expectRefused(await bob.open(authorizeUrl({ redirect_uri: `${callback}${query}` })));
    }
  });

  test('and the owner who signs in first is not refused', async () => {
    const address = authorizeAddress(await begin());
    const visitor = createBrowser(auth);
    const page = await signIn(visitor, ada, await visitor.open(address));
    expect(page.url.pathname).toMatch(/^\/interaction\//);
    expect(page.formWith('decision', 'allow')).toBeDefined();
  });
});

test('shows a denied authorization, and another run can start', async () => {
  const page = await decide(await begin(), 'deny');
  expect(page.text).toContain(texts.explained.denied);
  expect(page.text).toContain(texts.stopped);
  expect(tokenRequests()).toBe(0);
  const again = await browser.submit(page, page.formOf('playground-begin'));
  expect(again.text).toContain(texts.sendTitle);
  const named = await auth.db.prisma.applicationSecret.count({ where: { clientId: app.clientId, name: 'Playground' } });
  expect(named).toBe(1); // the created secret is reused
});

test('a form that is submitted twice acts once', async () => {
  const first = await open();
  const form = first.formOf('playground-begin');
  await Promise.all([browser.submit(first, form), browser.submit(first, form)]);
  const count = async () => await auth.db.prisma.applicationSecret.count({ where: { clientId: app.clientId } });
  expect(await count()).toBe(2); // its own, and one for the playground
  const page = await begin();
  const consentPage = await browser.open(authorizeAddress(page));
  const back = await browser.submit(consentPage, consentPage.formWith('decision', 'allow'), { decision: 'allow' });
  const address = back.hops.find(({ to }) => to.pathname === callbackPath)?.to;
  await Promise.all([1, 2, 3].map(async () => await browser.open(address?.href ?? '')));
  expect(tokenRequests()).toBe(1);
  const shown = await open('?call=post-create');
  const post = shown.formOf('playground-call');
  await Promise.all([1, 2, 3].map(async () => await browser.submit(shown, post, { p_message: 'once' })));
  const refresh = shown.formOf('playground-refresh');
  await Promise.all([1, 2, 3].map(async () => await browser.submit(shown, refresh)));
  expect(auth.requests.filter((one) => one === 'POST /api/v2.0/post/create')).toHaveLength(1);
  expect(tokenRequests()).toBe(2);
});

test('is 404 for everyone else', async () => {
  await comeToTokens();
  const [, bob] = await newPerson();
  expect((await bob.open(`${app.path}/playground`)).status).toBe(404);
  const form = (await open()).formOf('playground-call');
  const page = await bob.open('/account/profile');
  const [, csrf = ''] = page.forms[0]?.fields.find(([name]) => name === 'csrf') ?? [];
  const sent = await bob.submit(page, { ...form, action: `${app.path}/playground` }, { csrf });
  expect(sent.status).toBe(404);
  expect(auth.requests).toEqual(['POST /oauth/token']);
});

describe('bad input', () => {
  test.each([
    [{ secret_source: 'paste' }, texts.errors.secretMissing, 422],
    [{ secret_source: 'paste', client_secret: 'no secret of anybody' }, texts.errors.secretWrong, 422],
    [{ scope: [] }, texts.errors.scopes, 422],
    [{ flow: 'other' }, texts.errors.flow, 422],
  ])('%j is reported beside its field and starts nothing', async (values, text, status) => {
    const page = await begin(values);
    expect([page.status, page.text.includes(text)]).toEqual([status, true]);
    expect(await auth.db.prisma.playgroundRun.count({ where: { accountId: ada.id } })).toBe(0);
  });

  test('with five secrets, asks for an existing one and uses it', async () => {
    for (let added = 1; added < 5; added += 1) {
      const shown = await browser.open(app.path);
      await browser.submit(shown, shown.formOf('add-secret'));
    }
    const page = await begin();
    expect([page.status, page.text.includes(texts.errors.enoughSecrets)]).toEqual([409, true]);
    const values = { client_secret: app.clientSecret };
    expect((await browser.submit(page, page.formOf('playground-begin'), values)).text).toContain(texts.sendTitle);
  });

  test('asks for missing parameters beside the field; parameters that are too long are kept', async () => {
    await comeToTokens();
    const missing = await call('post-create', { p_message: '' });
    expect([missing.status, missing.text.includes(texts.errors.parameterMissing('message'))]).toEqual([422, true]);
    const long = await call('post-create', { p_message: 'é'.repeat(2000) });
    expect([long.status, long.html.includes('é'.repeat(2000))]).toEqual([422, true]);
    expect(Buffer.byteLength(long.html)).toBeLessThan(36_000);
    expect(auth.requests).toEqual(['POST /oauth/token']);
  });

  test.each(['requirePushedAuthorizationRequests', 'dpopBoundAccessTokens'])(
    'says why an application with %s cannot be tried here',
    async (setting) => {
      await auth.db.prisma.application.update({ where: { clientId: app.clientId }, data: { [setting]: true } });
      const page = await begin();
      expect([page.status, page.text.includes(texts.errors.needsProof)]).toEqual([409, true]);
    },
  );

  test('a paused application is reported before anything else', async () => {
    await auth.db.prisma.application.update({ where: { clientId: app.clientId }, data: { pausedAt: new Date() } });
    const page = await begin();
    expect([page.status, page.text.includes(texts.errors.paused)]).toEqual([409, true]);
  });
});

describe('API requests', () => {
  test('send hostile text as typed, and show it inertly in a page that stays small', async () => {
    await comeToTokens();
    const text = `'"$(id)\`id\`;\\ <script>alert(1)</script>&\u202E${'"<'.repeat(120)}`;
    let arrived = '';
    auth.answerApi((request, body, response) => {
      arrived = `${request.headers.authorization?.slice(0, 9) ?? ''} ${body}`;
      response.end(JSON.stringify({ text: `${text}${'"'.repeat(300_000)}` }));
    });
    const page = await call('post-create', { p_message: text });
    expect(arrived).toBe(`Bearer ey ${JSON.stringify({ message: text })}`);
    expect(page.html).not.toContain('<script>alert');
    expect(page.text).toContain(texts.cut);
    // Of the response, 300 KB arrived.
    expect(Buffer.byteLength(page.html)).toBeLessThan(38_500);
  });

  test('report redirects and missing responses, and lose nothing', async () => {
    await comeToTokens();
    auth.answerApi((_request, _body, response) =>
      response.writeHead(302, { location: 'http://elsewhere.example' }).end(),
    );
    expect((await call('users-show', { p_username: 'somebody' })).text).toContain(texts.explained.redirected);
    auth.answerApi((request) => request.socket.destroy());
    const page = await call('users-show', { p_username: 'somebody' });
    expect(page.text).toContain(texts.explained.unreachable);
    expect(page.formOf('playground-call').fields).toContainEqual(['p_username', 'somebody']);
  });

  test('the last ten exchanges are kept, each with its details', async () => {
    await comeToTokens();
    for (let made = 0; made < 11; made += 1) await call('users-show', { p_username: `name_${String(made)}` });
    const page = await open();
    expect(page.html.match(/\?exchange=\d+#answer/g)).toHaveLength(10);
    expect((await open('?exchange=5')).text).toContain('username=name_2 HTTP/1.1');
  });

  test('after the token is revoked, the API rejects it', async () => {
    const page = await comeToTokens();
    const revoked = await browser.submit(page, page.formOf('playground-revoke'));
    expect(auth.requests.at(-1)).toBe('POST /oauth/revoke');
    expect(revoked.text).toContain(texts.kinds.revoke);
    expect(revoked.text).toContain('HTTP/1.1 200');
  });
});

test('asks an application with keys for an assertion, and keeps the code until one is accepted', async () => {
  app = await createOnPage(browser, { jwks_uri: 'https://app.example.com/jwks.json' });
  const page = await decide(await begin(), 'allow');
  expect(page.text).toContain(texts.assertionHint);
  const empty = await browser.submit(page, page.formWith('client_assertion'), { client_assertion: ' ' });
  expect([empty.status, empty.text.includes(texts.errors.assertionMissing)]).toEqual([422, true]);
  const rejected = await browser.submit(page, page.formWith('client_assertion'), { client_assertion: 'no assertion' });
  expect(rejected.text).toContain('"error": "invalid_');
  expect(rejected.text).toContain(texts.assertionHint);
});

test('explains that the service cannot reach itself', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await using alone = await startFrontedAuth(database.url, { rateLimits: false });
  const person = await registerPerson(alone.db, 'on_her_own');
  const own = createBrowser(alone);
  await signIn(own, person);
  const { path } = await createOnPage(own);
  alone.closeFront();
  const page = await own.open(`${path}/playground`);
  const failed = await own.submit(page, page.formOf('playground-begin'), { flow: 'application' });
  expect([failed.status, failed.text.includes(texts.explained.unreachable)]).toEqual([200, true]);
  expect(failed.text).toContain(texts.askForToken);
});
