// Every request gets the same response and leaves the same traces, whether the direct path is on or off.
import type { CreatedApplication } from '@linnet/applications/applications';
import { createTestDatabase } from '@linnet/db/test-database';
import type { TestDatabase } from '@linnet/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '../../testing/browser.ts';
import { connect } from '../../testing/connected.ts';
import { describeTraces, wasDirect } from '../../testing/direct-comparison.ts';
import { registerPerson, signIn } from '../../testing/person.ts';
import { basic, startAuth } from '../../testing/running-auth.ts';
import type { Answer, RunningAuth } from '../../testing/running-auth.ts';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
/** The same database, with the direct path and without. */
let direct: RunningAuth;
let complete: RunningAuth;
let bot: CreatedApplication;
let other: CreatedApplication;
let site: CreatedApplication;
let tokens: Readonly<Record<TokenName, string>>;

type TokenName = 'own' | 'ofOther' | 'ofPerson' | 'refresh' | 'ofEnded';

const send = async (server: RunningAuth, path: string, headers: Readonly<Record<string, string>>, body: string) =>
  await server.send({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  });

const as = ({ clientId, clientSecret }: CreatedApplication) => basic(clientId, clientSecret);

async function tokenOf(application: CreatedApplication): Promise<string> {
  return (await complete.requestToken({ grant_type: 'client_credentials' }, as(application))).json.access_token;
}

/** Connects an application with a secret to a person. */
async function connectSite(username: string) {
  const person = await registerPerson(complete.db, username);
  const browser = createBrowser(complete);
  await signIn(browser, person);
  let application: CreatedApplication | undefined;
  const register: RunningAuth['register'] = async (given) => (application = await complete.register(given));
  const connected = await connect({ ...complete, register }, browser);
  if (application === undefined) throw new Error('no application was registered');
  return { application, connected };
}

beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  direct = cleanup.use(await startAuth(database.url, { directPath: true }));
  complete = cleanup.use(await startAuth(database.url, { directPath: false, owner: 'owner_of_complete' }));
  bot = await direct.register({ actAsOwner: true });
  other = await direct.register();
  const { application, connected } = await connectSite('introspected');
  site = application;
  const ended = await tokenOf(bot);
  await send(complete, '/oauth/revoke', as(bot), `token=${ended}`);
  tokens = {
    own: await tokenOf(bot),
    ofOther: await tokenOf(other),
    ofPerson: connected.accessToken,
    refresh: connected.refreshToken,
    ofEnded: ended,
  };
});
afterAll(() => cleanup.disposeAsync());

interface Row {
  readonly token?: TokenName;
  readonly asSite?: boolean;
  /** Instead of `token=$TOKEN`. */
  readonly form?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

/** Requests that the direct path answers. */
const ordinary: Readonly<Record<string, Row>> = {
  'a token of the application itself': {},
  'a token for a person': { token: 'ofPerson', asSite: true },
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
  'a refresh token': { token: 'refresh', asSite: true },
  'a revoked token': { token: 'ofEnded' },
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

async function ask(server: RunningAuth, { token = 'own', asSite = false, ...row }: Row): Promise<Answer> {
  const application = asSite ? site : bot;
  const form = (row.form ?? 'token=$TOKEN')
    .replaceAll('$TOKEN', tokens[token])
    .replace('$ID', application.clientId)
    .replace('$SECRET', application.clientSecret ?? '');
  const headers = Object.entries({ ...as(application), ...row.headers }).filter(([, value]) => value !== '');
  return await send(server, row.path ?? '/oauth/introspect', Object.fromEntries(headers), form);
}

/** An application is answered directly while it is cached, which a busy machine may need some attempts for. */
async function askDirectly(row: Row): Promise<Answer> {
  for (;;) {
    const answer = await ask(direct, row);
    if (wasDirect(direct, answer)) return answer;
    expect(answer.status).toBe(200);
  }
}

describe('an ordinary request is answered directly, as the provider would', () => {
  test.each(Object.entries(ordinary))('%s', async (_case, row) => {
    const answer = await askDirectly(row);
    const expected = await ask(complete, row);
    expect(expected.json).toMatchObject({ active: true });
    expect(await describeTraces(direct, answer)).toEqual(await describeTraces(complete, expected));
  });
});

describe('any other request is left to the provider', () => {
  test.each(Object.entries(unusual))('%s', async (_case, row) => {
    // Now the application is cached.
    await askDirectly(row.asSite === true ? { token: 'ofPerson', asSite: true } : {});
    const answer = await ask(direct, row);
    expect(wasDirect(direct, answer)).toBe(false);
    expect(await describeTraces(direct, answer)).toEqual(await describeTraces(complete, await ask(complete, row)));
  });
});

test('a token that was revoked at another process is inactive at once, also in concurrent requests', async () => {
  const token = await tokenOf(bot);
  const introspect = async () => (await send(direct, '/oauth/introspect', as(bot), `token=${token}`)).json['active'];
  for (let index = 0; index < 3; index += 1) expect(await introspect()).toBe(true);
  await send(complete, '/oauth/revoke', as(bot), `token=${token}`);
  expect(await Promise.all(Array.from({ length: 20 }, introspect))).toEqual(Array.from({ length: 20 }, () => false));
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
