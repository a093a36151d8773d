import { createBrowser } from '../support/auth/browser.ts';
import type { Browser, Page } from '../support/auth/browser.ts';
import { registerOutsideApi } from '../support/auth/outside-api.ts';
import { registerPerson, signIn } from '../support/auth/person.ts';
import { basic, forDevices, startAuth } from '../support/auth/running-auth.ts';
import type { Answer, RunningAuth } from '../support/auth/running-auth.ts';
import { defaultNameRules } from '@linnet/accounts/names/name-rules';
import { createApis } from '@linnet/applications/apis/apis';
import type { CreatedApplication } from '@linnet/applications/application/application-change';
import { createTestDatabase } from '../support/db/test-database.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import {
  changedHeaders,
  encodeMultipart,
  encodePairs,
  formChanges,
  hostileRequests,
  multipartType,
  toAddress,
} from './hostile-requests.ts';
import type { EncodedPairs, FormChange, HostileRequest, Target } from './hostile-requests.ts';

/**
 * Generated requests to every OAuth endpoint and from every form of the pages. None may cause a 5xx, a line of level
 * error in the log, or show how the server works. FUZZ_REQUESTS changes their number and FUZZ_SEED repeats a run.
 */

const requests = Number(process.env['FUZZ_REQUESTS'] ?? 1300);
const seed = Number(process.env['FUZZ_SEED'] ?? 1);
const formType = { 'content-type': 'application/x-www-form-urlencoded' };
const redirectUri = 'https://app.example.com/callback';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let browser: Browser;
let client: CreatedApplication;
/** An application of the person who is signed in. */
let ownClientId: string;
/** An API of the person who is signed in. */
let ownApiId: number;
/** Another person, with a post. */
let other: { readonly username: string; readonly postId: number };
/** Identifier of a registered API of somebody else. */
let resource: string;
let people = 0;
let sent = 0;

beforeAll(async () => {
  process.stdout.write(`hostile requests: FUZZ_SEED=${String(seed)} FUZZ_REQUESTS=${String(requests)}\n`);
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  const grantTypes = [...forDevices.protocol.grantTypes, 'client_credentials', 'implicit'];
  client = await auth.register({ redirectUris: [redirectUri], protocol: { grantTypes } });
  const { id, username } = await registerPerson(auth.db, 'hostile_other');
  const post = await auth.db.prisma.post.create({ data: { authorId: id, text: '#post', mentionIds: [] } });
  other = { username, postId: Number(post.id) };
  ({ identifier: resource } = await registerOutsideApi(auth));
  await signInNewPerson();
});
afterAll(() => cleanup.disposeAsync());

/** Hostile forms can end the session, so people come and go. */
async function signInNewPerson(): Promise<void> {
  people += 1;
  const person = await registerPerson(auth.db, `hostile_${String(people)}`);
  browser = createBrowser(auth);
  await signIn(browser, person);
  ({ clientId: ownClientId } = await auth.register({ owner: person.username, redirectUris: [redirectUri] }));
  ({ id: ownApiId } = await createApis(auth.db, { baseUrl: auth.baseUrl, names: defaultNameRules }).create({
    ...{ ownerId: person.id, identifier: `https://api-${String(people)}.example.com/`, name: `API ${String(people)}` },
    ...{ scopes: [{ scope: 'notes:read', description: 'Read notes' }], clientId: undefined },
  }));
}

function oauthTargets(): readonly Target[] {
  const { clientId, clientSecret } = client;
  const asClient = { ...formType, ...basic(clientId, clientSecret) };
  const pkce = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
  const hints = {
    login_hint: 'ada',
    ui_locales: 'de',
    dpop_jkt: 'x'.repeat(43),
    id_token_hint: '',
    claims: '',
    acr_values: '',
  };
  const request = { response_type: 'code', scope: 'openid users', nonce: 'n', resource: '', display: '', max_age: '' };
  const authorization = {
    redirect_uri: redirectUri,
    state: 's',
    response_mode: '',
    prompt: '',
    ...request,
    ...pkce,
    ...hints,
  };
  const secrets = { client_id: clientId, client_secret: clientSecret ?? '' };
  const assertion = {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `e30.${Buffer.from(JSON.stringify({ sub: clientId })).toString('base64url')}.AAAA`,
  };
  const token = (parameters: Target['parameters'], headers: Target['headers'] = asClient): Target => ({
    method: 'POST',
    path: '/oauth/token',
    parameters,
    headers,
  });
  const management = { token: 'unknown', token_type_hint: 'refresh_token' };
  const code = {
    grant_type: 'authorization_code',
    code: 'x'.repeat(43),
    redirect_uri: redirectUri,
    code_verifier: 'x'.repeat(43),
  };
  const logout = { id_token_hint: '', post_logout_redirect_uri: '', state: 's', ui_locales: 'de', logout_hint: '' };
  return [
    { method: 'GET', path: '/oauth/authorize', parameters: { client_id: clientId, ...authorization } },
    { method: 'GET', path: '/oauth/authorize', parameters: { client_id: clientId, request_uri: 'urn:x', request: '' } },
    {
      method: 'POST',
      path: '/oauth/authorize',
      parameters: { client_id: clientId, ...authorization },
      headers: formType,
    },
    {
      method: 'GET',
      path: '/oauth/authorize',
      parameters: { client_id: clientId, ...authorization, scope: 'notes:read', resource },
    },
    // Its document cannot be fetched.
    {
      method: 'GET',
      path: '/oauth/authorize',
      parameters: { client_id: 'https://127.0.0.1/client', ...authorization },
    },
    token({ grant_type: 'refresh_token', refresh_token: 'x', client_id: 'https://127.0.0.1/client' }, formType),
    token({ grant_type: 'client_credentials', scope: 'notes:read', resource }),
    { method: 'POST', path: '/oauth/par', parameters: authorization, headers: asClient },
    { method: 'POST', path: '/oauth/par', parameters: { ...authorization, ...secrets }, headers: formType },
    { method: 'POST', path: '/oauth/device_authorization', parameters: { ...request, ...hints }, headers: asClient },
    token({ grant_type: 'client_credentials', scope: 'users', resource: '' }),
    token({ grant_type: 'client_credentials', ...secrets }, formType),
    token({ grant_type: 'client_credentials', ...assertion }, formType),
    token(code),
    token({ grant_type: 'refresh_token', refresh_token: 'x'.repeat(43), scope: 'users' }),
    token({ grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'x'.repeat(43) }),
    { method: 'POST', path: '/oauth/revoke', parameters: management, headers: asClient },
    { method: 'POST', path: '/oauth/introspect', parameters: management, headers: asClient },
    { method: 'GET', path: '/oauth/logout', parameters: { client_id: clientId, ...logout } },
    { method: 'POST', path: '/oauth/logout/confirm', parameters: { xsrf: 'x', logout: 'yes' }, headers: formType },
    { method: 'GET', path: '/oauth/logout/success', parameters: { client_id: clientId } },
    { method: 'GET', path: '/oauth/userinfo', parameters: {}, headers: { authorization: 'Bearer x' } },
    { method: 'POST', path: '/oauth/userinfo', parameters: { access_token: 'x' }, headers: formType },
    { method: 'GET', path: '/oauth/jwks', parameters: {} },
    { method: 'GET', path: '/.well-known/openid-configuration', parameters: {} },
  ];
}

const stackTrace = /\n\s+at \S+ \(|node:internal|node_modules|\.[jt]sx?:\d+|22P05|PostgreSQL|prisma/i;

async function sendHostile(request: HostileRequest): Promise<Answer> {
  const { method, path, pairs, headers } = request;
  const cookie = browser.cookies.headerFor(path);
  const common = {
    'accept-language': 'en',
    accept: 'text/html',
    ...(cookie === undefined ? {} : { cookie }),
    ...headers,
  };
  const answer = await auth.send(
    method === 'GET'
      ? { path: toAddress(request), headers: common }
      : { method, path, headers: common, body: encodePairs(pairs) },
  );
  sent += 1;
  expectHarmless(answer);
  return answer;
}

function expectHarmless({ status, text }: Answer): void {
  const logged = auth.log.splice(0);
  auth.statements.length = 0;
  expect(status).toBeLessThan(500);
  expect(text).not.toMatch(stackTrace);
  expect(logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
}

/** Requests are sent one after the other: the order decides what a request finds. */
async function check<Input>(
  inputs: fc.Arbitrary<Input>,
  numRuns: number,
  run: (input: Input) => Promise<void>,
): Promise<void> {
  await fc.assert(fc.asyncProperty(inputs, run), { numRuns, seed });
}

const longest = 3_600_000;

test('hostile requests to the OAuth endpoints get no 5xx', { timeout: longest }, async () => {
  const accepted = new Map<string, number>();
  await check(hostileRequests(oauthTargets()), Math.ceil(requests * 0.75), async (request) => {
    const { status, json, headers } = await sendHostile(request);
    if (status < 400) accepted.set(request.path, (accepted.get(request.path) ?? 0) + 1);
    if (request.path === '/oauth/par' && status === 201) await openPushed(String(json['request_uri']));
    expect(new URL(headers.location ?? '/', auth.baseUrl).hostname).not.toBe('evil.example');
  });
  // Otherwise the generated requests would be refused before they reach the database.
  for (const path of ['authorize', 'par', 'device_authorization', 'token', 'revoke', 'introspect', 'logout']) {
    expect(accepted.get(`/oauth/${path}`), path).toBeGreaterThan(0);
  }
  process.stdout.write(`hostile requests: accepted ${JSON.stringify([...accepted])}\n`);
});

async function openPushed(requestUri: string): Promise<void> {
  const query = new URLSearchParams({ client_id: client.clientId, request_uri: requestUri });
  const path = '/oauth/authorize';
  expectHarmless(
    await auth.send({
      path: `${path}?${query.toString()}`,
      headers: { cookie: browser.cookies.headerFor(path) ?? '' },
    }),
  );
}

function pagesForSignedIn(): readonly string[] {
  const own = `/developer/applications/${ownClientId}`;
  const account = [
    '',
    '/profile',
    '/username',
    '/posts',
    '/notifications',
    '/followers',
    '/hidden',
    '/export',
    '/delete',
    '/applications',
    '/sessions',
    '/password',
  ];
  const security = [
    '/security',
    '/security/new-passkey',
    '/security/authenticator',
    '/email',
    '/activity',
    '/activity/not-me',
  ];
  return [
    ...[...account, ...security].map((path) => `/account${path}`),
    ...[
      '',
      '/credentials',
      '/settings',
      '/activity',
      '/usage',
      '/usage.csv',
      '/webhooks',
      '/history',
      '/appearance',
    ].map((path) => own + path),
    ...['/playground', '/danger'].map((path) => own + path),
    ...['/developer/apis', '/developer/apis/new', `/developer/apis/${String(ownApiId)}`],
    ...[`/follow/${other.username}`, `/reply/${String(other.postId)}`],
    ...['/developer', '/developer/applications/new', '/oauth/device', '/logout', '/reauthenticate'],
    authorizationAddress({ prompt: 'consent' }),
    authorizationAddress({ prompt: 'login' }),
    '/oauth/logout',
  ];
}

const pagesForSignedOut = () => [
  ...['/login', '/register', '/password/forgot', '/password/reset?token=x', '/verify-email?token=x'],
  authorizationAddress({}),
];

function authorizationAddress(parameters: Readonly<Record<string, string>>): string {
  const proper = {
    client_id: client.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'users',
    state: 's',
  };
  return `/oauth/authorize?${new URLSearchParams({ ...proper, ...parameters }).toString()}`;
}

const submissions = fc.record({
  page: fc.nat(1000),
  form: fc.nat(1000),
  button: fc.nat(1000),
  changes: formChanges,
  headers: changedHeaders,
});

test('hostile submissions of every form get no 5xx', { timeout: longest }, async () => {
  const submitted = new Set<string>();
  await check(
    submissions,
    Math.ceil(requests * 0.25),
    async ({ page: chosen, form: number, button, changes, headers }) => {
      const pages = [...pagesForSignedIn(), ...pagesForSignedOut()];
      const index = chosen % pages.length;
      const isSignedIn = index < pagesForSignedIn().length;
      const visitor = isSignedIn ? browser : createBrowser(auth);
      const page = await openPage(visitor, pages[index] ?? '/', isSignedIn);
      const form = pickForm(page, number);
      if (form === undefined) return;
      const { pathname, search } = new URL(form.action, page.url);
      submitted.add(`${pathname.replace(ownClientId, ':id')} ${form.testIds[0] ?? ''}`);
      const pairs = changeFields([...form.fields, ...pickButton(form, button)], changes);
      const isMultipart = form.html.includes('multipart/form-data');
      const cookie = visitor.cookies.headerFor(pathname);
      const answer = await auth.send({
        method: form.method,
        path: form.method === 'GET' ? toAddress({ path: pathname, pairs }) : pathname + search,
        headers: {
          ...(isMultipart ? multipartType : formType),
          ...(cookie === undefined ? {} : { cookie }),
          ...{ 'sec-fetch-site': 'same-origin', origin: auth.baseUrl, accept: 'text/html' },
          ...headers,
        },
        ...(form.method === 'GET' ? {} : { body: isMultipart ? encodeMultipart(pairs) : encodePairs(pairs) }),
      });
      sent += 1;
      expectHarmless(answer);
    },
  );
  expect(submitted.size).toBeGreaterThan(20);
  process.stdout.write(`hostile requests: ${String(sent)} sent, ${String(submitted.size)} forms\n`);
  expect(sent).toBeGreaterThan(requests * 0.8); // some pages have no form
});

/** The session ends when a hostile form signs out or deletes the account. */
async function openPage(visitor: Browser, address: string, isSignedIn: boolean): Promise<Page> {
  const page = await visitor.open(address);
  if (!isSignedIn || page.url.pathname !== '/login') return page;
  await signInNewPerson();
  return await browser.open(address);
}

/** Every page has a form that signs out; it is submitted on its own page only. */
function pickForm({ forms, url }: Page, number: number) {
  const candidates = forms.filter(({ action }) => action !== '/logout' || url.pathname === '/logout');
  return candidates[number % Math.max(candidates.length, 1)];
}

function pickButton({ buttons }: Page['forms'][number], number: number): Page['forms'][number]['buttons'] {
  const button = buttons[number % Math.max(buttons.length, 1)];
  return button === undefined ? [] : [button];
}

function changeFields(fields: Page['forms'][number]['fields'], changes: readonly FormChange[]): EncodedPairs {
  const changeOf = (index: number) => changes.find(({ field }) => field % Math.max(fields.length, 1) === index);
  return fields.map(([name, value], index) => [
    encodeURIComponent(name),
    changeOf(index)?.value ?? encodeURIComponent(value),
  ]);
}
