import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

let addresses = 0;
async function register(fields: Record<string, unknown>) {
  addresses += 1;
  const body = JSON.stringify({
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: `ada${String(addresses)}@example.org`,
    password: 'secret',
    ...fields,
  });
  return await api.call('POST /auth/register', { body, headers: { 'content-type': 'application/json' } });
}

test('D4 registers an account and returns it', async () => {
  const { status, body } = await register({
    email: 'Ada@Example.org',
    username: 'Ada_Lovelace',
    password: 'nine clear lakes',
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    message: 'succeeded',
    user: {
      objectType: 'account',
      kind: 'linnet#account',
      id: expect.any(Number),
      username: 'Ada_Lovelace',
      displayName: 'Ada Lovelace',
      name: { first_name: 'Ada', last_name: 'Lovelace' },
      description: '',
      country: '',
      link: 'https://linnet.example/@Ada_Lovelace',
      verified: 0,
      avatar: expect.stringMatching(/^https:\/\/linnet\.example\/media\/avatars\/[0-9a-f]{16}\.png$/),
      action: { followers: 0, following: 0, posts: 0 },
    },
  });
});

test.each([
  ['secret', 'most common'],
  ['LOVELACE', 'name'],
])('D42 accepts the password %s, with a hint', async (password, hint) => {
  const { status, body } = await register({ password });
  expect([status, body.message]).toEqual([200, expect.stringMatching(`^succeeded; .*${hint}`)]);
});

test('AC6 ignores members that clients cannot set', async () => {
  const { body } = await register({ id: 7, verified: 1, action: { followers: 9 }, role: 'admin', passwordHash: 'x' });
  expect(body.user).toMatchObject({ verified: 0, action: { followers: 0 } });
  expect(body.user.id).not.toBe(7);
});

test('names are trimmed and otherwise stored byte for byte', async () => {
  const { body } = await register({ first_name: ' 👩‍👩‍👧 Zoë ', last_name: '\u2003<b>O’Neil</b>\n' });
  expect(body.user.name).toEqual({ first_name: '👩‍👩‍👧 Zoë', last_name: '<b>O’Neil</b>' });
});

test.each([
  ['Иван', 'Petrov'],
  ['Γιώργος', 'Smith'],
  ['Ada', 'Иванова'],
  ['太郎', 'Sidorov'],
])('first and last name may be in different scripts: %s %s', async (first_name, last_name) => {
  const { status, body } = await register({ first_name, last_name });
  expect([status, body.user?.displayName]).toEqual([200, `${first_name} ${last_name}`]);
});

test.each([
  ['Ivаn', 'Petrov', 'first_name'],
  ['Иван', 'Реtrov', 'last_name'],
  ['Αda', 'Smith', 'first_name'],
])('a name that mixes scripts is refused, and the right one is named: %s %s', async (first_name, last_name, wrong) => {
  const { status, body } = await register({ first_name, last_name });
  expect([status, body.errors.map(({ parameter }: { parameter: string }) => parameter)]).toEqual([400, [wrong]]);
});

test('an address with an international domain is an address, in both of its forms the same', async () => {
  expect((await register({ email: 'a@bücher.example' })).status).toBe(200);
  for (const email of ['a@bücher.example', 'A@BÜCHER.example', 'a@xn--bcher-kva.example']) {
    expect((await register({ email })).status).toBe(409);
  }
});

test('lengths are counted in code points', async () => {
  const { status, body } = await register({ first_name: '💙'.repeat(25), last_name: '💙'.repeat(30) });
  expect([status, body.user.displayName]).toEqual([200, `${'💙'.repeat(25)} ${'💙'.repeat(30)}`]);
});

test('D42 a username is derived from the names, and made unique when it is taken', async () => {
  const first = await register({ first_name: 'Grace', last_name: 'Hopper' });
  const second = await register({ first_name: 'Grace', last_name: 'Hopper' });
  expect(first.body.user.username).toBe('grace_hopper');
  expect(second.body.user.username).toMatch(/^grace_hopper_\d{6}$/);
});

test('a taken e-mail address or username, in any case, is 409 and names the parameter', async () => {
  await register({ email: 'taken@example.org', username: 'taken_name' });
  const email = await register({ email: 'TAKEN@example.org' });
  const username = await register({ username: 'TAKEN_NAME' });
  const both = await register({ email: 'taken@EXAMPLE.org', username: 'Taken_Name' });
  expect([email.status, email.body.code]).toEqual([409, 'email-taken']);
  expect([username.status, username.body.code]).toEqual([409, 'username-taken']);
  expect(both.body.errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual(['email', 'username']);
});

test.each(
  [
    'admin',
    'Administrator',
    'LINNET',
    'support',
    'oauth',
    'login',
    'logout',
    'register',
    'account',
    'developer',
    'settings',
    'media',
    'health',
  ].filter((name) => name.length >= 5),
)('D40 the reserved name %s is taken', async (username) => {
  const { status, body } = await register({ username });
  const check = await api.call(`GET /account/check_username?username=${username}`);
  expect([status, body.code, check.body]).toEqual([409, 'username-taken', { response: { status: 1 } }]);
});

test('D42 AC1 the password is stored as Argon2id, complete and with any characters', async () => {
  await register({ email: 'hash@example.org', password: `${'💙'.repeat(255)}x` });
  const row = await api.db.prisma.account.findUniqueOrThrow({ where: { emailCi: 'hash@example.org' } });
  expect(row.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('AC4 of 50 parallel registrations of one username and address, one succeeds', async () => {
  const responses = await Promise.all(
    Array.from(
      { length: 50 },
      async (_, index) =>
        await register({ email: index % 2 === 0 ? 'race@example.org' : 'RACE@example.org', username: 'race_winner' }),
    ),
  );
  const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 409)]);
  expect(await api.db.prisma.account.count({ where: { usernameCi: 'race_winner' } })).toBe(1);
});

test('AC4 20 parallel registrations of people with the same names all succeed', async () => {
  const responses = await Promise.all(
    Array.from({ length: 20 }, async () => await register({ first_name: 'Alan', last_name: 'Turing' })),
  );
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  expect(new Set(responses.map(({ body }) => body.user.username)).size).toBe(20);
});

test('D43 GET and POST /auth/is_email: 0 free, 1 taken, in any case', async () => {
  await register({ email: 'known@example.org' });
  const ask = async (email: string) => (await api.call(`GET /auth/is_email?email=${email}`)).body;
  expect(await ask('known@example.org')).toEqual({ response: 1 });
  expect(await ask('KNOWN@EXAMPLE.ORG')).toEqual({ response: 1 });
  expect(await ask('unknown@example.org')).toEqual({ response: 0 });
  const posted = await api.call('POST /auth/is_email', {
    body: '{"email":"known@example.org"}',
    headers: { 'content-type': 'application/json' },
  });
  expect(posted.body).toEqual({ response: 1 });
});

test('GET /account/check_username: 1 taken, 0 free, in any case', async () => {
  await register({ username: 'present_name' });
  const ask = async (username: string) => (await api.call(`GET /account/check_username?username=${username}`)).body;
  expect(await ask('Present_Name')).toEqual({ response: { status: 1 } });
  expect(await ask('absent_name')).toEqual({ response: { status: 0 } });
});

test('LG1 neither password nor e-mail address reaches the log', async () => {
  await register({ email: 'canary@example.org', password: 'canary-password' });
  await api.call('GET /auth/is_email?email=canary@example.org');
  expect(api.log.length).toBeGreaterThan(0);
  expect(api.log.join('')).not.toMatch(/canary/);
});
