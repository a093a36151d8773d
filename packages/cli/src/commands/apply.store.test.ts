// `linnet apply` and `linnet export applications`: the documented file, and changes of it.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { declarationsSchema, toJsonSchema } from '@linnet/applications/declared/declaration';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { run } from '@linnet/test/cli/run';
import { insertAccount } from '@linnet/test/db/insert-account';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { parse, stringify } from 'yaml';

const sample = join(import.meta.dirname, '../../../../docs/operations/applications.yaml');
const secrets = { file: 'f'.repeat(40), env: 'e'.repeat(40) };
const station = 'app_weather_station';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let directory: string;
let owner: string;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  vi.stubEnv('BASE_URL', undefined); // the test runner sets it to "/"
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('WEATHER_SECRET', secrets.env);
  directory = await mkdtemp(join(tmpdir(), 'linnet-apply-'));
  await mkdir(join(directory, 'secrets'));
  await writeFile(join(directory, 'secrets/weather'), `${secrets.file}\n`);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true, force: true });
  await cleanup.disposeAsync();
});

type Members = Readonly<Record<string, unknown>>;
type File = Readonly<Record<'applications' | 'apis', readonly Members[]>>;

let file: File;
let owners = 0;

async function addOwner(): Promise<string> {
  owners += 1;
  const username = `owner${String(owners)}`;
  await insertAccount(auth.db, username);
  return username;
}

beforeEach(async () => {
  owner = await addOwner();
  const text = (await readFile(sample, 'utf8')).replaceAll('owner: platform', `owner: ${owner}`);
  // Each test has applications of its own.
  file = parse(text.replaceAll(/app_\w+/g, idOf).replaceAll('notes.example.com/api', `${owner}.example.com/api`));
});

const idOf = (name: string) => `${name}_${owner}`;

async function apply(declared: unknown, ...options: readonly string[]) {
  const path = join(directory, 'applications.yaml');
  await writeFile(path, stringify(declared));
  const { status, stdout } = await run('apply', '-f', path, ...options, '--json');
  const document: Readonly<Record<string, unknown>> = JSON.parse(stdout);
  const differences = declarationsOf(document['differences']);
  return { status, document, differences };
}

/** `create application …`, and the names of what changes. */
function declarationsOf(differences: unknown): readonly string[] {
  if (!Array.isArray(differences)) return [];
  return differences.map(({ action, id, members }: { action: string; id: string; members: object }) =>
    [action, id, ...(action === 'change' ? Object.keys(members) : [])].join(' '),
  );
}

function withApplication(name: string, change: Members): File {
  return {
    ...file,
    applications: file.applications.map((one) => (one['client_id'] === idOf(name) ? { ...one, ...change } : one)),
  };
}

const getToken = async (secret: string) =>
  (await auth.requestToken({ grant_type: 'client_credentials' }, basic(idOf(station), secret))).status;

test('the documented file is applied once; the second run changes nothing', async () => {
  const identifier = String(file.apis[0]?.['identifier']);
  const all = ['app_weather_station', 'app_notes_server', 'app_notes_for_phones'].map(idOf);
  const created = [...all, identifier].map((id) => `create ${id}`);
  expect(await apply(file, '--dry-run')).toMatchObject({ status: 2, differences: created });
  expect(await apply(file)).toMatchObject({ status: 0, differences: created });
  expect(await apply(file)).toMatchObject({ status: 0, differences: [] });
  expect(await apply(file, '--dry-run')).toMatchObject({ status: 0, differences: [] });
  await expect.poll(async () => await getToken(secrets.file)).toBe(200);
  expect(await getToken(secrets.env)).toBe(200);
  const events = await auth.db.prisma.auditEvent.findMany({ where: { clientId: idOf(station) } });
  expect(events.map(({ event }) => event)).toContain('application.created');
});

test('what is exported declares the same', async () => {
  await apply(file);
  const { stdout } = await run('export', 'applications', '--owner', owner);
  const exported: File = parse(stdout);
  const withoutSecrets = file.applications.map((one) =>
    Object.fromEntries(Object.entries(one).filter(([name]) => name !== 'client_secrets')),
  );
  expect(exported).toEqual({ ...file, applications: withoutSecrets.map((one) => expect.objectContaining(one)) });
  expect(await apply(exported)).toMatchObject({ status: 0, differences: [] });
});

describe('a change of the file', () => {
  test.each<[what: string, change: Members, changed: string]>([
    ['another name', { client_name: 'Weather' }, 'client_name'],
    ['another redirect URI', { redirect_uris: ['https://weather.example.com/other'] }, 'redirect_uris'],
    ['fewer scopes', { scope: 'openid posts' }, 'scope'],
    ['a setting', { require_pkce: true }, 'require_pkce'],
    ['a link', { client_uri: '' }, 'client_uri'],
    ['acting as its owner', { act_as_owner: true }, 'act_as_owner'],
    ['one secret less', { client_secrets: [{ env: 'WEATHER_SECRET' }] }, 'client_secrets'],
    [
      'keys in place of secrets',
      {
        client_secrets: undefined,
        token_endpoint_auth_method: 'private_key_jwt',
        jwks_uri: 'https://weather.example.com/jwks.json',
      },
      'token_endpoint_auth_method jwks_uri',
    ],
  ])('%s is made once, and undone', async (_what, change, changed) => {
    await apply(file);
    const edited = withApplication(station, change);
    const differences = [`change ${idOf(station)} ${changed}`];
    expect(await apply(edited)).toMatchObject({ status: 0, differences });
    expect(await apply(edited)).toMatchObject({ status: 0, differences: [] });
    expect((await apply(file)).differences).toHaveLength(1);
  });

  test('a secret that is no longer declared stops working', async () => {
    await apply(file);
    await expect.poll(async () => await getToken(secrets.file)).toBe(200);
    await apply(withApplication(station, { client_secrets: [{ env: 'WEATHER_SECRET' }] }));
    await expect.poll(async () => await getToken(secrets.file)).toBe(401);
    expect(await getToken(secrets.env)).toBe(200);
  });

  test('--prune deletes what the file declared before, and nothing else', async () => {
    await apply(file);
    const other = await auth.register();
    const less = { applications: file.applications.slice(0, 1), apis: [] };
    expect(await apply(less)).toMatchObject({ differences: [] });
    const pruned = await apply(less, '--prune');
    expect(pruned.differences).toEqual(
      expect.arrayContaining([
        `delete ${String(file.apis[0]?.['identifier'])}`,
        `delete ${idOf('app_notes_server')}`,
        `delete ${idOf('app_notes_for_phones')}`,
      ]),
    );
    expect(await apply(less, '--prune')).toMatchObject({ differences: [] });
    expect((await run('app', 'show', other.clientId)).status).toBe(0);
  });
});

describe('a file with mistakes changes nothing', () => {
  test.each<[what: string, change: Members, message: string]>([
    ['an unknown member', { redirect_uri: 'https://a.example' }, 'redirect_uri'],
    ['an id of another form', { client_id: 'short' }, 'client_id'],
    ['a member of another type', { require_pkce: 'yes' }, 'require_pkce'],
    ['a secret in the file', { client_secrets: ['x'.repeat(40)] }, 'client_secrets'],
    ['a variable that does not exist', { client_secrets: [{ env: 'NO_SUCH_SECRET' }] }, 'NO_SUCH_SECRET'],
    ['a file that does not exist', { client_secrets: [{ file: 'none' }] }, 'none'],
    ['a short secret', { client_secrets: [{ env: 'SHORT_SECRET' }] }, '32 to 256'],
    ['no secret', { client_secrets: undefined }, 'needs client_secrets'],
    ['keys beside a secret', { jwks_uri: 'https://a.example/jwks' }, 'private_key_jwt'],
    ['an unknown owner', { owner: 'nobody_at_all' }, 'nobody_at_all'],
    ['a bad redirect URI', { redirect_uris: ['http://a.example/'] }, 'http://a.example/'],
    ['an unknown scope', { scope: 'admin' }, 'admin'],
    ['a link that is no address', { tos_uri: 'x' }, 'tos_uri'],
  ])('%s', async (_what, change, message) => {
    vi.stubEnv('SHORT_SECRET', 'short');
    const { status, document } = await apply(withApplication(station, change));
    expect(status).toBe(1);
    expect(JSON.stringify(document['error'])).toContain(message);
    expect((await run('app', 'list', '--owner', owner, '--json')).stdout.trim()).toBe('[]');
  });

  test('an application that is declared twice', async () => {
    const twice = { ...file, applications: [...file.applications, ...file.applications.slice(0, 1)] };
    expect(JSON.stringify((await apply(twice)).document)).toContain('declared twice');
  });

  test.each<[what: string, change: () => Promise<Members>]>([
    ['the type', async () => await Promise.resolve({ token_endpoint_auth_method: 'none', client_secrets: undefined })],
    ['the owner', async () => ({ owner: await addOwner() })],
  ])('%s cannot change', async (_what, change) => {
    await apply(file);
    const { status, document } = await apply(withApplication(station, await change()));
    expect(status).toBe(1);
    expect(JSON.stringify(document)).toContain('cannot change');
  });
});

test('the published JSON Schema is that of the file', async () => {
  const published = join(import.meta.dirname, '../../../../docs/operations/applications.schema.json');
  await expect(`${JSON.stringify(toJsonSchema(), undefined, 2)}\n`).toMatchFileSnapshot(published);
  expect(declarationsSchema.safeParse(parse(await readFile(sample, 'utf8'))).success).toBe(true);
});
