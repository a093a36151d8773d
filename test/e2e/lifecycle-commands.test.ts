import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createTestDatabase } from '../support/db/test-database.ts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { operate } from '../support/operator.ts';
import { findProcesses } from '../support/processes.ts';
import {
  createDataDir,
  eventually,
  findFreePort,
  launch,
  linnet as linnetCommand,
  repositoryRoot,
  runLinnet,
  startService,
} from '../support/service.ts';
import type { CommandResult, Variables } from '../support/service.ts';

const cleanup = new AsyncDisposableStack();
let dataDir: string;
/** Of a service with the embedded PostgreSQL. */
let env: Variables;
/** With a database of the test run. */
let external: Variables;

beforeAll(async () => {
  dataDir = await createDataDir();
  cleanup.defer(async () => await rm(dataDir, { recursive: true, force: true }));
  env = { DATA_DIR: dataDir, PORT: String(await findFreePort()) };
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  external = { ...env, DATABASE_URL: database.url };
  await operate(['user', 'create', '--email', 'o@example.org', '--username', 'app_owner', ...person], external);
});

afterAll(async () => await cleanup.disposeAsync());

/** Runs a command with `--json`, which prints exactly one document to stdout and nothing to stderr. */
async function linnet(...args: readonly string[]): Promise<Outcome> {
  return readOutcome(await runLinnet([...args, '--json'], env));
}

/** Like `linnet`, in this process and on the external database. */
async function linnetHere(...args: readonly string[]): Promise<Outcome> {
  return readOutcome(await operate([...args, '--json'], external));
}

interface Outcome {
  readonly status: number | null;
  readonly document: unknown;
}

function readOutcome({ exitCode, stdout, stderr }: Pick<CommandResult, 'exitCode' | 'stdout' | 'stderr'>): Outcome {
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^[^\n]+\n$/);
  return { status: exitCode, document: JSON.parse(stdout) };
}

const person = ['--first-name', 'Ada', '--last-name', 'Lovelace', '--password', 'correct horse'];

/** What `linnet doctor` checks. */
const checks = [
  ...[
    'node',
    'configuration',
    'data-dir',
    'database',
    'migrations',
    'timeouts',
    'pooling',
    'writes',
    'clock',
    'commits',
  ],
  ...['keys', 'proxy', 'token-lifetimes', 'partitions'],
  ...['port', 'public-keys', 'mail', 'media-store'],
];

/** Commands for a running and a stopped service: they write, read and examine. */
async function manageAccount(username: string): Promise<void> {
  const email = `${username}@Example.org`;
  const created = await linnet('user', 'create', '--email', email, '--username', username, ...person);
  expect(created).toEqual({ status: 0, document: { id: expect.any(Number), username, email } });
  const shown = await linnet('user', 'show', username.toUpperCase());
  expect(shown).toMatchObject({ status: 0, document: { username, email, first_name: 'Ada', last_name: 'Lovelace' } });
  expect(JSON.stringify(shown.document)).not.toMatch(/hash|argon|correct horse/i);
  const health = await linnet('doctor');
  expect(health.status).toBe(0);
  expect(health.document).toEqual(
    checks.map((name) => expect.objectContaining({ name, ok: true, detail: expect.any(String) })),
  );
  // Whether a commit is slow depends on the disk.
  const warnings = [health.document].flat().filter((check) => Reflect.has(Object(check), 'warning'));
  expect(warnings.filter((check) => Reflect.get(Object(check), 'name') !== 'commits')).toEqual([]);
}

async function expectKeys(): Promise<void> {
  const keys = await linnet('keys', 'list');
  expect(keys.status).toBe(0);
  const key = { kid: expect.any(String), created: expect.stringMatching(/^\d{4}-.*Z$/) };
  expect(keys.document).toEqual([
    { ...key, alg: 'ES256', state: 'current' },
    { ...key, alg: 'ES256', state: 'next' },
    { ...key, alg: 'RS256', state: 'current' },
    { ...key, alg: 'RS256', state: 'next' },
  ]);
}

/** Further commands, which take the same path: in this process, because that takes a tenth of the CPU time. */
async function manageApplication(): Promise<void> {
  const username = 'app_owner';
  const again = ['--email', 'O@EXAMPLE.ORG', '--username', 'another_owner'];
  expect(await linnetHere('user', 'create', ...again, ...person)).toMatchObject({
    status: 1,
    document: { error: { code: 'email-taken' } },
  });
  const app = await linnetHere(
    ...['app', 'create', '--owner', username, '--name', 'Test ✓', '--type', 'confidential'],
    ...['--redirect-uri', 'https://a.example/cb', '--redirect-uri', 'https://b.example/cb?x=1'],
    ...['--scope', 'users posts', '--scope', 'email', '--implicit'],
  );
  expect(app).toEqual({
    status: 0,
    document: {
      client_id: expect.any(String),
      client_secret: expect.stringMatching(/^[\w-]{43,}$/),
      name: 'Test ✓',
      redirect_uris: ['https://a.example/cb', 'https://b.example/cb?x=1'],
      scope: 'users posts email',
    },
  });
  const clientId = String(Reflect.get(Object(app.document), 'client_id'));
  const secret = String(Reflect.get(Object(app.document), 'client_secret'));
  const listed = await linnetHere('app', 'list', '--owner', username);
  expect(listed).toMatchObject({ status: 0, document: [{ client_id: clientId, owner: username }] });
  const shownApp = await linnetHere('app', 'show', clientId);
  const settings = { client_id: clientId, scope: 'users posts email', implicit: true, act_as_owner: false };
  expect(shownApp).toMatchObject({ status: 0, document: settings });
  expect(JSON.stringify([listed, shownApp])).not.toContain(secret);

  const audit = await linnetHere('audit', 'tail', '--limit', '2');
  const event = expect.objectContaining({ actor: 'operator', client_id: clientId });
  expect(audit).toMatchObject({ status: 0, document: [event, event] });
  const whole = { ok: true, break: null, expected_found: null };
  expect(await linnetHere('audit', 'verify')).toMatchObject({ status: 0, document: whole });
  const unknown = await linnetHere('audit', 'verify', '--expect', '0'.repeat(64));
  expect(unknown).toMatchObject({ status: 1, document: { ok: false, expected_found: false } });

  const rotated = await linnetHere('app', 'rotate-secret', clientId, '--overlap', '0.5');
  const fresh = { client_id: clientId, client_secret: expect.stringMatching(/^[\w-]{43,}$/) };
  expect(rotated).toEqual({ status: 0, document: fresh });
  expect(await linnetHere('app', 'delete', clientId)).toEqual({ status: 0, document: { ok: true } });
  const gone = await linnetHere('app', 'rotate-secret', clientId);
  expect(gone).toMatchObject({ status: 1, document: { error: { code: 'application-not-found' } } });

  expect(await linnetHere('migrate')).toMatchObject({ status: 0, document: { pending: [] } });
}

describe('the operator’s commands', () => {
  test('work while the service runs', async () => {
    await using service = await startService({ env });
    await manageAccount('ada_running');
    await expectKeys();
    const processes = await findProcesses(dataDir);
    expect(processes.some(({ pid }) => pid === service.pid)).toBe(true);
  });

  test('manage applications, and read the audit log', async () => {
    await expect(manageApplication()).resolves.toBeUndefined();
  });

  test('work while it is stopped, and stop the embedded PostgreSQL afterwards', async () => {
    await manageAccount('ada_stopped');
    expect(await findProcesses(dataDir)).toEqual([]);
  });

  test('can run at the same time on a stopped service', async () => {
    const runs = await Promise.all(Array.from({ length: 4 }, () => linnet('keys', 'list')));
    expect(runs).toEqual(Array.from({ length: 4 }, () => ({ status: 0, document: expect.any(Array) })));
    expect(await findProcesses(dataDir)).toEqual([]);
  });

  test.each([
    [['user', 'show', 'nobody'], 'account-not-found'],
    [['app', 'show', 'app_unknown'], 'application-not-found'],
    [['app', 'create', '--owner', 'nobody', '--name', 'n', '--type', 'public'], 'invalid-owner'],
    [['app', 'create', '--owner', 'app_owner', '--name', 'n', '--type', 'public', '--scope', 'zzz'], 'invalid-scope'],
    [
      [
        'app',
        'create',
        '--owner',
        'app_owner',
        '--name',
        'n',
        '--type',
        'public',
        '--redirect-uri',
        'http://x.example/',
      ],
      'invalid-redirect_uris',
    ],
    [['user', 'create', '--email', 'x@example.org', '--username', 'admin', ...person], 'username-taken'],
  ])('%j fails with the code %s', async (args, code) => {
    expect(await linnetHere(...args)).toEqual({
      status: 1,
      document: { error: { code, message: expect.stringMatching(/^.+\.$/) } },
    });
  });

  test('doctor fails when a check fails, and reports the other checks', async () => {
    const { exitCode, stdout } = await runLinnet(['doctor', '--json'], {
      ...env,
      DATABASE_URL: 'postgresql://linnet@127.0.0.1:1/linnet',
      SMTP_URL: 'smtp://127.0.0.1:1',
    });
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toContainEqual({
      name: 'database',
      ok: false,
      detail: expect.stringContaining('ECONNREFUSED'),
      remedy: expect.stringContaining('PostgreSQL'),
    });
    expect(JSON.parse(stdout)).toContainEqual({
      name: 'mail',
      ok: false,
      detail: expect.stringMatching(/^SMTP_URL: the mail server 127.0.0.1:1 .*ECONNREFUSED/),
      remedy: expect.stringContaining('SMTP_URL'),
    });
    expect(JSON.parse(stdout)).toContainEqual({ name: 'port', ok: true, detail: expect.any(String) });
  });

  test('audit tail --follow prints new events, one document per line, until it is stopped', async () => {
    const service = inject('service').env;
    const command = [...linnetCommand, 'audit', 'tail', '--follow', '--json', '--limit', '1'];
    await using tail = await launch({ command, env: { DATABASE_URL: service['DATABASE_URL'] } });
    const lines = () => tail.stdout().split('\n').slice(0, -1);
    await eventually('the last event is printed', () => lines().length > 0);
    const args = ['user', 'create', '--email', 'followed@example.org', ...person, '--username', 'followed_person'];
    expect((await runLinnet(args, service)).exitCode).toBe(0);
    const printed = () => lines().map((line): { id: number; event: string; username: string } => JSON.parse(line));
    // Other events of the account may come first.
    await eventually('the new event is printed', () =>
      printed().some(({ username, event }) => username === 'followed_person' && event === 'account.registered'),
    );
    expect(new Set(printed().map(({ id }) => id)).size).toBe(printed().length);
    tail.process.kill('SIGTERM');
    expect(await tail.exited).toEqual({ exitCode: 0, signal: null });
    expect(tail.stderr()).toBe('');
  });

  test('print text without --json', async () => {
    const args = ['user', 'create', '--email', 'c@example.org', ...person, '--username', 'countess'];
    const { stdout } = await runLinnet(args, external);
    expect(stdout).toMatch(/^Created the account countess \(id \d+, c@example\.org\)\.\n$/);
    const refused = await runLinnet(['user', 'show', 'nobody'], external);
    expect(refused).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: 'linnet: There is no account with the username "nobody".\n',
    });
  });
});

test('variables lower the lifetimes of tokens: doctor and app show say which ones hold', async () => {
  const create = ['app', 'create', '--owner', 'app_owner', '--name', 'Patient', '--type', 'confidential'];
  const created = await linnetHere(...create, '--access-token-lifetime', '3600');
  const clientId = String(Reflect.get(Object(created.document), 'client_id'));
  const lowered = { ...external, ACCESS_TOKEN_MAX_SECONDS: '900', REFRESH_TOKEN_TOTAL_MAX_SECONDS: '86400' };
  const shown = await operate(['app', 'show', clientId, '--json'], lowered);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    access_token_lifetime: 3600,
    effective_access_token_lifetime: 900,
    refresh_token_lifetime: null,
    effective_refresh_token_lifetime: 86_400,
  });
  const { stdout } = await runLinnet(['doctor'], lowered);
  expect(stdout).toMatch(/token-lifetimes: access tokens last up to 900 s.*86400 s in total; .*chosen: 1\n/);
  const wrong = await runLinnet(['doctor'], { ...external, ACCESS_TOKEN_MAX_SECONDS: '7200' });
  expect(wrong.exitCode).toBe(1);
  expect(wrong.stdout).toContain('ACCESS_TOKEN_MAX_SECONDS: must be a number of seconds between 60 and 3600');
});

test('a command finds the data of the installation from any working directory', async () => {
  const { stdout } = await runLinnet(['config', 'check', '--json'], { DATA_DIR: undefined }, tmpdir());
  const found = { name: 'DATA_DIR', value: join(repositoryRoot, '.data'), source: 'default' };
  expect(JSON.parse(stdout)['variables']).toContainEqual(found);
});
