import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import { findElements } from '@linnet/test/auth/html';
import type { FormValues } from '@linnet/test/auth/page-forms';
import { signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let auth: RunningAuth;
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
});
afterAll(() => cleanup.disposeAsync());

let people = 0;
/** A person without an account. */
function newcomer() {
  people += 1;
  const username = `newcomer_${String(people)}`;
  return { first_name: 'Ada', last_name: 'Byron', username, email: `${username}@example.org`, password: 'nanosecond' };
}

async function register(values: FormValues, browser = createBrowser(auth)) {
  const page = await browser.open('/register');
  return await browser.submit(page, page.formWith('first_name'), values);
}

/** The errors by field. */
function errorsOf(html: string): Record<string, string> {
  const wrong = findElements(html, 'input').filter(({ attributes }) => attributes['aria-invalid'] === 'true');
  return Object.fromEntries(
    wrong.map(({ attributes: { name = '' } }) => [
      name,
      new RegExp(`<p class="error" id="field-${name}-error">(.*?)</p>`).exec(html)?.[1] ?? '',
    ]),
  );
}

describe('registering', () => {
  test('creates the account and signs in', async () => {
    const person = newcomer();
    const browser = createBrowser(auth);
    const page = await register(person, browser);
    expect(page.hops[0]).toMatchObject({ status: 303, to: new URL('/', auth.baseUrl) });
    expect((await browser.open('/logout')).text).toContain(`as ${person.username}`);
    expect(await auth.db.prisma.account.findUnique({ where: { emailCi: person.email } })).toMatchObject({
      username: person.username,
      firstName: 'Ada',
      lastName: 'Byron',
      displayName: 'Ada Byron',
      passwordHash: expect.stringMatching(/^\$argon2id\$/),
    });
    expect((await signIn(createBrowser(auth), person)).url.pathname).toBe('/');
  });

  test('derives a username from the names if it is left empty', async () => {
    const browser = createBrowser(auth);
    await register({ ...newcomer(), first_name: ' Mary ', last_name: 'Somerville', username: ' ' }, browser);
    expect((await browser.open('/logout')).text).toContain('as mary_somerville');
  });

  test('redirects to where the person came from', async () => {
    const browser = createBrowser(auth);
    const login = await browser.open('/login?return_to=%2Faccount%2Fsessions');
    const page = await browser.open(login.link('Create an account'), login);
    expect(page.link('Sign in')).toBe('/login?return_to=%2Faccount%2Fsessions');
    const { hops } = await browser.submit(page, page.formWith('first_name'), newcomer());
    expect(hops[0]?.to.pathname).toBe('/account/sessions');
  });

  test('signs out the previous account', async () => {
    const browser = createBrowser(auth);
    const page = await browser.open('/register');
    await register(newcomer(), browser);
    const before = browser.cookies.copy();
    await browser.submit(page, page.formWith('first_name'), newcomer());
    expect((await createBrowser(auth, { cookies: before }).open('/logout')).text).toContain('You’re signed out');
  });

  test('the log has no names', async () => {
    const person = newcomer();
    auth.log.length = 0;
    await register(person);
    const lines = auth.log.map((line): Record<string, unknown> => JSON.parse(line));
    const told = { requestId: expect.any(String), accountId: expect.any(Number) };
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'registered', ...told }));
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'signed in', ...told }));
    for (const text of [person.email, person.username, person.password]) expect(auth.log.join('')).not.toContain(text);
  });
});

describe('a rejected registration', () => {
  test.each([
    ['first_name', '', 'Enter your first name.'],
    ['first_name', 'x'.repeat(26), 'First name must be 25 characters or fewer.'],
    ['first_name', 'Ada\u202eevil', 'The name contains a character that cannot be displayed. Remove it.'],
    ['last_name', '  ', 'Enter your last name.'],
    ['last_name', 'x'.repeat(31), 'Last name must be 30 characters or fewer.'],
    ['last_name', 'By\u0007ron', 'The name contains a character that cannot be displayed. Remove it.'],
    ['username', 'ada', 'Username must be 5 to 32 letters, digits or underscores.'],
    ['username', 'ada lovelace', 'Username must be 5 to 32 letters, digits or underscores.'],
    ['username', 'admin', 'This username is taken. Try another.'],
    ['email', '', 'Enter a valid e-mail address, such as ada@example.com.'],
    ['email', 'ada@', 'Enter a valid e-mail address, such as ada@example.com.'],
    ['password', '', 'Password must be at least 6 characters long.'],
    ['password', 'xyzzy', 'Password must be at least 6 characters long.'],
    ['password', 'x'.repeat(257), 'Password must be 256 characters or fewer.'],
  ])('%s %j: 4xx, beside the field: %s', async (field, value, message) => {
    const person = { ...newcomer(), [field]: value };
    const page = await register(person);
    expect(page.status).toBe(422);
    expect(errorsOf(page.html)).toEqual({ [field]: message });
    expect(page.html).toContain('role="alert"');
    expect(await auth.db.prisma.account.count({ where: { emailCi: person.email } })).toBe(0);
  });

  test('reports every error, and keeps what was typed except the password', async () => {
    const typed = { first_name: '', last_name: ' "Byron" ', username: 'a b', email: 'x@', password: 'short' };
    const page = await register(typed);
    expect(Object.keys(errorsOf(page.html))).toEqual(['first_name', 'username', 'email', 'password']);
    const fields = Object.fromEntries(page.formWith('first_name').fields);
    expect(fields).toMatchObject({ ...typed, password: '' });
    expect(page.html).not.toContain('short');
  });

  test('rejects names that are taken, in any case', async () => {
    const person = newcomer();
    await register(person);
    const page = await register({
      ...newcomer(),
      username: person.username.toUpperCase(),
      email: person.email.toUpperCase(),
      password: 'another one',
    });
    expect(page.status).toBe(422);
    expect(errorsOf(page.html)).toEqual({
      username: 'This username is taken. Try another.',
      email: 'An account with this e-mail address already exists.',
    });
  });

  test('the password of another account does not sign in', async () => {
    const person = newcomer();
    await register(person);
    for (const other of [{ first_name: 'Eve' }, { password: 'wrong one' }, { username: 'another_name' }]) {
      const browser = createBrowser(auth);
      const page = await register({ ...person, ...other }, browser);
      expect(page.status).toBe(422);
      expect(browser.cookies.names).not.toContain('__Host-linnet_session');
    }
  });

  test('nor does the same form later', async () => {
    const person = newcomer();
    await register(person);
    const createdAt = new Date(Date.now() - 61_000);
    await auth.db.prisma.account.update({ where: { emailCi: person.email }, data: { createdAt } });
    expect((await register(person)).status).toBe(422);
  });
});

describe('AC1: the password of a form', () => {
  test.each(['123456', 'Password', 'qwertz123', 'hunter22', 'dragonfly1'])(
    'rejects %j, one of the most common passwords',
    async (password) => {
      expect(errorsOf((await register({ ...newcomer(), password })).html)).toEqual({
        password: 'This password is too common and easy to guess. Choose another.',
      });
    },
  );

  test.each(['ada byron', 'AdaByron'])('rejects %j, the name of the person', async (password) => {
    expect(errorsOf((await register({ ...newcomer(), password })).html)).toEqual({
      password: 'Password must not be your name, username or e-mail address.',
    });
  });

  test('rejects a password that equals username or e-mail address', async () => {
    const person = newcomer();
    for (const password of [person.username, person.email.toUpperCase()]) {
      expect(Object.keys(errorsOf((await register({ ...person, password })).html))).toEqual(['password']);
    }
  });

  test('accepts any 256 characters, and all of them count', async () => {
    const person = { ...newcomer(), password: ` <&"'>%+ \t🐦ß${'x'.repeat(244)}` };
    expect([...person.password]).toHaveLength(256);
    expect((await register(person)).hops).not.toEqual([]);
    const browser = createBrowser(auth);
    expect((await signIn(browser, { ...person, password: `${person.password.slice(0, -1)}y` })).status).toBe(422);
    expect((await signIn(browser, person)).hops).not.toEqual([]);
  });
});

describe('submitted twice', () => {
  test('at once: one account, and both responses redirect', async () => {
    const person = newcomer();
    const browser = createBrowser(auth);
    const page = await browser.open('/register');
    const form = page.formWith('first_name');
    const answers = await Promise.all([1, 2, 3].map(() => browser.submitOnly(page, form, person)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await auth.db.prisma.account.count({ where: { emailCi: person.email } })).toBe(1);
    expect((await browser.open('/logout')).text).toContain(`as ${person.username}`);
  });

  test('with a derived username: one account too', async () => {
    const person = { ...newcomer(), first_name: 'Emmy', last_name: 'Noether', username: '' };
    const browser = createBrowser(auth);
    const page = await browser.open('/register');
    const form = page.formWith('first_name');
    const answers = await Promise.all([1, 2, 3].map(() => browser.submitOnly(page, form, person)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await auth.db.prisma.account.count({ where: { firstName: 'Emmy' } })).toBe(1);
  });
});

test('the browser sends the form only to its own address', async () => {
  const page = await createBrowser(auth).open('/register');
  expect(page.headers['content-security-policy']).toContain("form-action 'self';");
  expect(page.formWith('first_name')).toMatchObject({ action: '', method: 'POST' });
});

test.each([
  ['a JSON body', { 'content-type': 'application/json', accept: '*/*' }],
  ['Accept: application/json', { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }],
])('POST /register with %s gets a JSON answer that says where clients register', async (_, headers) => {
  const answer = await auth.send({
    method: 'POST',
    path: '/register',
    headers,
    body: '{"redirect_uris":["https://a.example/"]}',
  });
  expect([answer.status, answer.json['error']]).toEqual([404, 'invalid_request']);
  expect(answer.json['error_description']).toContain(`${auth.baseUrl}/oauth/register`);
});
