import type { CreatedApplication } from '@linnet/applications/application/application-change';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { registerThirdParty } from '@linnet/test/auth/third-party';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';

const redirectUri = 'https://app.example.com/callback';
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let application: CreatedApplication;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  application = await auth.register({ redirectUris: [redirectUri] });
});
afterAll(() => cleanup.disposeAsync());

const isPage = (path: string) => path === '/oauth/authorize' || path === '/oauth/logout';

type Method = 'GET' | 'POST';

const endpoints: readonly (readonly [method: Method, path: string, parameters: readonly string[]])[] = [
  [
    'GET',
    '/oauth/authorize',
    ['client_id', 'state', 'nonce', 'login_hint', 'ui_locales', 'dpop_jkt', 'scope', 'unknown', 'redirect_uri'],
  ],
  ['POST', '/oauth/authorize', ['state', 'nonce', 'unknown']],
  ['POST', '/oauth/par', ['state', 'nonce', 'login_hint', 'ui_locales', 'dpop_jkt', 'redirect_uri', 'unknown']],
  ['POST', '/oauth/device_authorization', ['nonce', 'login_hint', 'ui_locales', 'scope', 'unknown']],
  ['POST', '/oauth/token', ['grant_type', 'code', 'refresh_token', 'device_code', 'code_verifier', 'scope', 'unknown']],
  ['POST', '/oauth/revoke', ['token', 'token_type_hint', 'unknown']],
  ['POST', '/oauth/introspect', ['token', 'token_type_hint', 'unknown']],
  [
    'GET',
    '/oauth/logout',
    ['state', 'ui_locales', 'logout_hint', 'id_token_hint', 'post_logout_redirect_uri', 'client_id'],
  ],
];

/** A valid request to any endpoint except for `changes`, which are already percent-encoded. */
async function send(method: Method, path: string, changes: Readonly<Record<string, string>>): Promise<Answer> {
  const { clientId, clientSecret } = application;
  const common = isPage(path) || path === '/oauth/par' ? { state: 'abc', client_id: clientId } : {};
  const authorization = { response_type: 'code', redirect_uri: encodeURIComponent(redirectUri), scope: 'users' };
  const form = { ...common, ...(path === '/oauth/logout' ? {} : authorization), ...changes };
  const encoded = Object.entries(form)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  if (method === 'GET') return await auth.send({ path: `${path}?${encoded}`, headers: { accept: 'text/html' } });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const credentials = isPage(path) ? {} : basic(clientId, clientSecret);
  return await auth.send({ method, path, headers: { ...headers, ...credentials }, body: encoded });
}

const cases = endpoints.flatMap(([method, path, names]) => names.map((name) => [method, path, name] as const));

describe.each([
  ['U+0000', 'a%00b'],
  ['a lone surrogate', 'a%ED%A0%80b'],
])('rejects %s', (_title, value) => {
  test.each(cases)('at %s %s in %s', async (method, path, name) => {
    const answer = await send(method, path, { [name]: value });
    expect(answer.status).toBe(400);
    expect(answer.headers).not.toHaveProperty('location');
    expect([answer.headers['content-type'], answer.json['error']]).toEqual(
      isPage(path) ? ['text/html; charset=utf-8', undefined] : ['application/json; charset=utf-8', 'invalid_request'],
    );
    expect(answer.text).not.toMatch(/22P05|node:internal|\.ts:\d/);
  });
});

test('stores nothing for a rejected request', async () => {
  const count = async () => await auth.db.prisma.oAuthArtifact.count();
  const before = await count();
  for (const [method, path, name] of cases) await send(method, path, { [name]: '%00' });
  expect(await count()).toBe(before);
});

test.each([
  ['GET', '/oauth/authorize', 'state'],
  ['POST', '/oauth/par', 'state'],
  ['POST', '/oauth/device_authorization', 'nonce'],
  ['POST', '/oauth/token', 'scope'],
  ['GET', '/oauth/logout', 'state'],
] as const)('accepts at most 2048 bytes at %s %s in %s', async (method, path, name) => {
  expect((await send(method, path, { [name]: `${'x'.repeat(2047)}ü` })).status).toBe(400);
  const { text } = await send(method, path, { [name]: 'x'.repeat(2048) });
  expect(text).not.toContain('2048');
});

test.each(['/oauth/revoke', '/oauth/introspect'])('accepts a token longer than 2048 bytes at %s', async (path) => {
  expect((await send('POST', path, { token: 'x'.repeat(20_000) })).status).toBe(200);
});

test('ignores an unknown parameter longer than 2048 bytes', async () => {
  expect((await send('POST', '/oauth/par', { unknown: 'x'.repeat(4000) })).status).toBe(201);
});

test.each(['', '&state=%00', '&request_uri=%00', '&request='])(
  'a request that does not exist cannot be continued, whatever the query says: %s',
  async (query) => {
    const { clientId } = await auth.register({ redirectUris: ['https://app.example.com/callback'] });
    const answer = await auth.send({ path: `/oauth/authorize/unknown?client_id=${clientId}${query}` });
    expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
  },
);

/** A JWT with these members of its header and payload, and no valid signature. */
function unsignedJwt(header: object, payload: object = {}): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode({ alg: 'ES256', ...header })}.${encode(payload)}.AAAA`;
}

describe('NUL inside of JSON, which no check of the parameter sees, is refused without a 5xx', () => {
  type Row = [method: Method, path: string, name: string, value: string];
  const kids = ['\u0000', ['\u0000'], { kid: '\u0000' }, 5];
  test.each<Row>([
    ...kids.flatMap((kid): Row[] => [
      ['GET', '/oauth/logout', 'id_token_hint', unsignedJwt({ kid })],
      ['GET', '/oauth/authorize', 'id_token_hint', unsignedJwt({ kid })],
      ['POST', '/oauth/introspect', 'token', unsignedJwt({ kid })],
      ['POST', '/oauth/revoke', 'token', unsignedJwt({ kid })],
      ['POST', '/oauth/token', 'client_assertion', unsignedJwt({ kid }, { sub: kid, iss: kid, jti: kid })],
    ]),
    ...['{"id_token":{"sub":{"value":"\\u0000"}}}', '{"userinfo":{"\\u0000":null}}'].flatMap((claims): Row[] => [
      ['GET', '/oauth/authorize', 'claims', claims],
      ['POST', '/oauth/par', 'claims', claims],
    ]),
  ])('%s %s %s %s', async (method, path, name, value) => {
    const { status } = await send(method, path, { [name]: encodeURIComponent(value) });
    expect(status).toBeLessThan(500);
  });

  test.each<[string, object]>([
    ['a key id', { jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'A', y: 'A', kid: '\u0000' }] } }],
    ['a member of a key', { jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'A', y: 'A', more: '\u0000' }] } }],
    ['a contact', { contacts: ['\u0000'] }],
    ['an unknown member', { '\u0000': '\u0000' }],
    ['a name', { client_name: '\u0000' }],
  ])('%s at /oauth/register', async (_where, changes) => {
    const metadata = { client_name: 'Agent', redirect_uris: [redirectUri], ...changes };
    const headers = { 'content-type': 'application/json' };
    const { status } = await auth.send({
      method: 'POST',
      path: '/oauth/register',
      headers,
      body: JSON.stringify(metadata),
    });
    expect(status).toBeLessThan(500);
  });

  test('claims that are authorized', async () => {
    const browser = createBrowser(auth);
    await signIn(browser, await registerPerson(auth.db, 'claims_owner'));
    const app = await registerThirdParty(auth, { scopes: ['openid', 'email'] });
    for (const text of ['\\u0000', '\\ud800']) {
      const claims = `{"userinfo":{"email":{"value":"${text}"}}}`;
      expect((await app.send(browser, { scope: 'openid email', claims })).status).toBe(400);
    }
  });
});

describe('two blanks are as good as one', () => {
  const headersOf = (join: (header: string) => string) => {
    const { authorization } = basic(application.clientId, application.clientSecret);
    return { authorization: join(authorization), 'content-type': 'application/x-www-form-urlencoded' };
  };
  const scopes = [' users  posts', 'users posts ', 'users   posts'];

  test.each(['/oauth/token', '/oauth/par', '/oauth/introspect', '/oauth/revoke'])(
    'behind Basic at %s',
    async (path) => {
      const form = { grant_type: 'client_credentials', response_type: 'code', redirect_uri: redirectUri, token: 'x' };
      const body = new URLSearchParams({ ...form, client_id: application.clientId }).toString();
      for (const join of [
        (one: string) => one.replace(' ', '  '),
        (one: string) => one.replace('Basic ', 'basic   '),
      ]) {
        const { status } = await auth.send({ method: 'POST', path, headers: headersOf(join), body });
        expect(status).toBe(path === '/oauth/par' ? 201 : 200);
      }
    },
  );

  test.each(scopes)('between scopes: %j', async (scope) => {
    const credentials = basic(application.clientId, application.clientSecret);
    const token = await auth.requestToken({ grant_type: 'client_credentials', scope }, credentials);
    expect([token.status, token.json.scope]).toEqual([200, 'users posts']);
    const query = { client_id: application.clientId, redirect_uri: redirectUri, response_type: ' code', scope };
    const page = await auth.send({ path: `/oauth/authorize?${new URLSearchParams(query).toString()}` });
    expect([page.status, page.headers.location]).toEqual([302, expect.stringContaining('/interaction/')]);
    const nothing = await auth.requestToken({ grant_type: 'client_credentials', scope: '  ' }, credentials);
    expect(nothing.json.scope).toBe('users posts email');
  });
});
