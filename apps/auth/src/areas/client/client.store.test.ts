import { createHash } from 'node:crypto';

import { createAccounts } from '@linnet/accounts/accounts';
import { deleteByOperator } from '@linnet/accounts/deletion-store';
import { webClientId, webClientRedirectUri } from '@linnet/applications/application/built-in-store';
import { createApplications } from '@linnet/applications/applications';
import { revokeAllGrants } from '@linnet/applications/grants/connected-applications-store';
import { resetPassword } from '@linnet/applications/grants/first-proof-store';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { createDpopKey } from '@linnet/test/auth/dpop-key';
import type { DpopKey } from '@linnet/test/auth/dpop-key';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

const cleanup = new AsyncDisposableStack();
const verifier = 'a'.repeat(43);
let database: TestDatabase;
let auth: RunningAuth;
let key: DpopKey;

beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { webClient: true }));
  key = await createDpopKey(auth);
});
afterAll(async () => await cleanup.disposeAsync());

function address(changed: Readonly<Record<string, string>> = {}): string {
  const parameters = {
    client_id: webClientId,
    redirect_uri: webClientRedirectUri(auth.baseUrl),
    response_type: 'code',
    scope: 'openid profile users posts email',
    state: 's',
    nonce: 'n',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changed,
  };
  return `/oauth/authorize?${new URLSearchParams(parameters).toString()}`;
}

async function exchange(code: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const redirectUri = webClientRedirectUri(auth.baseUrl);
  const form = { grant_type: 'authorization_code', client_id: webClientId, redirect_uri: redirectUri, code };
  return await auth.requestToken({ ...form, code_verifier: verifier }, headers);
}

/** What the browser gets at the callback. */
async function findCode(browser: Browser): Promise<string> {
  return (await browser.open(address())).url.searchParams.get('code') ?? '';
}

interface SignedInClient {
  readonly browser: Browser;
  readonly person: Person;
  readonly tokens: Answer['json'];
}

async function openClient(username: string, person?: Person): Promise<SignedInClient> {
  const browser = createBrowser(auth);
  const who = person ?? (await registerPerson(auth.db, username));
  await signIn(browser, who);
  const answer = await exchange(await findCode(browser), { dpop: await key.prove() });
  expect(answer.status).toBe(200);
  return { browser, person: who, tokens: answer.json };
}

async function refresh({ tokens }: Pick<SignedInClient, 'tokens'>): Promise<Answer> {
  const form = { grant_type: 'refresh_token', client_id: webClientId, refresh_token: String(tokens['refresh_token']) };
  return await auth.requestToken(form, { dpop: await key.prove() });
}

describe('the web client as a client', () => {
  test('signs in without a consent page, also right after a sign-in for it, and is a connected app', async () => {
    const person = await registerPerson(auth.db, 'client_consents');
    const browser = createBrowser(auth);
    const login = await browser.open(address());
    const callback = await browser.submit(login, login.formWith('login'), {
      login: person.username,
      password: person.password,
    });
    const { status, json } = await exchange(callback.url.searchParams.get('code') ?? '', { dpop: await key.prove() });
    expect([status, json['token_type'], json['scope']]).toEqual([200, 'DPoP', 'openid profile users posts email']);
    expect(json['refresh_token']).toMatch(/./);
    const connected = await browser.open('/account/applications');
    expect(connected.text).toContain('This service’s own client');
    expect(await auth.db.prisma.mail.count({ where: { kind: 'new_application' } })).toBe(0);
  });

  test('a session has one grant, however often the client signs in', async () => {
    const { browser, person } = await openClient('client_grants');
    await findCode(browser);
    const grants = await auth.db.prisma.grant.count({ where: { clientId: webClientId, accountId: person.id } });
    expect(grants).toBe(1);
  });

  test('a request with another redirect URI, without PKCE, or tokens without a key are refused', async () => {
    const { browser } = await openClient('client_refused');
    expect((await browser.open(address({ redirect_uri: 'https://elsewhere.example/' }))).status).toBe(400);
    const withoutPkce = await browser.open(address({ code_challenge: '', code_challenge_method: '' }));
    expect(withoutPkce.url.searchParams.get('error')).toBe('invalid_request');
    expect((await exchange(await findCode(browser), {})).status).toBe(400);
  });

  test('nobody else can call an application by its name', async () => {
    const { username } = await registerPerson(auth.db, 'client_imitator');
    const applications = createApplications(auth.db, { serviceName: 'linnet', isNamedByOwner: true });
    for (const name of ['Linnet', 'L1nnet', 'The Linnet app']) {
      const application = { owner: username, name, type: 'public', scopes: ['users'], redirectUris: [] } as const;
      const creating = applications.create({ ...application, actAsOwner: false, jwksUri: undefined, jwks: undefined });
      await expect(creating).rejects.toThrow('name');
    }
  });

  test('CLIENT=off: neither the client nor its pages exist', async () => {
    await using off = await startAuth(database.url, { webClient: false, owner: 'owner_without_client' });
    const visitor = createBrowser(off);
    expect((await visitor.open(address())).status).toBe(400);
    expect((await off.send({ path: '/home' })).status).toBe(404);
  });
});

describe('the web client ends', () => {
  const ways: readonly (readonly [name: string, end: (client: SignedInClient) => Promise<unknown>])[] = [
    [
      'when the person signs out of the service',
      async ({ browser }) => {
        const question = await browser.open('/logout');
        await browser.submit(question, question.formOf('sign-out'));
      },
    ],
    [
      'when another session of the person ends its session',
      async ({ browser, person }) => {
        const other = await openClient('', person);
        const page = await other.browser.open('/account/sessions');
        await other.browser.submit(page, page.formOf('end-session'));
        expect((await browser.open('/account')).url.pathname).toBe('/login');
        expect((await refresh(other)).status).toBe(200);
      },
    ],
    ['by a remedy', async ({ person }) => await revokeAllGrants(auth.db, person.id)],
    ['by a suspension', async ({ person }) => await createAccounts(auth.db).suspend(person.username)],
    ['by a deletion', async ({ person }) => await deleteByOperator(auth.db, person.username, { isFinal: false })],
    ['by a new password', async ({ person }) => await resetPassword(auth.db, person.username, 'nine grey herons')],
    [
      'when the person revokes it',
      async ({ browser }) => {
        const page = await browser.open('/account/applications');
        await browser.submit(page, page.formOf('revoke-application'));
      },
    ],
  ];
  test.each(ways)('%s', async (name, end) => {
    const client = await openClient(`client_${String(ways.findIndex(([way]) => way === name))}`);
    await end(client);
    expect((await refresh(client)).json).toMatchObject({ error: 'invalid_grant' });
  });

  test('also when its session ends while it signs in: it never keeps a token', async () => {
    const person = await registerPerson(auth.db, 'client_races');
    for (let round = 0; round < 10; round += 1) {
      const browser = createBrowser(auth);
      await signIn(browser, person);
      const leaving = createBrowser(auth);
      await signIn(leaving, person);
      const proofs = [await key.prove(), await key.prove()] as const;
      const [answer] = await Promise.all([
        findCode(browser).then(async (code) => await exchange(code, { dpop: proofs[0] })),
        auth.db.prisma.session.updateMany({ where: { accountId: person.id }, data: { revokedAt: new Date() } }),
      ]);
      const token = String(answer.json['refresh_token']);
      const form = { grant_type: 'refresh_token', client_id: webClientId, refresh_token: token };
      expect((await auth.requestToken(form, { dpop: proofs[1] })).json).toMatchObject({ error: 'invalid_grant' });
    }
  });

  test('and with it the session at the service: its own sign-out asks nothing', async () => {
    const { browser, tokens } = await openClient('client_leaves');
    const query = { id_token_hint: String(tokens['id_token']), post_logout_redirect_uri: `${auth.baseUrl}/` };
    const page = await browser.open(`/oauth/logout?${new URLSearchParams(query).toString()}`);
    expect([page.url.pathname, page.link('Sign in')]).toEqual(['/', '/login']);
  });
});

test('the pages allow only the files of the client, and talk to no other pages of the service', async () => {
  const { status, headers, text } = await auth.send({ path: '/home/@somebody' });
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain(`script-src ${auth.baseUrl}/home/;`);
  expect(policy).toContain(
    `connect-src ${auth.baseUrl}/home/ ${auth.baseUrl}/home ${auth.baseUrl}/api/ ${auth.baseUrl}/oauth/`,
  );
  expect(text).toContain('<title>Linnet</title>');
  const [, script = ''] = /src="([^"]+\.js)"/.exec(text) ?? [];
  const file = await auth.send({ path: script, headers: { 'accept-encoding': 'gzip' } });
  expect([file.headers['content-encoding'], file.headers['cache-control']]).toEqual([
    'gzip',
    'public, max-age=31536000, immutable',
  ]);
  expect(Number(file.headers['content-length'])).toBeLessThan(120_000);
  // Nothing waits for a second round trip.
  const imported = [...(await auth.send({ path: script })).text.matchAll(/from"\.\/([^"]+)"/g)].map(([, name]) => name);
  const preloaded = [...text.matchAll(/rel="modulepreload" href="\/home\/([^"]+)"/g)].map(([, name]) => name);
  expect(preloaded).toEqual(imported);
  // Browsers have all of it before people arrive from the pages that lead there.
  const metadata = '/.well-known/oauth-authorization-server';
  expect((await auth.send({ path: metadata })).headers['cache-control']).toBe('public, max-age=300');
  const [, style = ''] = /rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
  for (const path of ['/login', '/register']) {
    const sent = String((await auth.send({ path, headers: { accept: 'text/html' } })).headers['link']);
    const wanted = [style, ...preloaded.map((name) => `/home/${name ?? ''}`), script, metadata];
    expect(sent.split(', ').map((one) => one.split('; ')[0])).toEqual(wanted.map((one) => `<${one}>`));
  }
  expect(
    (await auth.send({ path: '/login/forgot', headers: { accept: 'text/html' } })).headers['link'],
  ).toBeUndefined();
  // Public pages load it for people who are signed in.
  const part = await auth.send({ path: '/home/public-page.js', headers: { 'accept-encoding': 'gzip' } });
  expect([part.status, part.headers['cache-control']]).toEqual([200, 'no-cache']);
  expect(Number(part.headers['content-length'])).toBeLessThan(40_000);
});
