import { createTestDatabase } from '@linnet/test/db/test-database';
import { loadKeyRing } from '@linnet/keys/key-ring';
import { revokeSigningKey, rotateSigningKeys } from '@linnet/keys/key-changes-store';
import type { SigningAlgorithm } from '@linnet/keys/signing-key';
import { SignJWT, createLocalJWKSet, decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { secretKeys, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';
import type { ThirdParty } from '@linnet/test/auth/third-party';

/** Algorithms and keys of ID tokens. */
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let browser: Browser;
let application: ThirdParty;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  application = await registerThirdParty(auth);
  browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, 'ada_lovelace'));
});
afterAll(() => cleanup.disposeAsync());

async function setAlgorithm(idTokenSignedResponseAlg: SigningAlgorithm): Promise<void> {
  await auth.db.prisma.application.update({
    where: { clientId: application.clientId },
    data: { idTokenSignedResponseAlg },
  });
  // The cache of applications lasts less than a second.
  await expect.poll(async () => decodeProtectedHeader((await authorize()).id).alg).toBe(idTokenSignedResponseAlg);
}

async function open(parameters: Readonly<Record<string, string>> = {}): Promise<Page> {
  const page = await application.send(browser, { scope: 'openid users', ...parameters });
  if (page.isElsewhere) return page;
  return await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow', scope: [] });
}

async function authorize(): Promise<Readonly<Record<'id' | 'access', string>>> {
  const { json } = await application.exchange(await open());
  return { id: String(json['id_token']), access: json.access_token };
}

async function publishedKeys() {
  return createLocalJWKSet({ keys: [...(await auth.send({ path: '/oauth/jwks' })).json.keys] });
}

test('D109 an application gets ID tokens of its algorithm, RS256 unless it has another; access tokens are ES256', async () => {
  const { current } = await loadKeyRing(auth.db, secretKeys);
  const expected = { issuer: auth.baseUrl, audience: application.clientId };
  for (const alg of ['RS256', 'ES256', 'RS256'] as const) {
    if (decodeProtectedHeader((await authorize()).id).alg !== alg) await setAlgorithm(alg);
    const { id, access } = await authorize();
    const { protectedHeader } = await jwtVerify(id, await publishedKeys(), { ...expected, algorithms: [alg] });
    expect(protectedHeader).toMatchObject({ alg, kid: current[alg].kid });
    expect(decodeProtectedHeader(access)).toMatchObject({ alg: 'ES256', kid: current.ES256.kid });
  }
});

test('an ID token remains a valid id_token_hint when the application gets another algorithm', async () => {
  await setAlgorithm('ES256');
  const { id } = await authorize();
  await setAlgorithm('RS256');
  for (const hint of [id, (await authorize()).id]) {
    const page = await open({ prompt: 'none', id_token_hint: hint });
    expect(page.url.searchParams.get('code')).toEqual(expect.any(String));
  }
});

test.each(['none', 'HS256', 'not a JWT'])('an id_token_hint with the algorithm %s is refused', async (alg) => {
  const [, payload] = (await authorize()).id.split('.');
  const header = Buffer.from(JSON.stringify({ alg, typ: 'JWT' })).toString('base64url');
  const hint = alg.includes(' ') ? alg : `${header}.${String(payload)}.AAAA`;
  const page = await application.send(browser, { scope: 'openid', prompt: 'none', id_token_hint: hint });
  expect(page.url.searchParams.get('error')).toBe('invalid_request');
});

test('an access token with an RS256 signature is refused', async () => {
  const { access } = await authorize();
  const { current } = await loadKeyRing(auth.db, secretKeys);
  const forged = await new SignJWT(decodeJwt(access))
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: current.RS256.kid })
    .sign(await importJWK({ ...current.RS256 }, 'RS256'));
  const userinfo = async (token: string) =>
    (await auth.send({ path: '/oauth/userinfo', headers: { authorization: `Bearer ${token}` } })).status;
  expect([await userinfo(access), await userinfo(forged)]).toEqual([200, 401]);
});

test('after a rotation the new RS256 key signs, and a hint of the old one stays valid until that is revoked', async () => {
  const before = await authorize();
  const old = decodeProtectedHeader(before.id).kid;
  await rotateSigningKeys(auth.db, secretKeys, { force: true, algorithms: ['RS256'] });
  const { current } = await loadKeyRing(auth.db, secretKeys);
  const signingKid = async () => decodeProtectedHeader((await authorize()).id).kid;
  await expect.poll(signingKid).toBe(current.RS256.kid);
  await jwtVerify(before.id, await publishedKeys());
  const answer = async () =>
    (await application.send(browser, { scope: 'openid users', prompt: 'none', id_token_hint: before.id })).url
      .searchParams;
  expect((await answer()).get('code')).toEqual(expect.any(String));
  expect(await revokeSigningKey(auth.db, secretKeys, { kid: String(old) })).toBe(true);
  await expect.poll(async () => (await answer()).get('error')).toBe('invalid_request');
  await expect(jwtVerify(before.id, await publishedKeys())).rejects.toThrow('no applicable key found');
  expect(await signingKid()).toBe(current.RS256.kid);
});
