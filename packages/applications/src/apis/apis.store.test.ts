import { defaultNameRules } from '@linnet/accounts/names/name-rules';
import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { insertAccount } from '@linnet/test/db/insert-account';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createApplications } from '../applications.ts';
import { ApiRefused } from './api-settings.ts';
import type { SubmittedApi } from './api-settings.ts';
import { createApis } from './apis.ts';
import type { Apis } from './apis.ts';

/** What developers and operators can do with registered APIs. */
const cleanup = new AsyncDisposableStack();
const baseUrl = 'https://linnet.example';
const scopes = [{ scope: 'notes:read', description: 'Read your notes.' }];
let db: Db;
let apis: Apis;
let people = 0;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  db = cleanup.use(openDatabase({ url: database.url, poolSize: 6, prepare: true }));
  apis = createApis(db, { baseUrl, names: defaultNameRules });
});
afterAll(() => cleanup.disposeAsync());

async function person(): Promise<{ readonly ownerId: number; readonly owner: string }> {
  people += 1;
  const owner = `dev_${String(people)}`;
  return { owner, ownerId: await insertAccount(db, owner) };
}

interface New extends Partial<SubmittedApi> {
  readonly ownerId: number;
  readonly identifier?: string;
}

const create = async ({ ownerId, identifier = `https://${String(ownerId)}.example.com/`, ...settings }: New) =>
  await apis.create({ name: 'Notes', scopes, clientId: undefined, ...settings, ownerId, identifier });

/** `field problem` of the refusal, or what was done. */
async function outcome(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ApiRefused)) throw error;
    return `${error.problem.field} ${error.problem.problem}`;
  }
}

describe('an identifier', () => {
  test.each([
    ['https://api.example.com', 'https://api.example.com/'],
    ['https://api.example.com/', 'https://api.example.com/'],
    ['https://api.example.com:8443/v1/notes', 'https://api.example.com:8443/v1/notes'],
    ['http://localhost:3300/mcp', 'http://localhost:3300/mcp'],
    ['http://127.0.0.1:3300', 'http://127.0.0.1:3300/'],
    ['https://api.example.com//', 'https://api.example.com/'],
    ['https://api.example.com/notes/', 'https://api.example.com/notes'],
    ['https://api.example.com/notes//', 'https://api.example.com/notes'],
    ['https://API.example.com/Notes', 'https://api.example.com/Notes'],
    ['HTTPS://api.example.com:443/notes', 'https://api.example.com/notes'],
    ['https://api.example.com/a/../notes', 'https://api.example.com/notes'],
    ['https://api.example.com/ü', 'https://api.example.com/%C3%BC'],
    ['https://api.example.com/%6eo%74es%7e', 'https://api.example.com/notes~'],
    ['https://api.example.com/a%2fb%252e/%2E%2e/notes', 'https://api.example.com/notes'],
    ['https://api.example.com/a%2fb%252e', 'https://api.example.com/a%2Fb%252e'],
    [' https://api.example.com/notes ', 'https://api.example.com/notes'],
  ])('%s is stored as %s', async (identifier, stored) => {
    const { ownerId } = await person();
    const { id } = await create({ ownerId, identifier });
    expect(await apis.find({ ownerId, id })).toMatchObject({ identifier: stored, scopes, isActive: true });
    expect((await apis.findByIdentifier(identifier))?.id).toBe(id);
    await apis.delete({ ownerId, id });
  });

  test.each([
    ['http://api.example.com/', 'insecure-scheme'],
    ['ftp://api.example.com/', 'malformed'],
    ['urn:example:api', 'malformed'],
    ['/notes', 'malformed'],
    ['', 'malformed'],
    ['https://', 'malformed'],
    ['https://api.example.com/#notes', 'fragment'],
    ['https://api.example.com/?a=b', 'query'],
    ['https://user:password@api.example.com/', 'malformed'],
    ['https://*.example.com/', 'malformed'],
    ['https://linnet.example', 'own-service'],
    ['https://linnet.example/api/v2.0', 'own-service'],
    ['https://linnet.example/mcp', 'own-service'],
    ['https://LINNET.example:443/mcp/', 'own-service'],
    [`https://api.example.com/${'a'.repeat(489)}`, 'too-long'],
  ])('%s is refused: %s', async (identifier, problem) => {
    const { ownerId } = await person();
    expect(await outcome(create({ ownerId, identifier }))).toBe(`identifier ${problem}`);
    expect(await apis.list(ownerId)).toEqual([]);
  });

  test('belongs to one account; its owner gets the same API again', async () => {
    const [one, other] = [await person(), await person()];
    const identifier = 'https://taken.example.com/';
    const created = await create({ ...one, identifier });
    expect(await create({ ...one, identifier, name: 'Other' })).toEqual({ kind: 'repeated', id: created.id });
    expect(await outcome(create({ ...other, identifier }))).toBe('identifier taken');
    const racing = 'https://raced.example.com/';
    const outcomes = await Promise.all(
      [one, other, one, other].map((who) => outcome(create({ ...who, identifier: racing }))),
    );
    expect(outcomes.filter((done) => JSON.stringify(done).includes('created'))).toHaveLength(1);
  });
});

describe('scopes', () => {
  const described = (scope: string, description = 'Read.') => [{ scope, description }];

  test.each([
    ['no scope', [], 'none'],
    [
      'too many',
      Array.from({ length: 31 }, (_, index) => ({ scope: `s${String(index)}`, description: 'x' })),
      'too-many',
    ],
    ['a quotation mark', described('a"b'), 'malformed'],
    ['the separator of grants', described('a#b'), 'malformed'],
    ['a tab', described('a\tb'), 'malformed'],
    ['a blank', described('a b'), 'malformed'],
    ['a backslash', described('a\\b'), 'malformed'],
    ['a letter outside ASCII', described('é'), 'malformed'],
    ['65 characters', described('a'.repeat(65)), 'malformed'],
    ['one of our scopes', described('posts'), 'reserved'],
    ['openid', described('openid'), 'reserved'],
    ['offline_access', described('offline_access'), 'reserved'],
    ['a scope that is listed twice', [...described('a'), ...described('a')], 'repeated'],
    ['no description', described('a', ''), 'undescribed'],
    ['201 characters of description', described('a', 'x'.repeat(201)), 'undescribed'],
    ['a bidirectional control character', described('a', 'x\u202Ey'), 'unprintable'],
  ])('%s is refused', async (_, invalid, problem) => {
    const { ownerId } = await person();
    expect(await outcome(create({ ownerId, scopes: invalid }))).toBe(`scopes ${problem}`);
  });

  test('may be any scope-token of RFC 6749', async () => {
    const { ownerId } = await person();
    const names = ['constructor', '__proto__', '!$%&()*+,-./:;<=>?@[]^_`{|}~', '0'];
    const { id } = await create({ ownerId, scopes: names.map((scope) => ({ scope, description: `about ${scope}` })) });
    const found = await apis.find({ ownerId, id });
    expect(found?.scopes).toEqual(names.map((scope) => ({ scope, description: `about ${scope}` })));
  });
});

describe('an API', () => {
  test('has a name under the rules for applications', async () => {
    const { ownerId } = await person();
    expect(await outcome(create({ ownerId, name: ' ' }))).toBe('name blank');
    for (const isOperator of [false, true]) {
      const each = createApis(db, { baseUrl, names: defaultNameRules, isOperator });
      const identifier = 'https://named.example.com/';
      for (const name of ['Linnet Support', 'Notes of Linnet', 'Notes ✔']) {
        const created = each.create({ ownerId, identifier, name, scopes, clientId: undefined });
        expect(await outcome(created)).toMatch(/^name (?:reserved|badge)$/);
      }
    }
  });

  test('names only a confidential application of its owner for introspection', async () => {
    const [one, other] = [await person(), await person()];
    const applications = createApplications(db);
    const settings = { name: 'Server', redirectUris: [], scopes: [], actAsOwner: false } as const;
    const own = await applications.create({ ...settings, owner: one.owner, type: 'confidential' });
    const publicOne = await applications.create({ ...settings, owner: one.owner, type: 'public' });
    const foreign = await applications.create({ ...settings, owner: other.owner, type: 'confidential' });
    const refusals = [foreign, publicOne, { clientId: 'app_0123456789abcdef' }];
    const outcomes = await Promise.all(refusals.map(({ clientId }) => outcome(create({ ...one, clientId }))));
    expect(outcomes).toEqual(['client_id unknown', 'client_id not-confidential', 'client_id unknown']);
    const { id } = await create({ ...one, clientId: own.clientId });
    expect((await apis.find({ ...one, id }))?.clientId).toBe(own.clientId);
    await applications.delete(own.clientId);
    expect((await apis.find({ ...one, id }))?.clientId).toBeUndefined();
  });

  test('is found, changed and deleted by its owner only', async () => {
    const [one, other] = [await person(), await person()];
    const { id } = await create(one);
    const change = { name: 'Renamed', scopes, clientId: undefined };
    expect(await apis.find({ ...other, id })).toBeUndefined();
    expect(await apis.update({ ...other, id }, change)).toBe(false);
    expect(await apis.delete({ ...other, id })).toBe(false);
    expect(await apis.update({ ...one, id }, change)).toBe(true);
    expect(await apis.delete({ ...one, id })).toBe(true);
    expect(await apis.delete({ ...one, id })).toBe(false);
    const events = await db.prisma.auditEvent.findMany({
      where: { accountId: BigInt(one.ownerId), event: { startsWith: 'api.' } },
      orderBy: { id: 'asc' },
    });
    expect(events.map(({ event }) => event)).toEqual(['api.created', 'api.changed', 'api.deleted']);
  });

  test('an account has up to 10, also when it registers them at once', async () => {
    const { ownerId } = await person();
    const many = Array.from({ length: 12 }, (_, index) => `https://many.example.com/${String(index)}`);
    const outcomes = await Promise.all(many.map((identifier) => outcome(create({ ownerId, identifier }))));
    expect(outcomes.filter((done) => done === 'owner too-many')).toHaveLength(2);
    expect(await apis.list(ownerId)).toHaveLength(10);
  });

  test('goes with its owner when the account is erased', async () => {
    const { ownerId } = await person();
    await create({ ownerId });
    const data = { deletedAt: new Date(), erasedAt: new Date() };
    await db.prisma.account.update({ where: { id: BigInt(ownerId) }, data });
    expect(await apis.list(ownerId)).toEqual([]);
  });
});

describe('control of the address', () => {
  const issuer = baseUrl;
  const resource = 'https://proven.example.com/mcp';
  test.each<[string, unknown, boolean]>([
    ['names this service', { resource, authorization_servers: [issuer] }, true],
    ['names it among others', { resource, authorization_servers: ['https://other.example', issuer], x: 1 }, true],
    ['has a slash at both ends', { resource: `${resource}/`, authorization_servers: [`${issuer}/`] }, true],
    ['names another service', { resource, authorization_servers: ['https://other.example'] }, false],
    [
      'names a part of this one',
      { resource, authorization_servers: [`${issuer}/mcp`, `${issuer}.evil.example`] },
      false,
    ],
    ['names none', { resource, authorization_servers: [] }, false],
    ['is about another resource', { resource: `${resource}/x`, authorization_servers: [issuer] }, false],
    ['has no resource', { authorization_servers: [issuer] }, false],
    ['has a text instead of a list', { resource, authorization_servers: issuer }, false],
    ['is a list', [issuer], false],
    ['does not exist', undefined, false],
  ])('metadata that %s', async (_what, document, proves) => {
    const { ownerId } = await person();
    const { id } = await create({ ownerId, identifier: resource });
    const fetched: string[] = [];
    const find = async () => await apis.find({ ownerId, id });
    const prove = async (given: unknown) => {
      const api = await find();
      if (api === undefined) throw new Error('no API');
      return await apis.prove(api, async (url) => {
        fetched.push(url);
        return await Promise.resolve(given);
      });
    };
    expect(await prove(document)).toBe(proves);
    expect(await find()).toMatchObject({ isProven: proves });
    // A later check that fails ends it.
    await prove({ resource, authorization_servers: [issuer] });
    await prove(document);
    expect(await find()).toMatchObject({ isProven: proves });
    expect(new Set(fetched)).toEqual(new Set(['https://proven.example.com/.well-known/oauth-protected-resource/mcp']));
    await apis.delete({ ownerId, id });
  });
});

describe('the scopes of an API in grants', () => {
  async function grant(clientId: string, accountId: number, names: readonly string[]) {
    const id = `grant-${clientId}`;
    const data = { id, accountId: BigInt(accountId), clientId, scopes: [...names] };
    await db.prisma.grant.create({ data: { ...data, kind: 'consent' } });
    return id;
  }

  async function application(owner: string) {
    const settings = { name: 'App', redirectUris: [], scopes: [], actAsOwner: false, type: 'public' } as const;
    return (await createApplications(db).create({ ...settings, owner })).clientId;
  }

  test('are stored only while the API exists, and leave with it', async () => {
    const { owner, ownerId } = await person();
    const { id } = await create({ ownerId });
    const own = `https://${String(ownerId)}.example.com/#notes:read`;
    const clientId = await application(owner);
    const grantId = await grant(clientId, ownerId, ['users', own, 'https://gone.example.com/#notes:read']);
    const find = async () => await db.prisma.grant.findUniqueOrThrow({ where: { id: grantId } });
    expect(await find()).toMatchObject({ scopes: ['users', own], epoch: 0 });
    await apis.delete({ ownerId, id });
    expect(await find()).toMatchObject({ scopes: ['users'], epoch: 1 });
  });

  test('a consent that is stored while the API is deleted does not keep them', async () => {
    const { owner, ownerId } = await person();
    const { id } = await create({ ownerId });
    const clientId = await application(owner);
    const own = `https://${String(ownerId)}.example.com/#notes:read`;
    let stored: Promise<string> | undefined;
    await db.transaction(async (tx) => {
      await createApis({ ...db, query: tx.query.bind(tx) }, { baseUrl, names: defaultNameRules }).delete({
        ownerId,
        id,
      });
      stored = grant(clientId, ownerId, ['users', own]);
      await waitForLock();
    });
    const found = await db.prisma.grant.findUniqueOrThrow({ where: { id: await stored } });
    expect(found.scopes).toEqual(['users']);
  });

  /** Until a statement waits for a lock. */
  async function waitForLock(): Promise<void> {
    const waiting = async () =>
      await db.prisma.$queryRaw<readonly unknown[]>`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
  }
});
