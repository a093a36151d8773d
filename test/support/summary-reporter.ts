import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

interface Summary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Prints the tenth of the files that took longest, with seconds, and `N passed, N failed` as the last line. Failures outside tests count as failed: a file that cannot be loaded, a
 * hook, an unhandled error. A run without any passed test fails.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const summary = summarize(modules, unhandledErrors.length);
    if (summary.failed > 0 || summary.passed === 0) process.exitCode = 1;
    const files = modules.map((module) => ({ path: module.relativeModuleId, ms: module.diagnostic().duration }));
    process.stdout.write(formatSlowest(files));
    // run-vitest.mjs prints the line after all other output.
    if (process.send === undefined) process.on('exit', () => process.stdout.write(`${formatSummary(summary)}\n`));
    else process.send({ summary: formatSummary(summary) });
  }
}

function formatSummary({ passed, failed, skipped }: Summary): string {
  const line = `${String(passed)} passed, ${String(failed)} failed`;
  return skipped === 0 ? line : `${line}, ${String(skipped)} skipped`;
}

export interface TimedFile {
  readonly path: string;
  readonly ms: number;
}

/** Of fewer than ten files, none. Other tests run at the same time, so that these are no measurements. */
export function formatSlowest(files: readonly TimedFile[]): string {
  const slowest = files.toSorted((one, other) => other.ms - one.ms).slice(0, Math.floor(files.length / 10));
  const lines = slowest.map(({ path, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${path}\n`);
  return lines.length === 0 ? '' : `\nThe slowest tenth of the files:\n${lines.join('')}\n`;
}

function summarize(modules: readonly TestModule[], unhandledErrors: number): Summary {
  const total = { passed: 0, failed: unhandledErrors, skipped: 0 };
  for (const module of modules) {
    total.failed += module.errors().length;
    for (const suite of module.children.allSuites()) total.failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      // The test was interrupted.
      if (state === 'pending') total.failed += 1;
      else total[state] += 1;
    }
  }
  return total;
}
