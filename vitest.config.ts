import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

import SummaryReporter from './test/support/summary-reporter.ts';

/** The tests of one folder below `test`. */
function folder(name: string, options: { readonly testTimeout?: number; readonly hookTimeout?: number } = {}) {
  return { test: { name, include: [`test/${name}/**/*.test.{ts,tsx}`], ...options } };
}

const rooms = '{apps,packages}/*/src';
const storeTests = '**/*.store.test.ts';
// Timeouts only end tests that hang. They are no measurements: a busy machine is ten times slower.
const timeouts = { testTimeout: 60_000, hookTimeout: 120_000 };
const processTimeouts = { testTimeout: 300_000, hookTimeout: 300_000 };

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', new SummaryReporter()],
    restoreMocks: true,
    expect: { poll: { timeout: 50_000 } },
    // Modules hold no state, so files can share them. Saves a third of the CPU time.
    isolate: false,
    // Most tests wait for databases and processes rather than for a CPU.
    maxWorkers: availableParallelism() + 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: [`${rooms}/**/*.test.{ts,tsx}`, 'test/support/**/*.test.ts'],
          exclude: [storeTests, '**/node_modules/**'],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'store',
          include: [`${rooms}/${storeTests}`, `test/support/${storeTests}`],
          exclude: ['**/node_modules/**'],
          ...timeouts,
        },
      },
      folder('conformance', processTimeouts),
      folder('e2e', processTimeouts),
      folder('security', processTimeouts),
      folder('architecture', processTimeouts),
      folder('chaos', processTimeouts),
      // `pnpm test:long` loads millions of rows.
      folder('scale', { testTimeout: 120_000, hookTimeout: 3_600_000 }),
    ],
  },
});
