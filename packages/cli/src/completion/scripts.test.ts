import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { run } from '@linnet/test/cli/run';

const execute = promisify(execFile);

/** What bash offers after these words; the last one is being typed. */
async function complete(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout: script } = await run('completion', 'bash');
  const ask = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _linnet; printf "%s\\n" "${COMPREPLY[@]}"';
  const { stdout } = await execute('bash', ['-uc', `${script}${ask}`, 'bash', 'linnet', ...words]);
  return stdout.trim().split('\n');
}

test('bash completes commands, their options, and the values of options', async () => {
  expect(await complete('us')).toEqual(['user']);
  expect(await complete('')).toEqual(expect.arrayContaining(['start', 'app', 'completion', '--version']));
  expect(await complete('session', '')).toEqual(expect.arrayContaining(['list', 'end']));
  expect(await complete('session', 'end', 'ada', '--a')).toEqual(['--all']);
  expect(await complete('app', 'create', '--name', 'user', '--type', '')).toEqual(['confidential', 'public', 'native']);
  expect(await complete('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
  expect(await complete('nothing', '--unknown')).toEqual(['']);
});

test('bash completes paths where an option takes any value', async () => {
  expect(await complete('app', 'create', '--jwks', 'package.js')).toEqual(['']);
  expect((await run('completion', 'bash')).stdout).toContain('complete -o default -F _linnet linnet');
});

test.each(['bash', 'zsh', 'fish'])('%s knows every command and option', async (shell) => {
  const { status, stdout, stderr } = await run('completion', shell);
  expect([status, stderr]).toEqual([0, '']);
  for (const word of ['user', 'search', 'rotate-secret', 'overlap', 'end-access']) expect(stdout).toContain(word);
});

test('another shell is refused, with those that are known', async () => {
  const { status, stderr } = await run('completion', 'tcsh');
  expect([status, stderr]).toEqual([1, expect.stringContaining('bash, zsh, fish')]);
});
