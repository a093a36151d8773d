import { createTestDatabase } from '@linnet/test/db/test-database';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import type { Connected } from '@linnet/test/auth/connected';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { basic, baseUrl, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';

const introspect = '/oauth/introspect';
const revoke = '/oauth/revoke';

interface Bot {
  readonly clientId: string;
  readonly clientSecret?: string;
}

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let databaseUrl: string;
let person: Person;
let bot: Bot;
let other: Bot;
let publicApp: Connected;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  databaseUrl = database.url;
  auth = cleanup.use(await startAuth(database.url));
  bot = await auth.register({ actAsOwner: true });
  other = await auth.register();
  person = await registerPerson(auth.db, 'introspected');
  publicApp = await connectApp('public');
});
afterAll(() => cleanup.disposeAsync());

async function connectApp(type: 'public' | 'confidential'): Promise<Connected> {
  const browser = createBrowser(auth);
  await signIn(browser, person);
  return await connect(auth, browser, { type });
}

async function tokenOf({ clientId, clientSecret }: Bot): Promise<string> {
  return (await auth.requestToken({ grant_type: 'client_credentials' }, basic(clientId, clientSecret))).json
    .access_token;
}

async function manage(
  path: string,
  form: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return await auth.send({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  });
}

const as = ({ clientId, clientSecret }: Bot) => basic(clientId, clientSecret);
const asPublic = (token: string) => ({ token, client_id: publicApp.clientId });

async function isActive(token: string, client: Bot = bot): Promise<unknown> {
  return (await manage(introspect, { token }, as(client))).json['active'];
}

/** Connects a confidential application and returns it with its credentials. */
async function connectConfidential(): Promise<{ readonly app: Connected; readonly client: Bot }> {
  let client: Bot | undefined;
  const browser = createBrowser(auth);
  await signIn(browser, person);
  const register: RunningAuth['register'] = async (application) => (client = await auth.register(application));
  const app = await connect({ ...auth, register }, browser);
  if (client === undefined) throw new Error('no application was registered');
  return { app, client };
}

describe('RT11: introspection', () => {
  test('describes an access token to the application that it belongs to', async () => {
    const token = await tokenOf(bot);
    const { jti, iat, exp } = decodeJwt(token);
    const { status, json, headers } = await manage(introspect, { token }, as(bot));
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(json).toEqual({
      active: true,
      sub: bot.clientId,
      client_id: bot.clientId,
      scope: 'users posts email',
      token_type: 'Bearer',
      iss: baseUrl,
      aud: `${baseUrl}/api/v2.0`,
      jti,
      iat,
      exp,
    });
  });

  test('describes access and refresh tokens of a person, with any hint', async () => {
    const { app, client } = await connectConfidential();
    const expected = { active: true, sub: String(person.id), username: person.username, client_id: client.clientId };
    for (const token_type_hint of ['', 'access_token', 'refresh_token', 'something']) {
      const access = await manage(introspect, { token: app.accessToken, token_type_hint }, as(client));
      expect(access.json).toMatchObject({ ...expected, token_type: 'Bearer' });
      const refresh = await manage(introspect, { token: app.refreshToken, token_type_hint }, as(client));
      expect(refresh.json).toMatchObject(expected);
      expect(refresh.json).not.toHaveProperty('token_type');
      expect(refresh.text).not.toContain(app.refreshToken);
    }
  });

  test('returns only active: false for any other token', async () => {
    const { app } = await connectConfidential();
    const own = await tokenOf(bot);
    const strange = [
      app.accessToken,
      app.refreshToken,
      await tokenOf(other),
      'unknown',
      'a.b.c',
      'a~b~c',
      own.replaceAll('.', '~').slice(0, -3),
      `${own}x`,
      own.replace(/[^.]+$/, 'AAAA'),
    ];
    for (const token of strange) {
      const { status, text } = await manage(introspect, { token }, as(bot));
      expect([status, text], token).toEqual([200, '{"active":false}']);
    }
  });

  test('returns active: false for an ID token', async () => {
    const browser = createBrowser(auth);
    await signIn(browser, person);
    const client = await auth.register({ redirectUris: ['https://app.example.com/callback'] });
    const register: RunningAuth['register'] = async () => client;
    const app = await connect({ ...auth, register }, browser);
    const callback = await app.send(browser, { scope: 'openid users' });
    const allowed = callback.isElsewhere
      ? callback
      : await browser.submit(callback, callback.formWith('decision', 'allow'), { decision: 'allow' });
    const { json } = await app.exchange(allowed);
    expect(await isActive(json.access_token, client)).toBe(true);
    expect(await isActive(String(json['id_token']), client)).toBe(false);
  });

  test('requires client authentication and POST', async () => {
    const token = await tokenOf(bot);
    for (const answer of [
      await manage(introspect, { token }, basic(bot.clientId, 'wrong')),
      await manage(introspect, { token, client_id: bot.clientId }),
      await manage(introspect, asPublic(publicApp.accessToken)),
      await manage(introspect, asPublic('unknown')),
    ]) {
      expect([answer.status, answer.json['error'], answer.json['active']]).toEqual([401, 'invalid_client', undefined]);
    }
    expect((await manage(introspect, { token })).status).toBe(400);
    for (const method of ['GET', 'PUT', 'HEAD', 'OPTIONS']) {
      const answer = await auth.send({ method, path: `${introspect}?token=${token}`, headers: as(bot) });
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
    }
  });

  test.each([
    ['no token', ''],
    ['two tokens', 'token=a&token=b'],
    ['an empty token', 'token='],
  ])('rejects %s', async (_what, form) => {
    const { status, json } = await manage(introspect, form, as(bot));
    expect([status, json['error']]).toEqual([400, 'invalid_request']);
  });

  test('reports tokens that another process revoked as inactive within a second', async () => {
    const token = await tokenOf(bot);
    expect(await isActive(token)).toBe(true);
    await auth.db.prisma.application.update({ where: { clientId: bot.clientId }, data: { epoch: { increment: 1 } } });
    await expect.poll(() => isActive(token)).toBe(false);
    const next = await tokenOf(bot);
    expect(decodeJwt(next)['ce']).toBe(Number(decodeJwt(token)['ce']) + 1);
    expect(await isActive(next)).toBe(true);
  });
});

describe('the statements of introspection', () => {
  const isOfFeed = (sql: string) => sql.includes('revocation');

  /** On a busy machine the application may not be cached any more. */
  const isOfToken = (sql: string) => !isOfFeed(sql) && !sql.includes('FROM application');

  test('of an application’s own token: none', async () => {
    const token = await tokenOf(bot);
    auth.statements.length = 0;
    for (let round = 0; round < 3; round += 1) expect(await isActive(token)).toBe(true);
    expect(auth.statements.filter(isOfToken)).toEqual([]);
  });

  test('of a token that acts for a person: one for the username', async () => {
    const { app, client } = await connectConfidential();
    auth.statements.length = 0;
    expect(await isActive(app.accessToken, client)).toBe(true);
    expect(auth.statements.filter(isOfToken)).toEqual([expect.stringContaining('FROM account')]);
  });
});

/** Tokens of other servers and damaged ones, made of one that is valid. */
const foreign: Readonly<Record<string, (own: string) => string>> = {
  'alg none': () => `${encode({ alg: 'none' })}.${encode({ sub: '7' })}.`,
  'a header alone': () => encode({ alg: 'none' }),
  'a header with a dot': () => `${encode({ alg: 'ES256' })}.`,
  'a JWE': () => `${encode({ alg: 'dir', enc: 'A256GCM' })}..aXY.Y2lwaGVy.dGFn`,
  'another algorithm': () => `${encode({ alg: 'HS256' })}.${encode({ sub: '7' })}.c2ln`,
  'a critical header': () => `${encode({ alg: 'ES256', crit: ['x'], x: 1 })}.${encode({})}.c2ln`,
  'a blank behind': (own) => `${own} `,
  'a blank before': (own) => ` ${own}`,
  'a blank inside': (own) => own.replace('.', '. '),
  'a line break behind': (own) => `${own}\n`,
  'a line break inside': (own) => own.replace('.', '.\r\n'),
  'a fourth part': (own) => `${own}.x`,
  'standard Base64': (own) => `${own}==`,
  'quotation marks': (own) => `"${own}"`,
  'a scheme before': (own) => `Bearer ${own}`,
  'a URL': () => 'https://other.example/token?a=b',
  'a blank': () => ' ',
  'a text outside ASCII': () => 'tökén',
};

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

test.each(Object.entries(foreign))(
  'a token with %s is not active, and revoking it changes nothing',
  async (_what, change) => {
    const own = await tokenOf(bot);
    const token = change(own);
    for (const token_type_hint of ['access_token', 'refresh_token']) {
      const introspected = await manage(introspect, { token, token_type_hint }, as(bot));
      expect([introspected.status, introspected.text]).toEqual([200, '{"active":false}']);
      const revoked = await manage(revoke, { token, token_type_hint }, as(bot));
      expect([revoked.status, revoked.text]).toEqual([200, '{}']);
    }
    expect(await isActive(own)).toBe(true);
  },
);

describe('RT9: revocation', () => {
  test.each(['unknown', 'a.b.c', 'a~b~c', 'x'.repeat(20_000)])(
    'responds with 200 to an unknown or malformed token',
    async (token) => {
      const { status, text, headers } = await manage(revoke, { token }, as(bot));
      expect([status, text, headers['content-type']]).toEqual([200, '{}', 'application/json; charset=utf-8']);
    },
  );

  test('revokes only the given access token, and can be repeated', async () => {
    const [token, another] = [await tokenOf(bot), await tokenOf(bot)];
    for (const hint of ['refresh_token', 'access_token']) {
      expect((await manage(revoke, { token, token_type_hint: hint }, as(bot))).status).toBe(200);
    }
    await expect.poll(() => isActive(token)).toBe(false);
    expect(await isActive(another)).toBe(true);
  });

  test('responds with 200 to a token of another application and changes nothing', async () => {
    const { app, client } = await connectConfidential();
    const token = await tokenOf(other);
    const rows = await auth.db.prisma.revocation.count();
    for (const one of [app.accessToken, app.refreshToken, token]) {
      expect((await manage(revoke, { token: one }, as(bot))).status).toBe(200);
    }
    expect(await auth.db.prisma.revocation.count()).toBe(rows);
    expect(await isActive(app.accessToken, client)).toBe(true);
    expect(await isActive(app.refreshToken, client)).toBe(true);
  });

  test('of the last refresh token, even a rotated one, revokes its grant and all tokens of the grant', async () => {
    for (const presented of ['first', 'latest'] as const) {
      const { app, client } = await connectConfidential();
      const { json } = await app.refresh(app.refreshToken);
      const latest = String(json['refresh_token']);
      const token = presented === 'first' ? app.refreshToken : latest;
      expect((await manage(revoke, { token }, as(client))).status).toBe(200);
      expect((await app.refresh(latest)).json['error']).toBe('invalid_grant');
      const active = { clientId: client.clientId, revokedAt: null };
      expect(await auth.db.prisma.grant.count({ where: active })).toBe(0);
      for (const one of [app.accessToken, json.access_token]) {
        await expect.poll(() => isActive(one, client)).toBe(false);
      }
    }
  });

  test('works for a public application with its client_id, and from the origin of its redirect URI', async () => {
    const app = await connectApp('public');
    const form = { client_id: app.clientId };
    const headers = { origin: 'https://app.example.com' };
    const answer = await manage(revoke, { ...form, token: app.refreshToken }, headers);
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, headers.origin]);
    expect((await app.refresh(app.refreshToken)).json['error']).toBe('invalid_grant');
    const preflight = { ...headers, 'access-control-request-method': 'POST' };
    expect((await auth.send({ method: 'OPTIONS', path: revoke, headers: preflight })).status).toBe(204);
  });

  test('requires a token, and the secret of a confidential application', async () => {
    const token = await tokenOf(bot);
    const wrong = await manage(revoke, { token }, basic(bot.clientId, 'wrong'));
    expect([wrong.status, wrong.json['error']]).toEqual([401, 'invalid_client']);
    const without = await manage(revoke, { token, client_id: bot.clientId });
    expect([without.status, without.json['error']]).toEqual([401, 'invalid_client']);
    const nothing = await manage(revoke, {}, as(bot));
    expect([nothing.status, nothing.json['error']]).toEqual([400, 'invalid_request']);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await auth.send({ method, path: `${revoke}?token=${token}`, headers: as(bot) });
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST, OPTIONS']);
    }
    expect(await isActive(token)).toBe(true);
  });
});

describe('userinfo', () => {
  test('rejects a revoked token', async () => {
    const app = await connectApp('public');
    const ask = async () =>
      (await auth.send({ path: '/oauth/userinfo', headers: { authorization: `Bearer ${app.accessToken}` } })).status;
    expect(await ask()).toBe(403); // without openid
    await manage(revoke, { token: app.accessToken, client_id: app.clientId });
    await expect.poll(ask).toBe(401);
  });
});

describe('RT11: a token that was revoked at another server', () => {
  test('is inactive at once at a server whose feed has not polled since', async () => {
    const settings = { owner: 'owner_of_second', feedIntervalMs: 3_600_000 };
    await using second = await startAuth(databaseUrl, settings);
    const token = await tokenOf(bot);
    const ask = async () => {
      const { status, json } = await second.send({
        method: 'POST',
        path: introspect,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...basic(bot.clientId, bot.clientSecret) },
        body: new URLSearchParams({ token }).toString(),
      });
      return [status, json['active']];
    };
    expect(await ask()).toEqual([200, true]);
    expect((await manage(revoke, { token }, basic(bot.clientId, bot.clientSecret))).status).toBe(200);
    expect(await ask()).toEqual([200, false]);
  });
});
