import { hash } from 'node:crypto';

import { createMyApplications } from '@linnet/applications/my-applications';
import { deviceGrantType } from '@linnet/applications/settings/protocol-settings';
import type { SubmittedSettings } from '@linnet/applications/settings/protocol-settings';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { createDpopKey } from '@linnet/test/auth/dpop-key';
import type { DpopKey } from '@linnet/test/auth/dpop-key';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';
import { createSigningKey } from '@linnet/test/auth/signing-application';
import type { SigningKey } from '@linnet/test/auth/signing-application';

/** Strict applications (FAPI 2.0), and refresh tokens of applications that authenticate (RFC 9449 §5). */
type Fields = Readonly<Record<string, string>>;

const cleanup = new AsyncDisposableStack();
const redirectUri = 'https://app.example.com/callback';
const verifier = 'v'.repeat(43);
const pkce = { code_challenge: hash('sha256', verifier, 'base64url'), code_challenge_method: 'S256' };
const day = 86_400;
let auth: RunningAuth;
let browser: Browser;
let signing: SigningKey;
let key: DpopKey;
let clientId: string;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, 'ada_lovelace'));
  signing = await createSigningKey();
  key = await createDpopKey(auth);
});
afterAll(() => cleanup.disposeAsync());

const strict = { strict: ['yes'] };

async function register(protocol: SubmittedSettings = strict): Promise<void> {
  const jwks = { keys: [signing.publicJwk] };
  ({ clientId } = await auth.register({ redirectUris: [redirectUri], jwks, protocol }));
}

/** The owner saves other settings. */
async function change(protocol: SubmittedSettings): Promise<void> {
  const mine = createMyApplications(auth.db, async () => undefined);
  const application = await mine.find({ ownerId: auth.ownerId, clientId });
  if (application === undefined) throw new Error('no application');
  expect(await mine.edit(application, { ...application, protocol, ownerId: auth.ownerId })).toBe(true);
}

async function post(path: string, form: Fields, headers: Fields = {}): Promise<Answer> {
  const assertion = await signing.assertion(auth, clientId);
  return await auth.send({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ ...assertion, ...form }).toString(),
  });
}

const requested = () => ({ client_id: clientId, response_type: 'code', scope: 'users' });

const push = async (changes: Fields = {}) =>
  await post('/oauth/par', { ...requested(), redirect_uri: redirectUri, ...pkce, ...changes });

async function open(query: Fields): Promise<Page> {
  return await browser.open(`/oauth/authorize?${new URLSearchParams({ client_id: clientId, ...query }).toString()}`);
}

async function getCode(): Promise<string> {
  const { json } = await push();
  const page = await open({ request_uri: String(json['request_uri']) });
  const callback = page.html.includes('name="decision"')
    ? await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow' })
    : page;
  expect(callback.url.searchParams.get('iss')).toBe(auth.baseUrl);
  return callback.url.searchParams.get('code') ?? '';
}

/** A token request with a proof of this key. */
async function token(form: Fields, proof: DpopKey = key): Promise<Answer> {
  return await post('/oauth/token', form, { dpop: await proof.prove() });
}

const tokenWithoutProof = async (form: Fields) => await post('/oauth/token', form);

const exchangeForm = async () => ({
  grant_type: 'authorization_code',
  code: await getCode(),
  redirect_uri: redirectUri,
  code_verifier: verifier,
});

const refreshForm = (refreshToken: unknown) => ({ grant_type: 'refresh_token', refresh_token: String(refreshToken) });

async function getRefreshToken(): Promise<string> {
  const { status, json } = await token(await exchangeForm());
  expect([status, json['token_type']]).toEqual([200, 'DPoP']);
  return String(json['refresh_token']);
}

const storedTokens = async () =>
  await auth.db.prisma.oAuthArtifact.findMany({ where: { kind: 'RefreshToken', grant: { clientId } } });

describe('a strict application', () => {
  beforeEach(async () => {
    await register();
  });

  test('gets bound tokens with a pushed request, PKCE, a client assertion and a proof', async () => {
    const { json } = await token(await exchangeForm());
    expect(decodeJwt(json.access_token)['cnf']).toEqual({ jkt: key.thumbprint });
    const own = await token({ grant_type: 'client_credentials' });
    expect([own.status, own.json['token_type']]).toEqual([200, 'DPoP']);
  });

  test.each<[string, () => Promise<Readonly<Record<string, unknown>>>, string, string]>([
    [
      'an authorization request that was not pushed',
      async () => {
        const { url } = await open({ ...requested(), redirect_uri: redirectUri, ...pkce });
        return Object.fromEntries(url.searchParams);
      },
      'invalid_request',
      'Pushed Authorization Request must be used',
    ],
    [
      'a pushed request without PKCE',
      async () => (await post('/oauth/par', { ...requested(), redirect_uri: redirectUri })).json,
      'invalid_request',
      'PKCE',
    ],
    [
      'a pushed request without a redirect URI',
      async () => (await post('/oauth/par', { ...requested(), ...pkce })).json,
      'invalid_request',
      'redirect_uri is required',
    ],
    [
      'a code without a proof',
      async () => (await post('/oauth/token', await exchangeForm())).json,
      'invalid_grant',
      'DPoP',
    ],
    [
      'client credentials without a proof',
      async () => (await post('/oauth/token', { grant_type: 'client_credentials' })).json,
      'invalid_grant',
      'DPoP',
    ],
    [
      'the device flow',
      async () => (await token({ grant_type: deviceGrantType, device_code: 'x' })).json,
      'unauthorized_client',
      deviceGrantType,
    ],
    ['response_type=token', async () => (await push({ response_type: 'token' })).json, 'unsupported_response_type', ''],
    [
      'a request without an assertion',
      async () => {
        const form = { grant_type: 'client_credentials', client_id: clientId };
        return (await auth.requestToken(form, { dpop: await key.prove() })).json;
      },
      'invalid_client',
      '',
    ],
  ])('cannot use %s', async (_title, request, error, named) => {
    expect(await request()).toMatchObject({ error, error_description: expect.stringContaining(named) });
  });
});

describe('the refresh token of a strict application', () => {
  beforeEach(async () => {
    await register();
  });

  test('D113 stays the same: ten parallel refreshes all succeed, and so does a later one', async () => {
    const refreshToken = await getRefreshToken();
    const answers = await Promise.all(Array.from({ length: 10 }, async () => await token(refreshForm(refreshToken))));
    expect(answers.map(({ status, json }) => [status, json['refresh_token']])).toEqual(
      answers.map(() => [200, refreshToken]),
    );
    expect((await token(refreshForm(refreshToken))).status).toBe(200);
    expect(await storedTokens()).toHaveLength(1);
  });

  test('is valid for 30 days after each use, and at most for one year', async () => {
    const refreshToken = await getRefreshToken();
    const daysLeftAfter = async (ageInDays: number, leftInDays: number) => {
      const shift = `payload || jsonb_build_object('exp', (payload->>'iat')::int + ${String(leftInDays * day)}, 'iiat', (payload->>'iat')::int - ${String(ageInDays * day)})`;
      await auth.db.prisma.$executeRawUnsafe(
        `UPDATE oauth_artifact SET payload = ${shift}, expires_at = now() + interval '${String(leftInDays)} days' WHERE kind = 'RefreshToken'`,
      );
      expect((await token(refreshForm(refreshToken))).status).toBe(200);
      const [stored] = await storedTokens();
      const exp = Object(stored?.payload)['exp'] as number; // of the provider
      return [(Number(stored?.expiresAt) - Date.now()) / 1000 / day, (exp - Date.now() / 1000) / day].map(Math.round);
    };
    expect(await daysLeftAfter(100, 1)).toEqual([30, 30]);
    expect(await daysLeftAfter(350, 1)).toEqual([15, 15]);
  });

  test('stays expired once it has expired', async () => {
    const refreshToken = await getRefreshToken();
    await auth.db.prisma.$executeRawUnsafe(
      `UPDATE oauth_artifact SET payload = payload || '{"exp": 1}', expires_at = now() WHERE kind = 'RefreshToken'`,
    );
    expect((await token(refreshForm(refreshToken))).json['error']).toBe('invalid_grant');
  });

  test('is refused after its revocation', async () => {
    const refreshToken = await getRefreshToken();
    expect((await post('/oauth/revoke', { token: refreshToken })).status).toBe(200);
    expect((await token(refreshForm(refreshToken))).json['error']).toBe('invalid_grant');
  });

  test('cannot be used by another application', async () => {
    const refreshToken = await getRefreshToken();
    await register();
    expect((await token(refreshForm(refreshToken))).json['error']).toBe('invalid_grant');
  });
});

test('D183 a token that was replaced before the application became strict cannot be repeated once its successor was used', async () => {
  await register({});
  const replaced = await getRefreshToken();
  const { json } = await token(refreshForm(replaced));
  await change({ strict: ['yes'] });
  await vi.waitFor(async () => {
    expect((await tokenWithoutProof({ grant_type: 'client_credentials' })).json['error']).toBe('invalid_grant');
  }, 50_000);
  expect((await token(refreshForm(json['refresh_token']))).json['refresh_token']).toBe(json['refresh_token']);
  for (const one of [replaced, json['refresh_token']]) {
    expect((await token(refreshForm(one))).json['error']).toBe('invalid_grant');
  }
});

describe('D113 a refresh token of a confidential application', () => {
  test.each<[string, SubmittedSettings, withoutProof: number]>([
    ['with the default settings', {}, 200],
    ['that requires DPoP', { dpopBoundAccessTokens: ['yes'] }, 400],
    ['that is strict', { strict: ['yes'] }, 400],
  ])(
    '%s works with a proof of another key, which the new access token is bound to',
    async (_title, protocol, plain) => {
      await register(protocol);
      const another = await createDpopKey(auth);
      const refreshed = await token(refreshForm(await getRefreshToken()), another);
      expect(refreshed.status).toBe(200);
      expect(decodeJwt(refreshed.json.access_token)['cnf']).toEqual({ jkt: another.thumbprint });
      expect((await tokenWithoutProof(refreshForm(refreshed.json['refresh_token']))).status).toBe(plain);
      expect((await token(refreshForm(refreshed.json['refresh_token']))).status).toBe(200);
    },
  );

  test('of an application that becomes strict needs a proof, and stays the same', async () => {
    await register({});
    const { json } = await tokenWithoutProof(await exchangeForm());
    await change({ strict: ['yes'] });
    await vi.waitFor(async () => {
      expect((await tokenWithoutProof({ grant_type: 'client_credentials' })).json['error']).toBe('invalid_grant');
    }, 50_000);
    expect((await tokenWithoutProof(refreshForm(json['refresh_token']))).json['error']).toBe('invalid_grant');
    const first = await token(refreshForm(json['refresh_token']));
    expect([first.status, first.json['refresh_token']]).toEqual([200, json['refresh_token']]);
  });
});

test('the database refuses to weaken a strict application', async () => {
  await register();
  for (const column of ['require_pkce', 'require_pushed_authorization_requests', 'dpop_bound_access_tokens']) {
    const weaken = auth.db.prisma.$executeRawUnsafe(
      `UPDATE application SET ${column} = false WHERE client_id = '${clientId}'`,
    );
    await expect(weaken).rejects.toThrow('application_strict_check');
  }
});
