// Each failed request has one cause with its facts, never the value that was sent.
import { findFailures } from '@linnet/applications/failures/failure-store';
import type { ListedFailure } from '@linnet/applications/failures/failure-store';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { basic, forDevices, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';
import type { ThirdParty } from '@linnet/test/auth/third-party';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let browser: Browser;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, 'cause_person'));
});
afterAll(() => cleanup.disposeAsync());

async function findFailure({ clientId }: ThirdParty): Promise<ListedFailure> {
  return await vi.waitFor(async () => {
    const { list } = await findFailures(auth.db, clientId);
    expect(list).toHaveLength(1);
    return list[0] as ListedFailure; // it has one member
  }, 50_000);
}

async function authorize(app: ThirdParty): Promise<Page> {
  const page = await app.send(browser);
  return await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow' });
}

const codeOf = ({ url }: Page): string => url.searchParams.get('code') ?? '';

/** Makes the code or refresh tokens of the application older than their lifetime. */
async function expire({ clientId }: ThirdParty): Promise<void> {
  await auth.db.prisma.$executeRaw`
    UPDATE oauth_artifact SET expires_at = now() - interval '1 minute',
           payload = jsonb_set(payload, '{exp}', to_jsonb(EXTRACT(EPOCH FROM now())::bigint - 60))
     WHERE payload ->> 'clientId' = ${clientId}`;
}

async function endGrants({ clientId }: ThirdParty): Promise<void> {
  await auth.db.prisma.grant.updateMany({ where: { clientId }, data: { revokedAt: new Date() } });
}

type Fail = (app: ThirdParty, other: ThirdParty) => Promise<unknown>;

const client = (app: ThirdParty) => basic(app.clientId, app.clientSecret);
const exchangeCode = async (app: ThirdParty, code: string) =>
  await auth.requestToken({ grant_type: 'authorization_code', code, redirect_uri: app.redirectUri }, client(app));
const refreshTokenOf = async (app: ThirdParty): Promise<string> =>
  String((await app.exchange(await authorize(app))).json['refresh_token']);

describe('codes and refresh tokens', () => {
  test.each<[cause: string, facts: readonly string[], fail: Fail]>([
    ['code_unknown', [], (app) => exchangeCode(app, 'no-such-code')],
    [
      'code_expired',
      ['expiresAt', 'issuedAt'],
      async (app) => {
        const callback = await authorize(app);
        await expire(app);
        await app.exchange(callback);
      },
    ],
    [
      'code_used',
      ['endedAt', 'issuedAt', 'usedAt'],
      async (app) => {
        const callback = await authorize(app);
        const { json } = await app.exchange(callback);
        await app.refresh(String(json['refresh_token']));
        await app.exchange(callback);
      },
    ],
    ['code_foreign', [], async (app, other) => await exchangeCode(app, codeOf(await authorize(other)))],
    [
      'code_grant_ended',
      ['endedAt'],
      async (app) => {
        const callback = await authorize(app);
        await endGrants(app);
        await app.exchange(callback);
      },
    ],
    [
      'verifier_unexpected',
      [],
      async (app) => {
        const form = { grant_type: 'authorization_code', redirect_uri: app.redirectUri };
        const code = codeOf(await authorize(app));
        await auth.requestToken({ ...form, code, code_verifier: 'v'.repeat(43) }, client(app));
      },
    ],
    ['refresh_token_unknown', [], (app) => app.refresh('no-such-token')],
    [
      'refresh_token_expired',
      ['expiresAt', 'issuedAt'],
      async (app) => {
        const token = await refreshTokenOf(app);
        await expire(app);
        await app.refresh(token);
      },
    ],
    [
      'refresh_token_used',
      ['endedAt', 'issuedAt', 'usedAt'],
      async (app) => {
        const token = await refreshTokenOf(app);
        const { json } = await app.refresh(token);
        await app.refresh(String(json['refresh_token']));
        await app.refresh(token);
      },
    ],
    ['refresh_token_foreign', [], async (app, other) => await app.refresh(await refreshTokenOf(other))],
    [
      'refresh_token_grant_ended',
      ['endedAt'],
      async (app) => {
        const token = await refreshTokenOf(app);
        await endGrants(app);
        await app.refresh(token);
      },
    ],
  ])('%s', async (cause, facts, fail) => {
    const app = await registerThirdParty(auth);
    await fail(app, await registerThirdParty(auth));
    const failure = await findFailure(app);
    expect([failure.cause, Object.keys(failure.details).toSorted()]).toEqual([cause, facts]);
    expect(failure.requestId).toMatch(/^[\da-f-]{36}$/);
  });
});

const tokenRequest =
  (form: Readonly<Record<string, string>>, headers = client): Fail =>
  async (app) =>
    await auth.requestToken(form, headers(app));
const own = { grant_type: 'client_credentials' };
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const assertionOf = (clientId: string) =>
  `e30.${Buffer.from(JSON.stringify({ sub: clientId })).toString('base64url')}.c2ln`;
const device = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'no-such-code' };

describe('other requests', () => {
  test.each<[cause: string, details: object, fail: Fail, settings: Parameters<typeof registerThirdParty>[1]]>([
    ['redirect_uri_none', {}, (app) => app.send(browser), { redirectUris: [] }],
    ['redirect_uri_unregistered', {}, (app) => app.send(browser, { redirect_uri: 'https://app.example.com/x' }), {}],
    ['secret_missing', {}, async (app) => await auth.requestToken({ ...own, client_id: app.clientId }), {}],
    ['secret_wrong', {}, tokenRequest(own, ({ clientId }) => basic(clientId, 'wrong')), {}],
    ['secret_unexpected', {}, tokenRequest(own, ({ clientId }) => basic(clientId, 'any')), { type: 'public' }],
    [
      'secret_expected',
      {},
      async ({ clientId }) =>
        await auth.requestToken({
          ...own,
          client_assertion_type: assertionType,
          client_assertion: assertionOf(clientId),
        }),
      {},
    ],
    [
      'assertion_expected',
      {},
      tokenRequest(own, ({ clientId }) => basic(clientId, 'any')),
      { jwksUri: 'https://app.example.com/jwks.json' },
    ],
    ['scope_unknown', { scopes: ['pots'] }, tokenRequest({ ...own, scope: 'posts pots' }), {}],
    ['scope_unregistered', { scopes: ['email'] }, tokenRequest({ ...own, scope: 'email' }), { scopes: ['posts'] }],
    [
      'scope_not_granted',
      { scopes: ['users:read'] },
      async (app) => {
        const form = { grant_type: 'refresh_token', refresh_token: await refreshTokenOf(app), scope: 'users:read' };
        await auth.requestToken(form, client(app));
      },
      {},
    ],
    ['login_required', {}, (app) => app.send(createBrowser(auth), { prompt: 'none' }), {}],
    ['grant_type_off', { grantType: device.grant_type }, tokenRequest(device), {}],
    ['grant_type_unknown', {}, tokenRequest({ grant_type: 'password' }), {}],
    ['device_code_unknown', {}, tokenRequest(device), forDevices],
    ['response_type_unknown', {}, (app) => app.send(browser, { response_type: 'id_token' }), {}],
    [
      'pushed_request_unknown',
      {},
      (app) => app.send(browser, { request_uri: 'urn:ietf:params:oauth:request_uri:x' }),
      {},
    ],
    [
      'dpop_required',
      {},
      tokenRequest({ ...own, grant_type: 'refresh_token', refresh_token: 'x' }),
      { protocol: { dpopBoundAccessTokens: ['yes'] } },
    ],
    [
      'parameter_repeated',
      { parameters: ['scope'] },
      async (app) => await auth.requestToken('grant_type=client_credentials&scope=posts&scope=posts', client(app)),
      {},
    ],
    [
      'person_denied',
      {},
      async (app) => {
        const page = await app.send(browser);
        await browser.submit(page, page.formWith('decision', 'deny'), { decision: 'deny' });
      },
      {},
    ],
  ])('%s %j', async (cause, details, fail, settings) => {
    const app = await registerThirdParty(auth, settings);
    await fail(app, app);
    const failure = await findFailure(app);
    expect([failure.cause, failure.details]).toEqual([cause, details]);
  });
});

test('a device that waits for the person is not a failure', async () => {
  const app = await registerThirdParty(auth, { type: 'public', ...forDevices });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const started = await auth.send({
    method: 'POST',
    path: '/oauth/device_authorization',
    headers,
    body: `client_id=${app.clientId}`,
  });
  const form = { ...device, client_id: app.clientId, device_code: String(started.json['device_code']) };
  const { json } = await auth.requestToken(form);
  expect(json['error']).toBe('authorization_pending');
  await auth.requestToken({ ...form, device_code: 'no-such-code' });
  expect((await findFailure(app)).cause).toBe('device_code_unknown');
});

test('a redirect URI that changed is compared with the one of the authorization request', async () => {
  const app = await registerThirdParty(auth, {
    redirectUris: ['https://app.example.com/callback?id=1', 'https://app.example.com/other'],
  });
  const code = codeOf(await authorize(app));
  const form = { grant_type: 'authorization_code', code, redirect_uri: 'https://app.example.com/other' };
  await auth.requestToken(form, client(app));
  const { cause, presented, registered } = await findFailure(app);
  expect([cause, presented, registered]).toEqual([
    'redirect_uri_changed',
    'https://app.example.com/other',
    'https://app.example.com/callback?id=…',
  ]);
});
