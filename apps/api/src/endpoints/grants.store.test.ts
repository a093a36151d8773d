import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

/** An application reads, narrows and revokes its own grants. The pages for people are in `apps/auth`. */
const own = 'client-0123456789';
const foreign = 'client-9876543210';

let database: TestDatabase;
let api: RunningApi;
let ada: number;
let grace: number;
beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  ada = (await api.register('grants_ada')).id;
  grace = (await api.register('grants_grace')).id;
  const application = { ownerId: grace, name: 'App', type: 'confidential' as const, scopes: ['users', 'posts'] };
  for (const clientId of [own, foreign]) await api.db.prisma.application.create({ data: { ...application, clientId } });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await api.db.prisma.grant.deleteMany({});
});

type Grant = NonNullable<Parameters<RunningApi['db']['prisma']['grant']['create']>[0]>['data'];

/** Creates a grant of Ada to the application of the token, with `changes`; returns its id in the API. */
async function grant(changes: Partial<Grant> = {}): Promise<number> {
  const data = {
    id: crypto.randomUUID(),
    accountId: ada,
    clientId: own,
    kind: 'consent',
    scopes: ['users', 'posts', 'email'],
    ...changes,
  } as Grant;
  return Number((await api.db.prisma.grant.create({ data })).number);
}

const list = async (claims = {}) => await api.call('GET /account/grants', { claims: { acct: ada, ...claims } });

async function send(path: string, body: object, claims = {}) {
  const headers = { 'content-type': 'application/json' };
  const sent = { claims: { acct: ada, ...claims }, headers, body: JSON.stringify(body) };
  return await api.call(`POST /account/grants/${path}`, sent);
}

const past = () => new Date(Date.now() - 1000);

describe('GET /account/grants', () => {
  test('lists the grants of the account to the application, newest first', async () => {
    const endsAt = new Date('2030-01-02T03:04:05.678Z');
    const first = await grant({ id: 'gid-1', endsAt });
    const second = await grant({ kind: 'act_as_owner', scopes: [] });
    await grant({ clientId: foreign });
    await grant({ accountId: grace });
    await grant({ revokedAt: past() });
    await grant({ endsAt: past() });
    const { status, body } = await list({ gid: 'gid-1' });
    expect([status, body.total, body.count]).toEqual([200, 2, 2]);
    const time = { created: expect.any(String), created_at: expect.any(String) };
    expect(body.items).toEqual([
      { id: second, kind: 'act_as_owner', client_id: own, scope: 'users posts', current: false, ...time },
      {
        ...{ id: first, kind: 'consent', client_id: own, scope: 'users posts email', current: true, ...time },
        ...{ ends: 'Wed, Jan 2, 2030 3:04 AM', ends_at: endsAt.toISOString() },
      },
    ]);
  });

  test('a token without an account: 403', async () => {
    const { status, body } = await api.call('GET /account/grants');
    expect([status, body.code]).toEqual([403, 'user-context-required']);
  });
});

describe('POST /account/grants/narrow', () => {
  test('keeps the named scopes in the order of the grant, and revokes earlier tokens', async () => {
    const id = await grant({ id: 'gid-2' });
    const claims = { gid: 'gid-2', ge: 0 };
    expect((await list(claims)).status).toBe(200);
    const { status, body } = await send('narrow', { id, scope: 'posts  users posts' }, claims);
    expect([status, body.id, body.scope, body.current]).toEqual([200, id, 'users posts', true]);
    const row = await api.db.prisma.grant.findUniqueOrThrow({ where: { id: 'gid-2' } });
    expect([row.scopes, row.epoch, row.revokedAt]).toEqual([['users', 'posts'], 1, null]);
    await expect.poll(async () => (await list(claims)).status).toBe(401);
    expect((await list({ ...claims, ge: 1 })).status).toBe(200);
  });

  test('never widens a grant, and changes nothing if no scope is removed', async () => {
    const id = await grant({ scopes: ['users'] });
    for (const scope of ['users posts', 'posts', 'users:read', 'openid']) {
      const { status, body } = await send('narrow', { id, scope });
      expect([status, body.errors?.[0]?.parameter]).toEqual([400, 'scope']);
    }
    expect((await send('narrow', { id, scope: 'users' })).body.scope).toBe('users');
    const [row] = await api.db.prisma.grant.findMany();
    expect([row?.scopes, row?.epoch]).toEqual([['users'], 0]);
  });

  test('an application that acts as its owner keeps its registered scopes', async () => {
    const id = await grant({ kind: 'act_as_owner', scopes: [] });
    expect((await send('narrow', { id, scope: 'users' })).status).toBe(400);
  });
});

describe('scopes of registered APIs', () => {
  const notes = 'https://notes.example.com/mcp';
  const host = `http://localhost/${'x'.repeat(480)}`;

  beforeEach(async () => {
    await api.db.prisma.resourceServer.deleteMany({});
    const described = { ownerId: grace, name: 'Notes', scopeDescriptions: {} };
    const names = ['notes:read', 'Notes.Write', 'posts'];
    await api.db.prisma.resourceServer.create({ data: { ...described, identifier: notes, scopes: names } });
    const many = Array.from({ length: 30 }, (_, index) => `${'s'.repeat(62)}${String(index + 10)}`);
    await api.db.prisma.resourceServer.create({ data: { ...described, identifier: host, scopes: many } });
  });

  const scopesOf = async () => (await api.db.prisma.grant.findMany()).map(({ scopes }) => scopes);

  test('are listed with the identifier of their API, and stay if they are named so', async () => {
    const scopes = ['users', 'openid', `${notes}#notes:read`, `${notes}#Notes.Write`];
    const id = await grant({ scopes });
    expect((await list()).body.items[0].scope).toBe(scopes.join(' '));
    expect((await send('narrow', { id, scope: scopes.join(' ') })).body.scope).toBe(scopes.join(' '));
    const kept = await send('narrow', { id, scope: `${notes}#Notes.Write users` });
    expect([kept.status, kept.body.scope]).toEqual([200, `users ${notes}#Notes.Write`]);
    expect((await send('narrow', { id, scope: `${notes}#Notes.Write` })).body.scope).toBe(`${notes}#Notes.Write`);
    expect(await scopesOf()).toEqual([[`${notes}#Notes.Write`]]);
  });

  test('are removed if they are not named', async () => {
    const id = await grant({ scopes: ['users', 'posts', `${notes}#notes:read`] });
    expect((await send('narrow', { id, scope: 'users posts' })).body.scope).toBe('users posts');
    expect(await scopesOf()).toEqual([['users', 'posts']]);
  });

  test.each([
    'notes:read',
    `${notes}#posts`,
    `${notes}#`,
    '#notes:read',
    `${notes}/#notes:read`,
    'https://other.example.com/#notes:read',
    `users ${notes}#notes:read#`,
  ])('%s is not taken for one, nor for a scope of our own API, and changes nothing', async (scope) => {
    const id = await grant({ scopes: ['users', 'posts', `${notes}#notes:read`] });
    const { status, body } = await send('narrow', { id, scope });
    expect([status, body.errors?.[0]?.parameter]).toEqual([400, 'scope']);
    expect(await scopesOf()).toEqual([['users', 'posts', `${notes}#notes:read`]]);
  });

  test('a scope of our own API does not keep one of the same name', async () => {
    const id = await grant({ scopes: ['posts', `${notes}#posts`] });
    expect((await send('narrow', { id, scope: 'posts' })).body.scope).toBe('posts');
  });

  test('many long ones can be kept', async () => {
    const [hosted] = await api.db.prisma.resourceServer.findMany({ where: { identifier: host } });
    const scopes = ['users', ...(hosted?.scopes ?? []).map((name) => `${host}#${name}`)];
    const id = await grant({ scopes });
    const kept = scopes.slice(1).join(' ');
    expect((await send('narrow', { id, scope: kept })).body.scope).toBe(kept);
  });

  test.each([
    ['a control character', 'users\u0000'],
    ['a quotation mark', 'users "'],
    ['a backslash', 'users\\'],
    ['a letter outside ASCII', 'usersé'],
    ['too many characters', 'x'.repeat(60_001)],
    ['too many scopes', Array.from({ length: 1001 }, (_, index) => `https://a/#${String(index)}`).join(' ')],
  ])('%s is 400', async (_, scope) => {
    const { status, body } = await send('narrow', { id: await grant(), scope });
    expect([status, body.errors?.[0]?.parameter]).toEqual([400, 'scope']);
  });
});

test('POST /account/grants/revoke revokes the grant, once', async () => {
  const id = await grant({ id: 'gid-3' });
  const other = await grant({ id: 'gid-4' });
  expect((await send('revoke', { id }, { gid: 'gid-4' })).status).toBe(200);
  expect((await send('revoke', { id }, { gid: 'gid-4' })).status).toBe(404);
  await expect.poll(async () => (await list({ gid: 'gid-3' })).status).toBe(401);
  expect((await list({ gid: 'gid-4' })).body.items.map((item: { id: number }) => item.id)).toEqual([other]);
});

test.each(['narrow', 'revoke'])('DV2: %s of a grant of another caller is 404, and nothing changes', async (path) => {
  const strangers = [
    await grant({ clientId: foreign }),
    await grant({ accountId: grace }),
    await grant({ revokedAt: past() }),
    await grant({ endsAt: past() }),
  ];
  const before = await api.db.prisma.grant.findMany({ orderBy: { number: 'asc' } });
  for (const id of [...strangers, 1]) expect((await send(path, { id, scope: 'users' })).status).toBe(404);
  expect(await api.db.prisma.grant.findMany({ orderBy: { number: 'asc' } })).toEqual(before);
});

describe('insufficient_scope', () => {
  test('names the authorization request for the missing scope together with the current ones', async () => {
    const { status, headers, body } = await list({
      sub: String(ada),
      gid: 'gid',
      scope: 'posts users:read openid email',
    });
    expect(status).toBe(200);
    expect([headers['www-authenticate'], body.ask_again]).toEqual([undefined, undefined]);
    const refused = await send('revoke', { id: 1 }, { sub: String(ada), gid: 'gid', scope: 'posts users:read email' });
    expect(refused.body).toMatchObject({ status: 403, code: 'insufficient_scope', scope: 'users' });
    expect(refused.headers['www-authenticate']).toMatch(
      /^Bearer error="insufficient_scope", scope="users", resource_metadata="/,
    );
    expect(refused.body.ask_again).toEqual({
      authorization_endpoint: 'https://linnet.example/oauth/authorize',
      parameters: { client_id: own, scope: 'posts email users', prompt: 'consent' },
    });
  });

  test('does not suggest asking for consent when the token has no person', async () => {
    const { body } = await send('revoke', { id: 1 }, { scope: 'posts' });
    expect([body.code, body.scope, body.ask_again]).toEqual(['insufficient_scope', 'users', undefined]);
    expect(body.detail).toContain('Register the scope');
  });
});
