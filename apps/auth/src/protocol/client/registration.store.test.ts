// Dynamic client registration (RFC 7591, RFC 7592): applications that register themselves.
import { createApplications } from '@linnet/applications/applications';
import { findLastAuditEvents } from '@linnet/audit/audit-store';
import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { decodeJwt, exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import type { Connected } from '@linnet/test/auth/connected';
import { mailTo } from '@linnet/test/auth/mailbox';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { createRegistrar } from '@linnet/test/auth/registrar';
import type { Registered, Registrar } from '@linnet/test/auth/registrar';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let auth: RunningAuth;
let ada: Person;
let browser: Browser;
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  registrar = createRegistrar(auth);
  ada = await registerPerson(auth.db, 'ada_lovelace');
  browser = createBrowser(auth);
  await signIn(browser, ada);
});
afterAll(() => cleanup.disposeAsync());

const callback = 'https://agent.example/callback';
const agent = { client_name: 'Agent', redirect_uris: [callback], token_endpoint_auth_method: 'none' };

let registrar: Registrar;
const send: Registrar['send'] = async (body, sent) => await registrar.send(body, sent);
const register = async (metadata: object = agent): Promise<Registered> => await registrar.register(metadata);

/** Authorizes a registered client as Ada. */
async function connectTo({ clientId, json: { client_secret: clientSecret } }: Registered): Promise<Connected> {
  const known = () =>
    Promise.resolve({
      clientId,
      name: 'Agent',
      redirectUris: [callback],
      scopes: [],
      ...(typeof clientSecret === 'string' ? { clientSecret } : {}),
    });
  const type = clientSecret === undefined ? 'public' : 'confidential';
  return await connect({ ...auth, register: known }, browser, { type, redirectUris: [callback] });
}

const countStatement = statement<readonly [], { count: number }>(
  'test_count_self_registered',
  'SELECT count(*) AS count FROM application WHERE owner_id IS NULL',
);
const countAll = async () => (await auth.db.query(countStatement, []))[0]?.count;

describe('what a client gets', () => {
  test('a public client gets an id, its metadata and a token to manage it, and no secret', async () => {
    const { json, headers, status } = await send({ ...agent, client_uri: 'https://agent.example', contacts: ['x'] });
    expect(status).toBe(201);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'access-control-allow-origin': '*' });
    expect(json).toMatchObject({
      client_id: expect.stringMatching(/^app_/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Agent',
      client_uri: 'https://agent.example/',
      redirect_uris: [callback],
      token_endpoint_auth_method: 'none',
      application_type: 'web',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      require_pkce: true,
      registration_access_token: expect.any(String),
      registration_client_uri: `${auth.baseUrl}/oauth/register/${String(json['client_id'])}`,
    });
    expect(json).not.toHaveProperty('client_secret');
  });

  test('a confidential client gets a secret, which is stored as a hash only', async () => {
    const { json } = await register({ client_name: 'Server', redirect_uris: [callback] });
    expect(json).toMatchObject({
      token_endpoint_auth_method: 'client_secret_basic',
      client_secret: expect.any(String),
      client_secret_expires_at: 0,
      grant_types: ['authorization_code', 'refresh_token'],
    });
    const credentials = basic(String(json['client_id']), String(json['client_secret']));
    const { status, json: error } = await auth.requestToken({ grant_type: 'client_credentials' }, credentials);
    expect([status, error['error']]).toEqual([400, 'unauthorized_client']);
  });

  test.each([
    ['http://127.0.0.1:4000/callback', 'native'],
    ['com.example.agent:/callback', 'native'],
    [callback, 'web'],
  ])('a public client with the redirect URI %s is %s without naming its type', async (uri, type) => {
    const { json } = await register({ redirect_uris: [uri], token_endpoint_auth_method: 'none' });
    expect(json['application_type']).toBe(type);
  });
});

describe('scopes that a client names', () => {
  test.each([
    ['openid notes:read users', 'openid users'],
    // Those of other APIs need no registration.
    ['notes:read notes:write', 'profile'],
    ['users:read posts:read', 'users:read posts:read users posts'],
    ['posts:read posts', 'posts:read posts'],
  ])('a client that names %s registers %s', async (scope, registered) => {
    const { json, path, token } = await register({ ...agent, scope });
    expect(json['scope']).toBe(registered);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    for (const repeated of [scope, registered]) {
      const body = JSON.stringify({ ...agent, client_id: json['client_id'], scope: repeated });
      const updated = await auth.send({ method: 'PUT', path, headers, body });
      expect([updated.status, updated.json['scope']]).toEqual([200, registered]);
    }
  });
});

const device = 'urn:ietf:params:oauth:grant-type:device_code';

describe.each(['none', 'client_secret_basic'])(
  'a client with %s is registered without what it cannot have',
  (method) => {
    const code = ['authorization_code', 'refresh_token'];
    test.each<[string, object, readonly string[]]>([
      ['the device flow', { grant_types: [...code, device] }, code],
      ['client_credentials', { grant_types: ['client_credentials', 'authorization_code'] }, ['authorization_code']],
      ['implicit', { grant_types: [...code, 'implicit'], response_types: ['code', 'token'] }, code],
      [
        'a grant type that nobody offers',
        { grant_types: [...code, 'urn:ietf:params:oauth:grant-type:jwt-bearer'] },
        code,
      ],
      ['hybrid response types', { response_types: ['code id_token', 'code', 'id_token'] }, code],
      ['no response type', { response_types: [] }, code],
    ])('D115 asked for %s', async (_what, asked, grantTypes) => {
      const metadata = { ...agent, token_endpoint_auth_method: method, ...asked };
      const got = { grant_types: grantTypes, response_types: ['code'] };
      const { json, clientId, path, token } = await register(metadata);
      expect(json).toMatchObject(got);
      const replaced = await send({ ...metadata, client_id: clientId }, { method: 'PUT', path, token });
      expect([replaced.status, replaced.json]).toEqual([200, expect.objectContaining(got)]);
    });
  },
);

test('D115 a client that asks for all that the metadata lists gets what it can have', async () => {
  const { json: listed } = await auth.send({ path: '/.well-known/oauth-authorization-server' });
  const asked = { grant_types: listed['grant_types_supported'], response_types: listed['response_types_supported'] };
  const got = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] };
  expect((await register({ ...agent, ...asked })).json).toMatchObject(got);
});

test.each(['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'])(
  'the answer to a client with %s has no algorithm that it did not choose',
  async (method) => {
    const jwks = { keys: [await exportJWK((await generateKeyPair('ES256')).publicKey)] };
    const { json } = await register({ ...agent, token_endpoint_auth_method: method, jwks });
    expect(json).not.toHaveProperty('token_endpoint_auth_signing_alg');
  },
);

describe('what a registration cannot contain', () => {
  test.each<[string, object, string]>([
    ['no redirect URI', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['a redirect URI over http', { redirect_uris: ['http://agent.example/cb'] }, 'invalid_redirect_uri'],
    ['a redirect URI with a fragment', { redirect_uris: [`${callback}#x`] }, 'invalid_redirect_uri'],
    ['a redirect URI that runs a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['a redirect URI that is no text', { redirect_uris: [1] }, 'invalid_client_metadata'],
    ['no authorization code', { grant_types: ['refresh_token'] }, 'invalid_client_metadata'],
    ['only client credentials', { grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    ['only the response type token', { response_types: ['token'] }, 'invalid_client_metadata'],
    ['pairwise subjects', { subject_type: 'pairwise' }, 'invalid_client_metadata'],
    ['a sign-in address over http', { initiate_login_uri: 'http://agent.example/login' }, 'invalid_client_metadata'],
    ['a sign-in address that runs a script', { initiate_login_uri: 'javascript:alert(1)' }, 'invalid_client_metadata'],
    ['an unknown authentication method', { token_endpoint_auth_method: 'tls_client_auth' }, 'invalid_client_metadata'],
    ['private_key_jwt without keys', { token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
    ['the name of the service', { client_name: 'Linnet Support' }, 'invalid_client_metadata'],
    ['a name with an invisible character', { client_name: 'Age\u202Ent' }, 'invalid_client_metadata'],
    ['a name of 61 characters', { client_name: 'x'.repeat(61) }, 'invalid_client_metadata'],
    ['a link that runs a script', { client_uri: 'javascript:alert(1)' }, 'invalid_client_metadata'],
    ['a lifetime that is too long', { access_token_lifetime: 99_999 }, 'invalid_client_metadata'],
    ['a setting of another type', { dpop_bound_access_tokens: { a: 1 } }, 'invalid_client_metadata'],
    ['a NUL character', { client_name: 'a\u0000b' }, 'invalid_client_metadata'],
    ['half of a surrogate pair', { client_name: 'a\uD800b' }, 'invalid_client_metadata'],
  ])('D115 refuses %s and stores nothing', async (_what, metadata, error) => {
    const before = await countAll();
    const answer = await send({ ...agent, ...metadata });
    expect([answer.status, answer.json]).toEqual([
      400,
      { error, error_description: expect.stringMatching(/^[ !#-[\]-~]+$/) },
    ]);
    expect(await countAll()).toBe(before);
  });

  test.each<[string, unknown, Parameters<Registrar['send']>[1], number]>([
    ['a list', [], {}, 400],
    ['text that is not JSON', '{', {}, 400],
    ['null', 'null', {}, 400],
    ['a form', 'a=b', { type: 'application/x-www-form-urlencoded' }, 415],
    ['65 KB', { ...agent, software_statement: 'x'.repeat(66_000) }, {}, 413],
    ['nothing', undefined, {}, 415],
    ['another method', undefined, { method: 'GET' }, 405],
  ])('refuses %s as a body', async (_what, body, sent, status) => {
    const answer = await send(body, sent);
    expect([answer.status, answer.json['error']]).toEqual([status, expect.stringMatching(/^invalid_/)]);
  });
});

describe('bounds of registration', () => {
  test('cannot take the name of a verified application', async () => {
    const { clientId } = await auth.register({ name: 'Quasar Reader' });
    await createApplications(auth.db).verify(clientId);
    const answer = await send({ ...agent, client_name: 'Quаsar Reader' }); // with a Cyrillic letter
    expect([answer.status, answer.json['error']]).toEqual([400, 'invalid_client_metadata']);
    expect((await send({ ...agent, client_name: 'Quasar Reader' })).status).toBe(400);
  });

  test('cannot take the name of a verified account', async () => {
    const { id } = await registerPerson(auth.db, 'famous_person');
    await auth.db.query(
      statement<readonly [id: number], never>('test_verify', 'UPDATE account SET verified = true WHERE id = $1'),
      [id],
    );
    const answer = await send({ ...agent, client_name: 'famous_person' });
    expect([answer.status, answer.json['error']]).toEqual([400, 'invalid_client_metadata']);
  });

  test('DYNAMIC_REGISTRATION=off: nobody can register, the metadata names no endpoint, and existing clients still work', async () => {
    const { path, token } = await register();
    await using off = await startAuth(database.url, { dynamicRegistration: false, owner: 'other_owner' });
    const headers = { 'content-type': 'application/json' };
    const answer = await off.send({ method: 'POST', path: '/oauth/register', headers, body: JSON.stringify(agent) });
    expect([answer.status, answer.json['error']]).toEqual([404, 'invalid_request']);
    for (const document of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']) {
      expect((await off.send({ path: document })).json).not.toHaveProperty('registration_endpoint');
      const { json } = await auth.send({ path: document });
      expect(json['registration_endpoint']).toBe(`${auth.baseUrl}/oauth/register`);
    }
    const found = await off.send({ path, headers: { authorization: `Bearer ${token}` } });
    expect(found.status).toBe(200);
  });

  test('is limited by address', async () => {
    // With this many processes, one of them allows one registration.
    await using limited = await startAuth(database.url, { workers: 60, trustProxy: 1, owner: 'third_owner' });
    const registerFrom = async (address: string) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
      return await limited.send({ method: 'POST', path: '/oauth/register', headers, body: JSON.stringify(agent) });
    };
    expect((await registerFrom('192.0.2.1')).status).toBe(201);
    const refused = await registerFrom('192.0.2.1');
    expect([refused.status, refused.json['error']]).toEqual([429, 'temporarily_unavailable']);
    expect(refused.headers).toHaveProperty('retry-after');
    expect((await registerFrom('192.0.2.2')).status).toBe(201);
  });
});

describe('authorization', () => {
  test.each(['none', 'client_secret_basic'])(
    'a person signs in to a client with %s; the pages say that it registered itself',
    async (method) => {
      const client = await register({ ...agent, token_endpoint_auth_method: method });
      const page = await browser.open(
        `/oauth/authorize?${new URLSearchParams({
          client_id: client.clientId,
          redirect_uri: callback,
          response_type: 'code',
          scope: 'users',
          code_challenge: 'x'.repeat(43),
          code_challenge_method: 'S256',
        }).toString()}`,
      );
      expect(page.html).toContain('data-testid="self-registered"');
      expect(page.text).toContain('agent.example');
      const { accessToken } = await connectTo(client);
      expect(decodeJwt(accessToken)).toMatchObject({ client_id: client.clientId, acct: ada.id });
      const connected = await browser.open('/account/applications');
      expect(connected.text).toContain('registered itself, not verified');
      await auth.deliverMail();
      const mails = await mailTo(auth.mailDirectory, ada.email);
      expect(mails.map(({ text }) => text)).toContainEqual(expect.stringContaining('registered itself'));
    },
  );

  test('an operator suspends it, and restores it', async () => {
    const client = await register();
    const connected = await connectTo(client);
    const applications = createApplications(auth.db);
    expect(await applications.show(client.clientId)).toMatchObject({ owner: undefined, name: 'Agent' });
    expect(await applications.suspend(client.clientId)).toBe(true);
    await expect.poll(async () => (await connected.refresh(connected.refreshToken)).status).toBe(401);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { ...agent, client_id: client.clientId } : undefined;
      const answer = await send(body, { method, path: client.path, token: client.token });
      expect([answer.status, answer.json['error']]).toEqual([403, 'access_denied']);
    }
    expect(await applications.restore(client.clientId)).toBe(true);
    expect((await send(undefined, { method: 'GET', path: client.path, token: client.token })).status).toBe(200);
  });

  test('an operator cannot give it what needs an owner', async () => {
    const { clientId } = await register({ client_name: 'Server', redirect_uris: [callback] });
    const applications = createApplications(auth.db);
    const granted = applications.update(clientId, {
      protocol: { grantTypes: ['authorization_code', 'client_credentials'] },
    });
    await expect(granted).rejects.toThrow('registers itself');
    await expect(applications.update(clientId, { actAsOwner: true })).rejects.toThrow('registers itself');
    await expect(applications.verify(clientId)).rejects.toThrow('no owner to verify');
    expect(await applications.update(clientId, { name: 'Renamed' })).toMatchObject({
      name: 'Renamed',
      owner: undefined,
    });
  });
});

describe('management', () => {
  test('reads, replaces and deletes the registration', async () => {
    const { clientId, path, token } = await register();
    const read = await send(undefined, { method: 'GET', path, token });
    expect([read.status, read.json]).toEqual([
      200,
      expect.objectContaining({ client_id: clientId, client_name: 'Agent' }),
    ]);
    const other = 'https://agent.example/other';
    const change = { ...agent, client_id: clientId, client_name: 'New', redirect_uris: [other], scope: 'users' };
    const replaced = await send(change, { method: 'PUT', path, token });
    expect([replaced.status, replaced.json]).toEqual([
      200,
      expect.objectContaining({ client_name: 'New', redirect_uris: [other], scope: 'users' }),
    ]);
    expect((await send(undefined, { method: 'GET', path, token })).json).toEqual(replaced.json);
    expect((await send(undefined, { method: 'DELETE', path, token })).status).toBe(204);
    expect((await send(undefined, { method: 'GET', path, token })).status).toBe(401);
  });

  test('deletion revokes the tokens of the client', async () => {
    const client = await register();
    const connected = await connectTo(client);
    expect((await send(undefined, { method: 'DELETE', path: client.path, token: client.token })).status).toBe(204);
    expect((await connected.refresh(connected.refreshToken)).status).toBe(401);
  });

  test.each<[string, object]>([
    ['another client_id', { client_id: 'app_other_application' }],
    ['no client_id', { client_id: undefined }],
    ['a wrong client_secret', { client_secret: 'wrong' }],
    ['another authentication method', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['only another grant type', { grant_types: ['client_credentials'] }],
    ['an unsafe redirect URI', { redirect_uris: ['http://agent.example/'] }],
  ])('refuses %s and changes nothing', async (_what, change) => {
    const { clientId, path, token } = await register();
    const before = await send(undefined, { method: 'GET', path, token });
    const answer = await send({ ...agent, client_id: clientId, ...change }, { method: 'PUT', path, token });
    expect([answer.status, answer.json['error']]).toEqual([400, expect.stringMatching(/^invalid_/)]);
    expect((await send(undefined, { method: 'GET', path, token })).json).toEqual(before.json);
  });

  test('keys that were registered cannot change', async () => {
    const newKey = async () => await exportJWK((await generateKeyPair('ES256')).publicKey);
    const keyed = { ...agent, token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [await newKey()] } };
    const { clientId, path, token, json } = await register(keyed);
    expect(json).not.toHaveProperty('client_secret');
    const put = { method: 'PUT', path, token };
    expect((await send({ ...keyed, client_id: clientId }, put)).status).toBe(200);
    const other = await send({ ...keyed, client_id: clientId, jwks: { keys: [await newKey()] } }, put);
    expect([other.status, other.json['error_description']]).toEqual([
      400,
      expect.stringContaining('jwks cannot change'),
    ]);
  });

  test('the token of one client manages no other, and no application of a person', async () => {
    const [one, two] = [await register(), await register()];
    const owned = await auth.register({ type: 'public', redirectUris: [callback] });
    const paths = [
      two.path,
      `/oauth/register/${owned.clientId}`,
      '/oauth/register/x',
      '/oauth/register/%00',
      '/oauth/register/',
    ];
    for (const path of paths) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const body = method === 'PUT' ? { ...agent, client_id: two.clientId } : undefined;
        const answer = await send(body, { method, path, token: one.token });
        expect([answer.status, answer.json['error']]).toEqual([401, 'invalid_token']);
        expect(answer.headers['www-authenticate']).toContain('Bearer');
      }
    }
    const anonymous = await send(undefined, { method: 'GET', path: one.path });
    expect(anonymous.status).toBe(401);
  });
});

describe('expiry', () => {
  const ageStatement = statement<readonly [clientId: string, hours: number], never>(
    'test_age_registration',
    `WITH grants AS (UPDATE "grant" SET created_at = created_at - make_interval(hours => $2) WHERE client_id = $1),
          used AS (UPDATE application_usage SET last_used_at = last_used_at - make_interval(hours => $2) WHERE client_id = $1)
     UPDATE application SET created_at = created_at - make_interval(hours => $2) WHERE client_id = $1`,
  );

  async function isKept({ path, token }: Registered): Promise<boolean> {
    await auth.runJob('self-registered');
    return (await send(undefined, { method: 'GET', path, token })).status === 200;
  }

  test('a registration that was never used expires after 24 hours', async () => {
    const client = await register();
    await auth.db.query(ageStatement, [client.clientId, 23]);
    expect(await isKept(client)).toBe(true);
    await auth.db.query(ageStatement, [client.clientId, 2]);
    expect(await isKept(client)).toBe(false);
    const events = await findLastAuditEvents(auth.db, 1000);
    const own = events.filter(({ clientId }) => clientId === client.clientId);
    expect(own.map(({ event, actor }) => [event, actor])).toEqual(
      expect.arrayContaining([
        ['application.created', 'application'],
        ['application.deleted', 'service'],
      ]),
    );
  });

  test('one that was used expires after 90 days without use', async () => {
    const client = await register();
    await connectTo(client);
    await auth.runJob('usage');
    await auth.db.query(ageStatement, [client.clientId, 89 * 24]);
    expect(await isKept(client)).toBe(true);
    await auth.db.query(ageStatement, [client.clientId, 2 * 24]);
    expect(await isKept(client)).toBe(false);
  });

  test('one that an operator suspended stays suspended', async () => {
    const { clientId } = await register();
    await createApplications(auth.db).suspend(clientId);
    await auth.db.query(ageStatement, [clientId, 100 * 24]);
    await auth.runJob('self-registered');
    expect(await createApplications(auth.db).show(clientId)).toMatchObject({ isSuspended: true });
  });

  test('applications of people never expire', async () => {
    const { clientId } = await auth.register();
    await auth.db.query(ageStatement, [clientId, 1000 * 24]);
    await auth.runJob('self-registered');
    expect(await createApplications(auth.db).show(clientId)).toBeDefined();
  });
});
