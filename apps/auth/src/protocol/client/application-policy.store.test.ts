import { createMyApplications } from '@linnet/applications/my-applications';
import { deviceGrantType } from '@linnet/applications/settings/protocol-settings';
import type { SubmittedSettings } from '@linnet/applications/settings/protocol-settings';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';
import { findFailures } from '@linnet/applications/failures/failure-store';

/** Every protocol setting of an application, and what it refuses. */
const cleanup = new AsyncDisposableStack();
const redirectUri = 'https://app.example.com/callback';
const allGrantTypes = ['authorization_code', 'refresh_token', 'client_credentials', deviceGrantType, 'implicit'];
let auth: RunningAuth;
let browser: Browser;
let credentials: Readonly<Record<string, string>>;
let clientId: string;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, 'ada_lovelace'));
});
afterAll(() => cleanup.disposeAsync());

/** An application that may use everything, except for what the settings say. */
async function register(protocol: SubmittedSettings = {}): Promise<void> {
  const settings = { grantTypes: allGrantTypes, ...protocol };
  const created = await auth.register({ redirectUris: [redirectUri], protocol: settings });
  ({ clientId } = created);
  credentials = basic(clientId, created.clientSecret);
}

/** The owner saves other settings. */
async function change(protocol: SubmittedSettings, changes: { readonly redirectUris?: readonly string[] } = {}) {
  const mine = createMyApplications(auth.db, async () => undefined);
  const application = await mine.find({ ownerId: auth.ownerId, clientId });
  if (application === undefined) throw new Error('no application');
  const implicit = protocol.grantTypes?.includes('implicit') ?? application.implicit;
  const settings = { ...application, ...changes, implicit, protocol, ownerId: auth.ownerId };
  expect(await mine.edit(application, settings)).toBe(true);
}

const without = (grantType: string) => ({ grantTypes: allGrantTypes.filter((one) => one !== grantType) });

async function post(path: string, form: Readonly<Record<string, string>>): Promise<Answer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...credentials };
  return await auth.send({ method: 'POST', path, headers, body: new URLSearchParams(form).toString() });
}

const token = async (form: Readonly<Record<string, string>>) => await post('/oauth/token', form);

async function authorize(changes: Readonly<Record<string, string>> = {}): Promise<Page> {
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'users',
    ...changes,
  };
  return await browser.open(`/oauth/authorize?${new URLSearchParams(parameters).toString()}`);
}

async function allow(page: Page): Promise<Page> {
  return page.html.includes('name="decision"')
    ? await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow' })
    : page;
}

function parametersOf({ url }: Page): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(url.hash === '' ? url.search : url.hash.slice(1)));
}

async function exchange(): Promise<Answer> {
  const { code = '' } = parametersOf(await allow(await authorize()));
  return await token({ grant_type: 'authorization_code', code, redirect_uri: redirectUri });
}

interface Refused {
  readonly settings: SubmittedSettings;
  readonly request: () => Promise<Readonly<Record<string, unknown>>>;
  readonly error: string;
  /** What the description says. */
  readonly named: string;
}

const jsonOf = async (answer: Promise<Answer>) => (await answer).json;
const parametersAfter = async (page: Promise<Page>) => parametersOf(await page);

const refusals: Readonly<Record<string, Refused>> = {
  'authorization code off, at the authorization endpoint': {
    settings: without('authorization_code'),
    request: async () => await parametersAfter(authorize()),
    error: 'unauthorized_client',
    named: 'authorization_code',
  },
  'authorization code off, in a pushed request': {
    settings: without('authorization_code'),
    request: async () =>
      await jsonOf(post('/oauth/par', { client_id: clientId, redirect_uri: redirectUri, response_type: 'code' })),
    error: 'unauthorized_client',
    named: 'authorization_code',
  },
  'authorization code off, at the token endpoint': {
    settings: without('authorization_code'),
    request: async () =>
      await jsonOf(token({ grant_type: 'authorization_code', code: 'x', redirect_uri: redirectUri })),
    error: 'unauthorized_client',
    named: 'authorization_code',
  },
  'implicit off': {
    settings: without('implicit'),
    request: async () => await parametersAfter(authorize({ response_type: 'token' })),
    error: 'unauthorized_client',
    named: 'implicit',
  },
  'client credentials off': {
    settings: without('client_credentials'),
    request: async () => await jsonOf(token({ grant_type: 'client_credentials' })),
    error: 'unauthorized_client',
    named: 'client_credentials',
  },
  'refresh token off': {
    settings: without('refresh_token'),
    request: async () => await jsonOf(token({ grant_type: 'refresh_token', refresh_token: 'x' })),
    error: 'unauthorized_client',
    named: 'refresh_token',
  },
  'device flow off, at the device authorization endpoint': {
    settings: without(deviceGrantType),
    request: async () => await jsonOf(post('/oauth/device_authorization', {})),
    error: 'unauthorized_client',
    named: deviceGrantType,
  },
  'device flow off, at the token endpoint': {
    settings: without(deviceGrantType),
    request: async () => await jsonOf(token({ grant_type: deviceGrantType, device_code: 'x' })),
    error: 'unauthorized_client',
    named: deviceGrantType,
  },
  'PKCE required': {
    settings: { requirePkce: ['yes'] },
    request: async () => await parametersAfter(authorize()),
    error: 'invalid_request',
    named: 'PKCE',
  },
  'pushed authorization requests required': {
    settings: { requirePushedAuthorizationRequests: ['yes'] },
    request: async () => await parametersAfter(authorize()),
    error: 'invalid_request',
    named: 'Pushed Authorization Request',
  },
  'DPoP required': {
    settings: { dpopBoundAccessTokens: ['yes'] },
    request: async () => await jsonOf(token({ grant_type: 'client_credentials' })),
    error: 'invalid_grant',
    named: 'dpop_bound_access_tokens',
  },
};

describe.each(Object.keys(refusals))('%s', (name) => {
  const refused = refusals[name];

  test('D110 is refused with an error that names the setting, and the owner sees it', async () => {
    await register(refused?.settings);
    const answer = await refused?.request();
    expect(answer).toMatchObject({
      error: refused?.error,
      error_description: expect.stringContaining(refused?.named ?? '?'),
    });
    await vi.waitFor(async () => {
      const [failure] = (await findFailures(auth.db, clientId)).list;
      expect([failure?.error, failure?.reason]).toEqual([
        refused?.error,
        expect.stringContaining(refused?.named ?? '?'),
      ]);
    }, 50_000);
  });

  test('the same request works, or fails for another reason, without the setting', async () => {
    await register();
    expect(String((await refused?.request())?.['error_description'])).not.toContain(refused?.named);
  });
});

test('a new application may use everything but the device flow and response_type=token', async () => {
  const shown = await auth.register({ redirectUris: [redirectUri] });
  const found = await auth.db.prisma.application.findUniqueOrThrow({ where: { clientId: shown.clientId } });
  expect(found.grantTypes).toEqual(['authorization_code', 'refresh_token', 'client_credentials']);
});

test('without the grant type refresh_token, no refresh token is issued', async () => {
  await register(without('refresh_token'));
  const { status, json } = await exchange();
  expect([status, json['refresh_token']]).toEqual([200, undefined]);
});

test('lifetimes apply to every access token', async () => {
  await register({ accessTokenLifetime: ['120'] });
  expect((await token({ grant_type: 'client_credentials' })).json['expires_in']).toBe(120);
  expect((await exchange()).json['expires_in']).toBe(120);
});

test('the lifetime of refresh tokens applies to each of them', async () => {
  await register({ refreshTokenLifetime: ['300'] });
  await exchange();
  const [row] = await auth.db.prisma.$queryRaw<readonly { seconds: number }[]>`
    SELECT EXTRACT(EPOCH FROM expires_at - now())::int AS seconds FROM oauth_artifact
     WHERE kind = 'RefreshToken' AND payload ->> 'clientId' = ${clientId}`;
  expect(row?.seconds).toBeGreaterThan(200);
  expect(row?.seconds).toBeLessThanOrEqual(300);
});

describe('a setting that changes later', () => {
  beforeEach(async () => {
    await register();
  });

  test('refuses the refresh tokens that were issued before', async () => {
    const { json } = await exchange();
    await change(without('refresh_token'));
    const form = { grant_type: 'refresh_token', refresh_token: String(json['refresh_token']) };
    await vi.waitFor(async () => {
      expect((await token(form)).json['error']).toBe('unauthorized_client');
    }, 50_000);
  });

  test('revokes the access tokens of the application if it allows less, and only then', async () => {
    const epochOf = async () => (await auth.db.prisma.application.findUniqueOrThrow({ where: { clientId } })).epoch;
    const before = await epochOf();
    await change({ accessTokenLifetime: ['600'] });
    expect(await epochOf()).toBe(before);
    await change({ dpopBoundAccessTokens: ['yes'] });
    expect(await epochOf()).toBe(before + 1);
    await change({ dpopBoundAccessTokens: [] });
    expect(await epochOf()).toBe(before + 1);
    await change(without('client_credentials'));
    expect(await epochOf()).toBe(before + 2);
  });

  test('ends the device codes of a device flow that is switched off, also if it is switched on again', async () => {
    const { json } = await post('/oauth/device_authorization', {});
    await change(without(deviceGrantType));
    await change({ grantTypes: allGrantTypes });
    const enter = async () => {
      const page = await browser.open('/oauth/device');
      return await browser.submit(page, page.formWith('user_code'), { user_code: String(json['user_code']) });
    };
    expect((await enter()).status).toBe(422);
    await vi.waitFor(async () => {
      const form = { grant_type: deviceGrantType, device_code: String(json['device_code']) };
      expect((await token(form)).json['error']).toBe('invalid_grant');
    }, 50_000);
  });

  test.each([
    ['response_type=token is switched off', 'token', without('implicit'), undefined],
    ['the authorization code grant is switched off', 'code', without('authorization_code'), undefined],
    ['the redirect URI is removed', 'code', {}, ['https://app.example.com/other']],
  ])('ends an open consent page when %s', async (_title, responseType, protocol, redirectUris) => {
    const page = await authorize({ response_type: responseType, prompt: 'consent' });
    expect(page.html).toContain('name="decision"');
    await change(protocol, redirectUris === undefined ? {} : { redirectUris });
    await vi.waitFor(async () => {
      const reloaded = await browser.open(page.url.pathname);
      expect(reloaded.html).not.toContain('name="decision"');
    }, 50_000);
    const after = await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow' });
    expect(after.url.href).not.toMatch(/access_token|[?&]code=/);
  });
});
