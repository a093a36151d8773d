import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';

import { insertAccount } from '@linnet/test/db/insert-account';
import { createApplications } from './applications.ts';
import { ApplicationRefused } from './application/application.ts';
import type { ApplicationRequest, Applications } from './applications.ts';
import { defaultSettings } from './settings/protocol-settings.ts';
import { hashClientSecret } from './secrets/client-secret.ts';

const request: ApplicationRequest = {
  owner: 'Alice',
  name: 'My application',
  type: 'confidential',
  redirectUris: ['https://b.example/cb', 'https://a.example/cb'],
  scopes: ['posts', 'users', 'openid'],
  actAsOwner: true,
};

let database: TestDatabase;
let applications: Applications;
let aliceId: number;
beforeEach(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  applications = createApplications(database.db);
  aliceId = await insertAccount(database.db, 'alice');
});
afterEach(() => database[Symbol.asyncDispose]());

test('a confidential application gets an id, a secret and its settings', async () => {
  const created = await applications.create(request);
  expect(created).toEqual({
    clientId: expect.stringMatching(/^[A-Za-z0-9_-]{16,64}$/),
    clientSecret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    name: request.name,
    redirectUris: request.redirectUris,
    scopes: request.scopes,
  });
  const shown = await applications.show(created.clientId);
  expect(shown).toEqual({
    clientId: created.clientId,
    optionalScopes: [],
    scopeReasons: {},
    owner: 'alice',
    name: request.name,
    type: 'confidential',
    redirectUris: request.redirectUris,
    scopes: request.scopes,
    implicit: false,
    protocol: defaultSettings('confidential'),
    actAsOwner: true,
    jwksUri: undefined,
    hasOwnKeys: false,
    createdAt: expect.any(Date),
    isSuspended: false,
    isVerified: false,
    isPaused: false,
    links: { website: undefined, terms: undefined, privacy: undefined },
    logo: undefined,
  });
});

test('CA3: only the SHA-256 of the secret is stored', async () => {
  const { clientId, clientSecret = '' } = await applications.create(request);
  const stored = await database.db.prisma.applicationSecret.findMany({ where: { clientId } });
  expect(stored.map(({ sha256 }) => Buffer.from(sha256).toString('hex'))).toEqual([hashClientSecret(clientSecret)]);
  const dump = await database.db.prisma.application.findMany({ include: { secrets: true, redirectUris: true } });
  expect(
    JSON.stringify(dump, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  ).not.toContain(clientSecret);
});

test('D45: acting as the owner is a grant of that account', async () => {
  const { clientId } = await applications.create(request);
  const grants = await database.db.prisma.grant.findMany({ where: { clientId } });
  expect(grants).toMatchObject([{ accountId: BigInt(aliceId), kind: 'act_as_owner', revokedAt: null }]);
});

test.each(['public', 'native'] as const)(
  'a %s application gets no secret and never acts as its owner',
  async (type) => {
    const created = await applications.create({ ...request, type });
    expect(created).not.toHaveProperty('clientSecret');
    expect(await applications.show(created.clientId)).toMatchObject({ type, actAsOwner: false });
    expect(await database.db.prisma.applicationSecret.count()).toBe(0);
    expect(await database.db.prisma.grant.count()).toBe(0);
  },
);

test('without act-as-owner there is no grant', async () => {
  const { clientId } = await applications.create({ ...request, actAsOwner: false });
  expect(await applications.show(clientId)).toMatchObject({ actAsOwner: false });
});

test.each([
  [{ owner: 'nobody' }, { field: 'owner', problem: 'unknown', value: 'nobody' }],
  [{ owner: 'a\0' }, { field: 'owner', problem: 'unknown', value: 'a\0' }],
  [{ name: ' ' }, { field: 'name', problem: 'blank' }],
  [{ scopes: ['users', 'admin'] }, { field: 'scope', problem: 'unknown', value: 'admin' }],
  [
    { redirectUris: ['http://a.example'] },
    { field: 'redirect_uris', problem: 'insecure-scheme', value: 'http://a.example' },
  ],
] as const)('rejects %j and stores nothing', async (change, problem) => {
  const refused = applications.create({ ...request, ...change });
  await expect(refused).rejects.toThrow(ApplicationRefused);
  await expect(refused).rejects.toMatchObject({ problem });
  expect(await database.db.prisma.application.count()).toBe(0);
});

test('D46: response_type=token is off by default, and rejected for native applications', async () => {
  const created = await applications.create({ ...request, implicit: true });
  expect(await applications.show(created.clientId)).toMatchObject({ implicit: true });
  await expect(
    applications.create({ ...request, type: 'native', redirectUris: ['com.example:/cb'], implicit: true }),
  ).rejects.toMatchObject({ problem: { field: 'implicit', problem: 'native' } });
});

test('a name of many code points is stored unchanged', async () => {
  const name = '👩‍👩‍👧‍👦'.repeat(8);
  const { clientId } = await applications.create({ ...request, name });
  expect((await applications.show(clientId))?.name).toBe(name);
});

test('lists the applications of one owner, or all, oldest first', async () => {
  await insertAccount(database.db, 'bobby');
  const names = async (owner?: string) => (await applications.list(owner)).map(({ name }) => name);
  expect(await names()).toEqual([]);
  for (const [name, owner] of [
    ['one', 'alice'],
    ['two', 'bobby'],
    ['three', 'ALICE'],
  ] as const) {
    await applications.create({ ...request, name, owner });
  }
  expect(await names()).toEqual(['one', 'two', 'three']);
  expect(await names('alice')).toEqual(['one', 'three']);
  expect(await names('Bobby')).toEqual(['two']);
  await expect(applications.list('nobody')).rejects.toMatchObject({ problem: { field: 'owner' } });
});

test('show returns nothing for an unknown id', async () => {
  expect(await applications.show('app_that_does_not_exist')).toBeUndefined();
  expect(await applications.show('a\0')).toBeUndefined();
});
