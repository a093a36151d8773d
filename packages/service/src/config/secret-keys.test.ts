import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { ConfigurationError } from './configuration-error.ts';
import { loadSecretKeys, parseSecretKeys } from './secret.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'linnet-keys-'));
});

afterEach(async () => {
  await rm(dataDir, { recursive: true });
});

test('creates a file that only its owner can read, and reads it afterwards', async () => {
  const nested = join(dataDir, 'not', 'there');
  const first = await loadSecretKeys(nested);
  const second = await loadSecretKeys(nested);
  expect(first.map((key) => key.reveal())).toEqual(second.map((key) => key.reveal()));
  expect(first[0]?.reveal()).toMatch(/^[\w-]{64}$/);
  expect((await stat(join(nested, 'secret-keys'))).mode & 0o777).toBe(0o600);
  expect(await readdir(nested)).toEqual(['secret-keys']);
});

test('processes that start at the same time get the same key', async () => {
  const script = `
    import { loadSecretKeys } from ${JSON.stringify(new URL('secret.ts', import.meta.url).href)};
    const runs = await Promise.all(Array.from({ length: 10 }, () => loadSecretKeys(process.argv[1])));
    console.log(runs.flat().map((key) => key.reveal()).join('\\n'));`;
  const run = promisify(execFile);
  const outputs = await Promise.all(
    Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '-e', script, dataDir])),
  );
  const keys = outputs.flatMap(({ stdout }) => stdout.trim().split('\n'));
  expect(keys).toHaveLength(40);
  expect(new Set(keys).size).toBe(1);
  expect(await readFile(join(dataDir, 'secret-keys'), 'utf8')).toBe(`${String(keys[0])}\n`);
});

test.each(['', 'short-canary', `${'a'.repeat(32)},`])('rejects a file with %j and names it', async (text) => {
  const path = join(dataDir, 'secret-keys');
  await writeFile(path, text);
  const refused = await loadSecretKeys(dataDir).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ConfigurationError);
  expect(String(refused)).toContain(path);
  expect(String(refused)).not.toContain('canary');
});

test('rejects a repeated key', () => {
  const key = 'k'.repeat(32);
  expect(() => parseSecretKeys(`${key},${key}`)).toThrow('SECRET_KEYS: must not contain the same key twice');
});
