// The admin API: tokens that are bound to a key (RFC 9449), and how many requests a program can send.
import type { CreatedApplication } from '@linnet/applications/application/application-change';
import { adminApiPath } from '@linnet/contract/admin/admin-route';
import { oauthLimits } from '@linnet/contract/limits';
import { createDpopKey } from '@linnet/test/auth/dpop-key';
import type { DpopKey } from '@linnet/test/auth/dpop-key';
import { registerAdminProgram, registerOperator } from '@linnet/test/auth/operator';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';
import { insertAccount } from '@linnet/test/db/insert-account';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { base64url } from 'jose';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

/** With this many processes, one of them allows few requests. */
const workers = 200;
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let key: DpopKey;
let robot: CreatedApplication;
let token: string;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { trustProxy: 1, workers }));
  key = await createDpopKey(auth);
  await registerOperator(auth, 'operator_olga');
});
beforeEach(async () => {
  robot = await addProgram();
  token = (await requestToken(robot, await key.prove())).json.access_token;
});
afterAll(() => cleanup.disposeAsync());

async function addProgram(): Promise<CreatedApplication> {
  return await registerAdminProgram(
    auth,
    { username: 'operator_olga' },
    { protocol: { dpopBoundAccessTokens: ['yes'] } },
  );
}

async function requestToken({ clientId, clientSecret = '' }: CreatedApplication, dpop?: string): Promise<Answer> {
  const form = { grant_type: 'client_credentials', scope: 'admin:read admin:write' };
  return await auth.requestToken(form, { ...basic(clientId, clientSecret), ...(dpop === undefined ? {} : { dpop }) });
}

type Headers = Readonly<Record<string, string>>;

const hashOf = (text: string) => base64url.encode(createHash('sha256').update(text).digest());

/** A proof for a request with the token; `claims` replace the right ones. */
async function prove(path: string, claims: Readonly<Record<string, unknown>> = {}, by = key): Promise<string> {
  const htu = auth.baseUrl + adminApiPath + path;
  return await by.prove({ htm: 'GET', htu, ath: hashOf(token), ...claims });
}

const read = async (headers: Headers = {}) =>
  await auth.send({ path: `${adminApiPath}/counters`, headers: { authorization: `DPoP ${token}`, ...headers } });

async function suspend(id: number, headers: Headers): Promise<Answer> {
  return await auth.send({
    method: 'POST',
    path: `${adminApiPath}/accounts/suspend`,
    headers: { 'content-type': 'application/json', authorization: `DPoP ${token}`, ...headers },
    body: JSON.stringify({ id, reason: 'Ticket 4711' }),
  });
}

describe('a token that is bound to a key', () => {
  test('is the only one that an application gets that requires it', async () => {
    expect(await requestToken(robot)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
  });

  test('is accepted with a proof of the key, for reading and acting', async () => {
    expect((await read({ dpop: await prove('/counters') })).status).toBe(200);
    const id = await insertAccount(auth.db, 'to_suspend');
    const path = '/accounts/suspend';
    const foreign = await suspend(id, { dpop: await prove(path, { htm: 'POST' }, await createDpopKey(auth)) });
    expect(foreign.status).toBe(401);
    expect(await auth.db.prisma.account.findUnique({ where: { id } })).toMatchObject({ suspendedAt: null });
    expect((await suspend(id, { dpop: await prove(path, { htm: 'POST' }) })).json).toMatchObject({
      state: 'suspended',
    });
  });

  const proofs: Readonly<Record<string, () => Promise<Headers>>> = {
    'no proof': async () => await Promise.resolve({}),
    'as Bearer': async () => ({ authorization: `Bearer ${token}`, dpop: await prove('/counters') }),
    'as Bearer without a proof': async () => await Promise.resolve({ authorization: `Bearer ${token}` }),
    'a proof of another key': async () => ({ dpop: await prove('/counters', {}, await createDpopKey(auth)) }),
    'a proof for another path': async () => ({ dpop: await prove('/keys') }),
    'a proof for another method': async () => ({ dpop: await prove('/counters', { htm: 'POST' }) }),
    'a proof for another token': async () => ({ dpop: await prove('/counters', { ath: hashOf('another') }) }),
    'a proof for no token': async () => ({ dpop: await prove('/counters', { ath: undefined }) }),
    'an old proof': async () => ({ dpop: await prove('/counters', { iat: Math.floor(Date.now() / 1000) - 3600 }) }),
    'a proof that was used': async () => {
      const dpop = await prove('/counters');
      await read({ dpop });
      return { dpop };
    },
    'no proof at all': async () => await Promise.resolve({ dpop: 'x' }),
  };

  test.each(Object.entries(proofs))('is refused with %s', async (name, create) => {
    const answer = await read(await create());
    expect(answer).toMatchObject({ status: 401, json: { code: 'invalid_token' } });
    const error = name.startsWith('as Bearer')
      ? 'Bearer error="invalid_token", DPoP'
      : 'DPoP error="invalid_dpop_proof"';
    expect(answer.headers['www-authenticate']).toContain(error);
  });
});

describe('requests of a program', () => {
  const share = (name: 'admin-api' | 'oauth-address') => Math.ceil(oauthLimits[name].quota / workers);

  test('are limited for each application and operator, with headers and 429', async () => {
    const send = async () => await read({ dpop: await prove('/counters') });
    const quota = share('admin-api');
    for (let left = quota - 1; left >= 0; left -= 1) {
      const { status, headers } = await send();
      expect(status).toBe(200);
      expect(headers['ratelimit-policy']).toBe(`"admin-api";q=${String(quota)};w=60`);
      expect(headers['ratelimit']).toContain(`"admin-api";r=${String(left)};t=`);
    }
    const refused = await send();
    expect(refused).toMatchObject({ status: 429, json: { code: 'rate-limited' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    robot = await addProgram();
    token = (await requestToken(robot, await key.prove())).json.access_token;
    expect((await send()).status).toBe(200);
  });

  test('without a valid token count by address, and take nothing from the program', async () => {
    const from = { 'x-forwarded-for': '192.0.2.7' };
    const stranger = async () => await read({ ...from, authorization: 'Bearer x' });
    for (let sent = 0; sent < share('oauth-address'); sent += 1) expect((await stranger()).status).toBe(401);
    expect(await stranger()).toMatchObject({ status: 429, json: { code: 'rate-limited' } });
    expect((await read({ ...from, dpop: await prove('/counters') })).status).toBe(429);
    expect((await read({ dpop: await prove('/counters') })).status).toBe(200);
  });
});
