import type { SubmittedSettings } from '@linnet/applications/settings/protocol-settings';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';

import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';
import { createSigningKey, startKeyServer } from '@linnet/test/auth/signing-application';
import type { SigningKey } from '@linnet/test/auth/signing-application';
import { findFailures } from '@linnet/applications/failures/failure-store';

/** CA7: client authentication with private_key_jwt. */
const accepting: SubmittedSettings = { acceptEndpointAudience: ['yes'] };
const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let auth: RunningAuth;
let key: SigningKey;
let clientId: string;

beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  key = await createSigningKey();
  ({ clientId } = await auth.register({ jwks: { keys: [key.publicJwk] } }));
});
afterAll(() => cleanup.disposeAsync());

async function send(proof: Readonly<Record<string, string>>, one = auth): Promise<Answer> {
  return await one.requestToken({ grant_type: 'client_credentials', ...proof });
}

async function requestToken(claims: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  return await send(await key.assertion(auth, clientId, claims));
}

function seconds(offset: number): number {
  return Math.floor(Date.now() / 1000) + offset;
}

test('an application with keys has no secret and gets a token with a signed assertion', async () => {
  const created = await auth.register({ jwks: { keys: [key.publicJwk] } });
  expect(created.clientSecret).toBeUndefined();
  const answer = await requestToken();
  expect([answer.status, answer.json['token_type']]).toEqual([200, 'Bearer']);
});

test.each(['ES256', 'PS256', 'EdDSA', 'RS256'])('accepts assertions signed with %s', async (alg) => {
  const other = await createSigningKey(alg);
  const application = await auth.register({ jwks: { keys: [key.publicJwk, other.publicJwk] } });
  expect((await send(await other.assertion(auth, application.clientId))).status).toBe(200);
});

test.each(['RS256', 'PS256', 'ES256'])('an application that has chosen %s can use no other algorithm', async (alg) => {
  const other = await createSigningKey(alg === 'ES256' ? 'EdDSA' : 'ES256');
  const chosen = await createSigningKey(alg);
  const protocol = { tokenEndpointAuthSigningAlg: [alg] };
  const application = await auth.register({ protocol, jwks: { keys: [chosen.publicJwk, other.publicJwk] } });
  expect((await send(await chosen.assertion(auth, application.clientId))).status).toBe(200);
  const refused = await send(await other.assertion(auth, application.clientId));
  expect([refused.status, refused.json['error_description']]).toEqual([401, `client assertion: alg must be ${alg}`]);
});

test('rejects assertions signed with RS256 if the application is strict', async () => {
  const rsa = await createSigningKey('RS256');
  const application = await auth.register({
    protocol: { strict: ['yes'] },
    jwks: { keys: [rsa.publicJwk, key.publicJwk] },
  });
  expect((await send(await rsa.assertion(auth, application.clientId))).status).toBe(401);
});

test.each<[string, on: SubmittedSettings, () => unknown, accepted: boolean, says?: string]>([
  ['the token endpoint', {}, () => `${auth.baseUrl}/oauth/token`, false, 'unless the setting accept_endpoint_audience'],
  ['the token endpoint', accepting, () => `${auth.baseUrl}/oauth/token`, true],
  ['a list of the token endpoint', accepting, () => [`${auth.baseUrl}/oauth/token`], true],
  ['the issuer', accepting, () => auth.baseUrl, true],
  ['the token endpoint', { strict: ['yes'] }, () => `${auth.baseUrl}/oauth/token`, false, 'aud must be'],
  ['another endpoint', accepting, () => `${auth.baseUrl}/oauth/par`, false, 'aud must be'],
  ['both', accepting, () => [auth.baseUrl, `${auth.baseUrl}/oauth/token`], false, 'aud must be'],
  ['the token endpoint and another', accepting, () => [`${auth.baseUrl}/oauth/token`, 'https://other.example'], false],
  ['the token endpoint of another', accepting, () => 'https://other.example/oauth/token', false, 'aud must be'],
])('an assertion for %s with the settings %j', async (_what, protocol, audience, isAccepted, says = '') => {
  const application = await auth.register({ protocol, jwks: { keys: [key.publicJwk] } });
  const { status, json } = await send(await key.assertion(auth, application.clientId, { aud: audience() }));
  expect(status).toBe(isAccepted ? 200 : 401);
  expect(json['error_description'] ?? '').toContain(says);
});

test.each<[string, expected: string, () => Readonly<Record<string, unknown>>]>([
  ['a list of audiences', 'aud must be', () => ({ aud: [auth.baseUrl, 'https://other.example'] })],
  ['a list of one other audience', 'aud must be', () => ({ aud: ['https://other.example'] })],
  ['a list with the issuer twice', 'aud must be', () => ({ aud: [auth.baseUrl, auth.baseUrl] })],
  ['an empty list of audiences', 'aud must be', () => ({ aud: [] })],
  ['no audience', 'aud must be', () => ({ aud: undefined })],
  ['another subject', 'sub must be the client_id', () => ({ sub: 'app_of_somebody_else' })],
  ['no subject', 'sub must be the client_id', () => ({ sub: undefined })],
  ['another issuer', 'iss must be the client_id', () => ({ iss: 'app_of_somebody_else' })],
  ['no jti', 'jti must be', () => ({ jti: undefined })],
  ['a jti that is not a string', 'jti must be', () => ({ jti: 7 })],
  ['a jti of 257 characters', 'jti must be', () => ({ jti: 'x'.repeat(257) })],
  ['no exp', 'exp must be', () => ({ exp: undefined })],
  ['an exp one minute ago', 'exp must be', () => ({ exp: seconds(-60) })],
  ['an exp one day ahead', 'exp must be', () => ({ exp: seconds(86_400) })],
  ['an iat more than a minute ahead', 'iat must not be', () => ({ iat: seconds(65) })],
  ['an nbf more than a minute ahead', 'nbf must not be', () => ({ nbf: seconds(65) })],
])('rejects an assertion with %s and says what is expected', async (_, expected, claims) => {
  const answer = await requestToken(claims());
  expect([answer.status, answer.json['error']]).toEqual([401, 'invalid_client']);
  expect(answer.json['error_description']).toContain(`client assertion: ${expected}`);
});

test('an unregistered key, a wrong signature and a repeated assertion are named, to the owner as well', async () => {
  const application = await auth.register({ jwks: { keys: [key.publicJwk] } });
  const [other, samePlace] = [await createSigningKey('EdDSA'), await createSigningKey()];
  const proof = await key.assertion(auth, application.clientId);
  await send(proof);
  const described = [];
  for (const wrong of [
    await other.assertion(auth, application.clientId),
    await samePlace.assertion(auth, application.clientId),
    proof,
  ]) {
    const { status, json } = await send(wrong);
    expect([status, json['error']]).toEqual([401, 'invalid_client']);
    described.push(json['error_description']);
  }
  expect(described).toEqual([
    'client assertion: kid and alg must be those of a registered key',
    'client assertion: the signature does not verify with the registered keys',
    'client assertion: jti was used before; each assertion needs its own',
  ]);
  await vi.waitFor(async () => {
    const { list } = await findFailures(auth.db, application.clientId, { kind: 'credentials' });
    const reasons = list.map(({ reason }) => reason);
    expect(reasons.join('\n')).toContain('kid and alg must be those of a registered key');
    expect(reasons.join('\n')).toContain('jti was used before');
  }, 50_000);
});

test('the audience may be a list of the issuer alone', async () => {
  expect((await requestToken({ aud: [auth.baseUrl] })).status).toBe(200);
});

test.each([8, -8])('tolerates a clock that is %i seconds off', async (offset) => {
  expect((await requestToken({ iat: seconds(offset), nbf: seconds(offset) })).status).toBe(200);
});

test('an assertion works once, even in twenty parallel requests', async () => {
  const proof = await key.assertion(auth, clientId);
  const answers = await Promise.all(Array.from({ length: 20 }, async () => await send(proof)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
  expect((await send(proof)).json).toMatchObject({ error: 'invalid_client' });
});

test('X-Forwarded-Host does not change the accepted audience', async () => {
  const proof = await key.assertion(auth, clientId, { aud: 'https://evil.example/oauth/token' });
  const form = { grant_type: 'client_credentials', ...proof };
  expect((await auth.requestToken(form, { 'x-forwarded-host': 'evil.example' })).status).toBe(401);
});

describe('CA2: each application has one authentication method', () => {
  test('an application with keys can use neither a secret nor its client_id alone', async () => {
    expect((await auth.requestToken({ grant_type: 'client_credentials' }, basic(clientId, 'anything'))).status).toBe(
      401,
    );
    expect((await send({ client_id: clientId })).status).toBe(401);
  });

  test('an application with a secret cannot use an assertion', async () => {
    const other = await auth.register();
    expect((await send(await key.assertion(auth, other.clientId))).status).toBe(401);
  });

  test('rejects an assertion signed with the key of another application', async () => {
    const stranger = await createSigningKey();
    expect((await send(await stranger.assertion(auth, clientId))).status).toBe(401);
  });

  test('rejects an assertion together with a secret', async () => {
    const proof = await key.assertion(auth, clientId);
    const form = { grant_type: 'client_credentials', ...proof };
    expect((await auth.requestToken(form, basic(clientId, 'anything'))).status).toBe(400);
  });
});

test.each(['', 'x', 'a.b.c', `${'e'.repeat(40_000)}.e30.`])(
  'a malformed assertion causes no server error: %#',
  async (jwt) => {
    const proof = await key.assertion(auth, clientId);
    const answer = await send({ ...proof, client_assertion: jwt });
    expect(answer.status).toBeLessThan(500);
    expect(answer.status).toBeGreaterThanOrEqual(400);
  },
);

describe('keys behind a jwks_uri', () => {
  const localUrl = 'http://localhost:3999';

  async function tokenFrom(one: RunningAuth, jwksUri: string, signer = key): Promise<Answer> {
    const application = await one.register({ jwksUri });
    return await send(await signer.assertion(one, application.clientId), one);
  }

  test('are fetched from loopback once and cached when the service itself runs on loopback', async () => {
    await using local = await startAuth(database.url, { baseUrl: localUrl, owner: 'owner_of_local' });
    await using keys = await startKeyServer((response) => response.end(JSON.stringify({ keys: [key.publicJwk] })));
    const application = await local.register({ jwksUri: keys.address });
    for (let round = 0; round < 3; round++) {
      expect((await send(await key.assertion(local, application.clientId), local)).status).toBe(200);
    }
    expect(keys.asked).toBe(1);
  });

  test('are not fetched from loopback by a public service', async () => {
    await using keys = await startKeyServer((response) => response.end(JSON.stringify({ keys: [key.publicJwk] })));
    expect((await tokenFrom(auth, keys.address)).status).toBe(401);
    expect(keys.asked).toBe(0);
  });

  test.each<[string, Parameters<typeof startKeyServer>[0]]>([
    ['an error', (response) => response.writeHead(500).end()],
    ['invalid JSON', (response) => response.end('<html>')],
    ['no keys', (response) => response.end('{"keys":7}')],
    ['an invalid key', (response) => response.end('{"keys":[{"kty":"EC","crv":"P-256","x":"","y":"AA"}]}')],
    ['a redirect', (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()],
    ['more than 64 KB', (response) => response.end(' '.repeat(70_000))],
    ['a closed connection', (response) => response.destroy()],
  ])('that cannot be loaded because of %s cause invalid_client', async (_, answer) => {
    await using local = await startAuth(database.url, {
      baseUrl: localUrl,
      owner: `owner_${crypto.randomUUID().slice(0, 8)}`,
    });
    await using keys = await startKeyServer(answer);
    const refused = await tokenFrom(local, keys.address);
    expect([refused.status, refused.json['error']]).toEqual([401, 'invalid_client']);
    expect(local.log.join('')).not.toContain('request failed');
  });

  test('time out after 2.5 seconds and are not requested again immediately', async () => {
    await using local = await startAuth(database.url, { baseUrl: localUrl, owner: 'owner_of_slow' });
    await using keys = await startKeyServer(() => undefined);
    const application = await local.register({ jwksUri: keys.address });
    expect((await send(await key.assertion(local, application.clientId), local)).status).toBe(401);
    expect((await send(await key.assertion(local, application.clientId), local)).status).toBe(401);
    expect(keys.asked).toBe(1);
  });
});
