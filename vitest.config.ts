import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

import SummaryReporter from './test/support/summary-reporter.ts';

// Rooms of the workspace are taken from their sources, nothing need be built for tests.
const conditions = ['source', 'module', 'node', 'development|production'];
const externalConditions = ['source', 'node', 'module-sync'];

/** Tests of one folder below `test`. */
function folder(name: string, options: { readonly testTimeout?: number; readonly hookTimeout?: number } = {}) {
  return { test: { name, include: [`test/${name}/**/*.test.{ts,tsx}`], ...options } };
}

const rooms = '{apps,packages}/*/src';
const storeTests = '**/*.store.test.ts';
// Not a measure: on a busy machine twenty commands in a row take a minute.
const processTimeouts = { testTimeout: 180_000, hookTimeout: 180_000 };

export default defineConfig({
  resolve: { conditions, externalConditions },
  ssr: { resolve: { conditions, externalConditions } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', new SummaryReporter()],
    restoreMocks: true,
    // Modules hold no state: files share them, which saves a third of the processor time.
    isolate: false,
    // Most tests wait for databases and processes rather than for a processor.
    maxWorkers: Math.max(3, availableParallelism()),
    projects: [
      {
        test: {
          name: 'unit',
          include: [`${rooms}/**/*.test.{ts,tsx}`, 'test/support/**/*.test.ts'],
          exclude: [storeTests, '**/node_modules/**', '**/dist/**'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'store',
          include: [`${rooms}/${storeTests}`, `test/support/${storeTests}`],
          exclude: ['**/node_modules/**', '**/dist/**'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      folder('conformance', processTimeouts),
      folder('e2e', processTimeouts),
      folder('security', processTimeouts),
      folder('architecture', processTimeouts),
      // The long form of `pnpm test:long` loads millions of rows.
      folder('scale', { testTimeout: 120_000, hookTimeout: 3_600_000 }),
    ],
  },
});
