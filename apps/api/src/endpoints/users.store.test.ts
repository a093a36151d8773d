import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { download } from '@linnet/test/api/media-requests';
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

test('D74 finds a username in any case; id and username together must agree', async () => {
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
