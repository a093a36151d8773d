import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { allowedCode, packageTypes, plantedLintViolations } from './planted-lint-violations.ts';
import { plantRepository } from './planted-repository.ts';
import { repositoryRoot, runTool } from './run-tool.ts';

interface LintResult {
  readonly diagnostics: readonly { readonly code?: string; readonly message: string; readonly filename: string }[];
}

const ownRules = 'test/architecture/lint-rules.ts';

async function lint(directory: string): Promise<string[]> {
  const { stdout } = await runTool('oxlint', ['--format', 'json', '--ignore-pattern', ownRules], directory);
  const { diagnostics } = JSON.parse(stdout) as LintResult;
  return diagnostics.map(({ code, message, filename }) => `${code ?? message}: ${filename}`);
}

test('oxlint reports each planted violation, and nothing else', async () => {
  await using repository = await plantRepository({
    ...packageTypes,
    ...allowedCode,
    ...Object.fromEntries(plantedLintViolations.map(([, file, text]) => [file, text])),
    [ownRules]: await readFile(join(repositoryRoot, ownRules), 'utf8'),
  });
  const found = await lint(repository.root);
  expect(found.toSorted()).toEqual(plantedLintViolations.map(([rule, file]) => `${rule}: ${file}`).toSorted());
});
