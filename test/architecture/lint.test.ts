import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { allowedHabits, packageTypes, plantedHabits } from './planted-habits.ts';
import { plantRepository } from './planted-repository.ts';
import { repositoryRoot, runTool } from './run-tool.ts';

interface LintResult {
  readonly diagnostics: readonly { readonly code?: string; readonly message: string; readonly filename: string }[];
}

const rulesOfOurs = 'test/architecture/lint-rules.ts';

async function lint(directory: string): Promise<string[]> {
  const { stdout } = await runTool('oxlint', ['--format', 'json', '--ignore-pattern', rulesOfOurs], directory);
  const { diagnostics } = JSON.parse(stdout) as LintResult;
  return diagnostics.map(({ code, message, filename }) => `${code ?? message}: ${filename}`);
}

test('each habit is seen where it is broken, and nowhere else', async () => {
  await using repository = await plantRepository({
    ...packageTypes,
    ...allowedHabits,
    ...Object.fromEntries(plantedHabits.map(([, file, text]) => [file, text])),
    [rulesOfOurs]: await readFile(join(repositoryRoot, rulesOfOurs), 'utf8'),
  });
  const found = await lint(repository.root);
  expect(found.toSorted()).toEqual(plantedHabits.map(([rule, file]) => `${rule}: ${file}`).toSorted());
});
