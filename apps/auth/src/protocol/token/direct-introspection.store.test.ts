// Every request gets the same response and leaves the same traces, whether the direct path is on or off.
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import type { Connected } from '@linnet/test/auth/connected';
import { askDirectly, describeTraces, wasDirect } from '@linnet/test/auth/direct-comparison';
import { createDpopKey } from '@linnet/test/auth/dpop-key';
import { registerOutsideApi } from '@linnet/test/auth/outside-api';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
/** The same database, with the direct path and without. */
let direct: RunningAuth;
let complete: RunningAuth;
let applications: Readonly<Record<ApplicationName, Application>>;
let tokens: Readonly<Record<TokenName, string>>;

interface Application {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
}
type ApplicationName = 'bot' | 'site' | 'bound' | 'api';
type TokenName = 'own' | 'ofOther' | 'ofPerson' | 'refresh' | 'ofEnded' | 'bound' | 'forApi';

const send = async (server: RunningAuth, path: string, headers: Readonly<Record<string, string>>, body: string) =>
  await server.send({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  });

const as = ({ clientId, clientSecret }: Application) => basic(clientId, clientSecret);

interface Asked {
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

async function tokenOf(application: Application, { form = {}, headers = {} }: Asked = {}): Promise<string> {
  const sent = { grant_type: 'client_credentials', ...form };
  return (await complete.requestToken(sent, { ...as(application), ...headers })).json.access_token;
}

/** An application with a secret that a new person has authorized. */
async function connectSite(username: string): Promise<Connected> {
  const browser = createBrowser(complete);
  await signIn(browser, await registerPerson(complete.db, username));
  return await connect(complete, browser);
}

beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  direct = cleanup.use(await startAuth(database.url, { directPath: true }));
  complete = cleanup.use(await startAuth(database.url, { directPath: false, owner: 'owner_of_complete' }));
  const [bot, site] = [await direct.register({ actAsOwner: true }), await connectSite('introspected')];
  const bound = await direct.register({ protocol: { dpopBoundAccessTokens: ['yes'] } });
  const api = await registerOutsideApi(complete);
  applications = { bot, site, bound, api };
  const ended = await tokenOf(bot);
  await send(complete, '/oauth/revoke', as(bot), `token=${ended}`);
  tokens = {
    own: await tokenOf(bot),
    ofOther: await tokenOf(await direct.register()),
    ofPerson: site.accessToken,
    refresh: site.refreshToken,
    ofEnded: ended,
    bound: await tokenOf(bound, { headers: { dpop: await (await createDpopKey(complete)).prove() } }),
    forApi: await tokenOf(api, { form: { scope: 'notes:read', resource: api.identifier } }),
  };
});
afterAll(() => cleanup.disposeAsync());

interface Row {
  readonly token?: TokenName;
  readonly by?: ApplicationName;
  /** Instead of `token=$TOKEN`. */
  readonly form?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

/** Requests that the direct path answers. */
const ordinary: Readonly<Record<string, Row>> = {
  'a token of the application itself': {},
  'a token for a person': { token: 'ofPerson', by: 'site' },
  'a hint': { form: 'token=$TOKEN&token_type_hint=access_token' },
  'a wrong hint': { form: 'token=$TOKEN&token_type_hint=refresh_token' },
  'the client in header and form': { form: 'token=$TOKEN&client_id=$ID' },
  'credentials in the form': {
    form: 'token=$TOKEN&client_id=$ID&client_secret=$SECRET',
    headers: { authorization: '' },
  },
  'a client that accepts a JWT': { headers: { accept: 'application/token-introspection+jwt' } },
};

/** Requests that it leaves to the provider, whether they succeed or not. */
const unusual: Readonly<Record<string, Row>> = {
  'a token of another application': { token: 'ofOther' },
  'a refresh token': { token: 'refresh', by: 'site' },
  'a revoked token': { token: 'ofEnded' },
  'a token that is bound to a key': { token: 'bound', by: 'bound' },
  'a token for a registered API': { token: 'forApi', by: 'api' },
  'a token for a registered API, sent by another application': { token: 'forApi' },
  'a token whose signature was changed': { form: 'token=$TOKENx' },
  'a value with two dots': { form: 'token=a.b.c' },
  'a token with tildes': { form: 'token=a~b~c' },
  'no token': { form: 'token_type_hint=access_token' },
  'an empty token': { form: 'token=' },
  'two tokens': { form: 'token=$TOKEN&token=$TOKEN' },
  'an unknown parameter': { form: 'token=$TOKEN&unknown=1' },
  'no credentials': { headers: { authorization: '' } },
  'a wrong secret': { form: 'token=$TOKEN&client_id=$ID&client_secret=wrong', headers: { authorization: '' } },
  'two methods': { form: 'token=$TOKEN&client_secret=$SECRET' },
  'an origin': { headers: { origin: 'https://app.example' } },
  'a query': { path: '/oauth/introspect?a=1' },
  'another host': { headers: { host: 'other.example' } },
};

async function ask(server: RunningAuth, { token = 'own', by = 'bot', ...row }: Row): Promise<Answer> {
  const application = applications[by];
  const form = (row.form ?? 'token=$TOKEN')
    .replaceAll('$TOKEN', tokens[token])
    .replace('$ID', application.clientId)
    .replace('$SECRET', application.clientSecret ?? '');
  const headers = Object.entries({ ...as(application), ...row.headers }).filter(([, value]) => value !== '');
  return await send(server, row.path ?? '/oauth/introspect', Object.fromEntries(headers), form);
}

test('each token of the table was issued', () => {
  for (const [name, token] of Object.entries(tokens)) expect(token, name).toMatch(/^[\w.~-]{20,}$/);
});

describe('an ordinary request is answered directly, as the provider would', () => {
  test.each(Object.entries(ordinary))('%s', async (_case, row) => {
    const answer = await askDirectly(direct, () => ask(direct, row));
    const expected = await ask(complete, row);
    expect(expected.json).toMatchObject({ active: true });
    expect(await describeTraces(direct, answer)).toEqual(await describeTraces(complete, expected));
  });
});

describe('any other request is left to the provider', () => {
  test.each(Object.entries(unusual))('%s', async (_case, row) => {
    // Now the application is cached.
    await ask(direct, { by: row.by ?? 'bot', token: row.by === 'site' ? 'ofPerson' : 'own' });
    const answer = await ask(direct, row);
    expect(wasDirect(direct, answer)).toBe(false);
    expect(await describeTraces(direct, answer)).toEqual(await describeTraces(complete, await ask(complete, row)));
  });
});

/** What another process does, in SQL. `$1` is the application, which one person has authorized. */
const ofPerson = 'WHERE id = (SELECT account_id FROM "grant" WHERE client_id = $1)';
const endings: Readonly<Record<string, string>> = {
  'the person was suspended': `UPDATE account SET suspended_at = now(), epoch = epoch + 1 ${ofPerson}`,
  'the person was deleted': `UPDATE account SET deleted_at = now() ${ofPerson}`,
  'the person signed out everywhere': `UPDATE account SET epoch = epoch + 1 ${ofPerson}`,
  'the person revoked access': 'UPDATE "grant" SET revoked_at = now() WHERE client_id = $1',
  'the application was suspended': 'UPDATE application SET suspended_at = now() WHERE client_id = $1',
  'the application was paused': 'UPDATE application SET paused_at = now() WHERE client_id = $1',
  'the application was deleted': 'DELETE FROM application WHERE client_id = $1',
};

/** Introspects until the token is active, ends it, and requires that no concurrent request says that it is active. */
async function expectEnd(site: Connected, end: () => Promise<unknown>): Promise<void> {
  const introspect = async () =>
    (await send(direct, '/oauth/introspect', as(site), `token=${site.accessToken}`)).json['active'];
  for (let index = 0; index < 3; index += 1) expect(await introspect()).toBe(true);
  await end();
  expect(await Promise.all(Array.from({ length: 20 }, introspect))).not.toContain(true);
}

describe('a token is not active any longer, at once and in concurrent requests,', () => {
  test.each(Object.entries(endings))('after %s', async (what, sql) => {
    const site = await connectSite(`ended_${String(Object.keys(endings).indexOf(what))}`);
    await expectEnd(site, async () => await complete.db.prisma.$executeRawUnsafe(sql, site.clientId));
  });

  test('after it was revoked at another process', async () => {
    const site = await connectSite('ended_by_revocation');
    await expectEnd(site, async () => await send(complete, '/oauth/revoke', as(site), `token=${site.accessToken}`));
  });
});

test('a request counts once, for its application and for its secret', async () => {
  const application = await direct.register();
  const token = await tokenOf(application);
  const { prisma } = direct.db;
  const readUses = async () => {
    await direct.runJob('usage');
    return await prisma.applicationSecret.findMany({
      where: { clientId: application.clientId },
      select: { uses: true },
    });
  };
  const answers: Answer[] = [];
  for (let index = 0; index < 8; index += 1) {
    answers.push(await send(direct, '/oauth/introspect', as(application), `token=${token}`));
  }
  expect(answers.some((answer) => wasDirect(direct, answer))).toBe(true);
  expect(await readUses()).toEqual([{ uses: 8n }]);
  const remaining = answers.map(({ headers }) => Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]));
  expect(remaining.map((one) => (remaining[0] ?? 0) - one)).toEqual(answers.map((_, index) => index));
});
