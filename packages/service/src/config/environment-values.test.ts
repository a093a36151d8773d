import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

import { ConfigurationError } from './configuration-error.ts';
import { findMisspelt, reportEnvironment } from './environment-report.ts';
import type { Environment } from './environment-values.ts';
import { databaseUrlVariable, portVariable, readEnvironment, smtpUrlVariable } from './environment.ts';
import { findInstallation } from './environment-values.ts';
import { Secret } from './secret.ts';

const schema = z.object({
  DATABASE_URL: databaseUrlVariable.optional(),
  SMTP_URL: smtpUrlVariable.optional(),
  PORT: portVariable.default(3000),
});
const url = 'postgresql://canary:secret@db.example/linnet';
let directory: string;
let file: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'linnet-credentials-'));
  file = join(directory, 'DATABASE_URL');
  await writeFile(file, `${url}\n`);
});
afterAll(async () => {
  await rm(directory, { recursive: true });
});

function problemsOf(env: Environment): readonly string[] {
  try {
    readEnvironment(schema, env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

test.each<[from: string, variables: () => Environment]>([
  ['DATABASE_URL', () => ({ DATABASE_URL: url })],
  ['the file of DATABASE_URL_FILE', () => ({ DATABASE_URL_FILE: file, DATABASE_URL: '' })],
  ['a systemd credential', () => ({ CREDENTIALS_DIRECTORY: directory })],
  ['DATABASE_URL rather than a credential', () => ({ DATABASE_URL: url, CREDENTIALS_DIRECTORY: '/nonexistent' })],
])('reads a secret from %s', (_from, variables) => {
  const { DATABASE_URL: read, SMTP_URL: smtp } = readEnvironment(schema, variables());
  expect([read?.reveal(), smtp]).toEqual([url, undefined]);
});

test('reports files that cannot be read, together with the other problems', () => {
  const env = { DATABASE_URL_FILE: '/nonexistent', PORT: 'x' };
  expect(problemsOf(env)).toEqual([
    expect.stringMatching(/^DATABASE_URL_FILE: the file cannot be read \(ENOENT/),
    expect.stringMatching(/^PORT: must be/),
  ]);
  expect(problemsOf({ DATABASE_URL: url, DATABASE_URL_FILE: file })).toEqual([
    'DATABASE_URL_FILE: set either DATABASE_URL or DATABASE_URL_FILE',
  ]);
});

test('the value of a file is checked like that of a variable', async () => {
  const wrong = join(directory, 'wrong');
  await writeFile(wrong, 'mysql://canary');
  expect(problemsOf({ DATABASE_URL_FILE: wrong })).toEqual([expect.stringMatching(/^DATABASE_URL: must be a URL/)]);
});

test('a variable that parses to a secret must be readable from a file', () => {
  const forgotten = z.object({ NEW_PASSWORD: z.string().transform((text) => new Secret(text)) });
  expect(() => readEnvironment(forgotten, { NEW_PASSWORD: 'x' })).toThrow('add it to secretVariables');
});

test('the report names values and their sources, and no secret', () => {
  const report = reportEnvironment(schema, { DATABASE_URL_FILE: file, PORT: 'x' });
  expect(report).toEqual({
    variables: [
      { name: 'DATABASE_URL', value: '[secret]', source: 'file', path: file },
      { name: 'PORT', value: 'x', source: 'environment' },
      { name: 'SMTP_URL', value: null, source: 'default' },
    ],
    problems: [expect.stringMatching(/^PORT: /)],
  });
  expect(JSON.stringify(report)).not.toContain('canary');
});

test.each([
  ['/home/ada/linnet/packages/service/src/config', '/home/ada/linnet'],
  ['/home/ada/linnet/packages/cli/dist', '/home/ada/linnet'],
  ['/opt/linnet/app/dist', '/opt/linnet/app'],
])('%s belongs to the installation %s', (own, installation) => {
  expect(findInstallation(own)).toBe(installation);
});

const names = ['TRUST_PROXY', 'DATABASE_URL', 'HOST', 'PORT', 'BASE_URL', 'WORKERS', 'SECRET_KEYS', 'LOG_LEVEL'];

test.each([
  ['TRUSTPROXY', 'TRUST_PROXY'],
  ['trust_proxy', 'TRUST_PROXY'],
  ['TRUST_PROXYS', 'TRUST_PROXY'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_ULR', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABASE_URLFILE', 'DATABASE_URL_FILE'],
  ['SECRETKEY', 'SECRET_KEYS'],
])('%s is a misspelt %s', (name, meant) => {
  expect(findMisspelt(names, { [name]: '1' })).toEqual([{ name, meant }]);
});

test('other variables of a machine are no mistakes', () => {
  const others = [
    'HOME',
    'PATH',
    'HOSTNAME',
    'LOGNAME',
    'SHELL',
    'PWD',
    'USER',
    'TERM',
    'LANG',
    'INVOCATION_ID',
    'JOURNAL_STREAM',
  ];
  const env = Object.fromEntries([...others, ...names, 'DATABASE_URL_FILE'].map((name) => [name, '1']));
  expect(findMisspelt(names, env)).toEqual([]);
});
