import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import type { CreatedApplication } from '@linnet/applications/application/application-change';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

/** AZ20: a pushed request that a person restarts stays a pushed request, for applications that may send no others. */
const redirectUri = 'https://app.example.com/callback';
const secretState = 'c2VjcmV0';
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let ada: Person;
let application: CreatedApplication;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  ada = await registerPerson(auth.db, 'ada_lovelace');
  const protocol = { requirePushedAuthorizationRequests: ['yes'] };
  application = await auth.register({ redirectUris: [redirectUri], protocol });
});
afterAll(() => cleanup.disposeAsync());

/** Pushes a request and opens it. */
async function start(browser: Browser): Promise<Page> {
  const { clientId, clientSecret } = application;
  const form = { response_type: 'code', redirect_uri: redirectUri, scope: 'users posts', state: secretState };
  const { json } = await auth.send({
    method: 'POST',
    path: '/oauth/par',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...basic(clientId, clientSecret) },
    body: new URLSearchParams({ ...form, client_id: clientId, nonce: 'n-1', prompt: 'consent' }).toString(),
  });
  return await browser.open(addressOf(String(json['request_uri'])));
}

function addressOf(requestUri: string): string {
  const query = new URLSearchParams({ client_id: application.clientId, request_uri: requestUri });
  return `/oauth/authorize?${query.toString()}`;
}

async function allow(browser: Browser, consent: Page): Promise<Page> {
  return await browser.submit(consent, consent.formWith('decision', 'allow'), { decision: 'allow' });
}

/** Past the 60 seconds in which the requests pushed so far must be opened. */
async function passMinute(): Promise<void> {
  await auth.db.prisma.$executeRaw`
    UPDATE oauth_artifact SET payload = jsonb_set(payload, '{exp}', '1') WHERE kind = 'PushedAuthorizationRequest'`;
}

async function exchange(callback: Page) {
  const code = callback.url.searchParams.get('code') ?? '';
  const { clientId, clientSecret } = application;
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  return await auth.requestToken(form, basic(clientId, clientSecret));
}

/** The `request_uri` of the restarted request; no address of this service may have a parameter of the request. */
function restartedUri({ hops }: Page): string {
  const ours = hops.map(({ to }) => to).filter((to) => to.origin === new URL(auth.baseUrl).origin);
  expect(ours.filter(({ href }) => href.includes(secretState) || href.includes('scope='))).toEqual([]);
  const restarted = ours.find(({ search }) => search.includes('request_uri='));
  const query = Object.fromEntries(restarted?.searchParams ?? []);
  expect(query).toEqual({ client_id: application.clientId, request_uri: expect.any(String) });
  return query['request_uri'] ?? '';
}

test('from the page of an interaction that has ended, as often as the person likes, under one request_uri', async () => {
  const browser = createBrowser(auth);
  const consent = await signIn(browser, ada, await start(browser));
  expect((await exchange(await allow(browser, consent))).status).toBe(200);
  await passMinute();
  const uris: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const ended = await browser.open(consent.url.href);
    expect(ended.status).toBe(400);
    expect(ended.html).not.toContain(secretState);
    const again = await browser.open(ended.link('Start over'), ended);
    uris.push(restartedUri(again));
    const callback = await allow(browser, again);
    expect(callback.url.searchParams.get('state')).toBe(secretState);
    expect((await exchange(callback)).json).toMatchObject({ scope: 'users posts', nonce: 'n-1' });
    expect((await browser.open(addressOf(uris[0] ?? ''))).url.search).toContain('error=invalid_request_uri');
  }
  expect(new Set(uris).size).toBe(1);
});

test('by a form that is sent after the person has signed out in another tab', async () => {
  const browser = createBrowser(auth);
  const consent = await signIn(browser, ada, await start(browser));
  await passMinute();
  const logout = await browser.open('/logout');
  await browser.submit(logout, logout.formOf('sign-out'));
  const login = await allow(browser, consent);
  const requestUri = restartedUri(login);
  expect(login.text).toContain('to continue to');
  const callback = await allow(browser, await signIn(browser, ada, login));
  expect(callback.url.searchParams.get('state')).toBe(secretState);
  expect((await exchange(callback)).status).toBe(200);
  expect((await browser.open(addressOf(requestUri))).url.search).toContain('error=invalid_request_uri');
});

test('the copy has to be opened within 60 seconds, and only in the browser of the interaction', async () => {
  const browser = createBrowser(auth);
  const consent = await signIn(browser, ada, await start(browser));
  const stranger = await createBrowser(auth).open(`${consent.url.pathname}/restart`);
  expect([stranger.status, stranger.hops]).toEqual([400, []]);
  const requestUri = restartedUri(await browser.open(`${consent.url.pathname}/restart`));
  await passMinute();
  expect((await browser.open(addressOf(requestUri))).url.search).toContain('error=invalid_request_uri');
});

test('without a trace of a pushed request that has been deleted', async () => {
  const browser = createBrowser(auth);
  const consent = await signIn(browser, ada, await start(browser));
  await auth.db.prisma.oAuthArtifact.deleteMany({ where: { kind: 'PushedAuthorizationRequest' } });
  const page = await browser.open(`${consent.url.pathname}/restart`);
  expect([page.status, page.hops]).toEqual([400, []]);
});
