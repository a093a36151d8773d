import { createTestDatabase } from '@linnet/test/db/test-database';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { findElements } from '@linnet/test/auth/html';
import { registerOutsideApi } from '@linnet/test/auth/outside-api';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { basic, forDevices, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';

/** Device authorization (RFC 8628), from the device's request to its token. */
const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let ada: Person;
let browser: Browser;
let clientId: string;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  ada = await registerPerson(auth.db, 'ada_lovelace');
  browser = createBrowser(auth);
  await signIn(browser, ada);
  ({ clientId } = await auth.register({ type: 'native', ...forDevices }));
});
afterAll(() => cleanup.disposeAsync());

type Form = Readonly<Record<string, string>>;

async function post(form: Form, headers: Form = {}): Promise<Answer> {
  return await auth.send({
    method: 'POST',
    path: '/oauth/device_authorization',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  });
}

interface Device {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly poll: () => Promise<Answer>;
}

async function begin(form: Form = {}): Promise<Device> {
  const { json } = await post({ client_id: clientId, ...form });
  const deviceCode = String(json['device_code']);
  const poll = async () =>
    await auth.requestToken({ grant_type: grantType, client_id: clientId, device_code: deviceCode });
  return { deviceCode, userCode: String(json['user_code']), poll };
}

/** Submits the code. Returns the consent page. */
async function enter(userCode: string, who = browser): Promise<Page> {
  const page = await who.open('/oauth/device');
  return await who.submit(page, page.formWith('user_code'), { user_code: userCode });
}

async function decide(userCode: string, decision: 'allow' | 'deny', scope: readonly string[] = []): Promise<Page> {
  const page = await enter(userCode);
  return await browser.submit(page, page.formWith('decision', decision), { decision, scope });
}

async function makeOld({ userCode }: Device): Promise<void> {
  await auth.db.prisma.$executeRaw`
    UPDATE oauth_artifact SET expires_at = now(), payload = jsonb_set(payload, '{exp}', '1')
     WHERE payload ->> 'userCode' = ${userCode.replace('-', '')}`;
}

/** Makes the last poll look older. */
async function sleep({ userCode }: Device): Promise<void> {
  await auth.db.prisma.$executeRaw`
    UPDATE oauth_artifact SET payload = payload || '{"polledAt": 0}' WHERE payload ->> 'userCode' = ${userCode.replace('-', '')}`;
}

test('D110 a person authorizes a device, from the code to the token', async () => {
  const answer = await post({ client_id: clientId, scope: 'posts email' });
  expect(answer.status).toBe(200);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.json).toEqual({
    device_code: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
    verification_uri: `${auth.baseUrl}/oauth/device`,
    verification_uri_complete: `${auth.baseUrl}/oauth/device?user_code=${String(answer.json['user_code'])}`,
    expires_in: 600,
    interval: 5,
  });
  const userCode = String(answer.json['user_code']);
  const form = { grant_type: grantType, client_id: clientId, device_code: String(answer.json['device_code']) };
  expect((await auth.requestToken(form)).json).toMatchObject({ error: 'authorization_pending' });

  const consentPage = await enter(` ${userCode.toLowerCase().replace('-', ' ')} `);
  expect(consentPage.text).toContain('Test application');
  expect(consentPage.text).toContain('@owner_of_all');
  expect(consentPage.text).toContain('Only continue if you started this on a device in front of you');
  expect(consentPage.text).toContain(userCode);
  const done = await browser.submit(consentPage, consentPage.formWith('decision', 'allow'), {
    decision: 'allow',
    scope: ['email'],
  });
  expect([done.url.pathname, done.text]).toEqual(['/oauth/device', expect.stringContaining('is connected')]);
  expect(done.html).not.toContain('name="user_code"');

  const token = await auth.requestToken(form);
  expect(token.json).toEqual({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'posts email',
    app_id: clientId,
  });
  expect(decodeJwt(token.json.access_token)).toMatchObject({
    sub: String(ada.id),
    acct: ada.id,
    gid: expect.any(String),
  });
  const refresh = {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: String(token.json['refresh_token']),
  };
  expect((await auth.requestToken(refresh)).status).toBe(200);
});

test('a device gets a token for a registered API, which the consent page describes', async () => {
  const api = await registerOutsideApi(auth);
  const requested = { scope: 'notes:read', resource: api.identifier };
  const { userCode, poll } = await begin(requested);
  const consentPage = await enter(userCode);
  for (const text of ['Description of notes:read', `@${api.owner}`, api.identifier]) {
    expect(consentPage.text).toContain(text);
  }
  expect(consentPage.text).not.toContain('Description of notes:write');
  await browser.submit(consentPage, consentPage.formWith('decision', 'allow'), { decision: 'allow' });
  const { json } = await poll();
  expect(json.scope).toBe('notes:read');
  expect(decodeJwt(json.access_token)).toMatchObject({ aud: api.identifier, scope: 'notes:read', sub: String(ada.id) });
  expect(await api.introspect(json.access_token)).toMatchObject({ active: true, username: ada.username });
  const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token: String(json['refresh_token']) };
  const refreshed = await auth.requestToken(refresh);
  expect(decodeJwt(refreshed.json.access_token)).toMatchObject({ aud: api.identifier, scope: 'notes:read' });
});

test('a device that names several resources polls for one of them; a resource that is not registered is refused', async () => {
  const [one, other] = [await registerOutsideApi(auth), await registerOutsideApi(auth, { scopes: ['mail:send'] })];
  const form = new URLSearchParams({ client_id: clientId, scope: 'notes:read mail:send' });
  for (const { identifier } of [one, other]) form.append('resource', identifier);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const path = '/oauth/device_authorization';
  const { json } = await auth.send({ method: 'POST', path, headers, body: form.toString() });
  await decide(String(json['user_code']), 'allow');
  const grant = { grant_type: grantType, client_id: clientId, device_code: String(json['device_code']) };
  const token = await auth.requestToken({ ...grant, resource: other.identifier });
  expect(decodeJwt(token.json.access_token)).toMatchObject({ aud: other.identifier, scope: 'mail:send' });

  const refused = await post({ client_id: clientId, scope: 'notes:read', resource: 'https://unknown.example.com/' });
  expect([refused.status, refused.json['error']]).toEqual([400, 'invalid_target']);
  const wrong = await post({ client_id: clientId, scope: 'posts', resource: one.identifier });
  expect([wrong.status, wrong.json['error']]).toEqual([400, 'invalid_scope']);
});

test('a device whose API was deleted before it polls gets no token', async () => {
  const api = await registerOutsideApi(auth);
  const { userCode, poll } = await begin({ scope: 'notes:read', resource: api.identifier });
  await decide(userCode, 'allow');
  await api.delete();
  const { status, json } = await poll();
  expect([status, json['error'], json.access_token]).toEqual([400, 'invalid_target', undefined]);
});

test('a visitor is redirected to the sign-in page and back, with the code from the URL', async () => {
  const { userCode } = await begin();
  const other = createBrowser(auth);
  const login = await other.open(`/oauth/device?user_code=${userCode}`);
  const page = await signIn(other, ada, login);
  expect(page.formWith('user_code').fields).toContainEqual(['user_code', userCode]);
  expect(page.html).not.toContain('Test application');
});

test('an optional scope that is unticked is not granted, and one that was not requested never is', async () => {
  const device = await begin({ scope: 'users email' });
  await decide(device.userCode, 'allow', ['posts']);
  expect((await device.poll()).json.scope).toBe('users');
});

test('without a scope, all registered scopes are requested; an unknown scope is rejected', async () => {
  const device = await begin();
  expect((await enter(device.userCode)).html).toContain('value="email"');
  expect((await post({ client_id: clientId, scope: 'users admin' })).json).toMatchObject({ error: 'invalid_scope' });
});

test('the device learns that the person denied it', async () => {
  const device = await begin();
  expect((await decide(device.userCode, 'deny')).text).toContain('Access was denied');
  expect((await device.poll()).json).toMatchObject({ error: 'access_denied' });
});

test('a decided code is unknown, and of two simultaneous decisions one counts', async () => {
  const device = await begin();
  const page = await enter(device.userCode);
  const form = page.formWith('decision');
  const decisions = ['allow', 'deny', 'allow', 'deny'].map((decision) => browser.submit(page, form, { decision }));
  const pages = await Promise.all(decisions);
  expect(pages.filter(({ url }) => url.search.includes('done'))).toHaveLength(1);
  expect((await enter(device.userCode)).status).toBe(422);
  const { json } = await device.poll();
  const wasAllowed = pages.some(({ url }) => url.search === '?done=allowed');
  expect(json).toMatchObject(wasAllowed ? { scope: 'users posts email' } : { error: 'access_denied' });
});

describe('the device code', () => {
  test('works once, even for simultaneous requests', async () => {
    const device = await begin();
    await decide(device.userCode, 'allow');
    const answers = await Promise.all(Array.from({ length: 20 }, () => device.poll()));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect((await device.poll()).json).toMatchObject({ error: 'invalid_grant' });
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });

  test('works only for its own application', async () => {
    const device = await begin();
    await decide(device.userCode, 'allow');
    const other = await auth.register({ type: 'native', ...forDevices });
    const form = { grant_type: grantType, client_id: other.clientId, device_code: device.deviceCode };
    expect((await auth.requestToken(form)).json).toMatchObject({ error: 'invalid_grant' });
    expect((await device.poll()).status).toBe(200);
  });

  test('expires after ten minutes, for the person too', async () => {
    const device = await begin();
    await makeOld(device);
    expect((await device.poll()).json).toMatchObject({ error: 'expired_token' });
    expect((await enter(device.userCode)).status).toBe(422);
  });

  test('can be polled every five seconds; a faster device gets slow_down and must wait longer', async () => {
    const device = await begin();
    const errors = [];
    for (let round = 0; round < 3; round++) errors.push((await device.poll()).json['error']);
    expect(errors).toEqual(['authorization_pending', 'slow_down', 'slow_down']);
    await sleep(device);
    expect((await device.poll()).json).toMatchObject({ error: 'authorization_pending' });
    await decide(device.userCode, 'allow');
    expect((await device.poll()).status).toBe(200);
  });

  test('is not stored in plain text', async () => {
    const device = await begin();
    const [row] = await auth.db.prisma.$queryRaw<readonly { found: boolean }[]>`
      SELECT bool_or(payload::text LIKE ${`%${device.deviceCode}%`}) AS found FROM oauth_artifact`;
    expect(row).toEqual({ found: false });
  });
});

describe('guessing', () => {
  test('allows ten wrong codes, and a correct code is not limited', async () => {
    const guesser = createBrowser(auth);
    await signIn(guesser, await registerPerson(auth.db, 'mallory_guess'));
    for (let round = 0; round < 3; round++) expect((await enter((await begin()).userCode, guesser)).status).toBe(200);
    for (let round = 0; round < 10; round++) expect((await enter('BBBB-BBBB', guesser)).status).toBe(422);
    const rejected = await enter((await begin()).userCode, guesser);
    expect([rejected.status, Number(rejected.headers['retry-after']) > 0]).toEqual([429, true]);
    expect((await enter((await begin()).userCode)).status).toBe(200);
  });

  test.each(['', 'short', 'AEIO-UAEI', "BBBB-BBB'", '%00', 'B'.repeat(5000)])('%j is not a code', async (typed) => {
    const page = await enter(typed, await freshBrowser());
    expect(page.status).toBe(422);
    expect(findElements(page.html).some(({ attributes }) => attributes['role'] === 'alert')).toBe(true);
  });

  test('UI3: rejects a form of another site', async () => {
    const { userCode } = await begin();
    const page = await enter(userCode);
    const form = page.formWith('decision');
    const forged = { ...form, fields: form.fields.filter(([name]) => name !== 'csrf') };
    expect((await browser.submit(page, forged, { decision: 'allow' })).status).toBe(403);
  });
});

describe('which applications', () => {
  test.each(['public', 'native'] as const)('a %s application authenticates with its client_id', async (type) => {
    const application = await auth.register({ type, ...forDevices });
    expect((await post({ client_id: application.clientId })).status).toBe(200);
  });

  test('a confidential application authenticates for both requests', async () => {
    const application = await auth.register(forDevices);
    const proof = basic(application.clientId, application.clientSecret);
    expect((await post({ client_id: application.clientId })).status).toBe(401);
    const { status, json } = await post({}, proof);
    expect(status).toBe(200);
    const form = { grant_type: grantType, device_code: String(json['device_code']) };
    expect((await auth.requestToken({ ...form, client_id: application.clientId })).status).toBe(401);
    expect((await auth.requestToken(form, proof)).json).toMatchObject({ error: 'authorization_pending' });
  });

  test('rejects an unknown application', async () => {
    expect((await post({ client_id: 'app_nobody_has_this_id' })).status).toBe(401);
    expect((await post({})).status).toBe(400);
    expect((await auth.send({ path: '/oauth/device_authorization' })).status).toBe(405);
  });
});

async function freshBrowser(): Promise<Browser> {
  const one = createBrowser(auth);
  await signIn(one, await registerPerson(auth.db, `guest_${crypto.randomUUID().slice(0, 8)}`));
  return one;
}
