import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { repositoryRoot } from '../support/service.ts';

const bundle = join(repositoryRoot, 'packages/cli/dist');
/** The modules of each file. */
const contents = JSON.parse(readFileSync(join(bundle, 'contents.json'), 'utf8')) as Record<string, readonly string[]>;

/** The packages that a program loads before it does anything: those in its file and in the files that it imports, directly or through others. */
function loadedPackages(program: string): ReadonlySet<string> {
  const files = new Set([program]);
  for (const file of files) {
    const code = readFileSync(join(bundle, file), 'utf8');
    for (const [, imported = ''] of code.matchAll(/^(?:import|export)\b.*?["']\.\/([^"']+)["'];$/gm)) {
      files.add(imported);
    }
  }
  return new Set([...files].flatMap((file) => packagesOf(contents[file] ?? [])));
}

function packagesOf(modules: readonly string[]): readonly string[] {
  return modules.flatMap((module) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1] ?? []);
}

test('large libraries that few requests need are not loaded at start', () => {
  const loaded = loadedPackages('worker.js');
  for (const name of ['koa', 'oidc-provider', 'pg']) {
    expect(loaded).toContain(name);
  }
  for (const name of ['undici', 'nodemailer', '@simplewebauthn/server', '@peculiar/x509']) {
    expect(packagesOf(Object.values(contents).flat())).toContain(name);
    expect(loaded).not.toContain(name);
  }
});

test('the command loads only what its arguments need', () => {
  expect([...loadedPackages('linnet.js')]).toEqual(['commander']);
});

test('every file is ASCII, of which V8 keeps one byte for each character', () => {
  const files = Object.keys(contents).filter((name) => name.endsWith('.js'));
  expect(files.length).toBeGreaterThan(1);
  expect(files.filter((name) => !/^[\0-\x7F]*$/.test(readFileSync(join(bundle, name), 'utf8')))).toEqual([]);
});

describe('compiled code is kept', () => {
  async function keepsCode(prepare: (folder: string) => void): Promise<boolean> {
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'linnet-test-'));
    const folder = join(temporary.path, `linnet-code-${String(process.getuid?.())}`);
    prepare(folder);
    const program = join(repositoryRoot, 'packages/cli/bin/linnet.mjs');
    const { NODE_COMPILE_CACHE: _, ...env } = process.env;
    execFileSync(process.execPath, [program, '--version'], { env: { ...env, TMPDIR: temporary.path } });
    if (readdirSync(folder).length === 0) return false;
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    return true;
  }

  test.each([
    ['in a folder of its own', true, () => undefined],
    ['in the folder of a former start', true, (folder: string) => mkdirSync(folder, { mode: 0o700 })],
    [
      'not in a folder to which others can write',
      false,
      (folder: string) => {
        mkdirSync(folder);
        chmodSync(folder, 0o777);
      },
    ],
  ])('%s', async (_, isKept, prepare) => {
    expect(await keepsCode(prepare)).toBe(isKept);
  });
});
