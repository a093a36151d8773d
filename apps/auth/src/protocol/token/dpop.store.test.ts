import { hash } from 'node:crypto';

import { createTestDatabase } from '@linnet/test/db/test-database';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { createDpopKey } from '@linnet/test/auth/dpop-key';
import type { DpopKey } from '@linnet/test/auth/dpop-key';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';

/** Issuing access tokens that are bound to a key (RFC 9449). */
const redirectUri = 'https://app.example.com/callback';
const challenge = hash('sha256', 'v'.repeat(43), 'base64url');
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let browser: Browser;
let clientId: string;
let key: DpopKey;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, 'ada_lovelace'));
  ({ clientId } = await auth.register({ type: 'public', redirectUris: [redirectUri] }));
  key = await createDpopKey(auth);
});
afterAll(() => cleanup.disposeAsync());

async function getCode(parameters: Readonly<Record<string, string>> = {}): Promise<string> {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid users',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    prompt: 'consent',
    ...parameters,
  });
  const page = await browser.open(`/oauth/authorize?${query.toString()}`);
  const callback = await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow' });
  return callback.url.searchParams.get('code') ?? '';
}

async function exchange(code: string, proof?: string): Promise<Answer> {
  const form = {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: redirectUri,
    code_verifier: 'v'.repeat(43),
  };
  return await auth.requestToken(form, proof === undefined ? {} : { dpop: proof });
}

/** A pushed authorization request with a proof. */
async function push(dpop: string): Promise<Answer> {
  const form = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  return await auth.send({
    method: 'POST',
    path: '/oauth/par',
    headers: { 'content-type': 'application/x-www-form-urlencoded', dpop },
    body: new URLSearchParams(form).toString(),
  });
}

async function refresh(refreshToken: unknown, proof?: string): Promise<Answer> {
  const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: String(refreshToken) };
  return await auth.requestToken(form, proof === undefined ? {} : { dpop: proof });
}

test('client credentials yield a bound token with a proof, and a bearer token without one', async () => {
  const { clientId: id, clientSecret } = await auth.register();
  const form = { grant_type: 'client_credentials' };
  const bound = await auth.requestToken(form, { ...basic(id, clientSecret), dpop: await key.prove() });
  expect([bound.status, bound.json['token_type']]).toEqual([200, 'DPoP']);
  expect(decodeJwt(bound.json.access_token)['cnf']).toEqual({ jkt: key.thumbprint });
  const unbound = await auth.requestToken(form, basic(id, clientSecret));
  expect([unbound.json['token_type'], decodeJwt(unbound.json.access_token)['cnf']]).toEqual(['Bearer', undefined]);
});

test('a code with a proof yields a bound token; the refresh token of a public application is bound too', async () => {
  const { json } = await exchange(await getCode(), await key.prove());
  expect([json['token_type'], decodeJwt(json.access_token)['cnf']]).toEqual(['DPoP', { jkt: key.thumbprint }]);
  expect((await refresh(json['refresh_token'])).json).toMatchObject({ error: 'invalid_grant' });
  const stranger = await createDpopKey(auth);
  expect((await refresh(json['refresh_token'], await stranger.prove())).json).toMatchObject({ error: 'invalid_grant' });
  const next = await refresh(json['refresh_token'], await key.prove());
  expect([next.json['token_type'], decodeJwt(next.json.access_token)['cnf']]).toEqual([
    'DPoP',
    { jkt: key.thumbprint },
  ]);
});

test('a code that was requested with dpop_jkt works only with that key', async () => {
  const refused = await getCode({ dpop_jkt: key.thumbprint });
  expect((await exchange(refused)).json).toMatchObject({ error: 'invalid_grant' });
  const stolen = await getCode({ dpop_jkt: key.thumbprint });
  expect((await exchange(stolen, await (await createDpopKey(auth)).prove())).json).toMatchObject({
    error: 'invalid_grant',
  });
  expect((await exchange(await getCode({ dpop_jkt: key.thumbprint }), await key.prove())).status).toBe(200);
});

test('a proof works once, even in ten parallel requests', async () => {
  const { clientId: id, clientSecret } = await auth.register();
  const headers = { ...basic(id, clientSecret), dpop: await key.prove() };
  const send = async () => await auth.requestToken({ grant_type: 'client_credentials' }, headers);
  const answers = await Promise.all(Array.from({ length: 10 }, send));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const rejected = answers.filter(({ status }) => status === 400);
  expect(rejected.map(({ json }) => json['error'])).toEqual(Array.from({ length: 9 }, () => 'invalid_dpop_proof'));
});

test('RFC 9449 §5: rejects a replayed proof with invalid_dpop_proof for every grant type, and in a pushed request', async () => {
  const { json } = await exchange(await getCode(), await key.prove());
  const used = await key.prove();
  const next = await refresh(json['refresh_token'], used);
  expect(next.status).toBe(200);
  const pushed = await key.prove({ htu: `${auth.baseUrl}/oauth/par` });
  expect((await push(pushed)).status).toBe(201);
  const rejected = [
    await exchange(await getCode(), used),
    await refresh(next.json['refresh_token'], used),
    await push(pushed),
  ];
  expect(rejected.map((answer) => [answer.status, answer.json['error']])).toEqual(
    rejected.map(() => [400, 'invalid_dpop_proof']),
  );
});

test.each<[string, number, () => Readonly<Record<string, unknown>>]>([
  ['30 seconds old', 200, () => ({ iat: seconds(-30) })],
  ['30 seconds ahead', 200, () => ({ iat: seconds(30) })],
  ['70 seconds old', 400, () => ({ iat: seconds(-70) })],
  ['70 seconds ahead', 400, () => ({ iat: seconds(70) })],
  ['without a time', 400, () => ({ iat: undefined })],
  ['with a jti of 256 characters', 200, () => ({ jti: 'x'.repeat(256) })],
  ['with a jti of 257 characters', 400, () => ({ jti: 'y'.repeat(257) })],
])('D68 a proof %s gets %i at the token endpoint and for a pushed request', async (_what, status, claims) => {
  const { clientId: id, clientSecret } = await auth.register();
  const headers = { ...basic(id, clientSecret), dpop: await key.prove(claims()) };
  const answers = [
    await auth.requestToken({ grant_type: 'client_credentials' }, headers),
    await push(await key.prove({ ...claims(), htu: `${auth.baseUrl}/oauth/par` })),
  ];
  const isRefused = status === 400;
  expect(answers.map(({ status: got, json }) => [got < 300, json['error']])).toEqual(
    answers.map(() => (isRefused ? [false, 'invalid_dpop_proof'] : [true, undefined])),
  );
});

function seconds(fromNow: number): number {
  return Math.floor(Date.now() / 1000) + fromNow;
}

test('a malformed proof causes no server error', async () => {
  const { clientId: id, clientSecret } = await auth.register();
  for (const dpop of ['x', 'a.b.c', `${'e'.repeat(9000)}.e30.`]) {
    const headers = { ...basic(id, clientSecret), dpop };
    expect((await auth.requestToken({ grant_type: 'client_credentials' }, headers)).status).toBe(400);
  }
});

test('introspection returns the thumbprint of the key that a token is bound to', async () => {
  const { clientId: id, clientSecret } = await auth.register();
  const proof = { ...basic(id, clientSecret), dpop: await key.prove() };
  const { json } = await auth.requestToken({ grant_type: 'client_credentials' }, proof);
  const answer = await auth.send({
    method: 'POST',
    path: '/oauth/introspect',
    headers: { ...basic(id, clientSecret), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token: json.access_token }).toString(),
  });
  expect(answer.json).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: key.thumbprint } });
});

describe('userinfo', () => {
  const url = '/oauth/userinfo';

  test('accepts a bound token only with its proof, once', async () => {
    const { json } = await exchange(await getCode(), await key.prove());
    const { access_token: token } = json;
    const htu = auth.baseUrl + url;
    const dpop = await key.prove({ htm: 'GET', htu, ath: hash('sha256', token, 'base64url') });
    const send = async (headers: Readonly<Record<string, string>>) => await auth.send({ path: url, headers });
    expect((await send({ authorization: `DPoP ${token}`, dpop })).status).toBe(200);
    const old = { iat: Math.floor(Date.now() / 1000) - 61, htm: 'GET', htu, ath: hash('sha256', token, 'base64url') };
    const refused = { 'jti was used before': dpop, 'the DPoP header is missing': '', 'iat must': await key.prove(old) };
    for (const [fault, proof] of Object.entries(refused)) {
      const { status, headers } = await send({ authorization: `DPoP ${token}`, dpop: proof });
      expect(status).toBe(401);
      expect(headers['www-authenticate']).toContain(`DPoP error="invalid_dpop_proof", error_description="${fault}`);
    }
    const alone = await send({ authorization: `Bearer ${token}` });
    expect([alone.status, alone.headers['www-authenticate']]).toEqual([
      401,
      'Bearer error="invalid_token", DPoP algs="ES256 PS256 EdDSA"',
    ]);
  });
});

test.each<[expected: string, claims: Readonly<Record<string, unknown>>]>([
  ['htm must be POST', { htm: 'GET' }],
  ['htu must be https://linnet.example/oauth/token', { htu: 'https://linnet.example/oauth/par' }],
  ['iat must be within 60 seconds', { iat: 1_000_000 }],
  ['iat must be within 60 seconds', { iat: undefined }],
  ['jti must have', { jti: '' }],
  ['nonce must be absent', { nonce: 'n' }],
])('a refused proof says what is expected: %s', async (expected, claims) => {
  const application = await auth.register();
  const { status, json } = await auth.requestToken(
    { grant_type: 'client_credentials' },
    { ...basic(application.clientId, application.clientSecret), dpop: await key.prove(claims) },
  );
  expect([status, json['error']]).toEqual([400, 'invalid_dpop_proof']);
  expect(json['error_description']).toContain(`DPoP proof: ${expected}`);
});

test('a refused proof says that its signature or its form is wrong', async () => {
  const application = await auth.register();
  const ask = async (dpop: string) => {
    const headers = { ...basic(application.clientId, application.clientSecret), dpop };
    return (await auth.requestToken({ grant_type: 'client_credentials' }, headers)).json['error_description'];
  };
  const proof = await key.prove();
  const [header, , signature] = proof.split('.');
  const payload = (await key.prove()).split('.')[1];
  expect(await ask([header, payload, signature].join('.'))).toBe(
    'DPoP proof: the signature does not verify with the key in jwk',
  );
  expect(await ask('x')).toBe('DPoP proof: the proof is not a JWT');
});
