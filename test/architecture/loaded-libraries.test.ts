import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { repositoryRoot } from './run-tool.ts';

/** Prints the packages that a worker loads before its first request. */
const listPackages = `
  const packages = new Set();
  require('node:module').registerHooks({
    load: (url, context, next) => {
      packages.add(/.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url)?.[1]);
      return next(url, context);
    },
  });
  const load = async () => {
    for (const app of ['@linnet/auth/app', '@linnet/api/app']) await import(app);
    console.log(JSON.stringify([...packages]));
  };
  void load();`;

test('large libraries that few requests need are not loaded at start', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=commonjs', '--eval', listPackages], {
    cwd: join(repositoryRoot, 'packages/cli'),
  });
  const loaded: unknown = JSON.parse(stdout);
  expect(loaded).toEqual(expect.arrayContaining(['koa', 'oidc-provider', 'pg']));
  for (const name of ['undici', 'nodemailer', '@simplewebauthn/server', '@peculiar/x509']) {
    expect(loaded).not.toContain(name);
  }
});
