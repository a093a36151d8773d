import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test, vi } from 'vitest';

import { formatSlowest } from './summary-reporter.ts';

// Each test is a run of Vitest.
vi.setConfig({ testTimeout: 30_000 });

const reporter = fileURLToPath(new URL('./summary-reporter.ts', import.meta.url));
const runner = new URL('./run-vitest.mjs', import.meta.url).href;
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

interface Outcome {
  readonly status: number | null;
  readonly lastLine: string | undefined;
}

/** Runs Vitest on these files, directly or with the runner of `pnpm test`. */
async function runFiles(
  files: Readonly<Record<string, string>>,
  by: 'vitest' | 'runner',
  args: readonly string[] = [],
): Promise<Outcome> {
  const root = await mkdtemp(join(tmpdir(), 'linnet-reporter-'));
  try {
    const config = {
      test: { globals: true, fileParallelism: false, isolate: false, reporters: ['default', reporter] },
    };
    await writeFile(join(root, 'vitest.config.mjs'), `export default ${JSON.stringify(config)}`);
    for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
    const script = `import { runVitest } from '${runner}'; process.exitCode = await runVitest({ cwd: '.', args: process.argv.slice(1) });`;
    const command = by === 'runner' ? ['--input-type=module', '-e', script, ...args] : [vitest, 'run', ...args];
    const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    for await (const chunk of child.stdout) output += String(chunk);
    const status = child.exitCode ?? (await new Promise<number | null>((resolve) => child.on('exit', resolve)));
    return { status, lastLine: output.trimEnd().split('\n').at(-1) };
  } finally {
    await rm(root, { recursive: true });
  }
}

const passing = `test('a', () => {}); test('b', () => {});`;
const skipped = `test.skip('c', () => {}); test.todo('d');`;
const failing = `test('e', () => { throw new Error('no'); });`;

test('Vitest alone prints the summary last', async () => {
  const files = { 'a.test.js': passing, 'b.test.js': skipped };
  expect(await runFiles(files, 'vitest')).toEqual({ status: 0, lastLine: '2 passed, 0 failed, 2 skipped' });
});

test('Vitest alone fails when all tests are skipped', async () => {
  expect(await runFiles({ 'b.test.js': skipped }, 'vitest')).toEqual({
    status: 1,
    lastLine: '0 passed, 0 failed, 2 skipped',
  });
});

test('the slowest tenth of the files is printed with seconds, the slowest first', () => {
  const files = Array.from({ length: 25 }, (_, index) => ({ path: `${String(index)}.test.js`, ms: index * 1000 }));
  expect(formatSlowest(files)).toBe(
    '\nThe slowest tenth of the files:\n   24.0 s  24.test.js\n   23.0 s  23.test.js\n\n',
  );
  expect(formatSlowest(files.slice(0, 9))).toBe('');
});

describe('the runner of pnpm test', () => {
  test('succeeds when all tests pass', async () => {
    expect(await runFiles({ 'a.test.js': passing }, 'runner')).toEqual({ status: 0, lastLine: '2 passed, 0 failed' });
  });

  test('counts passed, failed and skipped tests', async () => {
    const files = { 'a.test.js': passing, 'b.test.js': skipped, 'c.test.js': failing };
    expect(await runFiles(files, 'runner')).toEqual({ status: 1, lastLine: '2 passed, 1 failed, 2 skipped' });
  });

  test('passes arguments to Vitest', async () => {
    const files = { 'a.test.js': passing, 'c.test.js': failing };
    expect(await runFiles(files, 'runner', ['a.test.js'])).toEqual({ status: 0, lastLine: '2 passed, 0 failed' });
  });

  test('counts errors outside tests: a broken file, one without tests, a hook, an unhandled rejection', async () => {
    const files = {
      'a.test.js': passing,
      'b.test.js': `throw new Error('no');`,
      'c.test.js': '',
      'd.test.js': `describe('s', () => { afterAll(() => { throw new Error('no'); }); test('g', () => {}); });`,
      'e.test.js': `test('h', async () => { void Promise.reject(new Error('no')); await new Promise((r) => setTimeout(r, 50)); });`,
    };
    expect(await runFiles(files, 'runner')).toEqual({ status: 1, lastLine: '4 passed, 4 failed' });
  });

  test('fails when no test runs', async () => {
    expect(await runFiles({}, 'runner')).toEqual({ status: 1, lastLine: '0 passed, 1 failed' });
  });

  test('fails when the configuration is broken', async () => {
    const files = { 'vitest.config.mjs': 'throw new Error()' };
    expect(await runFiles(files, 'runner')).toEqual({ status: 1, lastLine: '0 passed, 1 failed' });
  });
});
