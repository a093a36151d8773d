import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { download } from '@linnet/test/api/media-requests';
import { registerPerson, setProtected } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;
let alice: number;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  alice = (await api.register('Alice_A')).id;
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

test('returns the fields that only this endpoint has, and no post if there is none', async () => {
  const { status, body } = await api.call(`GET /users/show?id=${String(alice)}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ objectType: 'account', id: alice, username: 'Alice_A', language: 'en', email: '' });
  expect(body.created).toMatch(/^[A-Z][a-z]{2}, [A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d{2} [AP]M$/);
  expect(Math.abs(Date.parse(body.created_at) - Date.now())).toBeLessThan(60_000);
  expect(body).not.toHaveProperty('post');
});

test('returns the latest post', async () => {
  const bob = (await api.register('bob_b')).id;
  await api.call('GET /post/create?message=first', { claims: { acct: bob } });
  await api.call('GET /post/create?message=second+@alice_a', { claims: { acct: bob } });
  const { body } = await api.call(`GET /users/show?id=${String(bob)}`);
  expect(body.post).toMatchObject({ text: 'second @alice_a', user: { id: bob }, user_definition: [{ id: alice }] });
  expect(body.action.posts).toBe(2);
});

test('AC7 returns the e-mail address only to the account itself with the scope email', async () => {
  const show = async (claims: Record<string, unknown>) =>
    (await api.call(`GET /users/show?id=${String(alice)}`, { claims })).body.email;
  expect(await show({ acct: alice, scope: 'users email' })).toBe('Alice_A@example.org');
  expect(await show({ acct: alice, scope: 'users' })).toBe('');
  expect(await show({ acct: alice + 1, scope: 'users email' })).toBe('');
  expect(await show({ scope: 'users email' })).toBe('');
});

test('D36 finds a username in any case; id and username together must agree', async () => {
  const show = async (query: string) => await api.call(`GET /users/show?${query}`);
  expect((await show('username=aLiCe_a')).body.id).toBe(alice);
  expect((await show(`id=${String(alice)}&username=alice_a`)).body.id).toBe(alice);
  expect((await show(`id=${String(alice)}&username=other_name`)).status).toBe(404);
  expect((await show('username=nobody_here')).status).toBe(404);
  expect((await show('id=9007199254740991')).body.code).toBe('not-found');
});

test('D36 without id it returns the acting account, or 400 that names id if there is none', async () => {
  const own = await api.call('GET /users/show', { claims: { acct: alice } });
  const none = await api.call('GET /users/show');
  expect(own.body.id).toBe(alice);
  expect([none.status, none.body.errors]).toEqual([
    400,
    [expect.objectContaining({ parameter: 'id', code: 'missing' })],
  ]);
});

test.each(['/users/show?user_id=1', '/users/show?user_id=1&Id=2', '/media?id=1', '/media?id=1&count=3'])(
  '%s names the unknown parameters instead of returning what belongs to the acting account',
  async (path) => {
    const unknown = [...new URL(path, 'http://localhost').searchParams.keys()].filter((name) => name !== 'count');
    const { status, body } = await api.call(`GET ${path}`, { claims: { acct: alice } });
    expect([status, body.errors]).toEqual([
      400,
      unknown.map((parameter) => expect.objectContaining({ parameter, code: 'not-allowed' })),
    ]);
  },
);

test.each([
  '/users/show?id=',
  '/users/show?username=',
  '/users/show?id=&username=',
  '/media?user_id=',
  '/media?other=1',
])(
  '%s is about the acting account: an empty parameter counts as absent, and an unknown one is ignored',
  async (path) => {
    const claims = { acct: alice };
    const own = await api.call(`GET ${path.split('?')[0]}`, { claims });
    expect(await api.call(`GET ${path}`, { claims })).toMatchObject({ status: 200, body: own.body });
  },
);

test('an empty id beside a username counts as absent', async () => {
  const { username } = (await api.call('GET /users/show', { claims: { acct: alice } })).body;
  const { status, body } = await api.call(`GET /users/show?id=&username=${String(username)}`);
  expect([status, body.id]).toEqual([200, alice]);
});

test.each(['email', 'openid', 'profile', 'openid profile email'])(
  'a token with only %s reads its own account, with what its scopes allow',
  async (scope) => {
    await api.call('GET /post/create?message=latest', { claims: { acct: alice } });
    const show = async (query: string) => await api.call(`GET /users/show${query}`, { claims: { acct: alice, scope } });
    const bob = (await api.register(`bob_${scope.replaceAll(' ', '_')}`)).id;
    for (const query of ['', `?id=${String(alice)}`]) {
      const { status, body } = await show(query);
      expect([status, body.id, body.post, body.protected]).toEqual([200, alice, undefined, undefined]);
      expect(body.email !== '').toBe(scope.includes('email'));
    }
    for (const query of [`?id=${String(bob)}`, `?username=bob_${scope}`, `?id=${String(alice)}&id=${String(bob)}`]) {
      const { status, body } = await show(query);
      expect([status, body.code, body.scope]).toEqual([403, 'insufficient_scope', 'users:read']);
    }
    const alone = await api.call('GET /users/show', { claims: { scope } });
    expect(alone.status).toBe(403);
  },
);

test('D37 /users/is: 0 exists, 1 does not exist', async () => {
  expect((await api.call(`GET /users/is?id=${String(alice)}`)).body).toEqual({ response: { user: 0 }, exists: true });
  expect((await api.call('GET /users/is?id=1')).body).toEqual({ response: { user: 1 }, exists: false });
});

test('the avatar is an image', async () => {
  const { body } = await api.call(`GET /users/show?id=${String(alice)}`);
  const path = new URL(body.avatar).pathname;
  const drawn: Buffer[] = [];
  for (const [type, address] of [
    ['image/png', path],
    ['image/svg+xml', path.replace('.png', '.svg')],
  ] as const) {
    const { status, headers, bytes } = await download(api, address);
    expect([status, headers['content-type']]).toEqual([200, type]);
    expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    drawn.push(await sharp(bytes).resize(252, 252).flatten().removeAlpha().toColourspace('srgb').raw().toBuffer());
  }
  expect(drawn[0]?.equals(drawn[1] ?? Buffer.alloc(0))).toBe(true);
  expect((await api.get('/media/avatars/0123.svg')).status).toBe(404);
});

describe('GET /users/suggested', () => {
  let ownDatabase: TestDatabase;
  let ownApi: RunningApi;
  let ada: Person;
  let people: Readonly<Record<string, Person>>;

  const names = ['one', 'two', 'both', 'single', 'popular', 'author', 'silent', 'followed', 'asked', 'muted'];
  const hidden = ['blocked', 'blocking', 'deleted', 'suspended'];

  beforeAll(async () => {
    ownDatabase = await createTestDatabase(inject('databaseServer'));
    ownApi = await startApi(ownDatabase.url);
    ada = await registerPerson(ownApi, 'suggest_ada');
    const created = [...names, ...hidden].map(
      async (name) => [name, await registerPerson(ownApi, `suggest_${name}`)] as const,
    );
    people = Object.fromEntries(await Promise.all(created));
    for (const name of ['one', 'two', 'followed']) await ada.follows(person(name));
    const candidates = [...names, ...hidden].filter(
      (name) => !['one', 'two', 'popular', 'author', 'silent'].includes(name),
    );
    for (const name of candidates) await person('one').follows(person(name));
    for (const name of ['both', 'followed']) await person('two').follows(person(name));
    for (const name of ['one', 'popular', 'author', ...hidden]) await person(name).writes('hello');
    for (const name of ['silent', 'asked', 'muted']) await person(name).follows(person('popular'));
    await setProtected(ownApi, person('asked'), true);
    await ada.follows(person('asked'));
    await ada.post('/mutes/add', { id: person('muted').id });
    await ada.post('/blocks/add', { id: person('blocking').id });
    await person('blocked').post('/blocks/add', { id: ada.id });
    const { account } = ownApi.db.prisma;
    await account.update({ where: { id: person('deleted').id }, data: { deletedAt: new Date() } });
    await account.update({ where: { id: person('suspended').id }, data: { suspendedAt: new Date() } });
  });
  afterAll(async () => {
    await ownApi[Symbol.asyncDispose]();
    await ownDatabase[Symbol.asyncDispose]();
  });

  function person(name: string): Person {
    const found = people[name];
    if (found === undefined) throw new RangeError(`nobody is called ${name}`);
    return found;
  }

  async function suggested(reader: Person, count = 100): Promise<readonly unknown[]> {
    const { status, body } = await reader.get(`/users/suggested?count=${String(count)}`);
    expect([status, body.total, body.count]).toEqual([200, body.items.length, body.items.length]);
    return body.items.map(({ username, suggestion }: { username: string; suggestion: object }) => [
      username.replace('suggest_', ''),
      ...Object.values(suggestion),
    ]);
  }

  test('D137 accounts that several followed accounts follow come first, then popular authors; nobody whom the reader has dealt with', async () => {
    const all = [
      ['both', 'followed', 2],
      ['single', 'followed', 1],
      ['popular', 'popular', 0],
      ['author', 'popular', 0],
    ];
    expect(await suggested(ada)).toEqual(all);
    expect(await suggested(ada, 3)).toEqual(all.slice(0, 3));
  });

  test('an account is gone from the suggestions once it is followed, and somebody who follows nobody gets popular authors', async () => {
    const tom = await registerPerson(ownApi, 'suggest_tom');
    const before = await suggested(tom);
    expect(before[0]).toEqual(['popular', 'popular', 0]);
    expect(before).not.toContainEqual(['silent', 'popular', 0]);
    await tom.follows(person('popular'));
    expect(await suggested(tom)).toEqual(before.slice(1));
  });

  test('among many followed accounts, those followed last count, whatever their ids are', async () => {
    const eve = await registerPerson(ownApi, 'suggest_eve');
    await ownApi.db.prisma.$executeRaw`
      WITH crowd AS (
        INSERT INTO account (username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name)
        SELECT 'crowd_' || n, 'crowd_' || n, n || '@crowd.example', n || '@crowd.example', '-', 'A', 'B', 'A B'
        FROM generate_series(1, 100) n RETURNING id
      ) INSERT INTO follow (follower_id, followed_id) SELECT ${eve.id}, id FROM crowd`;
    await eve.follows(person('two'));
    expect(await suggested(eve)).toContainEqual(['both', 'followed', 1]);
  });
});
