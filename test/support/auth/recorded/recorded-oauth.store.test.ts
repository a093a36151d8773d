import { fileURLToPath } from 'node:url';

import { oauthOperations } from '@linnet/contract/openapi/oauth/oauth-operations';
import type { RecordedCall } from '@linnet/contract/openapi/recorded-calls';
import { createTestDatabase } from '../../db/test-database.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createBrowser } from '../browser.ts';
import { registerPerson, signIn } from '../person.ts';
import { basic, forDevices, startAuth } from '../running-auth.ts';
import type { Answer, RunningAuth } from '../running-auth.ts';
import { stabilizeOAuth } from './stable-oauth.ts';

/**
 * Makes the OAuth requests that the reference shows as examples, and compares every response with the recorded one.
 * `pnpm openapi` records them again.
 */
const file = new URL('../../../../packages/contract/src/openapi/recorded-oauth.json', import.meta.url);
const redirectUri = 'https://app.example.com/callback';
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
// RFC 7636, appendix B.
const challenge = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
const protocol = { grantTypes: [...forDevices.protocol.grantTypes, 'client_credentials' as const] };
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
});
afterAll(async () => await cleanup.disposeAsync());

type Form = Readonly<Record<string, string>>;

/** Sends requests as an application does, and records them. */
function createOAuthRecorder(credentials: { readonly authorization: string }) {
  const calls: Record<string, RecordedCall[]> = {};
  const problems: Record<string, unknown> = {};
  const send = async (id: string, sent: object, authorization: string): Promise<Answer> => {
    const row = oauthOperations.find((one) => one.id === id);
    if (row === undefined) throw new Error(`there is no operation ${id}`);
    const headers = { accept: 'application/json', ...(authorization === '' ? {} : { authorization }) };
    if (row.method === 'get') return await auth.send({ path: row.path, headers });
    const type = row.takesJson === true ? 'application/json' : 'application/x-www-form-urlencoded';
    const body = row.takesJson === true ? JSON.stringify(sent) : new URLSearchParams(Object.entries(sent)).toString();
    return await auth.send({ method: 'POST', path: row.path, headers: { ...headers, 'content-type': type }, body });
  };
  return {
    recorded: { calls, problems },
    keep: (id: string, call: RecordedCall) => void (calls[id] ??= []).push(call),
    record: async (
      id: string,
      title: string,
      request: Form | object = {},
      authorization = credentials.authorization,
    ) => {
      const { status, json } = await send(id, request, authorization);
      const expected = oauthOperations.find((one) => one.id === id)?.status;
      if (status !== expected) throw new Error(`${id}: ${String(status)} ${JSON.stringify(json)}`);
      (calls[id] ??= []).push({ title, request: { ...request }, response: json });
      return json;
    },
    recordError: async (id: string, request: object, authorization = credentials.authorization) => {
      const { status, json } = await send(id, request, authorization);
      if (status < 400) throw new Error(`${id}: ${String(status)}`);
      problems[`${id} ${String(status)} ${String(json['error'])}`] = json;
    },
  };
}

test('every example of the OAuth endpoints is what the service responds', async () => {
  const app = await auth.register({ name: 'Aviary', redirectUris: [redirectUri], protocol });
  const credentials = basic(app.clientId, app.clientSecret);
  const recorder = createOAuthRecorder(credentials);
  const { record, recordError, keep, recorded } = recorder;
  const browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, 'ada_lovelace'));

  const asked = {
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid profile email posts',
    state: 'af0ifjsldkj',
  };
  const address = new URLSearchParams({ client_id: app.clientId, ...asked, ...challenge }).toString();
  const page = await browser.open(`/oauth/authorize?${address}`);
  const callback = await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow', scope: [] });
  keep('oauthAuthorize', { title: 'Sign-in', request: { client_id: app.clientId, ...asked }, response: {} });

  const exchange = {
    grant_type: 'authorization_code',
    code: callback.url.searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  const first = await record('oauthToken', 'Exchange a code', exchange);
  const refreshed = { grant_type: 'refresh_token', refresh_token: String(first['refresh_token']) };
  const tokens = await record('oauthToken', 'Refresh', refreshed);
  await record('oauthToken', 'Client credentials', { grant_type: 'client_credentials', scope: 'posts' });
  await recordError('oauthToken', { ...exchange, code: 'wrong' });
  await recordError('oauthToken', { grant_type: 'password' });
  await recordError('oauthToken', { grant_type: 'client_credentials' }, basic(app.clientId, 'wrong').authorization);
  await record('oauthUserInfo', 'Success', {}, `Bearer ${tokens.access_token}`);
  await recordError('oauthUserInfo', {}, 'Bearer wrong');
  await record('oauthIntrospect', 'An active token', { token: tokens.access_token });
  await record('oauthIntrospect', 'Another token', { token: 'unknown' });
  await recordError('oauthIntrospect', { token: 'unknown' }, basic(app.clientId, 'wrong').authorization);
  await record('oauthDeviceAuthorization', 'Success', { client_id: app.clientId, scope: 'posts' });
  await record('oauthPushedRequest', 'Success', { client_id: app.clientId, ...asked, ...challenge });
  const elsewhere = { client_id: app.clientId, ...asked, redirect_uri: 'https://elsewhere.example/' };
  await recordError('oauthPushedRequest', elsewhere);
  const client = {
    client_name: 'Aviary',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
    scope: 'posts',
  };
  await record('oauthRegister', 'A public client', client, '');
  await recordError('oauthRegister', { ...client, redirect_uris: ['http://app.example.com/'] }, '');
  await record('oauthKeys', 'Success');
  await record('oauthMetadata', 'Success');
  await recordError('oauthRevoke', { token: 'unknown' }, basic(app.clientId, 'wrong').authorization);
  await recordError('oauthDeviceAuthorization', { client_id: 'app_unknown' }, '');
  await record('oauthRevoke', 'Success', { token: String(tokens['refresh_token']) });
  await expect(`${JSON.stringify(stabilizeOAuth(recorded), null, 2)}\n`).toMatchFileSnapshot(fileURLToPath(file));
});
