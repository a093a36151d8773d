import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { environment, repositoryRoot } from './service.ts';
import type { Variables } from './service.ts';

const run = promisify(execFile);

/** The tag of the last release. Undefined: there is none, or no history. */
export async function findLastRelease(): Promise<string | undefined> {
  const described = run('git', ['describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD~'], { cwd: repositoryRoot });
  return await described.then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
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
  return JSON.parse(stdout) as Record<string, unknown>; // docs/operations/README.md: one JSON object
}
