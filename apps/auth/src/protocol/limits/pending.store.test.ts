// What strangers can make the service store is bounded in number, in size and in time.
import { oauthLimits } from '@linnet/contract/limits';
import type { OauthLimitName } from '@linnet/contract/limits';
import type { CreatedApplication } from '@linnet/applications/application/application-change';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { basic, forDevices, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';

/** With this many processes, one of them allows few requests. */
const workers = 200;
const share = (name: OauthLimitName) => Math.ceil(oauthLimits[name].quota / workers);
const redirectUri = 'https://app.example.com/callback';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let auth: RunningAuth;
let backend: CreatedApplication;
let publicApp: CreatedApplication;
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { trustProxy: 1, workers }));
  publicApp = await auth.register({ type: 'public', redirectUris: [redirectUri], ...forDevices });
  backend = await auth.register({ redirectUris: [redirectUri] });
});
afterAll(() => cleanup.disposeAsync());

let addresses = 0;
/** An address that no other test uses. */
let from: { readonly 'x-forwarded-for': string };
beforeEach(() => {
  addresses += 1;
  from = { 'x-forwarded-for': `192.0.2.${String(addresses)}` };
});

type Headers = Readonly<Record<string, string>>;
type Form = Readonly<Record<string, string>>;

async function post(path: string, form: Form, headers: Headers = from, server = auth): Promise<Answer> {
  return await server.send({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  });
}

const credentials = ({ clientId, clientSecret }: CreatedApplication) => basic(clientId, clientSecret);

async function repeat(count: number, send: () => Promise<Answer>): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let index = 0; index < count; index += 1) answers.push(await send());
  return answers;
}

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);
const times = (count: number, status: number) => Array.from({ length: count }, () => status);

describe('what strangers can make the service store', () => {
  const pushForm = () => ({
    client_id: publicApp.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'users',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  });
  const countRows = async (kind: string) => await auth.db.prisma.oAuthArtifact.count({ where: { kind } });

  test('is bounded by address: pushed requests, device codes and interactions together', async () => {
    const before = await auth.db.prisma.oAuthArtifact.count();
    const authorize = `/oauth/authorize?${new URLSearchParams(pushForm()).toString()}`;
    const sends = [
      async () => await post('/oauth/par', pushForm()),
      async () => await post('/oauth/device_authorization', { client_id: publicApp.clientId, scope: 'users' }),
      async () => await auth.send({ path: authorize, headers: from }),
    ] as const;
    const answers: Answer[] = [];
    for (let round = 0; round < 8; round += 1) for (const send of sends) answers.push(await send());
    const quota = share('oauth-pending-address');
    expect(answers.filter(({ status }) => status < 400)).toHaveLength(quota);
    expect(answers.slice(quota).every(({ status }) => status === 429)).toBe(true);
    expect((await auth.db.prisma.oAuthArtifact.count()) - before).toBe(quota);
    expect(answers.at(-1)?.text).toContain('Too many attempts');
  });

  test('is bounded by application, if it authenticates', async () => {
    const before = await countRows('PushedAuthorizationRequest');
    const form = { response_type: 'code', redirect_uri: redirectUri, scope: 'users', client_id: backend.clientId };
    const quota = share('oauth-pending-application');
    const send = async () => await post('/oauth/par', form, { ...from, ...credentials(backend) });
    expect(statusesOf(await repeat(quota + 2, send))).toEqual([...times(quota, 201), 429, 429]);
    expect((await countRows('PushedAuthorizationRequest')) - before).toBe(quota);
  });

  test('is bounded in size: 1,000 pushed requests of 55 KB leave nothing behind', async () => {
    await using server = await startAuth(database.url, { owner: 'owner_of_large' });
    const before = await countRows('PushedAuthorizationRequest');
    const names = ['state', 'nonce', 'claims', 'login_hint', 'ui_locales', 'acr_values', 'id_token_hint', 'display'];
    const large = Object.fromEntries(names.map((name) => [name, 'x'.repeat(name === 'id_token_hint' ? 40_000 : 2000)]));
    const form = { ...pushForm(), ...large, claims: JSON.stringify({ x: 'x'.repeat(1900) }), display: 'page' };
    const send = async () => await post('/oauth/par', form, {}, server);
    for (let round = 0; round < 50; round += 1) {
      const answers = await Promise.all(Array.from({ length: 20 }, send));
      expect(new Set(statusesOf(answers))).toEqual(new Set([400]));
    }
    expect(await countRows('PushedAuthorizationRequest')).toBe(before);
  });

  test('is deleted soon after it expires', async () => {
    const { json } = await post('/oauth/par', pushForm());
    const id = String(json['request_uri']).split(':').at(-1) ?? '';
    const find = async () =>
      await auth.db.prisma.$queryRaw<readonly { readonly seconds: number }[]>`
      SELECT EXTRACT(EPOCH FROM expires_at - created_at)::integer AS seconds FROM oauth_artifact
       WHERE id_sha256 = sha256(${id}::text::bytea)`;
    const [unopened] = await find();
    expect(unopened?.seconds).toBeLessThanOrEqual(91);
    const query = new URLSearchParams({ client_id: publicApp.clientId, request_uri: String(json['request_uri']) });
    await auth.send({ path: `/oauth/authorize?${query.toString()}`, headers: from });
    expect(await find()).toEqual([{ seconds: 3600 }]);
    await post('/oauth/device_authorization', { client_id: publicApp.clientId });
    await auth.db.prisma.$executeRaw`UPDATE oauth_artifact SET expires_at = now() - interval '61 minutes'`;
    await auth.runJob('pending');
    for (const kind of ['PushedAuthorizationRequest', 'DeviceCode']) expect(await countRows(kind)).toBe(0);
    const interactions = await auth.db.prisma.oAuthArtifact.findMany({ where: { kind: 'Interaction' } });
    expect(interactions.filter(({ payload }) => !JSON.stringify(payload).includes('"signedIn":true'))).toEqual([]);
  });

  test('an expired pushed request cannot be opened', async () => {
    const { json } = await post('/oauth/par', pushForm());
    await auth.db.prisma.$executeRaw`UPDATE oauth_artifact SET expires_at = now() - interval '1 second'`;
    const query = new URLSearchParams({ client_id: publicApp.clientId, request_uri: String(json['request_uri']) });
    const page = await auth.send({ path: `/oauth/authorize?${query.toString()}`, headers: from });
    expect(page.text).toContain('invalid_request_uri');
  });
});
