import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { asTypeScript } from './as-typescript.ts';
import type { SampleOf } from './as-typescript.ts';
import { allCalls, findCall, firstCall } from './calls.ts';
import type { Call } from './calls.ts';
import { callRequest, tokenRequest } from './requests.ts';
import type { RunContent } from './run.ts';
import { asCurl, rawRequest } from './format-request.ts';
import { cutToSize, isLarger } from './send.ts';

const repositoryRoot = join(import.meta.dirname, '../../../../..');
const baseUrl = 'http://localhost:3000';
const clientId = 'app_1234567890123456789012';
const hostile = `'"$(id)\`id\`;\\ \${x} %s !! <b>\u2028\u202E é\t|&*?[a]{1,2}#~`;

function getCall(id: string): Call {
  const call = findCall(id);
  if (call === undefined) throw new Error(`there is no call ${id}`);
  return call;
}

/** The words that a shell makes of the command. */
function wordsOf(command: string): readonly string[] {
  const shell = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    ACCESS_TOKEN: 'a token',
    CLIENT_SECRET: 'a $ecret',
    CODE: 'c&de',
    CODE_VERIFIER: 'v',
  };
  return execFileSync('sh', ['-c', shell], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
}

test('a shell passes hostile text to curl as it was typed, and secrets from variables', () => {
  const post = wordsOf(asCurl(baseUrl, callRequest(getCall('post-create'), { message: hostile }, 'mark')));
  const body: unknown = JSON.parse(post[post.indexOf('--data-raw') + 1] ?? '');
  expect(body).toEqual({ message: hostile });
  expect(post[0]).toBe(`${baseUrl}/api/v2.0/post/create`);
  expect(post).toContain('Authorization: Bearer a token');
  expect(post).toContain('Idempotency-Key: mark');

  const [address = ''] = wordsOf(asCurl(baseUrl, callRequest(getCall('users-show'), { username: hostile }, 'mark')));
  expect(new URL(address).searchParams.get('username')).toBe(hostile);
  // curl would expand these as globs.
  expect(address).not.toMatch(/[[\]{}]/);
});

const run: RunContent = {
  flow: 'person',
  scope: 'users posts',
  authentication: 'secret',
  verifier: '-',
  marks: [],
  exchanges: [],
};

test('a shell can run the token request', () => {
  const words = wordsOf(asCurl(baseUrl, tokenRequest({ baseUrl, clientId }, run)));
  expect(words).toContain(`${clientId}:a $ecret`);
  expect(words).toContain('code=c&de');
  expect(words).toContain(`redirect_uri=${baseUrl}/developer/playground/callback`);
});

test('curl accepts the command', () => {
  const command = asCurl(baseUrl, callRequest(getCall('post-create'), { message: hostile }, 'mark'));
  // curl reads every option before it connects.
  const { error, stderr } = spawnSync('sh', ['-c', `${command} --proto -all`], { encoding: 'utf8' });
  expect(error).toBeUndefined();
  expect(stderr).not.toMatch(/option|usage|try 'curl/i);
});

/** Lists of names are typed as text. */
const names = new Map([['types', 'mention,reply']]);

/** A value for each parameter of the endpoint. */
function typedFor({ parameters }: Call): Readonly<Record<string, string>> {
  const values = { text: hostile, number: '114582761947136', flag: 'false' };
  return Object.fromEntries(
    parameters.map(({ name, kind, choices }) => [name, choices[0] ?? names.get(name) ?? values[kind]]),
  );
}

function samples(): readonly string[] {
  const steps = ['authorize', 'token', 'refresh', 'revoke'] as const;
  const sample: SampleOf = { baseUrl, clientId, redirectUri: hostile, run };
  const flows: SampleOf[] = [
    sample,
    { ...sample, run: { ...run, authentication: 'none' } },
    { ...sample, run: { ...run, flow: 'application' } },
  ];
  const calls = allCalls().flatMap((call) => {
    const typed = typedFor(call);
    const needed = call.parameters.filter(({ isRequired }) => isRequired).map(({ name }) => [name, typed[name] ?? '']);
    return [typed, Object.fromEntries(needed)].map(
      (one) => ({ kind: 'call', call: { id: call.route.id, typed: one } }) as const,
    );
  });
  return [
    ...flows.flatMap((one) => steps.map((kind) => asTypeScript(one, { kind }))),
    ...calls.map((step) => asTypeScript(sample, step)),
  ].flatMap((one) => one ?? []);
}

test('the samples match the types of the SDK, for every endpoint', () => {
  const all = samples();
  expect(all.length).toBeGreaterThan(2 * allCalls().length + 10);
  const folder = mkdtempSync(join(tmpdir(), 'linnet-samples-'));
  try {
    for (const [index, source] of all.entries()) writeFileSync(join(folder, `sample-${String(index)}.ts`), source);
    mkdirSync(join(folder, 'node_modules/@linnet'), { recursive: true });
    symlinkSync(join(repositoryRoot, 'packages/sdk'), join(folder, 'node_modules/@linnet/sdk'));
    mkdirSync(join(folder, 'node_modules/@types'));
    symlinkSync(join(repositoryRoot, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
      target: 'ES2022',
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      module: 'NodeNext',
      allowImportingTsExtensions: true,
      types: ['node'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const { status, stdout } = spawnSync(join(repositoryRoot, 'node_modules/.bin/tsc'), ['-p', folder], {
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, '']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('shown requests contain no secrets and no characters that change the text direction', () => {
  const raw = rawRequest(baseUrl, callRequest(getCall('post-create'), { message: hostile }, 'mark'));
  expect(raw).toContain('Authorization: Bearer $ACCESS_TOKEN');
  expect(raw).not.toMatch(/[\p{Bidi_Control}\p{Zl}]/u);
  expect(rawRequest(baseUrl, tokenRequest({ baseUrl, clientId }, run))).toContain('&code=$CODE');
});

test('leaves out endpoints with a password, and the first endpoint needs no parameters', () => {
  expect(findCall('account-delete')).toBeUndefined();
  expect(findCall('auth-register')).toBeUndefined();
  const first = ['users', 'users:read', 'posts', 'posts:read', 'posts:propose', 'email'].map(
    (scope) => firstCall(scope)?.route.id,
  );
  expect(first).toEqual(['users-show', 'users-show', 'feed', 'feed', 'auth-is-email', 'auth-is-email']);
});

test('cuts text by its size in HTML, between characters', () => {
  expect(cutToSize('"<&é😀x', 16)).toBe('"<&');
  expect(cutToSize('"<&é😀x', 17)).toBe('"<&é');
  expect(isLarger('"', 18)).toBe(true);
  expect(isLarger('ab', 20)).toBe(false);
});
