import { createTestDatabase } from '@linnet/test/db/test-database';
import { createRelayedConnection } from '@linnet/test/db/relayed-connection';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { version } from '@linnet/service/config/version';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';

import { loadKeyRing } from '@linnet/keys/key-ring';
import { toPublicJwk } from '@linnet/keys/signing-key';
import { basic, baseUrl, publicHost, secretKeys, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { pagePaths } from './pages/views/page-paths.ts';

const form = { grant_type: 'client_credentials' };
const wellKnowns = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let auth: RunningAuth;
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
});
afterAll(() => cleanup.disposeAsync());

describe('HT1: the Host header', () => {
  test.each(['evil.example', `${publicHost}.evil.example`, 'a:b@c', `${publicHost}:81`, ''])(
    '%j is answered 421',
    async (host) => {
      const { clientId, clientSecret } = await auth.register();
      const answer = await auth.requestToken(form, { ...basic(clientId, clientSecret), host });
      expect(answer.status).toBe(421);
      expect(answer.text).not.toContain('access_token');
    },
  );

  test('applies to absolute-form targets as well', async () => {
    const answer = await auth.send({ method: 'POST', path: 'http://evil.example/oauth/token' });
    expect(answer.status).toBe(421);
  });

  test('ignores a forwarded host', async () => {
    const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example', 'x-forwarded-proto': 'http' };
    for (const path of wellKnowns) {
      expect((await auth.send({ path, headers })).text).not.toContain('evil.example');
    }
  });

  test('serves keys and metadata under any host, without repeating it', async () => {
    for (const path of [...wellKnowns, '/oauth/jwks']) {
      const answer = await auth.send({ path, headers: { host: 'internal.name:3001' } });
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain('internal.name');
    }
  });
});

describe('KY1: metadata', () => {
  test('advertises exactly what works, the same in both documents', async () => {
    const answers = await Promise.all(wellKnowns.map((path) => auth.send({ path })));
    for (const { json, headers } of answers) {
      expect(json).toEqual({
        issuer: baseUrl,
        authorization_endpoint: `${baseUrl}/oauth/authorize`,
        token_endpoint: `${baseUrl}/oauth/token`,
        device_authorization_endpoint: `${baseUrl}/oauth/device_authorization`,
        pushed_authorization_request_endpoint: `${baseUrl}/oauth/par`,
        userinfo_endpoint: `${baseUrl}/oauth/userinfo`,
        jwks_uri: `${baseUrl}/oauth/jwks`,
        end_session_endpoint: `${baseUrl}/oauth/logout`,
        registration_endpoint: `${baseUrl}/oauth/register`,
        client_id_metadata_document_supported: true,
        grant_types_supported: [
          'authorization_code',
          'refresh_token',
          'client_credentials',
          'implicit',
          'urn:ietf:params:oauth:grant-type:device_code',
        ],
        response_types_supported: ['code', 'token'],
        response_modes_supported: ['query', 'fragment', 'form_post'],
        scopes_supported: ['openid', 'profile', 'users:read', 'posts:read', 'posts:propose', 'users', 'posts', 'email'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
        token_endpoint_auth_signing_alg_values_supported: ['ES256', 'PS256', 'EdDSA', 'RS256'],
        dpop_signing_alg_values_supported: ['ES256', 'PS256', 'EdDSA'],
        revocation_endpoint: `${baseUrl}/oauth/revoke`,
        revocation_endpoint_auth_methods_supported: [
          'client_secret_basic',
          'client_secret_post',
          'private_key_jwt',
          'none',
        ],
        revocation_endpoint_auth_signing_alg_values_supported: ['ES256', 'PS256', 'EdDSA', 'RS256'],
        introspection_endpoint: `${baseUrl}/oauth/introspect`,
        introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
        introspection_endpoint_auth_signing_alg_values_supported: ['ES256', 'PS256', 'EdDSA', 'RS256'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256', 'RS256'],
        claims_supported: [
          'iss',
          'sub',
          'aud',
          'exp',
          'iat',
          'nonce',
          'auth_time',
          'acr',
          'amr',
          'sid',
          'name',
          'given_name',
          'family_name',
          'preferred_username',
          'picture',
          'profile',
          'locale',
          'updated_at',
          'email',
          'email_verified',
        ],
        backchannel_logout_supported: true,
        backchannel_logout_session_supported: true,
        acr_values_supported: [
          'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
          'https://refeds.org/profile/mfa',
          'phr',
        ],
        refresh_token_expiration_types_supported: ['authorization'],
        prompt_values_supported: ['none', 'login', 'select_account', 'consent'],
        ui_locales_supported: ['en', 'de', 'fr', 'es'],
        request_parameter_supported: false,
        request_uri_parameter_supported: false,
        claims_parameter_supported: false,
      });
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });

  test('can be read by pages of any origin', async () => {
    for (const path of [...wellKnowns, '/oauth/jwks']) {
      const headers = { origin: 'https://elsewhere.example' };
      expect((await auth.send({ path, headers })).headers['access-control-allow-origin']).toMatch(
        /^(\*|https:\/\/elsewhere\.example)$/,
      );
      const preflight = { ...headers, 'access-control-request-method': 'GET' };
      expect((await auth.send({ method: 'OPTIONS', path, headers: preflight })).status).toBe(204);
    }
  });
});

describe('KY2: the key set', () => {
  test('publishes the current and next key of each algorithm, their public halves only, and may be cached for five minutes', async () => {
    const { json, headers } = await auth.send({ path: '/oauth/jwks' });
    const { current, next, published } = await loadKeyRing(auth.db, secretKeys);
    expect(json).toEqual({ keys: published.map(toPublicJwk) });
    expect(json.keys.map(({ kid }) => kid)).toEqual(
      [current.ES256, current.RS256, next.ES256, next.RS256].map(({ kid }) => kid),
    );
    for (const key of json.keys) {
      for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi']) expect(key).not.toHaveProperty(member);
    }
    expect(headers['cache-control']).toBe('public, max-age=300');
    expect(headers['content-type']).toContain('application/jwk-set+json');
  });

  test('supports HEAD and rejects methods that change something', async () => {
    expect(await auth.send({ method: 'HEAD', path: '/oauth/jwks' })).toMatchObject({ status: 200, text: '' });
    const refused = await auth.send({ method: 'POST', path: '/oauth/jwks' });
    expect(refused.status).toBe(405);
    expect(refused.headers).toMatchObject({ allow: 'GET, HEAD, OPTIONS', 'cache-control': 'no-store' });
  });
});

/** Pages, documents and endpoints of this server, for a browser or client that nobody knows. */
const readable = [
  ...Object.values(pagePaths).filter((path) => typeof path === 'string'),
  ...['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server', '/oauth/jwks'],
  ...['/oauth/userinfo', '/oauth/register/unknown', '/robots.txt', '/favicon.ico', '/health/ready', '/unknown'],
];

test.each(readable)('D75 HEAD %s gets what GET gets, without the body', async (path) => {
  const [read, head] = [await auth.send({ path }), await auth.send({ method: 'HEAD', path })];
  expect([head.status, head.text]).toEqual([read.status, '']);
  for (const name of ['content-type', 'location', 'www-authenticate', 'cache-control']) {
    expect([name, head.headers[name]?.toString().split('?')[0]]).toEqual([
      name,
      read.headers[name]?.toString().split('?')[0],
    ]);
  }
});

describe('an unknown path', () => {
  test.each([
    '/auth',
    '/oauth/revoke/',
    '/oauth/introspection',
    '/request',
    '/me',
    '/reg',
    '/session/end',
    '/session/end/confirm',
    '/device',
    '/interaction',
    '/interaction/x/y',
    '/oauth/jwks/',
    '/OAUTH/JWKS',
    '/.WELL-KNOWN/openid-configuration',
    '/%2e%2e/oauth/jwks',
    '/%00',
  ])('%s is 404', async (path) => {
    for (const method of ['GET', 'POST']) expect((await auth.send({ method, path })).status).toBe(404);
  });

  test('returns a page to browsers', async () => {
    const { headers, text } = await auth.send({
      path: '/nowhere?<script>',
      headers: { accept: 'text/html,*/*;q=0.8' },
    });
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).toContain('<html lang="en">');
    expect(text).toContain('<h1>Page not found</h1>');
    expect(text).not.toContain('<script');
  });

  test('returns a problem to clients that accept JSON', async () => {
    const { headers, json } = await auth.send({ path: '/nowhere', headers: { accept: 'application/json' } });
    expect(headers['content-type']).toContain('application/problem+json');
    expect(json).toMatchObject({
      status: 404,
      title: 'This page does not exist',
      request_id: headers['x-request-id'],
    });
  });
});

test('HT3: every response has the security headers and a request id', async () => {
  const policies = { '/oauth/jwks': 'no-referrer', '/oauth/token': 'no-referrer', '/nowhere': 'same-origin' };
  for (const [path, referrerPolicy] of Object.entries(policies)) {
    expect((await auth.send({ path })).headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': referrerPolicy,
      'strict-transport-security': expect.stringContaining('max-age=63072000'),
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  }
});

test('is ready with its database and keys', async () => {
  const { status, json } = await auth.send({ path: '/health/ready' });
  expect(status).toBe(200);
  expect(json).toEqual({
    status: 'ready',
    checks: { database: true, writes: true, keys: true, revocations: true, media: true },
    version,
  });
});

test('the provider prints nothing', async () => {
  const printed: unknown[] = [];
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...args: unknown[]) => void printed.push(args));
  }
  await using own = await createTestDatabase(inject('databaseServer'));
  await using quiet = await startAuth(own.url);
  const { clientId, clientSecret } = await quiet.register({ actAsOwner: true });
  await quiet.requestToken(form, basic(clientId, clientSecret));
  await quiet.requestToken(form, { ...basic(clientId, 'wrong'), accept: 'text/html' });
  await quiet.requestToken(form, { ...basic(clientId, clientSecret), origin: 'https://elsewhere.example' });
  for (const path of [...wellKnowns, '/oauth/jwks', '/oauth/authorize']) await quiet.send({ path });
  expect(printed).toEqual([]);
});

describe('TK15: when the database is killed', () => {
  test('known applications still get tokens; others get 503 with Retry-After, and only the log names the cause', async () => {
    await using own = await createTestDatabase(inject('databaseServer'));
    await using connection = await createRelayedConnection(own.url);
    await using broken = await startAuth(connection.url);
    const known = await broken.register();
    const other = await broken.register();
    expect((await broken.requestToken(form, basic(known.clientId, known.clientSecret))).status).toBe(200);
    await connection.break();

    expect((await broken.requestToken(form, basic(known.clientId, known.clientSecret))).status).toBe(200);
    const answer = await broken.requestToken(form, {
      ...basic(other.clientId, other.clientSecret),
      accept: 'text/html',
    });
    expect(answer.status).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(answer.json).toEqual({
      error: 'temporarily_unavailable',
      error_description: expect.any(String),
      request_id: answer.headers['x-request-id'],
    });
    expect(broken.log.join('')).toContain('ECONNREFUSED');
    expect(await broken.send({ path: '/health/ready' })).toMatchObject({
      status: 503,
      json: { checks: { database: false } },
    });
  });

  test('any other error is 500 with the request id and without the cause', async () => {
    await using own = await createTestDatabase(inject('databaseServer'));
    await using faulty = await startAuth(own.url);
    const { clientId, clientSecret } = await faulty.register();
    await faulty.db.prisma.$executeRawUnsafe('ALTER TABLE application RENAME TO application_gone');
    const answer = await faulty.requestToken(form, basic(clientId, clientSecret));
    expect(answer.status).toBe(500);
    expect(answer.json).toEqual({
      error: 'server_error',
      error_description: expect.any(String),
      request_id: answer.headers['x-request-id'],
    });
    expect(answer.text).not.toMatch(/application_gone|relation| at /);
    const line = faulty.log.find(
      (text) => text.includes('request failed') && text.includes(String(answer.headers['x-request-id'])),
    );
    expect(line).toContain('relation');
  });
});
