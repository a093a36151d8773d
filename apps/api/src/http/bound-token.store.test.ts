import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createProofKey } from '@linnet/test/api/proof-key';
import type { ProofKey } from '@linnet/test/api/proof-key';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

/** RS13: access tokens bound to a key (RFC 9449), over real HTTP. */
const cleanup = new AsyncDisposableStack();
let api: RunningApi;
let other: RunningApi;
let key: ProofKey;
let token: string;
let acct: number;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(database.url));
  other = cleanup.use(await startApi(database.url));
  key = await createProofKey();
  acct = (await api.register('ada_lovelace')).id;
  token = await api.signer.sign({ acct, cnf: { jkt: key.thumbprint } });
});
afterAll(() => cleanup.disposeAsync());

const url = 'https://linnet.example/api/v2.0/users/show';

async function call(scheme: string, proof = '', sent = token) {
  return await api.call('GET /users/show', { headers: { authorization: `${scheme} ${sent}`, dpop: proof } });
}

async function prove(claims?: Readonly<Record<string, unknown>>, sent = token): Promise<string> {
  return await key.prove({ method: 'GET', url, token: sent }, claims);
}

test.each(['DPoP', 'dpop'])('accepts a bound token with a proof: %s', async (scheme) => {
  expect((await call(scheme, await prove())).status).toBe(200);
});

test('an unbound token needs no statement', async () => {
  const unbound = await api.signer.sign({ acct });
  await call('Bearer', '', unbound);
  api.statements.length = 0;
  expect((await call('Bearer', await prove(), unbound)).status).toBe(200);
  expect(api.statements.filter((sql) => sql.includes('dpop_proof'))).toEqual([]);
});

test('rejects a bound token with the Bearer scheme, with or without a proof', async () => {
  for (const proof of ['', await prove()]) {
    const { status, headers, body } = await call('Bearer', proof);
    expect([status, body.code]).toEqual([401, 'invalid_token']);
    expect(headers['www-authenticate']).toMatch(/^Bearer error="invalid_token", .*DPoP algs="ES256 PS256 EdDSA"/);
  }
});

test('rejects an unbound token with a proof', async () => {
  const unbound = await api.signer.sign({ acct });
  expect((await call('DPoP', await prove({}, unbound), unbound)).body.code).toBe('invalid_token');
});

test.each<[string, () => Promise<string>]>([
  ['no proof', async () => await Promise.resolve('')],
  ['of another method', async () => await prove({ htm: 'POST' })],
  ['of another address', async () => await prove({ htu: 'https://linnet.example/api/v2.0/post' })],
  ['of the address the request came to', async () => await prove({ htu: 'http://127.0.0.1/api/v2.0/users/show' })],
  ['of another token', async () => await prove({}, 'another')],
  ['of another key', async () => await (await createProofKey()).prove({ method: 'GET', url, token })],
  ['two at once', async () => `${await prove()}, ${await prove()}`],
  ['rubbish', async () => await Promise.resolve('x.y.z')],
])('rejects a proof with the challenge invalid_dpop_proof: %s', async (_, proof) => {
  const { status, headers, body } = await call('DPoP', await proof());
  expect([status, body.code]).toEqual([401, 'invalid_token']);
  expect(headers['www-authenticate']).toMatch(
    /^DPoP error="invalid_dpop_proof", error_description="[^"]+", algs="ES256 PS256 EdDSA", resource_metadata="[^"]+"$/,
  );
});

test('rejects a foreign token with the challenge of its scheme', async () => {
  const { headers, body } = await call('DPoP', await prove(), `${token}x`);
  expect(body.code).toBe('invalid_token');
  expect(headers['www-authenticate']).toMatch(/^DPoP error="invalid_token"/);
});

describe('a proof works once', () => {
  test('even in twenty parallel requests', async () => {
    const proof = await prove();
    const responses = await Promise.all(Array.from({ length: 20 }, async () => await call('DPoP', proof)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(19);
  });

  test('across all servers', async () => {
    const signed = await other.signer.sign({ acct, cnf: { jkt: key.thumbprint } });
    const proof = await prove({ jti: 'used at both' });
    expect((await call('DPoP', proof)).status).toBe(200);
    const again = await key.prove({ method: 'GET', url, token: signed }, { jti: 'used at both' });
    const headers = { authorization: `DPoP ${signed}`, dpop: again };
    expect((await other.call('GET /users/show', { headers })).body.detail).toContain('used before');
  });

  test('and its record is deleted after it expires', async () => {
    await api.db.prisma.$executeRaw`UPDATE dpop_proof SET expires_at = now() - interval '1 second'`;
    await call('DPoP', await prove());
    await call('DPoP', await prove());
    expect(await api.db.prisma.dpopProof.count({ where: { expiresAt: { lt: new Date() } } })).toBeLessThan(20);
  });
});

test('a missing scope gets the challenge of the scheme', async () => {
  const narrow = await api.signer.sign({ acct, scope: 'posts', cnf: { jkt: key.thumbprint } });
  const { status, headers } = await call('DPoP', await prove({}, narrow), narrow);
  expect(status).toBe(403);
  expect(headers['www-authenticate']).toMatch(/^DPoP error="insufficient_scope", scope="users:read"/);
});

test('rejects a token with an unknown kind of binding', async () => {
  const bound = await api.signer.sign({ acct, cnf: { 'x5t#S256': 'abc' } });
  expect((await call('Bearer', '', bound)).status).toBe(401);
});

test('RS15: the metadata lists the algorithms and says that binding is optional', async () => {
  const { body, headers } = await api.get('/.well-known/oauth-protected-resource/api/v2.0');
  expect(headers['content-type']).toContain('application/json');
  expect(body).toEqual({
    resource: 'https://linnet.example/api/v2.0',
    authorization_servers: ['https://linnet.example'],
    scopes_supported: ['users:read', 'posts:read', 'posts:propose', 'users', 'posts', 'email'],
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: ['ES256', 'PS256', 'EdDSA'],
    dpop_bound_access_tokens_required: false,
  });
});
