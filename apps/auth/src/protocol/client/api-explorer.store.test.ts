import { createHash } from 'node:crypto';

import { apiExplorerId, apiExplorerRedirectUri } from '@linnet/applications/application/built-in-store';
import { createApplications } from '@linnet/applications/applications';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

/** The built-in client of the API reference. */
const cleanup = new AsyncDisposableStack();
const verifier = 'a'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');
let database: TestDatabase;
let auth: RunningAuth;
let browser: Browser;

beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, 'tries_things'));
});
afterAll(async () => await cleanup.disposeAsync());

function address(changed: Readonly<Record<string, string>> = {}): string {
  const parameters = {
    client_id: apiExplorerId,
    redirect_uri: apiExplorerRedirectUri(auth.baseUrl),
    response_type: 'code',
    scope: 'users posts',
    state: 's',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changed,
  };
  return `/oauth/authorize?${new URLSearchParams(parameters).toString()}`;
}

test('a person authorizes it on the usual consent page; it gets an access token and no refresh token', async () => {
  const consent = await browser.open(address());
  expect(consent.text).toContain('the tool of the API reference of Linnet');
  const page = await browser.submit(consent, consent.formWith('decision', 'allow'), { decision: 'allow', scope: [] });
  const callback = new URL(page.url, auth.baseUrl);
  expect(`${callback.origin}${callback.pathname}`).toBe(apiExplorerRedirectUri(auth.baseUrl));
  const { status, json } = await auth.requestToken({
    grant_type: 'authorization_code',
    client_id: apiExplorerId,
    redirect_uri: apiExplorerRedirectUri(auth.baseUrl),
    code: callback.searchParams.get('code') ?? '',
    code_verifier: verifier,
  });
  expect([status, json['scope'], json['refresh_token']]).toEqual([200, 'users posts', undefined]);
  const connected = await browser.open('/account/applications');
  expect(connected.text).toContain('part of Linnet');
});

test('a request without PKCE, or with another redirect URI, is refused', async () => {
  const withoutPkce = await browser.open(address({ code_challenge: '', code_challenge_method: '' }));
  expect(new URL(withoutPkce.url, auth.baseUrl).searchParams.get('error')).toBe('invalid_request');
  const elsewhere = await browser.open(address({ redirect_uri: 'https://elsewhere.example/' }));
  expect(elsewhere.status).toBe(400);
});

test('it does not expire, and nobody can verify it or change it by its registration', async () => {
  await auth.db.prisma.application.update({
    where: { clientId: apiExplorerId },
    data: { createdAt: new Date('2026-01-01') },
  });
  await auth.db.prisma.grant.deleteMany({ where: { clientId: apiExplorerId } });
  await auth.db.prisma.applicationUsage.deleteMany({ where: { clientId: apiExplorerId } });
  await auth.runJob('self-registered');
  const applications = createApplications(auth.db);
  expect((await applications.list()).map(({ clientId }) => clientId)).toContain(apiExplorerId);
  await expect(applications.verify(apiExplorerId)).rejects.toThrow('no owner');
  const { status } = await auth.send({
    path: `/oauth/register/${apiExplorerId}`,
    headers: { authorization: 'Bearer guessed' },
  });
  expect(status).toBe(401);
});

test('the audit log says that the service registered it', async () => {
  const events = await auth.db.prisma.auditEvent.findMany({ where: { clientId: apiExplorerId } });
  expect(events.map(({ event, actor }) => [event, actor])).toContainEqual(['application.created', 'service']);
});

test('an operator suspends it, and API_EXPLORER=off makes it unknown', async () => {
  const applications = createApplications(auth.db);
  await applications.suspend(apiExplorerId);
  await expect.poll(async () => (await browser.open(address())).status).toBe(400);
  await applications.restore(apiExplorerId);
  await expect.poll(async () => (await browser.open(address())).status).toBe(200);
  await using off = await startAuth(database.url, { apiExplorer: false, owner: 'owner_off' });
  const visitor = createBrowser(off);
  expect((await visitor.open(address())).status).toBe(400);
});
