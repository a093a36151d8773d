import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

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
