import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

interface Summary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Prints `N passed, N failed` as the last line. Failures outside tests count as failed: a file that cannot be loaded, a
 * hook, an unhandled error. A run without any passed test fails.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const summary = summarize(modules, unhandledErrors.length);
    if (summary.failed > 0 || summary.passed === 0) process.exitCode = 1;
    // run-vitest.mjs prints the line after all other output.
    if (process.send === undefined) process.on('exit', () => process.stdout.write(`${formatSummary(summary)}\n`));
    else process.send({ summary: formatSummary(summary) });
  }
}

function formatSummary({ passed, failed, skipped }: Summary): string {
  const line = `${String(passed)} passed, ${String(failed)} failed`;
  return skipped === 0 ? line : `${line}, ${String(skipped)} skipped`;
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
