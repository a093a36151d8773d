// `linnet api`: every subcommand, as an operator runs it.
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { insertAccount } from '@linnet/test/db/insert-account';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';

import { run } from '@linnet/test/cli/run';

const cleanup = new AsyncDisposableStack();
const identifier = 'https://notes.example.com/mcp';
const scopes = ['--scope', 'notes:read Read your notes', '--scope', 'notes:write  Write and delete them'];
let auth: RunningAuth;
let adaId: number;
let own: string;
let publicOne: string;
let foreign: string;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  vi.stubEnv('BASE_URL', undefined); // the test runner sets it to "/"
  vi.stubEnv('DATABASE_URL', database.url);
  adaId = await insertAccount(auth.db, 'ada_lovelace');
  await insertAccount(auth.db, 'eve_stranger');
  const redirectUris = ['https://a.example/callback'];
  own = (await auth.register({ owner: 'ada_lovelace', redirectUris })).clientId;
  publicOne = (await auth.register({ owner: 'ada_lovelace', type: 'public', redirectUris })).clientId;
  foreign = (await auth.register({ owner: 'eve_stranger', redirectUris })).clientId;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await cleanup.disposeAsync();
});
beforeEach(async () => {
  await auth.db.prisma.resourceServer.deleteMany({});
});

/** The exit code and the document that `linnet api … --json` prints. */
async function api(...args: readonly string[]): Promise<{ readonly status: number; readonly document: unknown }> {
  const { status, stdout, stderr } = await run('api', ...args, '--json');
  expect(stderr).toBe('');
  const document: unknown = JSON.parse(stdout);
  return { status, document };
}

const create = async (...options: readonly string[]) =>
  await api('create', '--owner', 'ada_lovelace', '--name', 'Notes', '--identifier', identifier, ...scopes, ...options);

const rowsOf = async () => await auth.db.prisma.resourceServer.findMany();

const created = {
  identifier,
  name: 'Notes',
  owner: 'ada_lovelace',
  client_id: null,
  scope: 'notes:read notes:write',
  scope_descriptions: ['notes:read Read your notes', 'notes:write Write and delete them'],
  access_token_alg: 'ES256',
  verified: false,
  created: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
};

test('an operator creates, lists, shows, updates and deletes an API, and the audit log names each change', async () => {
  const newest = await auth.db.prisma.auditEvent.findFirst({ orderBy: { id: 'desc' } });
  expect(await create()).toEqual({ status: 0, document: created });
  expect(await api('list')).toEqual({ status: 0, document: [created] });
  expect(await api('list', '--owner', 'eve_stranger')).toEqual({ status: 0, document: [] });
  expect(await api('show', identifier)).toEqual({ status: 0, document: created });
  const changed = { ...created, client_id: own, scope: 'notes:read', scope_descriptions: ['notes:read Read them'] };
  const settings = ['--client-id', own, '--scope', 'notes:read Read them'];
  expect(await api('update', identifier, ...settings)).toEqual({ status: 0, document: changed });
  const renamed = { ...changed, name: 'My notes', client_id: null };
  expect(await api('update', identifier, '--name', 'My notes', '--no-client-id')).toEqual({
    status: 0,
    document: renamed,
  });
  expect(await api('list', '--owner', 'ada_lovelace')).toEqual({ status: 0, document: [renamed] });
  expect(await api('delete', identifier)).toEqual({ status: 0, document: { ok: true } });
  expect(await api('list')).toEqual({ status: 0, document: [] });

  const events = await auth.db.prisma.auditEvent.findMany({
    where: { id: { gt: newest?.id ?? 0n }, event: { startsWith: 'api.' } },
    orderBy: { id: 'asc' },
  });
  const about = (name: string, names: readonly string[]) =>
    expect.objectContaining({ identifier, name, scopes: names });
  expect(events.map(({ event, actor, accountId, detail }) => [event, actor, Number(accountId), detail])).toEqual([
    ['api.created', 'operator', adaId, about('Notes', ['notes:read', 'notes:write'])],
    ['api.changed', 'operator', adaId, about('Notes', ['notes:read'])],
    ['api.changed', 'operator', adaId, about('My notes', ['notes:read'])],
    ['api.deleted', 'operator', adaId, expect.objectContaining({ identifier })],
  ]);
});

test('without --json they print text', async () => {
  await create('--client-id', own);
  const listed = await run('api', 'list');
  expect(listed.stdout.split('\n')[0]).toMatch(/^identifier +owner +name +client_id$/);
  expect(listed.stdout).toContain(identifier);
  const shown = await run('api', 'show', identifier);
  for (const text of [identifier, 'Notes', 'ada_lovelace', own, 'notes:write Write and delete them']) {
    expect(shown.stdout).toContain(text);
  }
  const { status, stdout, stderr } = await run('api', 'delete', identifier);
  expect([status, stdout, stderr]).toEqual([0, `The API ${identifier} is deleted.\n`, '']);
  const missing = await run('api', 'show', identifier);
  expect([missing.status, missing.stdout]).toEqual([1, '']);
  expect(missing.stderr).toContain(`linnet: There is no API "${identifier}".`);
});

test('a bare host is found with and without its slash', async () => {
  const { document } = await create('--identifier', 'https://bare.example.com');
  expect(document).toMatchObject({ identifier: 'https://bare.example.com/' });
  for (const text of ['https://bare.example.com', 'https://bare.example.com/']) {
    expect((await api('show', text)).status).toBe(0);
  }
});

test.each(['Linnet Support', 'Notes of Linnet'])('--allow-name accepts %s, which no page does', async (name) => {
  const refused = await create('--name', name);
  expect(refused).toMatchObject({ status: 1, document: { error: { code: 'invalid-name' } } });
  expect((await create('--name', name, '--allow-name')).status).toBe(0);
});

/** Options, without the ones of `create` that they replace, and the code. */
const refusals: readonly (readonly [what: string, options: () => readonly string[], code: string])[] = [
  ['a blank name', () => ['--name', ' '], 'invalid-name'],
  ['a name of 61 characters', () => ['--name', 'x'.repeat(61)], 'invalid-name'],
  ['a scope of our own API', () => ['--scope', 'posts Read posts'], 'invalid-scopes'],
  ['a scope with a #', () => ['--scope', 'a#b Read'], 'invalid-scopes'],
  ['a scope without a description', () => ['--scope', 'notes'], 'invalid-scopes'],
  ['a scope that is listed twice', () => ['--scope', 'a One', '--scope', 'a Two'], 'invalid-scopes'],
  ['an application of somebody else', () => ['--client-id', foreign], 'invalid-client_id'],
  ['a public application', () => ['--client-id', publicOne], 'invalid-client_id'],
  ['an application that does not exist', () => ['--client-id', 'app_0123456789abcdef'], 'invalid-client_id'],
  ['an empty client_id', () => ['--client-id', ''], 'invalid-client_id'],
  ['an algorithm that no API can have', () => ['--access-token-alg', 'HS256'], 'usage'],
  ['an unknown option', () => ['--audience', identifier], 'usage'],
];

const error = (code: string) => ({ status: 1, document: { error: { code, message: expect.any(String) } } });

describe('create', () => {
  test.each([
    ...refusals,
    ['no identifier', () => ['--identifier', ''], 'invalid-identifier'],
    ['an identifier with http', () => ['--identifier', 'http://notes.example.com/'], 'invalid-identifier'],
    ['an identifier with a fragment', () => ['--identifier', 'https://a.example/#b'], 'invalid-identifier'],
    ['an identifier with a query', () => ['--identifier', 'https://a.example/?b'], 'invalid-identifier'],
    ['an identifier that is no URL', () => ['--identifier', 'notes'], 'invalid-identifier'],
    [
      'an identifier of 513 characters',
      () => ['--identifier', `${identifier}/${'x'.repeat(500)}`],
      'invalid-identifier',
    ],
    ['an unknown owner', () => ['--owner', 'nobody'], 'invalid-owner'],
  ] satisfies typeof refusals)('refuses %s, and stores nothing', async (_what, options, code) => {
    expect(await create(...options())).toEqual(error(code));
    expect(await rowsOf()).toEqual([]);
  });

  test('refuses an identifier that is registered, by the same account or by another', async () => {
    await create();
    expect(await create('--name', 'Other')).toEqual(error('invalid-identifier'));
    expect(await create('--owner', 'eve_stranger', '--name', 'Other')).toEqual(error('invalid-identifier'));
    expect((await rowsOf()).map(({ name }) => name)).toEqual(['Notes']);
  });

  test.each(['--owner', '--name', '--identifier', '--scope'])('needs %s', async (option) => {
    const required = { '--owner': 'ada_lovelace', '--name': 'Notes', '--identifier': identifier, '--scope': 'a One' };
    const others = Object.entries(required).filter(([name]) => name !== option);
    expect(await api('create', ...others.flat())).toEqual(error('usage'));
  });
});

describe('update', () => {
  test.each(refusals)('refuses %s, and changes nothing', async (_what, options, code) => {
    await create();
    const before = await rowsOf();
    expect(await api('update', identifier, '--name', 'Changed', ...options())).toEqual(error(code));
    expect(await rowsOf()).toEqual(before);
  });

  test('keeps what it is not given', async () => {
    await create('--client-id', own, '--access-token-alg', 'RS256');
    const kept = { ...created, client_id: own, access_token_alg: 'RS256' };
    expect(await api('update', identifier)).toEqual({ status: 0, document: kept });
    const changed = await api('update', identifier, '--access-token-alg', 'ES256');
    expect(changed).toEqual({ status: 0, document: { ...kept, access_token_alg: 'ES256' } });
  });
});

test.each(['show', 'update', 'check', 'delete'])('%s of an API that does not exist, or of none', async (command) => {
  expect(await api(command, 'https://unknown.example.com/')).toEqual(error('api-not-found'));
  expect(await api(command, '')).toEqual(error('api-not-found'));
  expect(await api(command)).toEqual(error('usage'));
});

test('list of an owner that does not exist', async () => {
  expect(await api('list', '--owner', 'nobody')).toEqual(error('invalid-owner'));
});
