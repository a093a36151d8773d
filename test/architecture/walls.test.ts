import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { allowedImports, plantedImports } from './planted-imports.ts';
import { plantRepository } from './planted-repository.ts';
import type { Files } from './planted-repository.ts';
import { repositoryRoot, runTool } from './run-tool.ts';

interface CruiseResult {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly rule: { readonly name: string } }[];
    readonly ruleSetUsed: { readonly forbidden: readonly { readonly name: string }[] };
  };
}

async function cruise(directory: string) {
  const config = join(repositoryRoot, '.dependency-cruiser.mjs');
  const args = ['apps', 'packages', 'examples', 'test', '--config', config, '--output-type', 'json'];
  const { stdout } = await runTool('depcruise', args, directory);
  const { modules, summary } = JSON.parse(stdout) as CruiseResult;
  return {
    modules: modules.map(({ source }) => source).filter((source) => isModule.test(source)),
    found: summary.violations.map(({ from, rule }) => `${rule.name}: ${from}`),
    rules: summary.ruleSetUsed.forbidden.map(({ name }) => name),
  };
}

describe('the repository', () => {
  let repository: Awaited<ReturnType<typeof cruise>>;

  beforeAll(async () => {
    repository = await cruise(repositoryRoot);
  });

  test('every module is checked', async () => {
    const listed = await Promise.all(
      ['apps', 'packages', 'examples', 'test'].map(async (room) => await listFiles(room)),
    );
    const modules = listed.flat().filter((file) => isModule.test(file));
    expect(repository.modules.toSorted()).toEqual(modules.toSorted());
  });

  test('no import violates a rule', () => {
    expect(repository.found).toEqual([]);
  });
});

const isModule = /^(?:apps|packages|examples|test)\/.+\.(?:tsx?|m?js)$/;

/** All files except built, generated and installed ones. */
async function listFiles(directory: string): Promise<string[]> {
  if (/\/(?:node_modules|dist)$|\/src\/generated$/.test(directory)) return [];
  const entries = await readdir(join(repositoryRoot, directory), { withFileTypes: true });
  const files = entries.map(async (entry) => {
    const path = `${directory}/${entry.name}`;
    return entry.isDirectory() ? await listFiles(path) : [path];
  });
  return (await Promise.all(files)).flat();
}

test('dependency-cruiser reports each planted violation, and nothing else', async () => {
  const files: Files = {
    ...allowedImports,
    ...Object.fromEntries(plantedImports.map(({ at, source }) => [at, source])),
  };
  const further: Files = Object.assign({}, ...plantedImports.map(({ also }) => also));
  const unreached = new Set(
    plantedImports.filter(({ rules: [rule] }) => rule === 'no-unreachable').map(({ at }) => at),
  );
  const entries = entriesOf(Object.fromEntries(Object.entries(files).filter(([file]) => !unreached.has(file))));
  await using repository = await plantRepository({ ...files, ...further, ...entries });
  const { found, rules } = await cruise(repository.root);
  const expected = plantedImports.flatMap(({ rules: names, at }) => names.map((name) => `${name}: ${at}`));
  expect(found.toSorted()).toEqual(expected.toSorted());
  expect(new Set(plantedImports.map(({ rules: [name] }) => name))).toEqual(new Set(rules));
});

/** An entry for each room that imports its modules, so that they are not orphans; without tests and empty modules. */
function entriesOf(files: Files): Files {
  const imported = Object.keys(files).filter(
    (file) => files[file] !== '' && !/^(?:test|examples)\/|\.test\.ts$|\/main\.ts$/.test(file),
  );
  const byRoom = Map.groupBy(imported, (file) => file.split(/\/(?:src|generator)\//)[0] ?? '');
  const entries = [...byRoom].map(([room, modules]) => {
    const imports = modules.map((file) => `import '${file.replace(room, '..')}';`);
    return [`${room}/bin/entry.mjs`, imports.join('\n')];
  });
  return Object.fromEntries(entries);
}
