import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { environment, repositoryRoot } from './service.ts';
import type { Variables } from './service.ts';

const run = promisify(execFile);

/** The commit that upgrades are tested from: that of the previous release, once there is one. Migrations were added since then. */
export const previousCommit = process.env['UPGRADE_FROM'] ?? '5f1bddb34580f1715ce4daa89a5dc0d27f5e399e';
/** A commit with a third of the migrations. An upgrade from it stops all servers. */
export const earlyCommit = process.env['UPGRADE_FROM'] ?? '552b0c6d0a51a13b6ca0b5fc48d38a0dec152752';

/** False in a clone without the history. */
export async function hasCommit(commit: string): Promise<boolean> {
  const found = run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: repositoryRoot });
  return (
    existsSync(join(repositoryRoot, '.git')) &&
    (await found.then(
      () => true,
      () => false,
    ))
  );
}

/** Builds a commit in a folder, which must not exist. */
export async function buildCommit(commit: string, checkout: string): Promise<void> {
  const options = { cwd: checkout, env: environment(), maxBuffer: 2 ** 26 };
  await run('git', ['clone', '--quiet', '--no-checkout', repositoryRoot, checkout]);
  await run('git', ['checkout', '--quiet', commit], options);
  await run('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--prefer-offline'], options);
  await run('npx', ['-y', 'pnpm@12', 'build'], options);
}

/** Runs a `linnet` command of a checkout with `--json`. */
export async function runCommandOf(
  checkout: string,
  args: readonly string[],
  env: Variables,
): Promise<Record<string, unknown>> {
  const options = { cwd: checkout, env: { ...environment(), ...env } };
  const { stdout } = await run(process.execPath, ['packages/cli/bin/linnet.mjs', ...args, '--json'], options);
  return JSON.parse(stdout) as Record<string, unknown>; // docs/operations.md: one JSON object
}
