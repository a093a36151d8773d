import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

import SummaryReporter from './test/support/summary-reporter.ts';

// Tests import the sources of workspace packages, so nothing needs to be built.
const conditions = ['source', 'module', 'node', 'development|production'];
const externalConditions = ['source', 'node', 'module-sync'];

/** The tests of one folder below `test`. */
function folder(name: string, options: { readonly testTimeout?: number; readonly hookTimeout?: number } = {}) {
  return { test: { name, include: [`test/${name}/**/*.test.{ts,tsx}`], ...options } };
}

const rooms = '{apps,packages}/*/src';
const storeTests = '**/*.store.test.ts';
/**
 * The MCP SDK, processed like our own code. It uses eventsource-parser, whose TypeScript has the same condition as our packages,
 * and Node.js runs none in node_modules.
 */
function withMcpSdk({ test }: ReturnType<typeof folder>) {
  const isOfSdk = /node_modules\/(?:@modelcontextprotocol\/sdk|eventsource-parser)\//;
  // Without their source maps, which name files that are not published.
  const load = (id: string) => (isOfSdk.test(id) ? readFileSync(id, 'utf8') : undefined);
  return { plugins: [{ name: 'mcp-sdk', load }], test: { ...test, server: { deps: { inline: [isOfSdk] } } } };
}

// Timeouts only end tests that hang. They are no measurements: a busy machine is ten times slower.
const timeouts = { testTimeout: 60_000, hookTimeout: 120_000 };
const processTimeouts = { testTimeout: 300_000, hookTimeout: 300_000 };

export default defineConfig({
  resolve: { conditions, externalConditions },
  ssr: { resolve: { conditions, externalConditions } },
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
          exclude: [storeTests, '**/node_modules/**', '**/dist/**'],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'store',
          include: [`${rooms}/${storeTests}`, `test/support/${storeTests}`],
          exclude: ['**/node_modules/**', '**/dist/**'],
          ...timeouts,
        },
      },
      withMcpSdk(folder('conformance', processTimeouts)),
      folder('e2e', processTimeouts),
      folder('security', processTimeouts),
      folder('architecture', processTimeouts),
      folder('chaos', processTimeouts),
      // `pnpm test:long` loads millions of rows.
      folder('scale', { testTimeout: 120_000, hookTimeout: 3_600_000 }),
    ],
  },
});
